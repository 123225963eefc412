What holds for every collector, run against the module and against perf.
== machine smp pmu
== run the status of the command is ours
for c in hwpmc perf; do
	pmcstat -q --collector=$c -P cpu-clock -O log sh -c 'exit 3'
	echo $c $?
done
== out
hwpmc 3
perf 3
== run counts in user mode
for c in hwpmc perf; do
	pmcstat --collector=$c -w 1000 -o $c -p page-faults:u -p context-switches -p cpu-clock spin 20000000 || echo failed
	awk '/^ *[0-9]/ { print ($1 > 10 && $3 > 1000000) }' $c
done
== out
1
1
== run children are counted with -d alone
for c in hwpmc perf; do
	pmcstat --collector=$c -w 1000 -o with -d -p task-clock sh -c 'spin 30000000; exit 0'
	pmcstat --collector=$c -w 1000 -o without -p task-clock sh -c 'spin 30000000; exit 0'
	cat without with | awk -v c=$c '/^ *[0-9]/ { n[++i] = $1 } END { print c, (n[2] > 2 * n[1] ? "more" : n[1] " " n[2]) }'
done
== out
hwpmc more
perf more
== run counters of a CPU count what runs there
for c in hwpmc perf; do
	pmcstat --collector=$c -o file -c 0 -s cpu-clock -s context-switches -l 0.3
	sed -n 's/^# *//p' file
	awk '/^ *[0-9]/ { print ($1 > 100000000) }' file
done
== out
s/00/cpu-clock s/00/context-switches
1
s/00/cpu-clock s/00/context-switches
1
== run a running process, until it exits
for c in hwpmc perf; do
	rm -f file
	spin 100000000000 &
	target=$!
	pmcstat --collector=$c -o file -w 0.2 -p task-clock -t $target &
	# It runs until it was seen to be counted.
	until awk '$1 > 0 { n++ } END { exit !n }' file 2>/dev/null; do sleep 0.1; done
	kill $target
	wait $!
	echo $c $?
done
== out
hwpmc 0
perf 0
== run running processes by the names of their commands
cp /pmc/bin/spin one; cp /pmc/bin/spin two
for c in hwpmc perf; do
	./one 100000000000 &
	one=$!
	./two 100000000000 &
	two=$!
	until [ "$(cat /proc/$one/comm /proc/$two/comm | tr '\n' ' ')" = 'one two ' ]; do :; done
	pmcstat -q --collector=$c -P cpu-clock -t '^(one|two)$' -l 1 -O log
	kill $one $two
	pmclog dump log | awk '/^exec.*\/(one|two)"/ { sub(/.*\//, ""); n[$0] } END { for (i in n) print i }' | sort
done
== out
one"
two"
one"
two"
== run the same beside a command, which is a target too and ends the recording
for c in hwpmc perf; do
	./one 100000000000 &
	one=$!
	until [ "$(cat /proc/$one/comm)" = one ]; do :; done
	pmcstat -q --collector=$c -n 5000000 -P cpu-clock -t '^one$' -O log ./two 30000000
	echo $c $?
	kill $one
	# What starts the command may be in it.
	pmcstat -q -R log --folded | sed 's/;.*//' | sort -u | grep -vx pmcstat
done
== out
hwpmc 0
one
two
perf 0
one
two
== run a log through a pipe
for c in hwpmc perf; do
	pmcstat --collector=$c -d -P cpu-clock -O - spin 30000000 2>/dev/null | pmclog check - | grep -o closed
done
== out
closed
closed
== run 64 a log to a device that the kernel itself cannot write to, and through a pipe
pmcstat -q --collector=perf -P cpu-clock -O /dev/null true
pmcstat -q --collector=hwpmc -P cpu-clock -O - true | cat >/dev/null
pmcstat -q --collector=hwpmc -P cpu-clock -O /dev/null true
== err
pmcstat: the module hwpmc can write a log to a file, a pipe or a socket, not to a device as /dev/null
pmcstat: hint: write it through a pipe, -O - | cat >/dev/null; --collector=perf does without the module
== run a report at the end, without a log
for c in hwpmc perf; do
	pmcstat -q --collector=$c -P cpu-clock --flat split 60000000 | awk '$5 == "sixty" { print "seen" }'
