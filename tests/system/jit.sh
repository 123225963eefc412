#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# JIT-compiled code has the names that its compiler left in /tmp/perf-PID.map, in a log that is read
# when the process and the file are gone: with a compiler of 40 bytes, and with node where it is.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"
needs_recording
case $(uname -m) in
x86_64 | aarch64) ;;
*) skip_all "jit.c has no code for $(uname -m)" ;;
esac
compiled jit system/jit.c -O1 -g -fno-omit-frame-pointer
./jit 0.01 >pids || skip_all 'no memory is both writable and executable here'

# forget: takes the files away that our processes left.
forget() {
	while read -r pid; do
		rm -f "/tmp/perf-$pid.map"
	done <pids
	: >pids
}
forget

# chains LOG [OPTION...]: whether all of a log is in the two functions, whose one caller is main; least: how
# many samples are too few.
least=20
chains() {
	pmcstat -q -R "$@" --folded | awk -v least=$least '
		/ [0-9]+$/ { all += $NF }
		/;main;jit_loop;jit_leaf [0-9]+$/ { named += $NF }
		END { if (all > least && named > all * 0.9) print "named"; else print named " of " all }'
}
for how in '' memfd fork exec; do
	# shellcheck disable=SC2086
	pmcstat -d -P cpu-clock:u -O jit.log ./jit 0.4 $how >pids 2>err
	is "jit $how: nothing is said" "$(cat err)" ''
	forget
	is "jit $how: chains are named" "$(chains jit.log)" named
done
is 'the object is [jit]' "$(pmcstat -q -R jit.log --flat --full-names -f threshold=0 | awk '$5 == "jit_leaf" { print $6 }')" '[jit]'
is 'what was not sampled is not in the log' "$(pmclog dump jit.log | grep '\[jit\]' | sort -u | wc -l | tr -d ' ')" 2

# Python's trampolines keep no frame pointer on x86-64: the code itself says where the caller is.
pmcstat -P cpu-clock:u -O call.log ./jit 0.4 call >pids 2>err
forget
is 'chains lead through a trampoline without a frame pointer' "$(pmcstat -q -R call.log --folded | awk '
	{ all += $NF }
	/;_start;.*;main;jit_call;work [0-9]+$/ { whole += $NF }
	END { if (all > 20 && whole > all * 0.9) print "whole"; else print whole " of " all }')" whole

pmcstat -P cpu-clock:u --folded=live ./jit 0.3 >pids 2>err
forget
like 'live: the names come in time' "$(cat live)" '^jit;.*jit_loop;jit_leaf [0-9]'

# It runs for a time on the clock, of which a busy machine may give it little.
least=0
./jit 60 >pids &
target=$!
until read -r map <pids 2>/dev/null; do :; done
map=/tmp/perf-$map.map
pmcstat -q -P cpu-clock:u -l 0.5 -t $target -O attach.log 2>err
mv "$map" kept
pmcstat -q -P cpu-clock:u -l 0.5 -t $target -O late.log 2>err
kill $target
wait $target 2>/dev/null
is 'a process that is left running is named at the end' "$(chains attach.log)" named
like 'without its file it has no names' "$(chains late.log)" '^ of [1-9]'
mkdir -p "root/tmp" "root$dir"
cp jit "root$dir"
cp kept "root/tmp/${map#/tmp/}"
is 'which the reader finds where the file comes later' "$(chains late.log -r root)" named
touch -d '1 hour ago' "root/tmp/${map#/tmp/}"
like 'but not in one that is older than the log' "$(chains late.log -r root)" '^ of [1-9]'

if records_system; then
	pmcstat -q -S cpu-clock:u -O system.log ./jit 0.5 >pids 2>err
	forget
	is 'system scope' "$(pmcstat -q -R system.log --comm jit --folded |
		awk '/jit_loop;jit_leaf/ { n += $NF } END { print (n > 100) }')" 1
else
	skip 'system scope' "$(head -n 1 probe.err)"
fi

if [ "$(id -u)" = 0 ] && unshare -pmf --mount-proc sh -c 'mount -t tmpfs none /tmp' 2>unshare.err; then
	cat >box.sh <<-'END'
		exec 3<jit
		mount -t tmpfs none /tmp
		cp /dev/fd/3 /tmp/jit && chmod 755 /tmp/jit
		/tmp/jit 0.6
		echo $?
	END
	pmcstat -q -d -P cpu-clock:u -O box.log unshare -pmf --mount-proc sh box.sh >box.out 2>err
	like 'a container with its own /tmp and pids' "$(pmcstat -q -R box.log --folded)" 'jit_loop;jit_leaf [0-9]'
else
	skip 'a container with its own /tmp and pids' 'no namespaces for this user'
fi

cat >work.js <<'END'
function kernel(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s }
console.log(process.pid);
let t = 0;
while (process.cpuUsage().user < 900000) t ^= kernel(20000);
END
if command -v node >/dev/null && node --perf-basic-prof -e 'console.log(process.pid)' >pids 2>node.err; then
	forget
	pmcstat -q -P cpu-clock:u -O node.log node --perf-basic-prof work.js >pids
	forget
	is 'node: a function of JavaScript' "$(pmcstat -q -R node.log --flat --full-names -f threshold=0 |
		awk '/JS:.kernel .*\/work\.js:1:/ && /\[jit\]$/ { n += $2 } END { print (n > 200) }')" 1
else
	skip 'node: a function of JavaScript' "no node with --perf-basic-prof"
fi
finish
