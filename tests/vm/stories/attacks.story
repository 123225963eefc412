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
== run nor does anybody have perf read his memory, which may wait for ever
text=0x$(grep ' T vfs_read$' /proc/kallsyms | cut -d ' ' -f 1)
for name in kprobe uprobe; do
	type=$(cat /sys/bus/event_source/devices/$name/type)
	echo "allocate p sc cpu=0 class=cpu type=$type config2=$text config=0"
	echo "allocate p tc class=cpu type=$type config2=$text config=0"
done >operations
hwpmcctl <operations | sed 's/.*: //'
== out
EINVAL
EINVAL
EINVAL
EINVAL
== run a log of user code says nothing of where the kernel is
chmod 777 .
echo 2 >/proc/sys/kernel/perf_event_paranoid
su user -c 'pmcstat -q --collector=hwpmc -P cpu-clock:u -O user.log spin 30000000'
pmcstat -q --collector=hwpmc -P cpu-clock:u -O root.log spin 30000000
echo 1 >/proc/sys/kernel/perf_event_paranoid
su user -c 'pmcstat -q --collector=hwpmc -P cpu-clock:u -O may.log spin 30000000'
echo 2 >/proc/sys/kernel/perf_event_paranoid
for who in user root may; do
	echo "$who: $(pmcstat --dump -R $who.log | grep 'map-in    -1 .*\[kernel\]' | wc -l) of the kernel"
done
echo "user: $(pmcstat --dump -R user.log | grep -c 'map-in    -1 ') in all"
== out
user: 0 of the kernel
root: 1 of the kernel
may: 1 of the kernel
user: 0 in all
== run nor does it hear of modules that come, nor wait for them
# Who may is told when it comes and when it has come.
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
loud: 2
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
== run nor more PMCs than all processes of a user may have
cat >operations <<'END'
allocate a tc flags=no-kernel
allocate b tc flags=no-kernel
release a
allocate c tc flags=no-kernel
END
cat >held <<'END'
allocate first tc flags=no-kernel
sh touch first; until [ -e last ]; do sleep 0.1; done
END
chmod 666 operations held
rm -f last
echo 2 >/proc/sys/kernel/hwpmc/user_pmcs
su user -c 'hwpmcctl <held >/dev/null' &
until [ -e first ]; do sleep 0.1; done
su user -c 'hwpmcctl <operations; pmcstat -q --collector=hwpmc -p page-faults:u -p minor-faults:u true'
echo another:
su other -c 'hwpmcctl <operations'
touch last
wait
su user -c 'hwpmcctl <operations' | tail -n 1
echo 0 >/proc/sys/kernel/hwpmc/user_pmcs
su other -c 'hwpmcctl <operations' | head -n 1
hwpmcctl <operations | tail -n 1
echo 1024 >/proc/sys/kernel/hwpmc/user_pmcs
== out
allocate a tc flags=no-kernel: ok
allocate b tc flags=no-kernel: ENOBUFS
release a: ok
allocate c tc flags=no-kernel: ok
another:
allocate a tc flags=no-kernel: ok
allocate b tc flags=no-kernel: ok
release a: ok
allocate c tc flags=no-kernel: ok
allocate c tc flags=no-kernel: ok
allocate a tc flags=no-kernel: ENOBUFS
allocate c tc flags=no-kernel: ok
== err
pmcstat: minor-faults:u: this user has as many PMCs already as kernel.hwpmc.user_pmcs allows, which is 2
pmcstat: hint: end another recording; root may raise it by sysctl
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
== run nor can a user keep from a process who may attach to all, by PMCs of the same rows
cat >operations <<'END'
allocate a tc flags=no-kernel
attach a self
allocate b tc flags=no-kernel
attach b self
id b
sh touch taken; until [ -e given ]; do sleep 0.1; done
END
chmod 777 . && chmod 666 operations
rm -f taken given
su user -c 'exec hwpmcctl <operations' &
until [ -e taken ]; do sleep 0.1; done
process=$(pidof hwpmcctl)
printf '%s\n' 'allocate q tc' "attach q $process" >second
hwpmcctl <<END >first
allocate r tc
id r
attach r $process
sh hwpmcctl <second
END
touch given
wait
sed "s/ $process:/:/" first
== out
allocate a tc flags=no-kernel: ok
attach a self: ok
allocate b tc flags=no-kernel: ok
attach b self: ok
id b: 0xfff03f02
sh touch taken; until [ -e given ]; do sleep 0.1; done: status 0
allocate r tc: ok
id r: 0xfff03f01
attach r: ok
sh hwpmcctl <second: allocate q tc: ok
attach q: EBUSY
status 0
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
== run nor is anything had of it between its exec's hook and the end of what was attached before, or just before the hook
chmod 777 .
echo 2 >/proc/sys/kernel/perf_event_paranoid
cp /pmc/bin/attacks plain && cp plain setuid && chmod 4755 setuid
ln -s /sys/module/hookwait/parameters hook
cat >operations <<'END'
allocate count tc flags=no-kernel
allocate again tc flags=no-kernel
allocate samples ts flags=no-kernel,descendants count=1000000
becomes c 0 ./program family
attach count c
attach again c
attach samples c
start count
sh mv next program; until read -r pid <hook/pid && [ $pid != 0 ]; do :; done; echo $pid >pid
allocate late tc flags=no-kernel
attach late c
allocate below tc flags=no-kernel,descendants
attach below self
detach again c
attach again c
stop count
setcount count 0
start count
spin 300
rw count old
is count > 250000000
log log
start samples
sh cmp hook/pid pid && echo 0 >hook/waits
sh until grep -q '^State:.Z' /proc/$(cat pid)/status; do :; done
closelog
END
# held PROGRAM BEFORE: fails where the host was so slow that it had been let go before.
held() {
	rm -f log
	insmod /pmc/hookwait.ko comm=program hook=sched_process_exec before=$2 waits=1
	chmod 666 hook/waits
	cp -p $1 next
	su user -c 'hwpmcctl <operations' >said
	rmmod hookwait
	rm program
	grep -q '^sh cmp.*: status 0$' said
}
window() {
	tries=1
	until held $1 $2 || [ $((tries += 1)) -gt 5 ]; do :; done
	# From when it is held until it is let go.
	sed -n '/^attach late/,/^sh cmp/p' said | sed 's/^sh cmp.*: /in time: /; s/no: .*/no/' >$1$2
	pmclog dump log | awk -v pid="$(cat pid)" '$2 == pid || $3 == pid { print $1 ($1 == "attach" ? " " $NF : "") }' |
		sort -u | sed 's/^/logged: /' >>$1$2
	pmclog dump log | awk '$1 == "drop"' | sed 's/^/logged: /' >>$1$2
}
window plain 0
window setuid 0
window setuid 1
grep -v 'logged: \(create\|exit\|map-out\|thr-exit\)' plain0
echo set-user-ID:
cat setuid0
diff setuid0 setuid1
== out
attach late c: ok
allocate below tc flags=no-kernel,descendants: ok
attach below self: ok
detach again c: ok
attach again c: ok
stop count: ok
setcount count 0: ok
start count: ok
spin 300: ok
rw count old: ok
is count > 250000000: yes
log log: ok
start samples: ok
in time: status 0
logged: attach "/pmc/stories/attacks/room/program"
logged: callchain
logged: exec
logged: fork
logged: map-in
set-user-ID:
attach late c: EPERM
allocate below tc flags=no-kernel,descendants: ok
attach below self: EPERM
detach again c: ok
attach again c: EPERM
stop count: ok
setcount count 0: ok
start count: ok
spin 300: ok
rw count old: ok
is count > 250000000: no
log log: ok
start samples: ok
in time: status 0
logged: attach "//hidden"
logged: detach
logged: drop      1 0 hidden
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
== run nor does one to whose events perf has locked, for who reads one into memory that does not come
insmod /pmc/stuck.ko
attacks held
until rmmod stuck 2>/dev/null; do sleep 0.1; done
== out
others: go on
others' targets: end
the caller's other targets: fork
the caller: waits
let go: the caller ends
== run nor where it has inherited an event, and logs hear of what such a child becomes
# With PREEMPT_RT nothing is inherited: a child runs uncounted after five seconds, and is told of.
children=1100 known='exec .*/became'
case " $IS " in *" rt "*) children=1 known='drop .* uncounted' ;; esac
insmod /pmc/stuck.ko
mkfifo begins
cp /pmc/bin/attacks became
cat >forks.sh <<'END'
read line <begins
./became nothing
touch forked
i=0
while [ $((i += 1)) -le $1 ]; do
	(:)
	echo $i >forks
