Two PMCs of one row, whose owners want them on one process: the child of a target, which has forked it and
not returned from that yet.
== machine smp
== run it has one of them, and the other is told
# Who is held keeps a CPU from all others, so that it has one of its own.
taskset -p 1 $$ >taskset.out
meets() {
	insmod /pmc/hookwait.ko comm=hwpmcctl hook=sched_process_fork before=$1 waits=1
	held=/sys/module/hookwait/parameters
	rm -f lines && mkfifo lines
	hwpmcctl <lines >other &
	other=$!
	exec 3>lines
	printf '%s\n' 'log log' 'allocate a tc flags=descendants' 'attach a self' 'start a' \
		'child c' 'spin 500' loglosses 'detach a c' | taskset 2 hwpmcctl >owner &
	owner=$!
	while [ "$(cat $held/pid)" = 0 ] && kill -0 $owner; do :; done
	printf '%s\n' 'allocate b tc' "attach b $(cat $held/pid)" >&3
	until grep -q attach other; do :; done
	[ "$(cat $held/pid)" != 0 ] || echo 'who was held has gone on'
	echo 0 >$held/waits
	wait $owner
	exec 3>&-
	wait $other
	rmmod hookwait
	tail -n 1 other | sed 's/[0-9][0-9]*/N/'
	tail -n 2 owner
}
meets 0
# Where it became one before hwpmc heard of the fork, who would inherit it is told of the loss.
meets 1
== out
attach b N: EBUSY
loglosses: 0 records, 0 threads
detach a c: ok
attach b N: ok
loglosses: 0 records, 1 threads
detach a c: ESRCH
