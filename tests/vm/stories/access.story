Who may count what: by kernel.perf_event_paranoid, by hwpmc's own tunables, by ids and capabilities.
== machine smp
== run the device is root's and its group's; others may not open it
rmmod hwpmc
insmod /pmc/hwpmc.ko
ls -l /dev/hwpmc | cut -d ' ' -f 1
echo 2 >/proc/sys/kernel/perf_event_paranoid
echo 'allocate u tc flags=no-kernel' >operations
su user -c 'hwpmcctl <operations' 2>/dev/null || echo 'before the group has it: refused'
chgrp profile /dev/hwpmc
su user -c 'hwpmcctl <operations'
su stranger -c 'hwpmcctl <operations' 2>/dev/null || echo 'stranger: refused'
== out
crw-rw----
before the group has it: refused
allocate u tc flags=no-kernel: ok
stranger: refused
== run who may not open it gets the collector perf; who asks for hwpmc, a sentence
su stranger -c 'pmcstat -q --unwind=fp -P cpu-clock:u -O /tmp/s.log spin 10000000'; echo $?
pmclog info /tmp/s.log | sed -n 's/^collector *//p'
su stranger -c 'pmcstat -q --collector=hwpmc -P cpu-clock:u -O /tmp/s.log true'; echo $?
== out
0
perf
77
== err
pmcstat: /dev/hwpmc may not be opened: Permission denied
pmcstat: hint: join the group of the device (ls -l /dev/hwpmc), which hwpmc(4) calls "profile"; --collector=perf does without the module
== run what users may allocate, and that they switch no rows, by what perf_event_paranoid and unprivileged_syspmcs allow
# System, kernel, its own in user mode: each counted and sampled.
cat >operations <<'END'
allocate s sc cpu=0
allocate t ss cpu=0 config=cpu-clock
allocate k tc
allocate l ts
allocate u tc flags=no-kernel
allocate v ts flags=no-kernel
END
answers() {
	(cat operations; echo admin 0 1 0) | su user -c hwpmcctl | sed 's/.*: //' | tr '\n' ' '
	echo
}
for system in 0 1; do
	echo $system >/proc/sys/kernel/hwpmc/unprivileged_syspmcs
	for level in 4 3 2 1 0 -1; do
		echo $level >/proc/sys/kernel/perf_event_paranoid
		echo "$system $level: $(answers)"
	done
done
echo 2 >/proc/sys/kernel/perf_event_paranoid
echo 0 >/proc/sys/kernel/hwpmc/unprivileged_syspmcs
echo "root: $(hwpmcctl <operations | sed 's/.*: //' | tr '\n' ' ')"
== out
0 4: EPERM EPERM EPERM EPERM EPERM EPERM EPERM 
0 3: EPERM EPERM EPERM EPERM EPERM EPERM EPERM 
0 2: EPERM EPERM EPERM EPERM ok ok EPERM 
0 1: EPERM EPERM ok ok ok ok EPERM 
0 0: EPERM EPERM ok ok ok ok EPERM 
0 -1: EPERM EPERM ok ok ok ok EPERM 
1 4: EPERM EPERM EPERM EPERM EPERM EPERM EPERM 
1 3: EPERM EPERM EPERM EPERM EPERM EPERM EPERM 
1 2: EPERM EPERM EPERM EPERM ok ok EPERM 
1 1: EPERM EPERM ok ok ok ok EPERM 
1 0: ok ok ok ok ok ok EPERM 
1 -1: ok ok ok ok ok ok EPERM 
root: ok ok ok ok ok ok 
== run another perf_event_paranoid, bound over the real one, is not believed
echo 2 >/proc/sys/kernel/perf_event_paranoid
echo -1 >fake
unshare -m sh -c 'mount --bind fake /proc/sys/kernel/perf_event_paranoid && cat /proc/sys/kernel/perf_event_paranoid &&
	su user -c "echo allocate p tc | hwpmcctl"'
== out
-1
allocate p tc: EPERM
== run users attach to what they could debug
echo 2 >/proc/sys/kernel/perf_event_paranoid
sleep 1000 &
of_root=$!
su user -c 'exec sleep 1000' &
of_user=$!
su other -c 'exec sleep 1000' &
of_other=$!
cat >/tmp/attaches <<END
allocate u tc flags=no-kernel
attach u self
detach u self
child c
attach u c
detach u c
attach u $of_user
attach u $of_root
attach u $of_other
attach u 1
attach u 2
attach u 99999999
END
until [ "$(cat /proc/$of_user/comm /proc/$of_other/comm | sort -u)" = sleep ]; do :; done
answers() {
	sed -n 's/^attach u \([a-z0-9]*\): /\1 /p' | sed "s/^$of_user /user /; s/^$of_root /root /; s/^$of_other /other /"
}
su user -c 'hwpmcctl </tmp/attaches' | answers | tee at-2
echo 1 >/proc/sys/kernel/hwpmc/unprivileged_syspmcs
for level in 1 0; do
	echo $level >/proc/sys/kernel/perf_event_paranoid
	su user -c 'hwpmcctl </tmp/attaches' | answers | cmp - at-2 && echo "the same at $level"
