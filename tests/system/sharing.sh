#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# More sampling PMCs than the CPU has counters: all say for how long they had one, and no sample is
# missed without a word.  Needs a PMU.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording
pmcstat -q -p instructions:u -o probe true 2>probe.err || skip_all "$(head -n 1 probe.err)"

# shellcheck disable=SC2016
busy='i=0; while [ $i -lt 3000000 ]; do i=$((i + 1)); done'
sampled() {
	pmcstat -q --collector=perf -n 1000000 "$@" -O out.log sh -c "$busy" 2>err
	echo $?
}

spec='-P instructions:u -P instructions:u -P instructions:u -P instructions:u'
spec="$spec $spec $spec $spec"
# shellcheck disable=SC2086
is 'sixteen PMCs of an event are recorded' "$(sampled $spec)" 0
pmclog info out.log | sed -n 's/.* had a counter for \([0-9.]*\) of \([0-9.]*\) s.*/\1 \2/p' >shares
if [ ! -s shares ]; then
	skip 'each PMC that shared a counter says for how long' "this CPU has counters for 16 PMCs"
else
	is 'each PMC that shared a counter says for how long' "$(awk '$2 > 0 && $1 <= $2 { n++ } END { print n }' shares)" 16
	is 'and the recording does' "$(grep -c '^pmcstat: PMCs shared counters' err)" 1
	is 'and the report' "$(pmcstat -q -R out.log --flat | grep -c '^@ instructions:u \[[0-9]*@[0-9.]*% samples\]$')" 1
	# shellcheck disable=SC2086
	is 'which can be refused' "$(sampled --no-sharing $spec)" 69
	is 'in one sentence' "$(grep -c '^pmcstat: instructions:u: no counter is left for it beside [0-9]* PMCs' err)" 1
fi
is 'a PMC that shares nothing is not marked' "$(sampled -P instructions:u):$(pmclog info out.log | grep -c 'had a counter')" 0:0
finish
