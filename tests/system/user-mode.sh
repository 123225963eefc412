#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What is of user mode alone says so, and what is not does not: clocks that are counted are of both modes.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording

for event in task-clock:u cpu-clock:k CLOCK.PROF,usr; do
	pmcstat -p $event true 2>err
	is "$event is not counted" "$?:$(head -n 1 err)" \
		"69:pmcstat: $event: Linux counts this clock in user mode and in the kernel alike; only its samples tell them apart"
done
pmcstat -q -P task-clock:u -O u.log true 2>err
is 'but sampled' "$?:$(pmclog dump u.log | grep -c '"task-clock:u"')" 0:1

as=
if [ "$(id -u)" = 0 ]; then
	command -v setpriv >/dev/null || {
		skip 'an ordinary user' 'no setpriv'
		finish
	}
	chmod 777 .
	as='setpriv --reuid 65534 --regid 65534 --clear-groups'
fi
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" != 2 ]; then
	skip 'an ordinary user' 'kernel.perf_event_paranoid is not 2'
elif ! $as pmcstat -q --collector=perf -p page-faults -o faults true 2>err; then
	skip 'an ordinary user' "$(head -n 1 err)"
else
	$as pmcstat -q --collector=perf --count-json -o counts -p task-clock -p page-faults true
	is 'his clock is of both modes, his faults are not' "$(grep -o '"event":"[^"]*"' counts | tr '\n' ' ')" \
		'"event":"task-clock" "event":"page-faults:u" '
	$as pmcstat --collector=perf --summary -o summary true 2>err
	is 'and so are they in a summary' "$(sed -n 's/^\(CPU time\|page faults a CPU second\) .*  \([^ ]* *.*\)$/\1: \2/p' summary)" \
		'CPU time: task-clock
page faults a CPU second: page-faults:u / task-clock'
	$as pmcstat --collector=perf --summary --count-json -o json true 2>err
	is 'and in JSON' "$(grep -o '"formula":"page-faults[^"]*"' json | tr '\n' ' ')" \
		'"formula":"page-faults:u" "formula":"page-faults:u / task-clock" '
fi
finish
