A CPU's PMU that has some of what is asked for: what is missing is named, and nothing else is blamed.
== machine pmu
== run 69 an event that it has not, beside those that it has
pmcstat -q --collector=perf -o counts -p L1-dcache-loads -- true
== err
pmcstat: the PMU of this machine's CPUs cannot count L1-dcache-loads
pmcstat: hint: these work: cycles, instructions, branches, branch-misses, cache-references, cache-misses, cpu-clock, task-clock, page-faults, context-switches, cpu-migrations
== run 69 a precision that it has not
pmcstat -q --collector=perf -O out.log -P r1:pp -- true
== err
pmcstat: r1:pp: precise sampling of level 2 is above 1, the highest of this machine (/sys/bus/event_source/devices/cpu/caps/max_precise)
pmcstat: hint: precise=1
== run the precision that it has
pmcstat -q --collector=perf --unwind=fp -n 1000000 -O out.log -P r1:p -- chain 2 20000000
pmclog info out.log | sed -n 's/^pmc *0x[0-9a-f]* \(.*\), [0-9]* samples/\1/p'
== out
r1:p, rate 1000000
== run for an ordinary user too, whom no setting would help
echo 2 >/proc/sys/kernel/perf_event_paranoid
su stranger -c 'pmcstat -q --collector=perf -o /tmp/counts -p L1-dcache-loads -- true; pmcstat -q --collector=perf -O /tmp/out.log -P r1:upp -- true' 2>&1 | grep -v hint
== out
pmcstat: the PMU of this machine's CPUs cannot count L1-dcache-loads
pmcstat: r1:upp: precise sampling of level 2 is above 1, the highest of this machine (/sys/bus/event_source/devices/cpu/caps/max_precise)
== run 69 the module says it of an event that no counter can have, and not of one that has no counter left
pmcstat -q --collector=hwpmc -o counts -p L1-dcache-loads -- true
pmcstat -q --collector=hwpmc -o counts -p r1 -p r2 -p r3 -p r4 -p r5 -- true
== err
pmcstat: the PMU of this machine's CPUs cannot count L1-dcache-loads
pmcstat: hint: these work: cycles, instructions, branches, branch-misses, cache-references, cache-misses, cpu-clock, task-clock, page-faults, context-switches, cpu-migrations
pmcstat: r5: no counter is free for it
pmcstat: hint: pmccontrol -l tells what has the counters; with --collector=perf PMCs take turns
== run the doctor says with either collector what can be done, and what is missing once
found() {
	pmccontrol doctor >found
	sed -n 's/: samples seen$//p' found
	grep -c "why: the PMU of this machine's CPUs cannot count L1-dcache-loads" found
	tail -1 found
}
found
rmmod hwpmc
found
insmod /pmc/hwpmc.ko
== out
ok  sample own programs    cpu-clock
ok  sample the kernel      cpu-clock:k
ok  sample whole CPUs      cpu-clock
ok  hardware sampling      cycles
1
programs of this user can be sampled
ok  sample own programs    cpu-clock
ok  sample the kernel      cpu-clock:k
ok  sample whole CPUs      cpu-clock
ok  hardware sampling      cycles
1
programs of this user can be sampled