done
END
sh forks.sh $children &
forks=$!
attacks asleep &
held=$!
cat >operations <<END
log log
allocate s ts flags=no-kernel,descendants count=1000000
attach s $held
attach s $forks
start s
sh touch runs; until [ -e stop ]; do sleep 0.1; done
stop s
END
hwpmcctl <operations >said &
caller=$!
until [ -e runs ]; do sleep 0.1; done
attacks holder $held &
until grep -q 'perf_read\|el1_abort' /proc/$!/stack; do sleep 0.1; done
touch stop
until grep -q perf_event /proc/$caller/stack; do sleep 0.1; done
echo >begins
tries=0
until [ -e forked ] || [ $((tries += 1)) -gt 300 ]; do sleep 0.1; done
[ -e forked ] && echo 'the other target forks'
# What ends meanwhile stays until the caller goes on, so it must have an end.
until [ -s forks ] && before=$(cat forks) && sleep 5 && [ "$(cat forks)" = "$before" ]; do :; done
[ $before -ge $((children * 8 / 10)) ] && [ $before -lt 1100 ] && echo 'as often as it may'
grep -q perf_event /proc/$caller/stack && echo 'the caller waits'
echo 1 >/sys/module/stuck/parameters/answers
wait $caller $forks
tail -n 1 said
[ "$(cat forks)" = $children ] && echo 'and then goes on'
kill $held
pmclog dump log | grep -q "$known" && echo 'the log knows'
until rmmod stuck 2>/dev/null; do sleep 0.1; done
== out
the other target forks
as often as it may
the caller waits
stop s: ok
and then goes on
the log knows
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
