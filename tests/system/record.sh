#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Recording, as its user sees it end: by the command's exit, a signal, a full disk, a closed pipe.
# Every log that is left is whole up to its last record.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording

# The exit status of the last command that run() ran.
status=0
run() {
	status=0
	"$@" >out 2>err || status=$?
}

# whole LOG: what pmclog says of its end, without the numbers.
whole() {
	pmclog check "$1" 2>&1 | sed 's/[0-9][0-9]*/N/g'
}

# samples LOG: as many as it has.
samples() {
	pmclog check "$1" 2>&1 | awk '{ print $4 + 0 }'
}
# until_samples LOG N: waits until the log has over N, which on a busy machine takes its time.
until_samples() {
	for _ in $(seq 300); do
		[ "$(samples "$1")" -le "$2" ] || break
		sleep 0.1
	done
}
# until_waits PID FUNCTION: waits until one of its threads waits in such a function of the kernel.
until_waits() {
	for _ in $(seq 300); do
		! grep -qsE "$2" "/proc/$1/task/"*/wchan || break
		sleep 0.1
	done
}

# shellcheck disable=SC2016
busy='i=0; while [ $i -lt 100000000 ]; do i=$((i + 1)); done'
# shellcheck disable=SC2016
short='i=0; while [ $i -lt 1000000 ]; do i=$((i + 1)); done'
# shellcheck disable=SC2016
brief='i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done'

run pmcstat -P cpu-clock -O a.log true
is 'a command that succeeds' "$status:$(cat err)" 0:
run pmcstat -P cpu-clock -O a.log sh -c 'exit 7'
is "a command's own exit status" "$status:$(cat err)" 7:
# shellcheck disable=SC2016
run pmcstat -P cpu-clock -O a.log sh -c 'kill -TERM $$'
is 'a command killed by a signal' "$status:$(cat err)" 143:
is 'its log is closed' "$(whole a.log)" 'a.log: N records, N samples, closed'
run pmcstat --freq 100 -P page-faults -O a.log true
is 'an event that is no clock, at a frequency' "$status:$(cat err)" 0:
run pmcstat -P cpu-clock -O a.log ./no-such-command
is 'a command that is not there' "$status:$(cat err)" '127:pmcstat: ./no-such-command: No such file or directory'
touch no-program
run pmcstat -P cpu-clock -O a.log ./no-program
is 'a file that is no program' "$status:$(cat err)" '126:pmcstat: ./no-program: Permission denied'

rm -f b.log
pmcstat -P cpu-clock -O b.log sh -c "$busy" 2>err &
until_samples b.log 100
kill -TERM $!
status=0
wait $! || status=$?
is 'SIGTERM is passed on to the command' "$status:$(cat err)" 143:
is 'and the log is closed' "$(whole b.log)" 'b.log: N records, N samples, closed'

sh -c "$busy" &
target=$!
pmcstat -P cpu-clock -t $target -O c.log 2>err &
until_samples c.log 100
kill -KILL $target
status=0
wait $! || status=$?
is 'the death of a target ends the recording' "$status:$(cat err)" 0:
is 'with samples of it' "$(samples c.log | awk '{ print ($1 > 100) }')" 1

# The command outlives its recorder, and is found by the pid that it leaves.
pmcstat -P cpu-clock -O d.log sh -c "echo \$\$ >busy.pid; exec sh -c '$busy'" 2>err &
recorder=$!
until_samples d.log 300
kill -KILL $recorder
wait $recorder 2>/dev/null
kill "$(cat busy.pid)"
is 'kill -9 leaves a log that is readable to its last record' "$(whole d.log)" \
	'd.log: N records, N samples, not closed'
is 'and holds all but the last moments' "$(samples d.log | awk '{ print ($1 > 300) }')" 1

status=0
(
	ulimit -f 8
	exec pmcstat -n 100000 -P cpu-clock -O e.log sh -c "$short" 2>err
) || status=$?
is 'a log that may not grow on' \
	"$status:$(sed "/the kernel paused a PMC/d; s,$dir/,,; s/[0-9][0-9]*/N/g" err)" \
	'74:pmcstat: e.log: cannot write: File too large (N bytes are in the log)
pmcstat: N samples could not be written to the log'
is 'ends with a whole record' "$(whole e.log)" 'e.log: N records, N samples, not closed'

