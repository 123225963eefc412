Counts of processes by an event on each CPU: the same storms as in targets.story, on counters of the CPU.
== machine pmu a61 a612
== run slices at switches, totals at exit and the value read say the same
targets -c sums 50
== out
processes: 50, of them with other slices than total: 0, without exactly one exit: 0
slices = exits = value: yes
== run and so they do where the PMC is stopped and started in between
targets -c sums-stopped 10
== out
processes: 10, of them with other slices than total: 0, without exactly one exit: 0
slices = exits = value: yes
== run a value never goes down in a storm
targets -c storm 50
== out
values that went down: 0
== run owners are killed in the middle of storms
targets -c storm-owners 5
== out
owners killed
== run cycles leave nothing behind
targets -c cycles 2000
== out
grown: no
== run a CPU goes and comes back
# The process is on CPU 1 at the end.
targets -c hotplug | tail -n 1
== out
the process: counts
== run a program of another user is a target no more
cp /pmc/bin/targets plain && cp plain setuid && chown user setuid && chmod 4755 setuid
targets -c setuid
== out
./plain: 0 detached, 1 exits, counted
./setuid: 1 detached, 0 exits, counted
== run who may not count CPUs has events of threads, and counts as much
echo 1 >/proc/sys/kernel/perf_event_paranoid
rm -f targets.log && chmod 777 .
su user -c 'targets -c sums 5'
echo 2 >/proc/sys/kernel/perf_event_paranoid
== out
processes: 5, of them with other slices than total: 0, without exactly one exit: 0
slices = exits = value: yes
