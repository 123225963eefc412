Children that have inherited what counts their parent, and are targets by that alone: they are to be
targets like all others when it matters. Nobody logs, and nobody asks which process counted what.
== machine smp
== run a child is counted
hwpmcctl <<'E'
allocate a tc flags=descendants
puppet p
attach a p
start a
does p fork c
rw a old
is a > 0
setcount a 0
stop a
setcount a 0
start a
does c spin 50
rw a old
is a > 45000000
is a < 1000000000
E
== out
allocate a tc flags=descendants: ok
puppet p: ok
attach a p: ok
start a: ok
does p fork c: ok
rw a old: ok
is a > 0: yes
setcount a 0: EBUSY
stop a: ok
setcount a 0: ok
start a: ok
does c spin 50: ok
rw a old: ok
is a > 45000000: yes
is a < 1000000000: yes
== run also when its parent is gone, and the child's child; nobody is told that the last has gone before
hwpmcctl <<'E'
allocate a tc flags=descendants
puppet p
attach a p
start a
does p fork c
does c fork d
does p exit
sh sleep 0.5
signals
does c exit
sh sleep 0.5
signals
stop a
setcount a 0
start a
does d spin 50
rw a old
is a > 45000000
does d exit
sh sleep 0.5
signals
E
== out
allocate a tc flags=descendants: ok
puppet p: ok
attach a p: ok
start a: ok
does p fork c: ok
does c fork d: ok
does p exit: ok
sh sleep 0.5: status 0
signals: 0 SIGIO, 0 SIGBUS
does c exit: ok
sh sleep 0.5: status 0
signals: 0 SIGIO, 0 SIGBUS
stop a: ok
setcount a 0: ok
start a: ok
does d spin 50: ok
rw a old: ok
is a > 45000000: yes
does d exit: ok
sh sleep 0.5: status 0
signals: 1 SIGIO, 0 SIGBUS
== run it is a target: nobody else's PMC of that row, nor the same one, is attached to it
hwpmcctl <<'E'
allocate a tc flags=descendants
puppet p
attach a p
start a
does p fork c
attach a c
does p fork d
other allocate b tc flags=descendants
other attach b d
attach a p
does d spin 50
rw a old
is a > 45000000
is a < 1000000000
E
== out
allocate a tc flags=descendants: ok
puppet p: ok
attach a p: ok
start a: ok
does p fork c: ok
attach a c: EEXIST
does p fork d: ok
other allocate b tc flags=descendants: ok
other attach b d: EBUSY
attach a p: EEXIST
does d spin 50: ok
rw a old: ok
is a > 45000000: yes
is a < 1000000000: yes
== run one that is let go is a target no more, the others are; and so where their parent is let go
hwpmcctl <<'E'
allocate a tc flags=descendants
puppet p
attach a p
start a
does p fork c
does p fork d
does c fork e
detach a c
does c spin 3000
does d spin 50
does e spin 50
rw a old
is a > 90000000
is a < 2500000000
detach a p
does p spin 3000
does d spin 50
does e spin 50
rw a old
is a > 180000000
is a < 2600000000
detach a c
detach a e
does e spin 3000
rw a old
is a < 2600000000
E
== out
allocate a tc flags=descendants: ok
puppet p: ok
attach a p: ok
start a: ok
does p fork c: ok
does p fork d: ok
does c fork e: ok
detach a c: ok
does c spin 3000: ok
does d spin 50: ok
does e spin 50: ok
rw a old: ok
is a > 90000000: yes
is a < 2500000000: yes
detach a p: ok
does p spin 3000: ok
does d spin 50: ok
does e spin 50: ok
rw a old: ok
is a > 180000000: yes
is a < 2600000000: yes
detach a c: ESRCH
detach a e: ok
does e spin 3000: ok
rw a old: ok
is a < 2600000000: yes
== run a log that comes hears of what it does
hwpmcctl <<'E'
allocate a tc flags=descendants
puppet p
attach a p
start a
does p fork c
does c fork d
log heirs.log
does d fork e
does e exec /bin/true
does c exit
sh sleep 0.5
closelog
E
pmclog dump heirs.log | awk '$1 ~ /^(attach|fork|exec|exit)$/ { n[$1]++ } END { for (what in n) print what, n[what] }' | sort
rm heirs.log
== out
allocate a tc flags=descendants: ok
puppet p: ok
attach a p: ok
start a: ok
does p fork c: ok
does c fork d: ok
log heirs.log: ok
does d fork e: ok
does e exec /bin/true: ok
does c exit: ok
sh sleep 0.5: status 0
closelog: ok
attach 3
exec 1
exit 2
fork 1
== run a program that may do more than its user is none
cp "$(command -v spin)" setuid && chmod 4755 setuid && chmod 777 .
echo 2 >/proc/sys/kernel/perf_event_paranoid
su user -c hwpmcctl <<'E'
allocate a tc flags=descendants,no-kernel
puppet p
attach a p
start a
does p fork c
does p fork d
does c exec ./setuid 4000000000
sh sleep 0.2
detach a c
stop a
setcount a 0
start a
sh sleep 0.5
does d spin 50
rw a old
is a > 40000000
is a < 300000000
kill c
E
rm setuid
== out
allocate a tc flags=descendants,no-kernel: ok
puppet p: ok
attach a p: ok
start a: ok
does p fork c: ok
does p fork d: ok
does c exec ./setuid 4000000000: ok
sh sleep 0.2: status 0
detach a c: ESRCH
stop a: ok
setcount a 0: ok
start a: ok
sh sleep 0.5: status 0
does d spin 50: ok
rw a old: ok
is a > 40000000: yes
is a < 300000000: yes
kill c: ok
== run who forks and is gone all the time is not lost while it is stopped and started
hwpmcctl <<'E'
allocate a tc flags=descendants
puppet p
attach a p
start a
thread does p chain 1000
restarts a 100
waitthread
signals
stop a
setcount a 0
start a
does p spin 50
rw a old
is a > 45000000
E
== out
allocate a tc flags=descendants: ok
puppet p: ok
attach a p: ok
start a: ok
thread does p chain 1000: ok
restarts a 100: ok
waitthread: ok
signals: 0 SIGIO, 0 SIGBUS
stop a: ok
setcount a 0: ok
start a: ok
does p spin 50: ok
rw a old: ok
is a > 45000000: yes
== run nor one that has forked each time between being found and being attached to
insmod /pmc/hookwait.ko comm=maker hook=sched_process_fork until=hwpmc_attachment_new tgid=1 waits=1
hwpmcctl <<'E'
allocate a tc flags=descendants
puppet p
attach a p
start a
does p fork c
does c name maker
thread does c chain 5
sh until grep -qv '^0$' /sys/module/hookwait/parameters/pid; do :; done
stop a
sh echo 0 >/sys/module/hookwait/parameters/waits
waitthread
does p exit
setcount a 0
start a
does c spin 50
rw a old
is a > 45000000
E
rmmod hookwait
== out
allocate a tc flags=descendants: ok
puppet p: ok
attach a p: ok
start a: ok
does p fork c: ok
does c name maker: ok
thread does c chain 5: ok
sh until grep -qv '^0$' /sys/module/hookwait/parameters/pid; do :; done: status 0
stop a: ok
sh echo 0 >/sys/module/hookwait/parameters/waits: status 0
waitthread: ok
does p exit: ok
setcount a 0: ok
start a: ok
does c spin 50: ok
rw a old: ok
is a > 45000000: yes
== run nor is one attached to that becomes a program with more rights in between
cp "$(command -v spin)" maker && chmod 4755 maker && chmod 777 .
echo 2 >/proc/sys/kernel/perf_event_paranoid
insmod /pmc/hookwait.ko comm=maker hook=sched_process_exec until=hwpmc_attachment_new tgid=1 waits=1
chmod 666 /sys/module/hookwait/parameters/waits
su user -c hwpmcctl <<'E'
allocate a tc flags=descendants,no-kernel
puppet p
attach a p
start a
does p fork c
does c name maker
does c later ./maker
stop a
log heirs.log
write /sys/module/hookwait/parameters/waits 0
closelog
kill c
E
rmmod hookwait
# With PREEMPT_RT each child has events of its own, and is attached to while it is what it was.
pmclog dump heirs.log | awk -v is="$IS" '$1 == "attach" && n++ >= (is ~ /rt/) { print $1 }'
rm heirs.log maker
== out
allocate a tc flags=descendants,no-kernel: ok
puppet p: ok
attach a p: ok
start a: ok
does p fork c: ok
does c name maker: ok
does c later ./maker: ok
stop a: ok
log heirs.log: ok
write /sys/module/hookwait/parameters/waits 0: ok
closelog: ok
kill c: ok
attach
