Counters that count nothing are those of a PMU, by whatever name its events are asked for.
== machine exact
== run the name of the PMU, the kernel's general names and numbers have one limit; software has none
mkdir -p /run
rmmod hwpmc
printf 'pmcstat counters 1\nboot %s\ntried 3\ngood 2\ndead 1\n' "$(cat /proc/sys/kernel/random/boot_id)" >/run/pmcstat-counters
chmod 600 /run/pmcstat-counters
pmu=$(basename /sys/bus/event_source/devices/armv8_pmuv3*)
[ "$(cat "/sys/bus/event_source/devices/$pmu/type")" -gt 5 ] && echo 'the PMU has a type of its own'
count() {
	pmcstat -p "$@" -o counts spin 100000 2>&1 | sed -n "s/$pmu/PMU/; s/: of 3 counters.*/: refused/p"
}
count $pmu/inst_retired/ -p $pmu/cpu_cycles/ -p page-faults
echo two are given
count $pmu/inst_retired/ -p $pmu/cpu_cycles/ -p $pmu/inst_retired/
count instructions -p r11 -p $pmu/inst_retired/
count $pmu/inst_retired/ -p $pmu/cpu_cycles/ -p cycles
rm /run/pmcstat-counters
insmod /pmc/hwpmc.ko
== out
the PMU has a type of its own
two are given
pmcstat: PMU/inst_retired/: refused
pmcstat: PMU/inst_retired/: refused
pmcstat: cycles: refused
== run a trial of all is kept, and tries no more than once
mkdir -p /run
rmmod hwpmc
pmcstat -p cycles -p instructions -o counts spin 100000
sed 2d /run/pmcstat-counters
stat -c %Y.%i /run/pmcstat-counters >first
pmcstat -p cycles -p instructions -o counts spin 100000
stat -c %Y.%i /run/pmcstat-counters | cmp first
rm /run/pmcstat-counters
insmod /pmc/hwpmc.ko
== out
pmcstat counters 1
tried 6
good 6
dead 0
