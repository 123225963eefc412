#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Modifiers behind events, on this machine's kernel.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording

counts() {
	pmcstat -q --collector=perf --count-json -o counts "$@" true 2>err
	sed 's/.*"event":"\([^"]*\)".*"count":[1-9][0-9]*.*/\1 counts/' counts
	cat err
}
is 'a pinned event of software counts, and is the same event' "$(counts -p task-clock:D)" 'task-clock counts'
is 'so does an exclusive one' "$(counts -p task-clock:e)" 'task-clock counts'
is 'no guest is looked for among events of software' "$(pmcstat -p cpu-clock:G true 2>&1)" \
	'pmcstat: cpu-clock:G: cpu-clock is not counted by the CPU: it takes usr, os, noidle, pinned and exclusive alone'

if pmcstat -q --collector=perf -S cpu-clock:I -O idle.log sleep 0.2 2>err; then
	is 'the idle task is left out of samples' "$(pmcstat --dump -R idle.log | awk '/^callchain/ && $2 == 0' | wc -l)" 0
	is 'which is in the name of the event' "$(pmcstat --dump -R idle.log | grep -c '^allocatedyn.*"cpu-clock:I"')" "$(getconf _NPROCESSORS_ONLN)"
	is 'and of no counts' "$(pmcstat -q --collector=perf -s cpu-clock:I true 2>&1)" \
		'pmcstat: cpu-clock:I: in system scope Linux leaves the idle task out of samples of cpu-clock and task-clock alone'
else
	skip 'the idle task is left out of samples' "$(head -n 1 err)"
fi
finish
