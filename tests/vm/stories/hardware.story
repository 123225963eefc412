Counters of the CPU: what does not fit is refused, and what is taken away is told.
== machine pmu
== run four counters, for processes or a CPU
hwpmcctl <<'E'
allocate a tc class=cpu type=0
allocate b tc class=cpu type=0
allocate s sc class=cpu type=0 cpu=0
allocate t sc class=cpu type=0 cpu=1
allocate c tc class=cpu type=0
id c
allocate u sc class=cpu type=0 cpu=0
allocate v sc class=cpu type=0 cpu=0
start a
start b
start s
spin 20
rw a old
is a > 0
rw b old
is b > 0
rw s old
is s > 0
release s
allocate v sc class=cpu type=0 cpu=0
E
== out
allocate a tc class=cpu type=0: ok
allocate b tc class=cpu type=0: ok
allocate s sc class=cpu type=0 cpu=0: ok
allocate t sc class=cpu type=0 cpu=1: ok
allocate c tc class=cpu type=0: ok
id c: 0xfff03114
allocate u sc class=cpu type=0 cpu=0: EINVAL
allocate v sc class=cpu type=0 cpu=0: EINVAL
start a: ok
start b: ok
start s: ok
spin 20: ok
rw a old: ok
is a > 0: yes
rw b old: ok
is b > 0: yes
rw s old: ok
is s > 0: yes
release s: ok
allocate v sc class=cpu type=0 cpu=0: ok
== run without memory to try them, counters are not taken for fewer
insmod /pmc/nomem.ko comm=insmod
n=0
while [ $n -lt 100 ]; do
	rmmod hwpmc
	echo $n >/sys/module/nomem/parameters/after
	insmod /pmc/hwpmc.ko
	[ "$(cat /sys/module/nomem/parameters/refused)" ] || break
	echo cpuinfo | hwpmcctl
	n=$((n + 1))
