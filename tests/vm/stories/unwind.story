Call chains of programs without frame pointers on arm64: what tests/system/unwind.sh has for x86-64.
== machine a61 a612
== file ways
# way PATTERN PROGRAM ARGUMENT...: 19 of 20 chains of the program's loop are like that, and 19 of 20 of all are
# whole.  It runs for longer where it was seen less than 50 times; altstack also where it has ended before its
# samples were read, as may be where CPUs are emulated: then nobody knows what was beyond a handler's own stack.
way() {
	want=$1 program=$2
	shift 2
	for time in 0.4 2 8; do
		pmcstat -q -d --collector=perf -P cpu-clock:u -O log /pmc/bin/$program $time "$@" >pids 2>said || cat said
		pmcstat -q -R log --comm $program --folded >folded 2>said || cat said
		seen=$(awk '/;(spin|jit_leaf) [0-9]+$/ { n += $NF } END { print n + 0 }' folded)
		right=$(sed 's/^[^;]*;//' folded | awk -v way="$want" '$0 ~ way { n += $NF } END { print n + 0 }')
		whole=$(pmcstat -R log --flat 2>&1 |
			sed -n 's/.*whole chains \([0-9]*\) of \([0-9]*\).*/\1 \2/p' |
			awk '{ print ($1 * 20 >= $2 * 19 ? "yes" : $1 " of " $2 " are whole") }')
		[ $seen -ge 50 ] || continue
		[ "${1-}" = altstack ] && { [ $((right * 20)) -lt $((seen * 19)) ] || [ "$whole" != yes ]; } || break
	done
	if [ $seen -ge 50 ] && [ $((right * 20)) -ge $((seen * 19)) ]; then
		echo "${1:-$program}: $whole"
	else
		echo "${1:-$program}: $right of $seen are right"
		grep -v "$want" folded | sort -t' ' -k2nr | head -n 5
	fi
}
start='^_start;.*;main'
== run return addresses are signed
grep -c -w paca /proc/cpuinfo
== out
2
== run the parts that depend on the machine
for test in test_unwind_arm64 test_perf_spaces test_perf_unwind; do
	$test >said 2>&1 || grep -v '^ok' said
done
== out
== run every way to call is whole, and as it is
. ./ways
way "$start;one;two;spin " called plain
way '^[^;]*;[^;]*;worker;two;spin ' called threads
way "$start;.*raise;[^;]*;__kernel_rt_sigreturn;handler;two;spin " called signal
way "$start;in_trap;traps;__kernel_rt_sigreturn;trapped;two;spin " called traps
way "$start;.*raise;[^;]*;__kernel_rt_sigreturn;handler;two;spin " called altstack
way "$start(;down)+;spin " called deep
awk '{ print gsub(/;down/, "") }' folded | sort -n | tail -n 1
way "$start;(in_library;)+spin " called library /pmc/bin/called_lib.so
way "$start;one;two;spin " called vfork
way "$start;(children;)?one;two;spin " called exits
== out
plain: yes
threads: yes
signal: yes
traps: yes
altstack: yes
deep: yes
401
library: yes
vfork: yes
exits: yes
== run code made at run time
. ./ways
way "$start;jit_loop;jit_leaf " jit
== out
jit: yes
