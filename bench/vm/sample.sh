#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What a sample costs in all, interrupt, ring and log: instructions, from runs that differ in rate alone.
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent

# measured COLLECTOR RATE OPTION...: sets $time and $samples.
measured() {
	collector=$1 rate=$2
	shift 2
	time=$(pmcstat -q "--collector=$collector" -n "$rate" "$@" -P cycles:u -O log elapsed spin 50000000)
	samples=$(pmclog info log | sed -n 's/.* \([0-9]*\) samples$/\1/p')
	rm log
}

# cost COLLECTOR OPTION...
cost() {
	collector=$1
	shift
	measured "$collector" 200000 -d "$@"
	few=$samples began=$time
	measured "$collector" 20000 -d "$@"
	echo $(((time - began) / (samples - few)))
}

printf '%-36s %10s %10s\n' 'instructions a sample' hwpmc perf
printf '%-36s %10s %10s\n' 'with its call chain' "$(cost hwpmc)" "$(cost perf)"
printf '%-36s %10s %10s\n' 'without (-N)' "$(cost hwpmc -N)" "$(cost perf -N)"
