#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A software event that several perf events sample: kernels may give all its samples the id of one of
# them.  Each recorder has all of its own nevertheless, and no PMC has those of another.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
compiled count system/count.c
needs_recording

# samples LOG
samples() {
	pmcstat -q -R "$1" --flat 2>/dev/null | sed -n 's/^@ page-faults \[\([0-9]*\) samples\]$/\1/p'
}
pmcstat -q -d -n 1 -P page-faults -O outer.log -- \
	pmcstat -n 1 -P page-faults -p page-faults -O inner.log -o counts ./count out faults 5000 2>err
counted=$(awk '/^ *[0-9]/ { n += $1 } END { print n }' counts)
is 'a recorder below another one has all samples' "$(samples inner.log)" "$counted"
is 'none of which it could not understand' "$(grep 'understood' err)" ''
is 'and the other one has them too' "$(($(samples outer.log) >= counted))" 1

# What two PMCs would sample is either told apart, or refused in words.
if pmcstat -q -n 1 -P page-faults -P page-faults:u -p page-faults:u -O two.log -o counts ./count out faults 5000 2>err; then
	is 'a PMC has its own samples' \
		"$(pmcstat -q -R two.log --flat 2>/dev/null | sed -n 's/^@ page-faults:u \[\([0-9]*\) samples\]$/\1/p')" \
		"$(awk '/^ *[0-9]/ { n += $1 } END { print n }' counts)"
else
	is 'a second PMC of the same event is refused' "$(head -n 1 err)" \
		'pmcstat: page-faults:u is sampled by page-faults already, and this kernel gives each sample of a software event to one of its PMCs alone'
	status=0
	pmcstat -q -n 1 -P page-faults -P context-switches -O other.log ./count out faults 100 2>err || status=$?
	is 'another event is not' "$status" 0
	status=0
	pmcstat -q -l 0.1 -S page-faults -O cpus.log 2>err || status=$?
	[ "$(id -u)" = 0 ] && is 'nor is the same event on each CPU' "$status" 0
fi

# A recorder of software events alone has perf events, but no counter of the CPU.
echo 'pmc 1 cycles
shared 2000000 1000000 pmc=1' >shared
# shellcheck disable=SC2016
pmcstat -q -P page-faults -O outer.log -- \
	sh -c 'exec pmcstat -q --collector=fake:shared -P cycles -t $$ -O inner.log' 2>err
like 'who has perf events may have counters: nobody knows' "$(cat err)" '^pmcstat: hint: these may hold counters: .+\(pid [0-9]+\)'
is 'one event is not to be fewer' "$(grep -c 'record fewer events' err)" 0
echo 'pmc 2 branches
shared 2000000 1000000 pmc=2' >>shared
# shellcheck disable=SC2016
pmcstat -q -P page-faults -O outer.log -- \
	sh -c 'exec pmcstat -q --collector=fake:shared -P cycles -P branches -t $$ -O inner.log' 2>err
is 'so of several events the other way is told, too' "$(sed 's/\(counters:\) .*pid [0-9]*)$/\1 N/' err | tail -n 2)" \
	'pmcstat: hint: these may hold counters: N
pmcstat: hint: record fewer events at a time; --no-sharing refuses this, --scale makes estimates'
finish