run pmcstat -P cpu-clock -O /dev/full true
is 'a full disk' "$status:$(cat err)" '74:pmcstat: /dev/full: cannot write: No space left on device (0 bytes are in the log)
pmcstat: hint: make room for more'

run sh -c "pmcstat -n 100000 -P cpu-clock -O - sh -c '$short' 2>pipe.err | head -c 1000 >/dev/null"
is 'a pipe whose reader went away' "$(sed '/the kernel paused a PMC/d; s/[0-9][0-9]*/N/g' pipe.err)" \
	'pmcstat: standard output: cannot write: Broken pipe (N bytes were sent)
pmcstat: N samples could not be written to the log'

# The reader is ourselves, and never reads.  The first signal is passed on to the command.
mkfifo fifo
exec 9<>fifo
pmcstat -n 100000 -P cpu-clock -O fifo sh -c "$busy" &
recorder=$!
until_waits $recorder pipe_write
for _ in $(seq 300); do
	kill -TERM $recorder 2>/dev/null || break
	sleep 0.1
done
status=0
wait $recorder || status=$?
exec 9>&-
is 'a pipe whose reader is stuck does not hold us against signals' "$status" 143
pmcstat -P cpu-clock -O fifo true &
recorder=$!
until_waits $recorder 'wait_for_partner|fifo_open'
kill -TERM $recorder
status=0
wait $recorder || status=$?
is 'nor does one that has no reader yet' "$status" 143

env --ignore-signal=HUP pmcstat -q -P cpu-clock -O g.log \
	sh -c 'touch running; until [ -e hung-up ]; do sleep 0.1; done; exit 4' &
recorder=$!
until [ -e running ]; do sleep 0.1; done
kill -HUP $recorder
kill -HUP $recorder
touch hung-up
status=0
wait $recorder || status=$?
is 'under nohup a hang-up does not end the recording' "$status:$(whole g.log)" \
	'4:g.log: N records, N samples, closed'
status=0
env --ignore-signal=CHLD timeout -s KILL 20 pmcstat -q -P cpu-clock -O g.log sh -c 'exit 4' ||
	status=$?
is 'the end of the command is seen by who was started with SIGCHLD ignored' "$status" 4
# shellcheck disable=SC2016
sigpipe='s=$(sed -n "s/SigIgn:.*\(.\)...$/\1/p" /proc/self/status); echo "ignored $((s & 1))"'
run env --ignore-signal=PIPE pmcstat -q -P cpu-clock -O g.log sh -c "$sigpipe"
is 'the command has the signals that we were started with' "$(cat out)" 'ignored 1'

sh -c "$busy" &
target=$!
run pmcstat -l 0.2 -P cpu-clock -t $target -t $target -O h.log
is 'a target that is named twice is one' "$status:$(cat err)" 0:
kill -KILL $target
wait $target 2>/dev/null

# sampled LOG PID...: whether it has samples of each, and tells of each before them.
sampled() {
	pmclog dump "$1" 2>/dev/null >dumped
	shift
	for pid; do
		awk -v pid="$pid" '$1 == "create" && $2 == pid { told = 1 }
			$1 == "callchain" && $2 == pid && told { found = 1 }
			END { exit !found }' dumped || return
	done
}

# A child and a grandchild, which run before anybody is attached.
echo "$busy" >busy.sh
cat >kin.sh <<'END'
sh busy.sh & echo $! >child
sh -c 'sh busy.sh & echo $! >grandchild; wait' &
wait
END
sh kin.sh &
target=$!
until_true test -s child -a -s grandchild
pmcstat -q -d -P cpu-clock -t $target -O kin.log 2>err &
recorder=$!
for _ in $(seq 300); do
	! sampled kin.log "$(cat child)" "$(cat grandchild)" || break
	sleep 0.1
done
kill -TERM $recorder
status=0
wait $recorder || status=$?
sampled kin.log "$(cat child)" "$(cat grandchild)" && all=all || all=
is 'with -d a target has its children that run already, and theirs' "$status:$(cat err):$all" 0::all
run pmcstat -q -l 0.3 -P cpu-clock -t $target -O kin.log
is 'without it none' "$(pmclog dump kin.log | grep -cE "^(callchain|create) ($(cat child)|$(cat grandchild)) ")" 0
kill -KILL $target "$(cat child)" "$(cat grandchild)"
wait $target 2>/dev/null

