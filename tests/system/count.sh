#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What is counted is what getrusage(2) and times(2) say of a program.  The kernel's counts begin with
# exec, the program's own with main() and end before exit: what lies between is allowed for.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

compiled count system/count.c -O1 -pthread
needs_recording

# value ROW COLUMN FILE: of the last line (ROW 0), or the sum of all.
value() {
	awk -v row="$1" -v col="$2" '$1 != "#" && NF { if (row == 0) v = $col; else v += $col }
		END { printf "%.0f\n", v }' "$3"
}

# between TITLE LOW VALUE HIGH
between() {
	if awk -v l="$2" -v v="$3" -v h="$4" 'BEGIN { exit !(v != "" && l <= v && v <= h) }'; then
		verdict yes "$1" "$2 <= $3 <= $4"
	else
		verdict no "$1" "not $2 <= $3 <= $4"
	fi
}

pmcstat -p page-faults -o few.counts ./count few.faults faults 1000
pmcstat -p page-faults -o many.counts ./count many.faults faults 21000
read -r few _ <few.faults
read -r many _ <many.faults
between 'page faults are those of getrusage' "$few" "$(value 0 1 few.counts)" $((few + 1000))
between 'a difference of 20000 in each' 19990 $((many - few)) 20010
between 'is one in the other' $((many - few - 50)) \
	$(($(value 0 1 many.counts) - $(value 0 1 few.counts))) $((many - few + 50))

pmcstat -p context-switches -o c.counts ./count out switches 2000
read -r _ switches _ <out
between 'the program gave way as often as it was told' 2000 "$switches" 1000000
between 'context switches are those of getrusage' "$switches" "$(value 0 1 c.counts)" $((switches + 500))

# A host that takes the CPU away counts as running for the clocks, not for times(2).
taken_away() {
	awk '/^cpu / { printf "%.0f\n", ($7 + $8 + $9) * 1e7 }' /proc/stat
}
for event in task-clock cpu-clock; do
	before=$(taken_away)
	pmcstat -p $event -o t.counts ./count out spin 1000
	away=$(($(taken_away) - before))
	read -r _ _ ns <out
	between "$event is the CPU time of times" "$(awk -v v="$ns" 'BEGIN { printf "%.0f", 0.97 * v - 2e7 }')" \
		"$(value 1 1 t.counts)" "$(awk -v v="$ns" -v away="$away" 'BEGIN { printf "%.0f", 1.1 * v + 5e7 + away }')"
done

pmcstat -w 0.05 -p page-faults -C -p page-faults -o w.counts ./count out faults 5000 spin 300 faults 3000 spin 200
read -r faults _ <out
lines=$(awk '$1 != "#" && NF' w.counts | wc -l)
between 'a line an interval and one at the end' 5 "$lines" 100000
is 'what the lines show adds up to what -C shows' "$(value 1 1 w.counts)" "$(value 0 2 w.counts)"
between 'and that is right' "$faults" "$(value 0 2 w.counts)" $((faults + 1000))
is 'with -C counts never fall' "$(awk '$1 != "#" && NF { if ($2 < last) print; last = $2 }' w.counts)" ''

pmcstat -p page-faults -d -p page-faults -o d.counts ./count out children 5
read -r faults _ <out
between '-d counts in children too' "$faults" "$(value 0 2 d.counts)" $((faults + 1000))
between 'without it only the target is counted' 1 "$(value 0 1 d.counts)" $((faults - 4000))

status=0
pmcstat -p page-faults -o s.counts sh -c 'exit 7' || status=$?
is "the command's exit status is passed on" $status 7

mkfifo go
# running WHAT...: counts the page faults of ./count from when it waits for "go" until its end.
running() {
	./count out "$@" &
	target=$!
	rm -f r.counts
	pmcstat -w 0.02 -C -p page-faults -t $target -o r.counts &
	counter=$!
	# The first line says that it counts.
	while [ ! -s r.counts ] && kill -0 $counter 2>/dev/null; do sleep 0.01; done
	echo >go
	wait $target
	status=0
	wait $counter || status=$?
}
running wait go faults 5000
is 'the end of a target ends the counting' $status 0
between 'a running process is counted from then on' 5000 "$(value 0 1 r.counts)" 5300
running threads go
between 'in all of its threads' 3000 "$(value 0 1 r.counts)" 3300

if pmcstat -s cpu-clock -l 0.01 -o /dev/null 2>probe.err; then
	cpus=$(awk '/^Cpus_allowed_list/ { print $2 }' /proc/self/status | tr , '\n' |
		awk -F- '{ for (i = $1; i <= ($2 == "" ? $1 : $2); i++) print i }' | head -n 2)
	# shellcheck disable=SC2086
	set -- $cpus
	if [ $# = 2 ]; then
		for cpu; do
			pmcstat -c "$1,$2" -s page-faults -o cpus.counts taskset -c "$cpu" ./count out faults 20000
			[ "$cpu" = "$1" ] && column=1 || column=2
			between "the faults on CPU $cpu are in its column" 20000 \
				"$(value 0 "$column" cpus.counts)" 1e12
		done
		is 'the columns name their CPUs' "$(head -n 1 cpus.counts | tr -s ' ')" \
			"$(printf '# s/%02d/page-faults s/%02d/page-faults' "$1" "$2")"
	else
		skip 'the faults on a CPU are in its column' 'one CPU'
	fi
	pmcstat -c "$1" -s cpu-clock -l 3 --count-json -o j.counts
	between "a CPU's clock goes as the time does" 0.8 "$(sed 's/.*"seconds":\([0-9.]*\),.*"count":\([0-9]*\).*/\1 \2/' j.counts |
		awk '{ print $2 / 1e9 / $1 }')" 1.2
	pmcstat -w 0.02 -s cpu-clock -o k.counts &
	counter=$!
	while [ ! -s k.counts ] && kill -0 $counter 2>/dev/null; do sleep 0.01; done
	kill -TERM $counter
	status=0
	wait $counter || status=$?
	is 'a signal ends it well' $status 0
	is 'with whole lines' "$(tail -c 1 k.counts | od -An -c | tr -d ' ')" '\n'
else
	skip 'system scope' "$(head -n 1 probe.err)"
fi
finish