done | sort -u
rmmod nomem
== out
cpuinfo: 2 CPUs, class 0: 1 rows, class 15: 16 rows, class 1: 4 rows
== run none, where others have all
hwpmcctl <<'E'
allocate a tc class=cpu type=0
hog 4
allocate b tc class=cpu type=0
allocate t sc class=cpu type=0 cpu=0
start a
hog 0
start a
stop a
E
== out
allocate a tc class=cpu type=0: ok
hog 4: ok
allocate b tc class=cpu type=0: EINVAL
allocate t sc class=cpu type=0 cpu=0: EINVAL
start a: EBUSY
hog 0: ok
start a: ok
stop a: ok
== run where a CPU's event cannot be made anew when it is back, a target that runs there is told of
hwpmcctl <<'E'
allocate a tc class=cpu type=0 flags=descendants
attach a self
start a
write /sys/devices/system/cpu/cpu1/online 0
write /sys/module/fakepmu/parameters/fail 1
write /sys/devices/system/cpu/cpu1/online 1
sh taskset 2 true
rw a old
stop a
rw a new 0
start a
sh taskset 2 true
rw a old
E
pmccontrol --collector=hwpmc -s | grep '^counters taken'
== out
allocate a tc class=cpu type=0 flags=descendants: ok
attach a self: ok
start a: ok
write /sys/devices/system/cpu/cpu1/online 0: ok
write /sys/module/fakepmu/parameters/fail 1: ok
write /sys/devices/system/cpu/cpu1/online 1: ok
sh taskset 2 true: status 0
rw a old: EIO
stop a: ok
rw a new 0: ok
start a: ok
sh taskset 2 true: status 0
rw a old: ok
counters taken by others                           1
== run a CPU without a counter left is missing to a target that runs there
taskset 1 hwpmcctl <<'E'
allocate a tc class=cpu type=0 flags=descendants
attach a self
hog 4 1
start a
sh taskset 1 true
rw a old
is a > 0
sh taskset 2 true
rw a old
stop a
rw a new 0
hog 0
start a
sh taskset 2 true
rw a old
E
pmccontrol --collector=hwpmc -s | grep '^counters taken'
== out
allocate a tc class=cpu type=0 flags=descendants: ok
attach a self: ok
hog 4 1: ok
start a: ok
sh taskset 1 true: status 0
rw a old: ok
is a > 0: yes
sh taskset 2 true: status 0
rw a old: EIO
stop a: ok
rw a new 0: ok
hog 0: ok
start a: ok
sh taskset 2 true: status 0
rw a old: ok
counters taken by others                           2
== run events of threads are taken while they run
# From here on there are no others.
echo 0 >/proc/sys/kernel/hwpmc/kept_counters
hwpmcctl <<'E'
child c
allocate a tc class=cpu type=0
attach a c
start a
waitcount a
rw a old
is a > 0
hog 4
spin 50
rw a old
rw a new 0
stop a
rw a old
hog 0
rw a new 0
start a
waitcount a
rw a old
is a > 0
E
== out
child c: ok
allocate a tc class=cpu type=0: ok
attach a c: ok
start a: ok
waitcount a: ok
rw a old: ok
is a > 0: yes
hog 4: ok
spin 50: ok
rw a old: EIO
rw a new 0: EBUSY
stop a: ok
rw a old: EIO
hog 0: ok
rw a new 0: ok
start a: ok
waitcount a: ok
rw a old: ok
is a > 0: yes
== run a sampling PMC whose counter others take is told of while it runs
# Later than the first look.
hwpmcctl <<'E'
child c
allocate a ts class=cpu type=0 count=10000000
log taken.log
attach a c
start a
sh sleep 1.5
hog 4
waitstarved 1
hog 0
stop a
closelog
E
pmcstat -q --dump -R taken.log | grep '^drop .* starved'
pmccontrol --collector=hwpmc -s | grep '^counters taken'
== out
child c: ok
allocate a ts class=cpu type=0 count=10000000: ok
log taken.log: ok
attach a c: ok
start a: ok
sh sleep 1.5: status 0
hog 4: ok
waitstarved 1: ok
hog 0: ok
stop a: ok
closelog: ok
drop      1 0 starved
counters taken by others                           4
== run a target whose counter is not free when the log has its maps is none
hwpmcctl <<'E'
idle d
allocate a ts class=cpu type=0 count=10000000
log refused.log
attach a d
start a
hog 4
attach a self
hog 0
attach a self
spin 50
waitsamples 1
closelog
E
pmclog dump refused.log | grep -c '^attach'
pmclog dump refused.log | grep -c '^detach'
== out
idle d: ok
allocate a ts class=cpu type=0 count=10000000: ok
log refused.log: ok
attach a d: ok
start a: ok
hog 4: ok
attach a self: EBUSY
hog 0: ok
attach a self: ok
spin 50: ok
waitsamples 1: ok
closelog: ok
3
1
== run a process that exits without its counter is told of, whatever is counted of it
for flags in 0 no-kernel descendants no-kernel,descendants; do
	hwpmcctl <<-END | sed "s/ flags=$flags:/:/" >said
		child c
		allocate a tc class=cpu type=0 flags=$flags
		log exited.log
		attach a c
		start a
		waitcount a
		hog 4
		kill c
		rw a old
		waitstarved 1
		hog 0
		stop a
		rw a old
		rw a new 0
		rw a old
		closelog
	END
	pmcstat -q --dump -R exited.log | grep '^drop .* starved' >>said
	[ -e first ] || cp said first
	diff first said && echo "flags=$flags: told"
done
cat first
== out
flags=0: told
flags=no-kernel: told
flags=descendants: told
flags=no-kernel,descendants: told
child c: ok
allocate a tc class=cpu type=0: ok
log exited.log: ok
attach a c: ok
start a: ok
waitcount a: ok
hog 4: ok
kill c: ok
rw a old: EIO
waitstarved 1: ok
hog 0: ok
stop a: ok
rw a old: EIO
rw a new 0: ok
rw a old: ok
closelog: ok
drop      1 0 starved
== run an attach that fails half-way leaves nothing, and can be tried again
for error in 12:ENOMEM 19:ENXIO 11:EAGAIN; do
	for at in 1 2 4 6; do
		echo ${error%:*} >/sys/module/fakepmu/parameters/error
		{
			echo 'threads t 5'
			echo 'allocate a tc class=cpu type=0 flags=descendants,procexit'
			echo "write /sys/module/fakepmu/parameters/fail $at"
			echo 'attach a t'
			echo 'detach a t'
			echo 'attach a t'
			echo 'detach a t'
		} | hwpmcctl >said
		sed -n 4,7p said | tr '\n' ' '
		echo "($at, ${error#*:})"
	done
