The oracle of all counts: instructions of a loop, counted by perf, are the same in every boot.
== machine exact
== run a loop of 20,000,000 instructions, and what starts and ends a program
spin 10000000
counted() {
	pmcstat -p "$1:u" spin 10000000 2>&1 | awk '/^ *[0-9]/ { print $1 }'
}
counted instructions >first
counted instructions >second
counted cycles >third
cmp first second && cmp first third && [ "$(cat first)" -gt 20000000 ] && [ "$(cat first)" -lt 20200000 ] && echo exact
== out
exact
