#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# -t with a name: processes that have it from the start, that appear later, and that get it by exec.
# shellcheck source=tests/system/lib.sh
. "${srcdir:?}/tests/system/lib.sh"

compiled named system/count.c -O1 -pthread
needs_recording

# attached PID: waits until the log says so; for 20 seconds at most, after which nothing of it is.
attached() {
	for _ in $(seq 400); do
		! pmcstat --dump -R log 2>/dev/null | grep -q "^attach .* $1 " || return
		kill -0 $recorder 2>/dev/null || return
		sleep 0.05
	done
}

# faults PID: its samples.
faults() {
	pmcstat -q -R log --pid "$1" --folded | awk '{ n += $NF } END { print n + 0 }'
}

# between TITLE LOW VALUE HIGH
between() {
	if [ "$2" -le "$3" ] && [ "$3" -le "$4" ]; then
		verdict yes "$1" "$2 <= $3 <= $4"
	else
		verdict no "$1" "not $2 <= $3 <= $4"
	fi
}

# sockets PID: how many it has open.
sockets() {
	find "/proc/$1/fd" -lname 'socket:*' | wc -l
}

mkfifo go1 go2 go3 go4 go5 exec3
./named out1 wait go1 faults 1000 &
first=$!
pmcstat -q -n 1 -P page-faults -C -p page-faults -t '^named$' -O log -o counts &
recorder=$!
attached $first
by_name=$(sockets $recorder)
./named out2 wait go2 faults 2000 &
second=$!
(read -r _ <exec3 && exec ./named out3 wait go3 faults 4000) &
third=$!
attached $second
is 'a process of another name is no target' "$(pmcstat --dump -R log | grep -c "^attach .* $third ")" 0
echo >exec3
attached $third
# Both appear between two looks.
kill -STOP $recorder
./named out4 wait go4 faults 500 &
fourth=$!
./named out5 wait go5 faults 500 &
fifth=$!
until [ "$(cat /proc/$fourth/comm /proc/$fifth/comm | sort -u)" = named ]; do sleep 0.05; done
kill -CONT $recorder
attached $fourth
attached $fifth
echo >go4
echo >go5
wait $fourth
wait $fifth
echo >go2
wait $second
echo >go1
wait $first
echo >go3
wait $third
status=0
wait $recorder || status=$?
is 'the recording ends when all have' $status 0
between 'a process that was there is sampled' 1000 "$(faults $first)" 1100
between 'one that appears later is sampled from then on' 2000 "$(faults $second)" 2100
between 'one that takes the name later too' 4000 "$(faults $third)" 4100
between 'and two that appear at once' 1000 "$(($(faults $fourth) + $(faults $fifth)))" 1200
between 'counts are those of all of them, the first to exit included' 8000 \
	"$(awk '$1 != "#" && NF { v = $1 } END { print v }' counts)" 8500

# The process connector, a socket, wakes its reader for every fork of the machine.
if [ "$by_name" = 0 ]; then
	skip 'processes given by number need no news of all others' 'no process connector here'
else
	./named out1 wait go1 faults 1000 &
	first=$!
	rm log
	pmcstat -q -n 1 -P page-faults -t $first -O log &
	recorder=$!
	attached $first
	is 'processes given by number need no news of all others' "$(sockets $recorder)" 0
	echo >go1
	wait $first
	wait $recorder
	between 'and are sampled' 1000 "$(faults $first)" 1100
fi

# Numbers are used again.
cat >again.sh <<'END'
./named out1 wait go1 faults 1000 &
first=$!
./named out2 wait go2 faults 2000 &
second=$!
pmcstat -q -d -n 1 -P page-faults -t '^named$' -O log &
recorder=$!
attached $first
attached $second
echo >go2
wait $second
echo $((second - 1)) >/proc/sys/kernel/ns_last_pid
./named out3 wait go3 faults 4000 &
third=$!
for _ in $(seq 200); do
	[ "$(pmcstat --dump -R log | grep -c "^attach .* $third ")" != 2 ] || break
	sleep 0.05
done
echo >go3
wait $third
echo >go1
wait $first $recorder
echo $((third - second)) "$(faults $third)" >again
END
{ sed -n '/^attached()/,/^}/p; /^faults()/,/^}/p' "$srcdir/tests/system/by-name.sh" && cat again.sh; } >whole.sh
if timeout -s KILL 60 unshare -pf --kill-child --mount-proc sh whole.sh 2>said && read -r distance samples <again && [ "$distance" = 0 ]; then
	between 'one with the number of one that has ended is sampled too' 6000 "$samples" 6200
	is 'and it is told what is not' "$(sed 's/[0-9][0-9]*/N/' said)" \
		'pmcstat: process N is another one by now: what the first had started is recorded no further'
elif [ -s again ] || ! unshare -pf --mount-proc true 2>said; then
	skip 'one with the number of one that has ended' "$(head -n 1 said)"
else
	verdict no 'one with the number of one that has ended is sampled too' "$(cat said)"
fi
finish