done
== out
seen
seen
== run chains of one frame, and of three
for c in hwpmc perf; do
	pmcstat -q --collector=$c -N -P cpu-clock -O log split 60000000
	pmclog dump log | awk '/^callchain/ { n = $5 > n ? $5 : n } END { print c, n }' c=$c
	pmcstat -q --collector=$c --depth 3 -P cpu-clock -O log split 60000000
	pmclog dump log | awk '/^callchain/ { n = $5 > n ? $5 : n } END { print c, n }' c=$c
done
== out
hwpmc 1
hwpmc 3
perf 1
perf 3
== run a length of time ends it
for c in hwpmc perf; do
	pmcstat -q --collector=$c -S cpu-clock -O log -l 0.3
	pmclog check log | grep -o closed
done
== out
closed
closed
== run interrupted, the log is whole
for c in hwpmc perf; do
	rm -f log
	pmcstat -q --collector=$c -S cpu-clock -O log &
	until [ -s log ]; do sleep 0.1; done
	kill -INT $!
	wait $!
	echo $c $?
	pmclog check log | grep -o closed
done
== out
hwpmc 0
closed
perf 0
closed
== run several events at once
for c in hwpmc perf; do
	pmcstat -q --collector=$c -n 1000000 -P cpu-clock -n 1 -P page-faults -O log split 30000000
	pmclog info log | awk '/^pmc/ { print $3, ($(NF - 1) > 0 ? "sampled" : "not") }'
done
== out
cpu-clock, sampled
page-faults, sampled
cpu-clock, sampled
page-faults, sampled
== run what each process counted until it exits, and each thread until it leaves a CPU, is all there is
pmcstat -q --collector=hwpmc -d -E -W -w 1000 -p task-clock -o counts -O log sh -c 'spin 30000000; spin 30000000; exit 0'
pmclog dump log | awk '
	FILENAME == "counts" && /^ *[0-9]/ { all = $1 }
	$1 == "exitval" { n++; exits += $NF }
	$1 == "cswval" { slices += $NF }
	END { print n, (exits == all && slices == all ? "equal" : exits " " slices " " all), (all > 1000000) }' counts -
== out
3 equal 1
== run so many samples a second
for c in hwpmc perf; do
	pmcstat -q --collector=$c --freq 500 -P cpu-clock -O log spin 200000000
	pmclog info log | sed -n 's/^pmc.*cpu-clock, \(.*\), .*/\1/p'
done
== out
500 Hz
500 Hz
== run what there is not
for c in hwpmc perf; do
	pmcstat --collector=$c -P no-such-event -O log true; echo $?
	pmcstat --collector=$c -p cpu-clock -t 99999; echo $?
	pmcstat --collector=$c -c 99 -s cpu-clock; echo $?
done 2>&1 | sed 's/ from 0 to [0-9]*//'
== out
pmcstat: unknown event "no-such-event"
pmcstat: hint: pmcstat -L lists the events
64
pmcstat: there is no process 99999
67
pmcstat: system scope takes a CPU, not 99
64
pmcstat: unknown event "no-such-event"
pmcstat: hint: pmcstat -L lists the events
64
pmcstat: there is no process 99999
67
pmcstat: system scope takes a CPU, not 99
64
== run a user without privileges has himself, in user mode
mkdir -m 777 mine
echo 2 >/proc/sys/kernel/perf_event_paranoid
for c in hwpmc perf; do
	su user -c "pmcstat -q --collector=$c -P cpu-clock -O mine/$c spin 30000000; echo \$?
		pmcstat --collector=$c -S cpu-clock -O mine/log -l 1; echo \$?
		pmcstat --collector=$c -p cpu-clock -t 1; echo \$?" 2>/dev/null
	pmclog dump mine/$c | awk '/^allocatedyn/ { print $3 }'
done
== out
0
77
77
"cpu-clock:u"
0
77
77
"cpu-clock:u"
== run a log on a full disk
mkdir small && mount -t tmpfs -o size=12k none small || echo no
for c in hwpmc perf; do
	pmcstat -q --collector=$c -n 20000 -P cpu-clock -O small/log split time 3000 2>said
	echo $c $?
	grep -o 'No space left on device' said | head -n 1
	pmclog check small/log | grep -o 'not closed'
done
umount small
== out
hwpmc 74
No space left on device
not closed
perf 74
No space left on device
not closed
