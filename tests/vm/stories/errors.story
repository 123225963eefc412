Every line of hwpmc(4)'s ERRORS that a program can bring about; hwpmcctl names the operations.
== machine smp exact
== run a log: once, and not where there is none
hwpmcctl <<'E'
log -1
flushlog
closelog
writelog 7
logstats
log fd=99
log /dev/null
log log
log log
writelog 7
flushlog
closelog
log log
log -1
log -1
E
== out
log -1: EINVAL
flushlog: EINVAL
closelog: EINVAL
writelog 7: EINVAL
logstats: EINVAL
log fd=99: EBADF
log /dev/null: EINVAL
log log: ok
log log: EBUSY
writelog 7: ok
flushlog: ok
closelog: ok
log log: ok
log -1: ok
log -1: EINVAL
== run allocation: modes, CPUs, flags, names
hwpmcctl <<'E'
allocate a 4
allocate a sc cpu=9999
allocate a sc cpu=-2
allocate a sc cpu=any
allocate a tc cpu=0
allocate a tc flags=0x80000000
allocate a tc flags=frequency
allocate a tc flags=callchain
allocate a ts flags=procexit
allocate a ts flags=proccsw
allocate a ts flags=userchain
allocate a sc flags=descendants
allocate a sc flags=procexit
allocate a sc flags=on-exec
allocate a sc flags=kgmon
allocate a ts flags=kgmon
allocate a tc pad=1
allocate a tc depth=128
allocate a tc unterminated=1
allocate a ts count=0
allocate a ts count=1
allocate a ts flags=frequency count=1000000
E
== out
allocate a 4: EINVAL
allocate a sc cpu=9999: EINVAL
allocate a sc cpu=-2: EINVAL
allocate a sc cpu=any: EINVAL
allocate a tc cpu=0: EINVAL
allocate a tc flags=0x80000000: EINVAL
allocate a tc flags=frequency: EINVAL
allocate a tc flags=callchain: EINVAL
allocate a ts flags=procexit: EINVAL
allocate a ts flags=proccsw: EINVAL
allocate a ts flags=userchain: EINVAL
allocate a sc flags=descendants: EINVAL
allocate a sc flags=procexit: EINVAL
allocate a sc flags=on-exec: EINVAL
allocate a sc flags=kgmon: EINVAL
allocate a ts flags=kgmon: EINVAL
allocate a tc pad=1: EINVAL
allocate a tc depth=128: EINVAL
allocate a tc unterminated=1: EINVAL
allocate a ts count=0: EINVAL
allocate a ts count=1: EINVAL
allocate a ts flags=frequency count=1000000: EINVAL
== run allocation: what no counter suits
hwpmcctl <<'E'
allocate a tc class=2
allocate a tc class=soft type=0
allocate a tc class=soft config=99
allocate a tc class=cpu type=1
allocate a tc class=tsc type=1
allocate a ts class=tsc type=1
allocate a tc class=tsc flags=no-user
allocate a ts class=soft precise=1
E
for row in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
	echo allocate p$row tc
