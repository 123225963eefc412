#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What the handler of an overflow takes, without the interrupt around it, beside that of perf's
# own events; what the hook of context switches takes; how fast samples can come without loss.
echo 0 >/proc/sys/kernel/perf_cpu_time_max_percent
echo 1 >/proc/sys/kernel/hwpmc/unthrottle

# taken FUNCTION COMMAND...: nanoseconds of each call of FUNCTION while COMMAND runs.
taken() {
	insmod /pmc/probe_cost.ko "function=$1" || return
	shift
	"$@" >/dev/null 2>&1
	cat /sys/module/probe_cost/parameters/mean
	rmmod probe_cost
}

# row TITLE OPTION... -- COMMAND...
row() {
	title=$1
	shift
	printf '%-36s %10s %10s\n' "$title" \
		"$(taken hwpmc_sample pmcstat -q --collector=hwpmc "$@")" \
		"$(taken perf_event_output_forward pmcstat -q --collector=perf "$@")"
	rm -f log
}

printf '%-36s %10s %10s\n' 'instructions of the handler' hwpmc perf
row 'no chain; aim 130' -N -n 20000 -P cycles:u -O log -- chain 4 2000000
row '8 user frames; aim 1300' -n 20000 -P cycles:u -O log -- chain 4 2000000
row '16 user frames; aim 2500' -n 20000 -P cycles:u -O log -- chain 12 2000000
row 'kernel frames; aim 1200' -n 20000 -P cycles:k -O log -- \
	dd if=/dev/zero of=/dev/null bs=64k count=100
printf '%-36s %10s\n' 'a context switch with -W' "$(taken hwpmc_task_switches \
	pmcstat -q --collector=hwpmc -W -p cycles:u -O log -- \
	sh -c 'dd if=/dev/zero bs=1 count=500 | cat')"
rm -f log

printf '\n%-36s %10s %10s\n' 'a sample each N instructions, chains' samples lost
for n in 20000 10000 5000 2000 1000; do
	pmcstat -q --collector=hwpmc -n $n -P cycles:u -O log -- chain 4 2000000 2>/dev/null
	printf '%-36s %10s %10s\n' "$n" "$(pmclog info log | awk '/ CALLCHAIN/ { print $2 }')" \
		"$(pmclog info log | awk '/^lost/ { print $2 }')"
	rm -f log
done
echo 0 >/proc/sys/kernel/hwpmc/unthrottle
