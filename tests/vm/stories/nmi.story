Overflows in NMI, in user and in kernel code: as many samples as were handed over.
== machine pmu
== run user code is interrupted on each CPU, also when one was away
sampled() {
	for times in 20000000 200000000 2000000000; do
		taskset $1 pmcstat -q -n 1000000 -P cycles:u -O out.log -- chain 6 $times 2>err
		pmcstat -q -R out.log --folded | grep -q ";spin " && echo "$1 $2" && return
	done
}
echo 0 >/sys/devices/system/cpu/cpu1/online
echo 1 >/sys/devices/system/cpu/cpu1/online
sampled 1 stayed
sampled 2 came
== out
1 stayed
2 came
== run system scope, all CPUs
# An idle CPU has no tick, the counters go on there, and perf pauses who overflows more often between
# two ticks than so often a second divided by HZ.
sample_limit 100000000
delivered() {
	cat /sys/module/fakepmu/parameters/user_overflows /sys/module/fakepmu/parameters/kernel_overflows
}
ignored() {
	pmccontrol -s | awk '/^interrupts ignored/ { print $NF }'
}
# For as long as it takes to see the program, and the poll's timer.
for times in 100000000 400000000 1600000000 6400000000; do
	before=$(delivered | awk '{ n += $1 } END { print n }') ignored=$(ignored)
	pmcstat -q -n 2000000 -S cycles -O out.log -- chain 6 $times
	pmcstat -q -R out.log --folded >folded
	awk '/;spin [0-9]*$/ { n += $2 } END { exit n <= 50 }' folded &&
		grep -q ';sysvec_apic_timer_interrupt;' folded && break
done
sample_limit 100000
delivered | awk -v before="$before" '{ n += $1; if ($1 < 50) print $1 " only" } END { print n - before }' >delivered
pmclog info out.log >info
awk -v n=$(($(ignored) - ignored)) '/^lost/ { n += $2 } / CALLCHAIN/ { n += $2 } END { print n }' info >accounted
cmp delivered accounted && echo all || cat delivered accounted info
pmclog check out.log | sed 's/[0-9]* records, [0-9]* samples/N/'
== out
all
out.log: N, closed
== run chains from user code and from the kernel
pmcstat -q -R out.log --folded >folded
awk '/;spin [0-9]*$/ {
	all += $2
	if ($1 ~ /;main;below;below;below;below;below;spin$/) right += $2
} END { print (all > 50 && right == all) ? "all" : right "/" all }' folded
grep -q ';sysvec_apic_timer_interrupt;' folded && echo "the poll's timer"
== out
all
the poll's timer
== run process scope, user code alone, the function that has no frame yet
for times in 20000000 200000000 2000000000; do
	pmcstat -q -n 1000000 -P cycles:u -O out.log -- chain leaf $times
	pmcstat -q -R out.log --folded | grep -q ";leaf " && break
done
pmcstat -q -R out.log --folded | awk '/;leaf [0-9]*$/ {
	all += $2
	if ($1 ~ /;main;calls_leaf;leaf$/) right += $2
} END { print (all > 0 && right == all) ? "all" : right "/" all }'
pmcstat -q -R out.log --folded | grep 'sysvec\|entry_SYSCALL'
true
== out
all
== run a chain has every frame up to its depth
for times in 50000000 400000000 3200000000; do
	pmcstat -q -n 1000000 -P cycles:u --depth 4 -O cut.log -- chain 6 $times
	pmcstat -q -R cut.log --folded | grep -q ";spin " && break
done
pmcstat -q -R cut.log --folded | awk '/;spin [0-9]*$/ { print $1 }'
== out
chain;below;below;below;spin
== run pauses are told, and which PMC was paused
paused() {
	pmccontrol -s | awk '/^times that a PMC was paused/ { print $NF }'
}
echo 20 >/sys/module/fakepmu/parameters/throttle
for times in 100000000 800000000 6400000000; do
	driver=$(paused)
	before=$(cat /sys/module/fakepmu/parameters/throttled)
	pmcstat -q -n 1000000 -P cycles:u -O out.log -- chain 2 $times 2>err
	after=$(cat /sys/module/fakepmu/parameters/throttled)
	[ $after -gt $before ] && break
done
echo 0 >/sys/module/fakepmu/parameters/throttle
pmclog info out.log | awk -v n=$((after - before)) '/^throttled/ { print (n > 0 && $2 == n) ? "told" : $2 "/" n }'
echo "$(($(paused) - driver - (after - before))) besides in the driver's statistics"
== out
told
0 besides in the driver's statistics
== run four counters: five PMCs do not fit
pmcstat -q -p cycles -p cycles -p cycles -p cycles chain 2 1000 >/dev/null 2>&1
echo $?
pmcstat -q -p cycles -p cycles -p cycles -p cycles -p cycles chain 2 1000 >/dev/null 2>&1
echo $?
== out
0
69
