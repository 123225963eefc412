#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What the module costs, in instructions, beside perf's own events on the same machine, where an
# instruction takes a nanosecond.  Run by make bench-vm.
# perf's guard against too many interrupts: as high as it goes, then off.
sample_limit 10000000
echo 1 >/proc/sys/kernel/hwpmc/unthrottle

# line TITLE AIM HWPMC PERF
line() {
	printf '%-48s %6s %10s %10s\n' "$@"
}

# probed FUNCTION COMMAND...: sets $calls and $mean, the instructions of a call while COMMAND runs.
probed() {
	insmod /pmc/probe_cost.ko "function=$1" || return
	shift
	"$@" >/dev/null 2>&1
	calls=$(cat /sys/module/probe_cost/parameters/calls)
	mean=$(cat /sys/module/probe_cost/parameters/mean)
	rmmod probe_cost
}

# handler TITLE AIM FUNCTION OPTION... -- COMMAND...
handler() {
	title=$1 aim=$2 function=$3
	shift 3
	probed "$function" pmcstat -q --collector=hwpmc "$@"
	ours=$mean
	probed perf_event_output_forward pmcstat -q --collector=perf "$@"
	rm -f log
	line "$title" "$aim" "$ours" "$mean"
}

# sampled COLLECTOR RATE OPTION...: sets $time, $samples and $lost; the program has 8M instructions.
sampled() {
	collector=$1 rate=$2
	shift 2
	time=$(pmcstat -q "--collector=$collector" -n "$rate" "$@" -O log elapsed chain 4 4000000 2>/dev/null)
	samples=$(pmclog info log | awk '/ CALLCHAIN/ { print $2 }')
	lost=$(pmclog info log | awk '/^lost/ { print $2 }')
	rm log
}

# whole COLLECTOR OPTION...: what runs differ in that sample 20 times as often, by a sample.
whole() {
	collector=$1
	shift
	sampled "$collector" 100000 "$@" -P cycles:u
	few=$samples began=$time
	sampled "$collector" 5000 "$@" -P cycles:u
	echo $(((time - began) / (samples - few)))
}

# writer TITLE OPTION...: bytes and instructions of a record, likewise.
writer() {
	title=$1
	shift
	probed do_round pmcstat -q --collector=hwpmc -n 100000 "$@" -P cycles:u -O log -- chain 4 4000000
	size=$(wc -c <log) began=$((calls * mean))
	few=$(pmclog info log | awk '/ CALLCHAIN/ { print $2 }')
	rm log
	probed do_round pmcstat -q --collector=hwpmc -n 2000 "$@" -P cycles:u -O log -- chain 4 4000000
	size=$(($(wc -c <log) - size)) more=$(($(pmclog info log | awk '/ CALLCHAIN/ { print $2 }') - few))
	rm log
	line "$title, bytes" '' $((size / more)) ''
	line "$title, instructions" '' $(((calls * mean - began) / more)) ''
}

# costs ...: the program, when no hook of a log before it is left: they go within two seconds.
costs() {
	sleep 3
	command costs "$@"
}

# recorded COLLECTOR OPTION... -- COMMAND...: what COMMAND prints while it and its children are counted or sampled.
recorded() {
	sleep 3
	collector=$1
	shift
	pmcstat -q "--collector=$collector" -d "$@" 2>/dev/null
	rm -f log
}

counted() {
	recorded hwpmc "$@"
}

# least COMMAND...: of five figures, since what a switch costs in itself is some ninety more in some runs.
least() {
	for _ in 1 2 3 4 5; do "$@"; done | sort -n | head -n 1
}

# switches COLLECTOR OPTION...: what is printed of switches when the recording is two seconds old.  For one
# second after the last event of a thread has gone, as the one by which the module tries a PMC, perf looks
# at each switch of the machine: some 100 instructions.
switches() {
	least recorded "$@" -- sh -c 'sleep 2; exec costs switches 10000'
}

line 'instructions' aim hwpmc perf
echo 'handler of an overflow, for each sample'
handler '  no chain' 130 hwpmc_sample_pc -N -n 20000 -P cycles:u -O log -- chain 4 2000000
handler '  8 user frames' 1300 hwpmc_sample_chain -n 20000 -P cycles:u -O log -- chain 4 2000000
handler '  16 user frames' 2500 hwpmc_sample_chain -n 20000 -P cycles:u -O log -- chain 12 2000000
handler '  kernel frames' 1200 hwpmc_sample_chain -n 20000 -P cycles:k -O log -- \
	dd if=/dev/zero of=/dev/null bs=64k count=100

echo 'a sample in all: interrupt, ring, reader of the ring, log'
line '  8 user frames' '' "$(whole hwpmc -d)" "$(whole perf -d)"

echo "the log's writer, for each record"
writer '  no chain' -N
writer '  8 user frames'

none=$(least costs switches 10000)
echo "a context switch, beyond the $none of one without PMC"
line '  counted' 150 $(($(switches hwpmc -p cycles:u -o /dev/null) - none)) \
	$(($(least costs perf switches 10000) - none))
line '  counted and logged (-W; a sample with its count)' 700 \
	$(($(switches hwpmc -W -p cycles:u -O log) - none)) \
	$(($(least costs perf-read switches 10000) - none))

none=$(costs forks 1000)
echo "a fork and its exit, beyond the $none of one without PMC"
line '  counted' 6530 $(($(counted -p cycles:u -o /dev/null -- costs forks 1000) - none)) \
	$(($(costs perf forks 1000) - none))
line '  counted, totals logged (-E)' '' \
	$(($(counted -E -p cycles:u -O log -- costs forks 1000) - none)) ''

# Without meters it counts as ordinary users' PMCs do.
kept=$(cat /proc/sys/kernel/hwpmc/kept_counters)
echo 0 >/proc/sys/kernel/hwpmc/kept_counters
none=$(least costs switches 10000)
echo 'events that children inherit: a switch'
line '  counted' '' $(($(switches hwpmc -p cycles:u -o /dev/null) - none)) \
	$(($(least costs perf switches 10000) - none))
line '  sampled' '' $(($(switches hwpmc -n 1000000000 -P cycles:u -O log) - none)) \
	$(($(switches perf -n 1000000000 -P cycles:u -O log) - none))
none=$(costs forks 1000)
echo 'a fork and its exit'
line '  counted' '' $(($(counted -p cycles:u -o /dev/null -- costs forks 1000) - none)) \
	$(($(costs perf forks 1000) - none))
line '  sampled' '' $(($(recorded hwpmc -n 1000000000 -P cycles:u -O log -- costs forks 1000) - none)) \
	$(($(recorded perf -n 1000000000 -P cycles:u -O log -- costs forks 1000) - none))
echo "$kept" >/proc/sys/kernel/hwpmc/kept_counters

# rate COLLECTOR PERIOD: what is lost, and the samples of a million instructions, all of the CPU's.
rate() {
	sampled "$1" "$2" -S cycles
	echo "$lost/$((samples * 1000 / (time / 1000)))"
}

# With less than 1700 instructions between two, the machine does nothing but take samples.
echo 'samples lost/samples in a million instructions, of a whole CPU'
for n in 10000 3000; do
	line "  one in $n, with chains" '' "$(rate hwpmc $n)" "$(rate perf $n)"
done
line '  one in 2000, with chains' '' "$(rate hwpmc 2000)" ''
echo 0 >/proc/sys/kernel/hwpmc/unthrottle
