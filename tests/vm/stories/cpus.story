CPUs that go and come back.
== machine smp
== run a CPU that is not there
echo 0 >/sys/devices/system/cpu/cpu1/online
hwpmcctl <<'E'
rowinfo 1 1
allocate s sc cpu=1
allocate z ss cpu=1
admin 1 1 0
E
echo 1 >/sys/devices/system/cpu/cpu1/online
== out
rowinfo 1 1: ENXIO
allocate s sc cpu=1: ENXIO
allocate z ss cpu=1: ENXIO
admin 1 1 0: ENXIO
== run one that goes and comes
hwpmcctl <<'E'
allocate s sc cpu=1 config=cpu-clock
allocate t sc cpu=1 config=cpu-clock
allocate p tc
start s
start p
spin 20
write /sys/devices/system/cpu/cpu1/online 0
start s
stop s
start t
stop t
rw s old
is s > 0
rw t old
is t = 0
write /sys/devices/system/cpu/cpu1/online 1
waitcount s
waitstart t
stop t
stop s
stop p
rw p old
is p > 0
setcount s 3
rw s old
is s = 3
E
== out
allocate s sc cpu=1 config=cpu-clock: ok
allocate t sc cpu=1 config=cpu-clock: ok
allocate p tc: ok
start s: ok
start p: ok
spin 20: ok
write /sys/devices/system/cpu/cpu1/online 0: ok
start s: ok
stop s: ENXIO
start t: ENXIO
stop t: ENXIO
rw s old: ok
is s > 0: yes
rw t old: ok
is t = 0: yes
write /sys/devices/system/cpu/cpu1/online 1: ok
waitcount s: ok
waitstart t: ok
stop t: ok
stop s: ok
stop p: ok
rw p old: ok
is p > 0: yes
setcount s 3: ok
rw s old: ok
is s = 3: yes
== run released while it is away
hwpmcctl <<'E'
allocate s sc cpu=1 config=cpu-clock
start s
write /sys/devices/system/cpu/cpu1/online 0
release s
write /sys/devices/system/cpu/cpu1/online 1
rowinfo 1 1
E
== out
allocate s sc cpu=1 config=cpu-clock: ok
start s: ok
write /sys/devices/system/cpu/cpu1/online 0: ok
release s: ok
write /sys/devices/system/cpu/cpu1/online 1: ok
rowinfo 1 1: SOFT-0 free enabled owner none -
== run perf ends its events with their CPU for good: what samples there goes on by new ones
cpu1=/sys/devices/system/cpu/cpu1/online
cp /pmc/bin/spin once
cp /pmc/bin/spin again
pmcstat -q --collector=perf -S cpu-clock -O log -- sh -c "
	echo 0 >$cpu1; echo 1 >$cpu1; sleep 4; taskset 2 ./once 300000000
	echo 0 >$cpu1; sleep 2; echo 1 >$cpu1; sleep 4; taskset 2 ./again 300000000" 2>err
grep off err
pmclog dump log | awk '/^drop .* 1 cpu-gaps/ { gaps++ } /^callchain .* 1 [0-9]+ [us]$/ { n[gaps + 0]++ }
	END { print gaps, (n[1] > 100), (n[2] > 100) }'
pmcstat -R log --flat | grep -o '2 CPUs came online, and were not sampled, or not at once'
pmcstat -q -R log --by comm --flat | grep -c -e '^@.*once' -e '^@.*again'
== out
pmcstat: 2 times a CPU was off and came back: what ran there in the first second or two is missing
2 1 1
2 CPUs came online, and were not sampled, or not at once
2
== run what counts there too, all of a group, marked with what is missing
cpu1=/sys/devices/system/cpu/cpu1/online
pmcstat -q --collector=perf -C -c 1 -w 1 -s '{cpu-clock,page-faults}' -o counts -- sh -c "
	sleep 2; echo 0 >$cpu1; echo 1 >$cpu1
	for i in 1 2 3 4 5; do sleep 1; taskset 2 ls / >/dev/null; done"
awk '$1 + 0 { clock = $1 + 0; faults = $2 + 0; if (/@/ && !marked++) { since = clock; before = faults } }
	END { print (marked > 0), (clock > since), (faults > before) }' counts
== out
1 1 1
== run a CPU that was off when the others were begun with
for collector in perf hwpmc; do
	echo 0 >/sys/devices/system/cpu/cpu1/online
	pmcstat -q --collector=$collector -S cpu-clock -O log -- sh -c "
		sleep 1; echo 1 >/sys/devices/system/cpu/cpu1/online; sleep 3" 2>err
	grep online err
	pmclog dump log | grep '^drop.*cpus'
	pmcstat -q --collector=$collector -c 0 -S cpu-clock -O log -- sh -c "
		echo 0 >/sys/devices/system/cpu/cpu1/online; echo 1 >/sys/devices/system/cpu/cpu1/online
		sleep 3" 2>&1 | grep online
done
:
== out
pmcstat: 1 times a CPU came online while the recording went on: nothing was sampled there from then on
drop      1 1 late-cpus
pmcstat: 1 times a CPU came online while the recording went on: nothing was sampled there from then on
drop      1 1 late-cpus
