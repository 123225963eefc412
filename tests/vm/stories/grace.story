While a CPU switches to nobody, no grace period ends: who has the lock that all share waits for none.  What
the first event of all and the first that wants a hook wait for has come before.
== machine smp
== file held.sh
# Who is held keeps a CPU from all others, so that it has one of its own.
taskset -p 1 $$ >taskset.out
cp /pmc/bin/hwpmcctl held
insmod /pmc/hookwait.ko comm=held hook=sched_process_fork before=0
hook=/sys/module/hookwait/parameters
rm -f lines && mkfifo lines
hwpmcctl <lines >said &
owner=$!
exec 3>lines
hold() {
	: >holds
	echo 1 >$hook/waits
	echo 'child c' | taskset 2 ./held >child &
	while [ "$(cat $hook/pid)" = 0 ]; do :; done
}
goes_on() {
	[ "$(cat $hook/pid)" = 0 ]
}
# operate LINE...: until the last is done, or the held one has gone on by itself
operate() {
	printf '%s\n' "$@" >&3
	shift $(($# - 1))
	until grep -q "^$1: ." said || { [ -e holds ] && goes_on; }; do :; done
}
let_go() {
	! goes_on || echo 'who was held has gone on'
	rm holds
	echo 0 >$hook/waits
}
ends() {
	exec 3>&-
	wait
	rmmod hookwait
}
== run operations, and what they free
. ./held.sh
operate 'log log' 'threads t 40' 'allocate first ts flags=callchain' 'attach first t' 'start first' \
	'allocate second tc flags=proccsw' 'attach second t' 'start second'
hold
operate 'allocate a tc flags=proccsw,descendants' 'attach a t' 'start a' 'stop a' 'detach a t' 'release a' \
	'allocate b ts flags=callchain' 'attach b t' 'start b' 'release b' \
	'allocate c sc cpu=1' 'start c' 'release c' 'allocate d ss cpu=1' 'start d' 'release d' \
	'release first' 'release second'
let_go
ends
grep -v ': ok$' said
tail -n 1 said
== out
release second: ok
== run what is to begin with an exec does not when it has been detached before
. ./held.sh
printf '%s\n' '#!/bin/sh' 'i=0; while [ $((i += 1)) -lt 20000 ]; do :; done; echo >done' >next
chmod 755 next
operate 'log log' 'becomes t 0 ./program' 'allocate first ts' 'attach first self' 'start first' 'release first' \
	'allocate a ts flags=on-exec count=1000000' 'attach a t' 'attach a self' 'start a'
hold
operate 'detach a t'
mv next program
until [ -e done ] || goes_on; do :; done
let_go
operate flushlog logstats
ends
tail -n 3 said
== out
detach a t: ok
flushlog: ok
logstats: no samples, some bytes, 0 lost, 0 dropped, error 0