for word in 0 -5 ''; do
	run pmcstat -P cpu-clock -t "$word" -O h.log
	is "-t '$word' is not everything that has it in its name" "$status:$(cat err)" \
		"64:pmcstat: -t \"$word\" is not a process"
done
run pmcstat -P cpu-clock -t 2147483647 -O h.log
is 'a process that is not there' "$status:$(cat err)" '67:pmcstat: there is no process 2147483647'
(
	# shellcheck disable=SC3045
	ulimit -n 14
	exec pmcstat -P cpu-clock -O h.log true 2>err
)
# An ordinary user's event is cpu-clock:u.
is 'too few descriptors are called so' "$(sed 's/[0-9][0-9]*/N/g; s/:u on/ on/; 1q' err)" \
	'pmcstat: cpu-clock on process N: of N files that may be open N are, and events need N in all (PMCs N, threads N, CPUs N)'
needed=$(sed -n 's/.* events need \([0-9]*\) in all (PMCs 1, threads 1, CPUs [0-9]*)$/\1/p' err)
(
	# shellcheck disable=SC3045
	ulimit -n "$(sed -n 's/.*hint: ulimit -n \([0-9]*\) .*/\1/p' err)"
	exec pmcstat -q -P cpu-clock -O few.log sh -c "echo >started; exec sleep 60"
) &
recorder=$!
until_true test -s started
is 'as many as a recording opens, and the hint is enough' \
	"$(readlink /proc/$recorder/fd/* | grep -c perf_event)" "$needed"
kill $recorder
wait $recorder