done | sort
# An error at a descendant undoes the process above it, too.
hwpmcctl <<'E' | grep -v ': ok$'
allocate a tc class=cpu type=0 flags=descendants,procexit
threads t 3
threads u 3
write /sys/module/fakepmu/parameters/error 12
write /sys/module/fakepmu/parameters/fail 6
attach a self
detach a self
detach a t
detach a u
attach a self
detach a t
detach a u
detach a self
release a
rowinfo 0 17
E
echo 0 >/sys/module/fakepmu/parameters/fail
== out
attach a t: EAGAIN detach a t: ESRCH attach a t: ok detach a t: ok (1, EAGAIN)
attach a t: EAGAIN detach a t: ESRCH attach a t: ok detach a t: ok (2, EAGAIN)
attach a t: EAGAIN detach a t: ESRCH attach a t: ok detach a t: ok (4, EAGAIN)
attach a t: EAGAIN detach a t: ESRCH attach a t: ok detach a t: ok (6, EAGAIN)
attach a t: ENOMEM detach a t: ESRCH attach a t: ok detach a t: ok (1, ENOMEM)
attach a t: ENOMEM detach a t: ESRCH attach a t: ok detach a t: ok (2, ENOMEM)
attach a t: ENOMEM detach a t: ESRCH attach a t: ok detach a t: ok (4, ENOMEM)
attach a t: ENOMEM detach a t: ESRCH attach a t: ok detach a t: ok (6, ENOMEM)
attach a t: ENXIO detach a t: ESRCH attach a t: ok detach a t: ok (1, ENXIO)
attach a t: ENXIO detach a t: ESRCH attach a t: ok detach a t: ok (2, ENXIO)
attach a t: ENXIO detach a t: ESRCH attach a t: ok detach a t: ok (4, ENXIO)
attach a t: ENXIO detach a t: ESRCH attach a t: ok detach a t: ok (6, ENXIO)
attach a self: ENOMEM
detach a self: ESRCH
detach a t: ESRCH
detach a u: ESRCH
rowinfo 0 17: CPU-0 free enabled owner none -
== run nor does a start of events that children inherit
# With PREEMPT_RT none does: the attach has made them.
started='ENOMEM ok'
case " $IS " in *" rt "*) started='ok ok' ;; esac
hwpmcctl <<'E' >said
threads t 5
allocate a tc class=cpu type=0 flags=descendants
attach a t
write /sys/module/fakepmu/parameters/error 12
write /sys/module/fakepmu/parameters/fail 4
start a
start a
write /sys/module/fakepmu/parameters/fail 0
E
grep -v '^write\|^start' said
[ "$(echo $(sed -n 's/^start a: //p' said))" = "$started" ] && echo 'started, when it can be'
== out
threads t 5: ok
allocate a tc class=cpu type=0 flags=descendants: ok
attach a t: ok
started, when it can be
== run a child and a thread that can have no counter are told of
hwpmcctl <<'E'
allocate a tc class=cpu type=0 flags=descendants,procexit
log missed.log
start a
write /sys/module/fakepmu/parameters/error 12
write /sys/module/fakepmu/parameters/fail 1
idle c
waitmissed 1
rw a old
closelog
E
pmcstat -q --dump -R missed.log | grep '^drop .* uncounted' | sed 's/ [0-9]* uncounted/ CPU uncounted/'
pmccontrol --collector=hwpmc -s | grep '^threads without'
== out
allocate a tc class=cpu type=0 flags=descendants,procexit: ok
log missed.log: ok
start a: ok
write /sys/module/fakepmu/parameters/error 12: ok
write /sys/module/fakepmu/parameters/fail 1: ok
idle c: ok
waitmissed 1: ok
rw a old: EIO
closelog: ok
drop      1 CPU uncounted
threads without a counter                          1
== run of a set-user-ID program that was refused its counter before its exec nothing is had either
cp "$(command -v spin)" plain && cp plain hidden && chmod 4755 hidden && chmod 777 .
chgrp profile /dev/hwpmc
chmod 666 /sys/module/fakepmu/parameters/error /sys/module/fakepmu/parameters/fail
cat >operations <<'E'
allocate a tc class=cpu type=0 flags=descendants,procexit,no-kernel
log hidden.log
start a
write /sys/module/fakepmu/parameters/error 16
write /sys/module/fakepmu/parameters/fail 1
sh exec ./plain 300
write /sys/module/fakepmu/parameters/fail 1
sh exec ./hidden 300
closelog
E
echo 1 >/proc/sys/kernel/perf_event_paranoid
su user -c 'hwpmcctl <operations'
echo 2 >/proc/sys/kernel/perf_event_paranoid
pmclog dump hidden.log | awk '$1 == "drop" { print $1, $4 } $1 == "exec" { sub(".*/", ""); print "exec", $0 }' | sort -u
rm plain hidden
== out
allocate a tc class=cpu type=0 flags=descendants,procexit,no-kernel: ok
log hidden.log: ok
start a: ok
write /sys/module/fakepmu/parameters/error 16: ok
write /sys/module/fakepmu/parameters/fail 1: ok
sh exec ./plain 300: status 0
write /sys/module/fakepmu/parameters/fail 1: ok
sh exec ./hidden 300: status 0
closelog: ok
drop hidden
drop uncounted
exec busybox"
exec plain"
== run a PMU is asked with the rights of who allocated the PMC, whoever makes the event
cat >operations <<'E'
allocate u tc class=cpu type=4 config=0x8000000000000000 flags=no-kernel
E
chmod 666 operations
su user -c 'hwpmcctl <operations'
# What makes those of children and threads has become an ordinary user.
hwpmcctl <<'E'
allocate a tc class=cpu type=4 config=0x8000000000000000 flags=descendants,procexit
log asked.log
start a
user 1000
idle c
threads t 2
rw a old
is a > 0
loglosses
closelog
E
== out
allocate u tc class=cpu type=4 config=0x8000000000000000 flags=no-kernel: EPERM
allocate a tc class=cpu type=4 config=0x8000000000000000 flags=descendants,procexit: ok
log asked.log: ok
start a: ok
user 1000: ok
idle c: ok
threads t 2: ok
rw a old: ok
is a > 0: yes
loglosses: 0 records, 0 threads
closelog: ok
== run of the CPU's counters one is left to who may use perfmon
cat >operations <<'E'
allocate a tc class=cpu type=0 flags=no-kernel
allocate b tc class=cpu type=0 flags=no-kernel
allocate c tc class=cpu type=0 flags=no-kernel
allocate d tc class=cpu type=0 flags=no-kernel
sh touch taken; until [ -e given ]; do sleep 0.1; done
E
chmod 777 . && chmod 666 operations
su user -c 'hwpmcctl <operations | sed /^sh/d >of_user' &
until [ -e taken ]; do sleep 0.1; done
echo 'allocate s sc class=cpu type=0 cpu=0' | hwpmcctl
touch given
wait
cat of_user
== out
allocate s sc class=cpu type=0 cpu=0: ok
allocate a tc class=cpu type=0 flags=no-kernel: ok
allocate b tc class=cpu type=0 flags=no-kernel: ok
allocate c tc class=cpu type=0 flags=no-kernel: ok
allocate d tc class=cpu type=0 flags=no-kernel: EINVAL
== run where a CPU's event cannot be made anew when it is back, a PMC of that CPU is told of
hwpmcctl <<'E'
allocate s sc class=cpu type=0 cpu=1
start s
write /sys/devices/system/cpu/cpu1/online 0
write /sys/module/fakepmu/parameters/fail 1
write /sys/devices/system/cpu/cpu1/online 1
sh sleep 0.5
rw s old
E
== out
allocate s sc class=cpu type=0 cpu=1: ok
start s: ok
write /sys/devices/system/cpu/cpu1/online 0: ok
write /sys/module/fakepmu/parameters/fail 1: ok
write /sys/devices/system/cpu/cpu1/online 1: ok
sh sleep 0.5: status 0
rw s old: EIO
== run the last thread of a CPU that goes is one of the kernel, which no probe sees leave
echo 3 >/proc/sys/kernel/hwpmc/kept_counters
migration=$(awk '$2 == "(migration/1)" { print $1 }' /proc/[0-9]*/stat)
hwpmcctl <<E | sed "s/attach \([ab]\) $migration/attach \1 MIGRATION/"
allocate a tc class=cpu type=0
allocate b tc class=cpu type=0
attach a $migration
attach b $migration
start a
start b
write /sys/devices/system/cpu/cpu1/online 0
release b
rw a old
write /sys/devices/system/cpu/cpu1/online 1
sh taskset 2 true
stop a
rw a new 0
start a
write /sys/devices/system/cpu/cpu1/online 0
write /sys/devices/system/cpu/cpu1/online 1
release a
E
== out
allocate a tc class=cpu type=0: ok
allocate b tc class=cpu type=0: ok
attach a MIGRATION: ok
attach b MIGRATION: ok
start a: ok
start b: ok
write /sys/devices/system/cpu/cpu1/online 0: ok
release b: ok
rw a old: EIO
write /sys/devices/system/cpu/cpu1/online 1: ok
sh taskset 2 true: status 0
stop a: ok
rw a new 0: ok
start a: ok
write /sys/devices/system/cpu/cpu1/online 0: ok
write /sys/devices/system/cpu/cpu1/online 1: ok
release a: ok