done | hwpmcctl | tail -n 2
== out
allocate a tc class=2: EINVAL
allocate a tc class=soft type=0: EINVAL
allocate a tc class=soft config=99: EINVAL
allocate a tc class=cpu type=1: EINVAL
allocate a tc class=tsc type=1: EINVAL
allocate a ts class=tsc type=1: EOPNOTSUPP
allocate a tc class=tsc flags=no-user: EOPNOTSUPP
allocate a ts class=soft precise=1: EOPNOTSUPP
allocate p16 tc: ok
allocate p17 tc: EINVAL
== run handles
hwpmcctl <<'E'
start 0xfff03f01
allocate a tc
start 0xfff03f02
stop 0xfff03f02
release 0xfff03f02
rw 0xfff03f02 old
setcount 0xfff03f02 1
attach 0xfff03f02 self
detach 0xfff03f02 self
getmsr 0xfff03f02
kgmon a
other start a
release a
release a
E
== out
start 0xfff03f01: ESRCH
allocate a tc: ok
start 0xfff03f02: EINVAL
stop 0xfff03f02: EINVAL
release 0xfff03f02: EINVAL
rw 0xfff03f02 old: EINVAL
setcount 0xfff03f02 1: EINVAL
attach 0xfff03f02 self: EINVAL
detach 0xfff03f02 self: EINVAL
getmsr 0xfff03f02: EINVAL
kgmon a: EINVAL
other start a: ESRCH
release a: ok
release a: ESRCH
== run values of one that runs are not written
hwpmcctl <<'E'
allocate a tc
start a
rw a new 1
rw a new,old 1
setcount a 1
rw a old
stop a
rw a new,old 1
setcount a 7
rw a old
is a = 7
rw a 0
rw a 0x40
setcount a 7 pad=1
allocate b ts
rw b old
setcount b 1
setcount b 0
E
== out
allocate a tc: ok
start a: ok
rw a new 1: EBUSY
rw a new,old 1: EBUSY
setcount a 1: EBUSY
rw a old: ok
stop a: ok
rw a new,old 1: ok
setcount a 7: ok
rw a old: ok
is a = 7: yes
rw a 0: EINVAL
rw a 0x40: EINVAL
setcount a 7 pad=1: EINVAL
allocate b ts: ok
rw b old: EINVAL
setcount b 1: EINVAL
setcount b 0: EINVAL
== run values of system scope are written and read like those of processes
hwpmcctl <<'E'
allocate s sc
setcount s 7
rw s old
is s = 7
rw s new,old 100
is s = 7
rw s old
is s = 100
setcount s 3
rw s old
is s = 3
E
== out
allocate s sc: ok
setcount s 7: ok
rw s old: ok
is s = 7: yes
rw s new,old 100: ok
is s = 7: yes
rw s old: ok
is s = 100: yes
setcount s 3: ok
rw s old: ok
is s = 3: yes
== run no log where one is needed
hwpmcctl <<'E'
allocate a tc flags=procexit
start a
allocate b tc flags=proccsw
start b
allocate c ts
start c
allocate d ss
start d
log log
start a
start b
start c
start d
closelog
start d
E
== out
allocate a tc flags=procexit: ok
start a: EDESTADDRREQ
allocate b tc flags=proccsw: ok
start b: EDESTADDRREQ
allocate c ts: ok
start c: EDESTADDRREQ
allocate d ss: ok
start d: EDESTADDRREQ
log log: ok
start a: ok
start b: ok
start c: ok
start d: ok
closelog: ok
start d: EDESTADDRREQ
== run targets
hwpmcctl <<'E'
idle child
allocate s sc
attach s child
detach s child
allocate a tc
attach a -5
detach a -5
attach a 99999
detach a 99999
detach a child
attach a child
attach a child
detach a self
allocate b tc
detach b child
other allocate a tc
other attach a child
detach a child
other attach a child
E
== out
idle child: ok
allocate s sc: ok
attach s child: EINVAL
detach s child: EINVAL
allocate a tc: ok
attach a -5: EINVAL
detach a -5: EINVAL
attach a 99999: ESRCH
detach a 99999: ESRCH
detach a child: ESRCH
attach a child: ok
attach a child: EEXIST
detach a self: ESRCH
allocate b tc: ok
detach b child: EINVAL
other allocate a tc: ok
other attach a child: EBUSY
detach a child: ok
other attach a child: ok
== run a PMC without targets has no value, and says so by a signal
hwpmcctl <<'E'
allocate a tc
rw a old
signals
attach a self
rw a old
detach a self
signals
rw a old
start a
signals
E
== out
allocate a tc: ok
rw a old: ESRCH
signals: 1 SIGIO, 0 SIGBUS
attach a self: ok
rw a old: ok
detach a self: ok
signals: 0 SIGIO, 0 SIGBUS
rw a old: ESRCH
start a: ESRCH
signals: 1 SIGIO, 0 SIGBUS
== run but one that was detached from its last target can be stopped and set, and attached anew
hwpmcctl <<'E'
idle child
allocate a tc
attach a self
start a
detach a self
signals
rw a old
rw a new 5
setcount a 7
stop a
stop a
rw a new 5
signals
setcount a 7
start a
attach a child
rw a old
is a = 7
start a
stop a
log log
allocate b ts
attach b self
start b
detach b self
setcount b 20000000
stop b
setcount b 20000000
setcount b 0
E
== out
idle child: ok
allocate a tc: ok
attach a self: ok
start a: ok
detach a self: ok
signals: 0 SIGIO, 0 SIGBUS
rw a old: ESRCH
rw a new 5: ESRCH
setcount a 7: EBUSY
stop a: ok
stop a: ok
rw a new 5: ESRCH
signals: 3 SIGIO, 0 SIGBUS
setcount a 7: ok
start a: ESRCH
attach a child: ok
rw a old: ok
is a = 7: yes
start a: ok
stop a: ok
log log: ok
allocate b ts: ok
attach b self: ok
start b: ok
detach b self: ok
setcount b 20000000: EBUSY
stop b: ok
setcount b 20000000: ok
setcount b 0: EINVAL
== run a PMC whose target has exited has one
hwpmcctl <<'E'
child c
allocate a tc
attach a c
start a
waitcount a
kill c
stop a
rw a old
is a > 0
E
== out
child c: ok
allocate a tc: ok
attach a c: ok
start a: ok
waitcount a: ok
kill c: ok
stop a: ok
rw a old: ok
is a > 0: yes
== run addresses that are none, commands that there are not
hwpmcctl <<'E'
allocate a tc
bad 1
bad 4
bad 6
bad 7
bad 8
bad 9
bad 10
bad 11
bad 12
bad 13
bad 14
bad 15
bad 16
bad 17
bad 18
bad 19
bad 20
rowinfo 0 1
rowinfo 0 2
unknown 0
unknown 0x8004b602
unknown 0xb600
unknown 0xb616
unknown 0x4008b613
E
== out
allocate a tc: ok
bad 1: EFAULT
bad 4: EFAULT
bad 6: EFAULT
bad 7: EFAULT
bad 8: EFAULT
bad 9: EFAULT
bad 10: EFAULT
bad 11: EFAULT
bad 12: EFAULT
bad 13: EFAULT
bad 14: EFAULT
bad 15: EFAULT
bad 16: EFAULT
bad 17: EFAULT
bad 18: EFAULT
bad 19: EFAULT
bad 20: EFAULT
rowinfo 0 1: SOFT-0 thread enabled owner none -
rowinfo 0 2: SOFT-1 free enabled owner none -
unknown 0: ENOTTY
unknown 0x8004b602: ENOTTY
unknown 0xb600: ENOTTY
unknown 0xb616: ENOTTY
unknown 0x4008b613: ENOTTY
== run a PMC that its owner cannot be told of is none
hwpmcctl <<'E'
allocate a tc readonly=1
rowinfo 0 1
start 0xfff03f01
E
== out
allocate a tc readonly=1: EFAULT
rowinfo 0 1: SOFT-0 free enabled owner none -
start 0xfff03f01: ESRCH
== run PMCADMIN
hwpmcctl <<'E'
admin 9999 1 0
admin -1 1 0
admin 0 99 0
admin 0 1 2
admin 0 1 0 pad=1
allocate a tc
rowinfo 0 1
admin 0 1 0
release a
admin 0 1 0
rowinfo 0 1
allocate a tc
id a
admin 0 1 1
rowinfo 0 1
allocate s sc
id s
admin 0 1 0
rowinfo 0 1
E
== out
admin 9999 1 0: EINVAL
admin -1 1 0: EINVAL
admin 0 99 0: EINVAL
admin 0 1 2: EINVAL
admin 0 1 0 pad=1: EINVAL
allocate a tc: ok
rowinfo 0 1: SOFT-0 thread enabled owner none -
admin 0 1 0: EBUSY
release a: ok
admin 0 1 0: ok
rowinfo 0 1: SOFT-0 standalone disabled owner none -
allocate a tc: ok
id a: 0xfff03f02
admin 0 1 1: ok
rowinfo 0 1: SOFT-0 free enabled owner none -
allocate s sc: ok
id s: 0x1f01
admin 0 1 0: EBUSY
rowinfo 0 1: SOFT-0 standalone enabled owner self an-event
== run GETPMCINFO and GETDYNEVENTINFO
hwpmcctl <<'E'
rowinfo -1
rowinfo 9999
rowinfo 0 99
dynevents tsc
dynevents cpu
dynevents soft
E
== out
rowinfo -1: EINVAL
rowinfo 9999: EINVAL
rowinfo 0 99: no such row
dynevents tsc: EINVAL
dynevents cpu: EINVAL
dynevents soft: cpu-clock task-clock page-faults minor-faults major-faults context-switches cpu-migrations alignment-faults emulation-faults CLOCK.HARD CLOCK.STAT CLOCK.PROF PAGE_FAULT.ALL
== run the number that RDPMC takes
hwpmcctl <<'E'
idle child
allocate s sc
getmsr s
allocate a tc
getmsr a
attach a child
getmsr a
attach a self
getmsr a
detach a child
getmsr a
allocate d tc flags=descendants
attach d self
getmsr d
E
== out
idle child: ok
allocate s sc: ok
getmsr s: EINVAL
allocate a tc: ok
getmsr a: EINVAL
attach a child: ok
getmsr a: EINVAL
attach a self: ok
getmsr a: EINVAL
detach a child: ok
getmsr a: ENOSYS
allocate d tc flags=descendants: ok
attach d self: ok
getmsr d: EINVAL