# Below four the loader itself has none left; from sixty on recordings find enough where CPUs are few.
bad=
for files in $(seq 4 40); do
	for how in '-P cpu-clock -O h.log' '-P cpu-clock --folded=h.folded' '-p cpu-clock' '-T -P cpu-clock'; do
		status=0
		(
			exec >out 2>err </dev/null 3>&- 4>&- 5>&- 6>&-
			# shellcheck disable=SC3045
			ulimit -n "$files"
			# shellcheck disable=SC2086
			exec pmcstat -q $how true
		) || status=$?
		[ $status != 0 ] || continue
		[ $status = 71 ] && [ "$(sed -E 's/^pmcstat: .*: of [0-9]+ files that may be open [0-9]+ are, and .*/of/
			s/^pmcstat: hint: ulimit -n [0-9]+.*/hint/' err | tr '\n' ' ')" = 'of hint ' ] ||
			bad="$bad $how: $files: $status: $(cat err);"
	done
done
is 'whatever has no descriptor left says how many are open, and what to do' "$bad" ''

# What the kernel keeps from being profiled, for root a program of another user.
cp "$(command -v sh)" hidden
if [ "$(id -u)" = 0 ]; then
	chown 65534 hidden && chmod 4755 hidden
	why=set-user-ID
else
	chmod 111 hidden
	why='not readable'
fi
told='pmcstat: 1 programs started with rights of their own (set-user-ID or the like), or cannot be read: the kernel took the PMCs'
told="$told from them, and nothing of them is in the log"
if "$PWD/hidden" -c true 2>err; then
	run pmcstat -q -P cpu-clock -O h.log "$PWD/hidden" -c "$short"
	if [ "$(pmclog check h.log | awk '{ print ($4 > 10) }')" = 1 ]; then
		skip 'a program that hides itself is told' 'file modes mean nothing here'
	else
		is 'a program that hides itself is told' "$status:$(cat err)" \
			"0:$told
pmcstat: no samples of $PWD/hidden: it is $why, and the kernel takes the PMCs from such a program when it starts"
		run pmcstat -q -d -P cpu-clock -O h.log sh -c "$short; '$PWD/hidden' -c '$short'"
		is 'one of its children too, and not by the period' "$status:$(cat err)" "0:$told"
		# No sample may come before it does.
		run pmcstat -q -n 1000000000 -P cpu-clock -O h.log sh -c "exec '$PWD/hidden' -c '$short'"
		is 'nor where the command becomes it' "$status:$(sed 's/[0-9]\.[0-9]*/N/' err)" "0:$told
pmcstat: no samples of sh, which used N s of CPU time"
		run pmcstat -d -p task-clock sh -c "'$PWD/hidden' -c '$short'; :"
		is 'and in a count of a clock' "$(sed -n '/the clock/s/[0-9]\.[0-9]*/N/gp' err)" \
			'pmcstat: the clock counted N s of the N s that sh and its children ran: the kernel takes the PMCs from programs that start'"\
 with rights of their own (set-user-ID or the like)"
	fi
	run pmcstat --summary -o summary "$PWD/hidden" -c true
	is 'before a summary too' "$(cat err)" \
		"pmcstat: $PWD/hidden may not have been counted: it is $why, and the kernel takes the PMCs from such a program when it starts"
else
	skip 'a program that hides itself is told' "$(head -n 1 err)"
fi
run pmcstat -n 100000000000 -P cpu-clock -O h.log sh -c "$short"
is 'no samples in spite of CPU time are told' "$status:$(sed 's/[0-9][0-9.]*/N/' err)" \
	'0:pmcstat: no samples of sh, which used N s of CPU time
pmcstat: hint: a sample stands for N of cpu-clock: a smaller -n'
run pmcstat -n 1000000 -P page-faults -P minor-faults -O h.log sh -c "$short"
is 'of several PMCs without a guess at the reason' "$status:$(sed 's/[0-9][0-9.]*/N/' err)" \
	'0:pmcstat: no samples of sh, which used N s of CPU time'
run pmcstat -n 100000000000 -P cpu-clock -O h.log sh -c "($short); :"
is 'and whether it was used by children' "$status:$(sed 's/[0-9][0-9.]*/N/g' err)" \
	'0:pmcstat: no samples of sh, which used N s of CPU time, N s of it in its children; -d samples those too'
# shellcheck disable=SC2016
run pmcstat -q -P cpu-clock -O h.log sh -c "$brief; ($short); :"
is 'whether there are some of the command itself or none' "$status:$(sed 's/[0-9][0-9.]*/N/g' err)" \
	'0:pmcstat: N samples of sh, which used N s of CPU time, N s of it in its children; -d samples those too'
# The shell itself is sampled, its 400 children end before that and use several times as much.
cat >many.sh <<'EOF'
i=0
while [ $i -lt 400000 ]; do i=$((i + 1)); done
i=0
while [ $i -lt 400 ]; do
	sh -c 'j=0; while [ $j -lt 2000 ]; do j=$((j + 1)); done'
	i=$((i + 1))
done
EOF
run pmcstat -q -d -n 50000000 -P cpu-clock -O h.log sh many.sh
is 'and processes that are too short for a sample' "$status:$(sed 's/[0-9][0-9.]*/N/g' err)" \
	'0:pmcstat: N samples stand for N s of the N s that sh was on a CPU: a process or thread is only sampled after N ms on one, and what comes late counts once
pmcstat: hint: a smaller -n, or -S, samples short ones too'
# Each of the threads has one sample, and runs half as long again.
if command -v "${CC%% *}" >/dev/null; then
	compiled brief system/brief.c -O1 -pthread
	run pmcstat -q -P cpu-clock -O h.log ./brief 300 1.5
	is 'and threads that are' "$status:$(sed 's/[0-9][0-9.]*/N/g' err)" \
		'0:pmcstat: N samples stand for N s of the N s that ./brief was on a CPU: a process or thread is only sampled after N ms on one, and what comes late counts once
pmcstat: hint: a smaller -n, or -S, samples short ones too'
	run pmcstat -q -P cpu-clock -O h.log ./brief 10 30
	is 'but not threads that are long enough' "$status:$(cat err)" 0:
else
	skip 'and threads that are' 'no C compiler'
fi
run pmcstat -q -d -P cpu-clock -O h.log sh -c "$short"
is 'but not where the samples stand for the time' "$status:$(cat err)" 0:
printf 'pmc 1 cpu-clock\nsample 10 0x401000 x5\n' >late
# late PERIOD BEFORE AFTER: of a script that is over at once; what it does stands between the two.  The
# recorder looks after half a second: a busy machine gets less to do.
late() {
	for turns in 200000 100000 50000 25000; do
		run pmcstat -q --collector=fake:late -n "$1" -P cpu-clock -O h.log \
			sh -c "$2 i=0; while [ \$i -lt $turns ]; do i=\$((i + 1)); done $3"
		[ ! -s err ] || break
	done
}
late 10000 '' ''
is 'and samples that come later than the period is, where that is short' "$status:$(sed 's/ [0-9]*\.[0-9]*/ N/g' err)" \
	'0:pmcstat: 5 samples stand for N s of the N s that sh was on a CPU: they come later than after 10 us, and what they take is in its time
pmcstat: hint: a larger -n'
late 10000 '(' '); :'
is 'where it was children, that is said instead' "$status:$(sed 's/ [0-9]*\.[0-9]*/ N/g' err)" \
	'0:pmcstat: 5 samples of sh, which used N s of CPU time, N s of it in its children; -d samples those too'
run pmcstat -q -p task-clock -P cpu-clock -O h.log sh -c "$brief"
is 'a count takes nothing from how long the log says that the command ran' "$(pmclog dump h.log | grep -c '^detach.* user=')" 1
late 1000000 '' ''
is 'and where it is not, that threads are too short' "$status:$(sed 's/ [0-9]*\.[0-9]*/ N/g' err)" \
	'0:pmcstat: 5 samples stand for N s of the N s that sh was on a CPU: a process or thread is only sampled after 1 ms on one, and what comes late counts once
pmcstat: hint: a smaller -n, or -S, samples short ones too'

as=
[ "$(id -u)" = 0 ] || as=-r
for where in proc sys; do
	type=proc
	[ $where = proc ] || type=sysfs
	if [ $where = proc ] && grep -q '^SAN_CFLAGS = .*fsanitize' "$builddir/Makefile"; then
		skip 'without /proc' 'sanitizers need it, even for their options'
		continue
	fi
	# shellcheck disable=SC2086
	if ! unshare $as -m mount -t tmpfs none /$where 2>err; then
		skip "without /$where" "$(head -n 1 err)"
		continue
	fi
	# shellcheck disable=SC2086
	unshare $as -m sh -c "mount -t tmpfs none /$where && exec pmcstat --collector=perf -S cpu-clock -l 0.1 -O h.log" 2>err
	is "without /$where" "$?:$(tail -n 1 err)" "72:pmcstat: hint: try: sudo mount -t $type nodev /$where"
done

echo old >f.log
run pmcstat -P no-such-event -O f.log true
is 'a recording that cannot be leaves the old log alone' "$status:$(cat f.log)" 64:old
# A PATH of directories that this user may all search, or the answer is 126.
run env PATH="$builddir:/usr/bin:/bin" pmcstat -P cpu-clock -O f.log no-such-command
is 'nor is it lost to a command that is not there' "$status:$(cat f.log)" 127:old
run env PATH="$builddir:/usr/bin:/bin" pmcstat -P cpu-clock --flat no-such-command
is 'live: no report where nothing was recorded' "$status:$(cat out)" 127:
run pmcstat -P cpu-clock -O /dev/null --flat true
is 'outputs need a log that can be read' "$status:$(sed 1q err)" \
	'64:pmcstat: /dev/null is not a file that outputs can be made from'
run pmcstat -N -U -P cpu-clock -O h.log true
is '-U without call chains has nothing to add to' "$status:$(cat err)" 0:
run pmcstat -P cpu-clock -O /no/such/dir/log true
is 'a log that cannot be made' "$status:$(cat err)" '73:pmcstat: /no/such/dir/log: No such file or directory'
run pmcstat -P cpu-clock -G /no/such/dir/graph touch ran
is 'live: a report that cannot be made, before the command has run' \
	"$status:$(cat err):$(ls ran 2>/dev/null)" '73:pmcstat: /no/such/dir/graph: No such file or directory:'
run pmcstat -q -P cpu-clock -G graph sh -c "$short; exit 3"
is 'live: the command, then its report' "$status:$(sed -n 's/ \[.*//; s/:u$//; 1p' graph)" '3:@ cpu-clock'
sh -c "$busy" &
target=$!
{
	timeout -s KILL 20 pmcstat -q -P cpu-clock --dump -t $target 2>err
	echo $? >status
} | head -n 1 >out
kill -KILL $target
wait $target 2>/dev/null
is 'live: text whose reader went away ends the recording' \
	"$(cat status):$(sed 's/[0-9][0-9]*/N/g; 1q' err)" \
	'74:pmcstat: pipe:[N]: cannot write: Broken pipe (N bytes were sent)'
run pmcstat -q -P cpu-clock --dump sh -c 'exit 3'
is 'live: the log as text' "$status:$(head -n 1 out)" '3:initlog   0x9030000 "GENERIC"'
finish
