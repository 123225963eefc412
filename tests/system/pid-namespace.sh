#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The whole machine, recorded in a pid namespace as a container has it: what runs outside has no number
# there, and the kernel gives it that of the idle loop.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
records_system || skip_all "$(head -n 1 probe.err)"
unshare -pf --mount-proc true 2>err || skip_all "$(head -n 1 err)"
compiled loop system/loop.c -O1 -nostdlib -static

# Another program is started and ends meanwhile.
./loop 1000000000000 &
loop=$!
(sleep 0.5; cp loop other; ./other 1000000) &
unshare -pf --mount-proc pmcstat -S cpu-clock -l 1.5 -O ns.log 2>said
kill $loop
wait
is 'what is missing is told, and what to do' "$(grep -v samples, said)" \
	'pmcstat: processes outside of this pid namespace have no number in it: their samples are of "no-pid", and those in the kernel may be of "swapper", as an idle CPU'"'"'s are
pmcstat: hint: record outside of the container, or in one with the host'"'"'s pids (--pid=host)'
is 'no sample of a user is of the idle loop' "$(pmclog dump ns.log | grep '^callchain 0 .* u' | head -n 1)" ''
like 'but of who has no number' "$(pmcstat -R ns.log 2>&1)" ': .*no-pid [0-9]+%'
is 'nothing of which has a name: it may be that of another' \
	"$(pmcstat -q -R ns.log --folded 2>/dev/null | grep '^no-pid;' | grep -v '^no-pid;\[unknown\][; ]' | head -n 1)" ''
is 'and the idle loop keeps its own' "$(pmclog dump ns.log | grep -E '^(create|exit|thr-create|thr-exit|exec) *0( |$)')" \
	'create    0 0 "swapper"'
like 'the reason why no callers are known' "$(pmcstat -R ns.log --flat 2>&1)" ' no-stack [1-9]'
finish
