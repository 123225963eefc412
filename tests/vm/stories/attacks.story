What an ordinary user who may open the device tries, to get what the kernel itself would refuse.
== machine smp
== run nobody asks the kernel's text through what takes events
echo 1 >/proc/sys/kernel/perf_event_paranoid
type=$(cat /sys/bus/event_source/devices/kprobe/type)
text=0x$(grep ' T vfs_read$' /proc/kallsyms | cut -d ' ' -f 1)
for address in "$text" $((text + 1)) 0x1000; do
	echo "allocate p tc class=tsc type=$type config2=$address config=0"
done >operations
su user -c 'hwpmcctl <operations' | sed 's/.*: //'
echo 2 >/proc/sys/kernel/perf_event_paranoid
== out
EINVAL
EINVAL
EINVAL
== run a log of user code says nothing of where the kernel is
chmod 777 .
echo 2 >/proc/sys/kernel/perf_event_paranoid
su user -c 'pmcstat -q --collector=hwpmc -P cpu-clock:u -O user.log spin 30000000'
pmcstat -q --collector=hwpmc -P cpu-clock:u -O root.log spin 30000000
for who in user root; do
	echo "$who: $(pmcstat --dump -R $who.log | grep 'map-in    -1 .*\[kernel\]' | wc -l) of the kernel"
done
echo "user: $(pmcstat --dump -R user.log | grep -c 'map-in    -1 ') in all"
== out
user: 0 of the kernel
root: 1 of the kernel
user: 0 in all
== run nor does it hear of modules that come, nor wait for them
cat >operations <<'END'
allocate u ts flags=no-kernel
log quiet.log
start u
sh insmod /pmc/kapi_demo.ko; rmmod kapi_demo
flushlog
closelog
END
chmod 666 operations
hwpmcctl <operations >/dev/null && mv quiet.log loud.log
sed -i 's/^sh .*/sh touch ready; until [ -e go ]; do sleep 0.1; done/' operations
su user -c 'hwpmcctl <operations >/dev/null' &
until [ -e ready ]; do sleep 0.1; done
insmod /pmc/kapi_demo.ko
rmmod kapi_demo
touch go
wait
for log in loud quiet; do
	echo "$log: $(pmcstat --dump -R $log.log | grep -c 'map-in    -1 .*kapi_demo')"
done
== out
loud: 1
quiet: 0
== run no log without the right to count, and no more of them than a user's share of memory
cat >operations <<'END'
log a.log
closelog
END
echo 3 >/proc/sys/kernel/perf_event_paranoid
su user -c 'hwpmcctl <operations'
echo 2 >/proc/sys/kernel/perf_event_paranoid
su user -c 'hwpmcctl <operations'
echo 0 >/proc/sys/kernel/hwpmc/user_log_kb
su user -c 'ulimit -l 64; hwpmcctl <operations'
su user -c 'ulimit -l 64; pmcstat -q --collector=hwpmc -P cpu-clock:u -O no.log true'
(ulimit -l unlimited; su user -c 'hwpmcctl <operations')
hwpmcctl <operations
echo 2560 >/proc/sys/kernel/hwpmc/user_log_kb
cat >held <<'END'
log held.log
sh touch held.ready; until [ -e held.go ]; do sleep 0.1; done
closelog
END
chmod 666 held
echo 'one is held, the other has no room'
echo 1300 >/proc/sys/kernel/hwpmc/user_log_kb
su user -c 'ulimit -l 64; hwpmcctl <held >/dev/null' &
until [ -e held.ready ]; do sleep 0.1; done
su user -c 'ulimit -l 64; hwpmcctl <operations'
su other -c 'ulimit -l 64; hwpmcctl <operations >other' 2>/dev/null
touch held.go
wait
su user -c 'ulimit -l 64; hwpmcctl <operations'
echo 2560 >/proc/sys/kernel/hwpmc/user_log_kb
== out
log a.log: EPERM
closelog: EINVAL
log a.log: ok
closelog: ok
log a.log: ENOBUFS
closelog: EINVAL
log a.log: ok
closelog: ok
log a.log: ok
closelog: ok
one is held, the other has no room
log a.log: ENOBUFS
closelog: EINVAL
log a.log: ok
closelog: ok
== err
pmcstat: the logs of this user would take more memory than kernel.hwpmc.user_log_kb, which is 0 KB a CPU, and the limit of locked memory allow
pmcstat: hint: end another recording, raise one of the two (ulimit -l), or load hwpmc with a smaller nsamples
== run a user's PMCs of process scope leave rows for the system's
cat >operations <<'END'
allocate a1 tc flags=no-kernel
allocate a2 tc flags=no-kernel
allocate a3 tc flags=no-kernel
allocate a4 tc flags=no-kernel
allocate a5 tc flags=no-kernel
allocate a6 tc flags=no-kernel
allocate a7 tc flags=no-kernel
allocate a8 tc flags=no-kernel
allocate a9 tc flags=no-kernel
allocate a10 tc flags=no-kernel
allocate a11 tc flags=no-kernel
allocate a12 tc flags=no-kernel
allocate a13 tc flags=no-kernel
sh touch taken; until [ -e given ]; do sleep 0.1; done
END
chmod 666 operations
su user -c 'hwpmcctl <operations' | sed -n '12,13p' &
until [ -e taken ]; do sleep 0.1; done
echo 'allocate s sc cpu=0' | hwpmcctl
touch given
wait
== out
allocate s sc cpu=0: ok
allocate a12 tc flags=no-kernel: ok
allocate a13 tc flags=no-kernel: EINVAL
== run an exec gives back what the process owned, and the new program begins with nothing
attacks own
== out
before: ok
after: ESRCH
again: ok
== run a set-user-ID program is no target, nor are its children
chmod 777 .
cp /pmc/bin/attacks plain && cp plain setuid && chmod 4755 setuid
su user -c 'attacks children ./plain; attacks children ./setuid'
== out
./plain: of the program known, of its children counted
./setuid: of the program nothing, of its children nothing
== run a signal for want of a target does not reach who has become another user
attacks signal
== out
own: SIGIO
another's: nothing
own log: SIGIO
another's log: nothing
== run an attach to who is stuck in an exec keeps nobody waiting but its caller
insmod /pmc/stuck.ko
attacks stuck
echo 1 >/sys/module/stuck/parameters/answers
until rmmod stuck 2>/dev/null; do sleep 0.1; done
== out
others: go on
killed: the caller ends
== run a target that forks all the time keeps neither its attach nor others waiting
su user -c 'attacks forker'
== out
attach: ends
others: go on
killed: the caller ends
== run of an attach that is refused nothing stays, nor of one to more generations than it looks for
chmod 777 .
cp /pmc/bin/attacks closed && chmod 711 closed
su user -c 'attacks refused ./closed; attacks deep'
== out
attach: EPERM
targets: none
256 generations: EAGAIN
targets: none
255 generations: ok
== run who is killed in an attach to many is gone before it has come to all
su user -c 'attacks below'
== out
killed: the caller ends
== run a process whose first thread has ended, and threads with ids of their own, are asked as all
cp /pmc/bin/attacks open && cp open closed && chmod 711 closed
su user -c 'attacks leaderless ./open; attacks leaderless ./closed'
attacks ids
== out
./open: ok
./closed: EPERM
threads of one user: ok
threads of two: EPERM