done
echo 0 >/proc/sys/kernel/hwpmc/unprivileged_syspmcs
echo 2 >/proc/sys/kernel/perf_event_paranoid
echo 'unprivileged_proc_debug 0'
echo 0 >/proc/sys/kernel/hwpmc/unprivileged_proc_debug
su user -c 'hwpmcctl </tmp/attaches' | answers
echo 'root'
hwpmcctl </tmp/attaches | answers
echo 1 >/proc/sys/kernel/hwpmc/unprivileged_proc_debug
kill $of_root $of_user $of_other
== out
self ok
c ok
user ok
root EPERM
other EPERM
1 EPERM
2 EPERM
99999999 ESRCH
the same at 1
the same at 0
unprivileged_proc_debug 0
self ok
c EPERM
user EPERM
root EPERM
other EPERM
1 EPERM
2 EPERM
99999999 ESRCH
root
self ok
c ok
user ok
root ok
other ok
1 ok
2 ok
99999999 ESRCH
== run nor to programs that changed their ids, or that cannot be read
cp /bin/busybox busybox-setuid && chown other busybox-setuid && chmod 4755 busybox-setuid
cp /bin/busybox busybox-closed && chmod 711 busybox-closed
cp /bin/busybox busybox-open
su user -c 'exec ./busybox-setuid sleep 1000' &
setuid=$!
su user -c 'exec ./busybox-closed sleep 1000' &
closed=$!
# By a file, since the shell would be sleep itself, and closed since it changed its ids.
su user -c 'exec ./busybox-open sleep 1000' &
open=$!
until [ "$(cat /proc/$setuid/comm /proc/$closed/comm /proc/$open/comm | tr '\n' ' ')" = 'busybox-setuid busybox-closed busybox-open ' ]; do :; done
cat >operations <<END
allocate u tc flags=no-kernel
attach u $open
attach u $setuid
attach u $closed
END
su user -c 'hwpmcctl <operations' | sed 's/.*: //'
hwpmcctl <operations | sed 's/.*: //'
kill $setuid $closed $open
== out
ok
ok
EPERM
EPERM
ok
ok
ok
ok
== run a capability alone does what root does of its part: 38 is CAP_PERFMON, 19 CAP_SYS_PTRACE, 21 CAP_SYS_ADMIN
sleep 1000 &
of_root=$!
su other -c 'exec sleep 1000' &
of_other=$!
until [ "$(cat /proc/$of_root/comm /proc/$of_other/comm | sort -u)" = sleep ]; do :; done
cat >operations <<END
allocate s sc cpu=0
allocate t ss cpu=0 config=cpu-clock
allocate k tc
allocate u tc flags=no-kernel
attach u $of_other
attach u $of_root
admin 0 1 0
END
for capability in 38 19 21; do
	echo "$capability: $( (echo user 1000 $capability; cat operations) | hwpmcctl | sed 's/.*: //' | tr '\n' ' ')"
