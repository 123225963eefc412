Target processes on two CPUs: many threads that end at once, storms of forks, threads and execs that are
read, let go and taken again meanwhile, owners that are killed, CPUs that go.
== machine smp
== run slices at switches, totals at exit and the value read say the same
targets sums 50
== out
processes: 50, of them with other slices than total: 0, without exactly one exit: 0
slices = exits = value: yes
== run and so they do where the PMC is stopped and started in between
targets sums-stopped 10
== out
processes: 10, of them with other slices than total: 0, without exactly one exit: 0
slices = exits = value: yes
== run a value never goes down in a storm
targets storm 50
== out
values that went down: 0
== run owners are killed in the middle of storms
targets storm-owners 5
== out
owners killed
== run thousands of cycles leave nothing behind
case $IS in
*debug*)
	# That kernel is slow, and keeps what was freed for a while; kmemleak looks at it.
	targets cycles 500 >/dev/null && echo 'grown: no'
	;;
*)
	targets cycles 4000
	;;
esac
== out
grown: no
== run an attach takes all that a process has below it, each once
family() {
	[ $1 -gt 0 ] || exec sleep 1000
	family $(($1 - 1)) & family $(($1 - 1)) & family $(($1 - 1)) &
	wait
}
family 4 &
until [ "$(pidof sleep | wc -w)" -eq 81 ]; do sleep 0.1; done
pmcstat -q -d -P cpu-clock -t $! -l 0.1 -O family.log
kill $(pidof sleep)
wait
pmclog dump family.log | awk '$1 == "attach" { n[$3]++ } END { for (pid in n) times[n[pid]]++; for (t in times) print times[t], "attached, times", t }'
== out
121 attached, times 1
== run a CPU goes and comes back
targets hotplug
== out
on: counts
off: kept, stands still
on again: kept
on: counts
off: kept, stands still
on again: kept
on: counts
off: kept, stands still
on again: kept
on: counts
the process: counts
== run the module stays while a process owns a PMC, and goes when that has exited
targets unload
until rmmod hwpmc 2>/dev/null; do sleep 0.1; done
echo unloaded
insmod /pmc/hwpmc.ko && chgrp profile /dev/hwpmc
== out
refused
unloaded
== run a program that may do more than its user is a target no more
cp /pmc/bin/targets plain && cp plain setuid && chmod 4755 setuid && chmod 777 .
echo 1 >/proc/sys/kernel/perf_event_paranoid
su user -c 'targets setuid'
echo 2 >/proc/sys/kernel/perf_event_paranoid
== out
./plain: 0 detached, 1 exits, counted
./setuid: 1 detached, 0 exits, counted
== run which its log says, once for all PMCs, and the recorder at the end
cat >both <<'E'
spin 200
./hidden 300
E
cp "$(command -v spin)" hidden && chmod 4755 hidden
su user -c 'pmcstat -q --collector=hwpmc -d -P cpu-clock -P task-clock -O hidden.log sh both'
pmclog dump hidden.log | grep '^drop'
pmclog info hidden.log | grep 'programs hidden'
rm both hidden hidden.log
== out
drop      1 0 hidden
           1 programs hidden by the kernel
== err
pmcstat: 1 programs started with rights of their own (set-user-ID or the like), or cannot be read: the kernel took the PMCs from them, and nothing of them is in the log
