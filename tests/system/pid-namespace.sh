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
is 'what is missing is told, and what to do' "$(grep -Ev 'samples,|counts once$' said)" \
	'pmcstat: processes outside of this pid namespace have no number in it: their samples are of "no-pid", and those in the kernel may be of "swapper", as an idle CPU'"'"'s are
pmcstat: hint: record outside of the container, or in one with the host'"'"'s pids (--pid=host)'
is 'no sample of a user is of the idle loop' "$(pmclog dump ns.log | grep '^callchain 0 .* u' | head -n 1)" ''
like 'but of who has no number' "$(pmcstat -R ns.log 2>&1)" ': .*no-pid [0-9]+%'
is 'without the functions of what was started meanwhile, which has the same addresses' \
	"$(pmcstat -q -R ns.log --folded 2>/dev/null | sed -n '/^no-pid;.*\[unknown\]/s/.*/unknown/p; s/^[^;]*;start .*/known/p' | sort -u)" unknown
is 'and the idle loop keeps its own' "$(pmclog dump ns.log | grep -E '^(create|exit|thr-create|thr-exit|exec) *0( |$)')" \
	'create    0 0 "swapper"'
like 'the reason why no callers are known' "$(pmcstat -R ns.log --flat 2>&1)" ' no-stack [1-9]'

# The processes of the numbers that it knows are others there.
unshare -pf sh -c 'pmcstat -P cpu-clock -t $$ -l 0.1 -O other.log; echo $?' >status 2>said
is 'with the /proc of another one nothing is recorded' "$(cat status; sed 's/is [0-9]* there and [0-9]* here/is N there and N here/' said)" \
	'72
pmcstat: /proc is that of another pid namespace: this process is N there and N here
pmcstat: hint: try: unshare --mount-proc, nsenter -m, or sudo mount -t proc nodev /proc'
finish