done
kill $of_root $of_other
== out
38: ok ok ok ok ok ok ok EPERM 
19: ok EPERM EPERM EPERM ok ok ok EPERM 
21: ok ok ok ok ok ok ok EBUSY 
== run in a user namespace, one is root there alone
echo 1 >/proc/sys/kernel/unprivileged_userns_clone
su user -c 'exec sleep 1000' &
outside=$!
su user -c 'exec unshare -U sleep 1000' &
inside=$!
until [ "$(cat /proc/$outside/comm /proc/$inside/comm | sort -u)" = sleep ]; do :; done
cat >operations <<END
userns
allocate s sc cpu=0
allocate p tc
allocate t ts
allocate u tc flags=no-kernel
attach u self
child c
attach u c
attach u $outside
attach u $inside
admin 0 1 0
END
answers() {
	echo $1 >/proc/sys/kernel/hwpmc/unprivileged_syspmcs
	echo $2 >/proc/sys/kernel/perf_event_paranoid
	echo "$1 $2: $(su user -c 'hwpmcctl <operations' | sed 's/.*: //' | tr '\n' ' ')"
}
answers 0 3
answers 0 1
answers 1 0
answers 0 2
cat >operations <<END
allocate u tc flags=no-kernel
attach u $inside
END
echo 'from outside'
su user -c 'hwpmcctl <operations' | sed 's/.*: //'
su other -c 'hwpmcctl <operations' | sed 's/.*: //'
kill $outside $inside
== out
0 3: ok EPERM EPERM EPERM EPERM ESRCH ok ESRCH ESRCH ESRCH EPERM 
0 1: ok EPERM ok ok ok ok ok ok EPERM EPERM EPERM 
1 0: ok ok ok ok ok ok ok ok EPERM EPERM EPERM 
0 2: ok EPERM EPERM EPERM ok ok ok ok EPERM EPERM EPERM 
from outside
ok
ok
ok
EPERM
== run one capability of a user namespace does there what ptrace asks for, and nothing for PMCs
# All users have their own numbers in it.
unshare -U sleep 1000 &
namespace=$!
until [ "$(cat /proc/$namespace/comm)" = sleep ]; do :; done
echo 0 0 65536 >/proc/$namespace/uid_map
echo 0 0 65536 >/proc/$namespace/gid_map
nsenter -U -t $namespace su user -c 'exec sleep 1000' &
of_user=$!
nsenter -U -t $namespace su other -c 'exec sleep 1000' &
of_other=$!
su other -c 'exec sleep 1000' &
outside=$!
until [ "$(cat /proc/$of_user/comm /proc/$of_other/comm /proc/$outside/comm | sort -u)" = sleep ]; do :; done
cat >operations <<END
allocate s sc cpu=0
allocate k tc
allocate u tc flags=no-kernel
attach u self
attach u $of_user
attach u $of_other
attach u $outside
admin 0 1 0
END
for capability in 38 19 21; do
	echo "$capability: $( (echo user 1000 $capability; cat operations) | nsenter -U -t $namespace hwpmcctl | sed 's/.*: //' | tr '\n' ' ')"
done
kill $namespace $of_user $of_other $outside
== out
38: ok EPERM EPERM ok ok ok EPERM EPERM EPERM 
19: ok EPERM EPERM ok ok ok ok EPERM EPERM 
21: ok EPERM EPERM ok ok ok EPERM EPERM EPERM 
== run who has more capabilities is closed to his own user without them
chmod 777 .
cat >more <<'END'
user 1000 10
sh touch more.ready; until [ -e more.go ]; do sleep 0.1; done
END
hwpmcctl <more >/dev/null &
more=$!
until [ -e more.ready ]; do sleep 0.1; done
printf '%s\n' 'allocate u tc flags=no-kernel' "attach u $more" >operations
for capabilities in '' 10 13; do
	(echo user 1000 $capabilities; cat operations) | hwpmcctl | sed "s/^attach.*:/${capabilities:-none}:/; /^$/d" | tail -n 1
done
touch more.go
wait
== out
none: EPERM
10: ok
13: EPERM
== run who has which row all may read; a log is its owner's alone
cat >owner <<'END'
allocate s ss cpu=0 count=4000000 name=of-root
log log
start s
other flushlog
other closelog
other log -1
sh touch owned; until [ -e asked ]; do sleep 0.1; done
writelog 7
flushlog
closelog
END
cat >operations <<'END'
rowinfo 0 1
rate 0 1
flushlog
closelog
writelog 8
logstats
log -1
END
hwpmcctl <owner >said &
until [ -e owned ]; do sleep 0.1; done
echo 3 >/proc/sys/kernel/perf_event_paranoid
su user -c 'hwpmcctl <operations'
echo 2 >/proc/sys/kernel/perf_event_paranoid
echo 'another owner'
(echo allocate t tc; cat operations) | hwpmcctl | tail -n 5
touch asked
wait
echo 'the owner, and his child'
grep log said
pmclog dump log | grep '^userdata'
== out
rowinfo 0 1: SOFT-0 standalone enabled owner other of-root
rate 0 1: 4000000
flushlog: EINVAL
closelog: EINVAL
writelog 8: EINVAL
logstats: EINVAL
log -1: EINVAL
another owner
flushlog: EINVAL
closelog: EINVAL
writelog 8: EINVAL
logstats: EINVAL
log -1: EINVAL
the owner, and his child
log log: ok
other flushlog: EINVAL
other closelog: EINVAL
other log -1: EINVAL
writelog 7: ok
flushlog: ok
closelog: ok
userdata  0x7
