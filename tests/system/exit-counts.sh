#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Counts of processes at exit and at switches: they add up to what was counted in all, exactly for
# events, and are what getrusage(2) says of each process.
#
# Where tracefs is not mounted root has a mount that this script alone sees.
if [ ! -e /sys/kernel/tracing/events ] && [ -z "${PRIVATE_MOUNTS-}" ] &&
	unshare -m mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null; then
	# shellcheck disable=SC2016
	PRIVATE_MOUNTS=1 exec unshare -m sh -c 'mount -t tracefs nodev /sys/kernel/tracing && exec sh "$0"' \
		"${srcdir:?}/tests/system/exit-counts.sh"
fi
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
compiled count system/count.c -O1 -pthread
needs_recording

# total KEYWORD PMC LOG [PID]: the sum of its records.
total() {
	pmcstat --dump -R "$3" | awk -v k="$1" -v pmc="$2" -v pid="${4-}" \
		'$1 == k && $2 == pmc && (pid == "" || $3 == pid) { n += $4 } END { printf "%.0f\n", n }'
}

# between TITLE LOW VALUE HIGH
between() {
	if [ "$2" -le "$3" ] && [ "$3" -le "$4" ]; then
		verdict yes "$1" "$2 <= $3 <= $4"
	else
		verdict no "$1" "not $2 <= $3 <= $4"
	fi
}

# counted N: what the file counts has of the Nth PMC.
counted() {
	awk -v c="$1" '$1 != "#" && NF { v = $c } END { print v }' counts
}

# is_of_all PMC N: the counts at exit and at switches are those of the Nth PMC.
is_of_all() {
	is "$1 at exit are all that were counted" "$(total exitval "$2" crowd.log)" "$(counted "$3")"
	is "$1 at switches as well" "$(total cswval "$2" crowd.log)" "$(counted "$3")"
}

pmcstat -q -E -p page-faults -O alone.log -o counts ./count out faults 2000 children 3 2>err || skip_all "$(head -n 1 err)"
between 'a process by itself needs no more than its event, which follows no children' 2000 "$(counted 1)" 2400
is 'and is what was counted' "$(total exitval 0xfff03f00 alone.log)" "$(counted 1)"

if ! pmcstat -q -d -E -W -p page-faults -O probe.log -o /dev/null true 2>err; then
	# From 6.16 on there is no such excuse; a user may lack rights.
	case $(uname -r | awk -F '[.-]' '{ print ($1 * 1000 + $2 >= 6016) }')$(cat err) in
	1*'when its counts are gone'*) verdict no 'all that a program starts' "$(cat err)" ;;
	*) skip 'all that a program starts' "$(head -n 1 err)" ;;
	esac
	finish
fi
if unshare -rm sh -c 'mount -t tmpfs none /sys/kernel/tracing &&
	{ [ ! -d /sys/kernel/debug ] || mount -t tmpfs none /sys/kernel/debug; } &&
	exec pmcstat -d -E -p page-faults -O untold.log -o /dev/null true' >out 2>err; then
	verdict no 'without tracefs nothing is told' "$(cat err)"
elif grep -q '^pmcstat: ' err; then
	is 'without tracefs the other ways are told' "$(cat err)" \
		"pmcstat: the counts of processes and switches: tracepoint sched:sched_process_exit: no tracefs is \
mounted at /sys/kernel/tracing
pmcstat: hint: try: sudo mount -t tracefs nodev /sys/kernel/tracing; or --collector=hwpmc, or -E without -d and -W: \
the count of the process that is started or named alone"
else
	skip 'without tracefs' "$(head -n 1 err)"
fi
cat >crowd.sh <<'EOF'
for i in 1 2 3 4; do
	(for j in 1 2 3 4 5 6; do ls / | cat | wc -l >/dev/null; done) &
done
./count out faults 2000 children 3 switches 200
wait
EOF
pmcstat -q -d -E -W -C -p page-faults -p context-switches -p task-clock -O crowd.log -o counts sh crowd.sh
faults=0xfff03f00 switches=0xfff03f01 clock=0xfff03f02
is_of_all 'page faults' $faults 1
is_of_all 'context switches' $switches 2
is 'the clock at switches is that at exit' "$(total cswval $clock crowd.log)" "$(total exitval $clock crowd.log)"
exits=$(pmcstat --dump -R crowd.log | grep -c '^exit ')
between 'which is all of it but for the ends of processes' $(($(counted 3) - exits * 100000)) \
	"$(total exitval $clock crowd.log)" "$(counted 3)"
is 'every process has a count' "$(pmcstat --dump -R crowd.log | grep -c "^exitval  *$faults")" "$exits"
is 'and it comes before its exit' "$(pmcstat --dump -R crowd.log |
	awk -v p=$faults '$1 == "exit" && !told[$2]; $1 == "exitval" && $2 == p { told[$3] = 1 }')" ''
pid=$(pmcstat --dump -R crowd.log | awk '$1 == "exec" && $5 ~ "/count\"" { print $3 }')
between 'children are not in the count of their parent' 2000 "$(total exitval $faults crowd.log "$pid")" 3000

is 'the process tree adds up to all of it' "$(pmcstat -q -R crowd.log -f threshold=0 --process-tree |
	awk '/^@/ { n++ } n == 1 && /^ *[0-9]/ { self += $3; root = root ? root : $2 } END { print self, root }')" \
	"$(counted 1) $(counted 1)"

mkfifo go on
# They live until the log has them: those that are gone before may be missed.
cat >lines.sh <<'EOF'
pids=
for i in 1 2 3 4 5 6 7 8 9 10; do
	./count out wait go 'a b' "" $i-th &
	pids="$pids $!"
done
tries=0
until [ "$(grep -ao '[0-9][0-9]*-th' lines.log | sort -u | wc -l)" = 10 ] || [ $tries = 600 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
kill $pids
wait
EOF
pmcstat -q -d -E -p page-faults -O lines.log -o lines.counts sh lines.sh
pmcstat -q -R lines.log -f threshold=0 --process-tree >lines
is 'programs have their arguments' "$(grep -c " count out wait go 'a b' '' [0-9]*-th\$" lines)" 10
./count out wait go threads on faults 500 &
target=$!
rm -f counts
pmcstat -q -w 0.02 -C -E -W -p page-faults -t $target -O threads.log -o counts &
counter=$!
while [ ! -s counts ] && kill -0 $counter 2>/dev/null; do sleep 0.01; done
echo >go
echo >on
wait $target
wait $counter
between 'a process that ran already is counted from then on, in all threads' 3500 \
	"$(total exitval $faults threads.log)" 3800
is 'which is what was counted' "$(total exitval $faults threads.log)" "$(counted 1)"
is 'and what its threads counted' "$(total cswval $faults threads.log)" "$(counted 1)"
finish
