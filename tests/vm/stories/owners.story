A PMC belongs to the process that allocated it, and goes with it however that ends.
== machine smp exact
== run one that has released all owns nothing
hwpmcctl <<'E'
allocate a tc
log log
release a
closelog
close
sh until rmmod hwpmc 2>/dev/null; do :; done
sh insmod /pmc/hwpmc.ko
E
== out
allocate a tc: ok
log log: ok
release a: ok
closelog: ok
close: ok
sh until rmmod hwpmc 2>/dev/null; do :; done: status 0
sh insmod /pmc/hwpmc.ko: status 0
== run the module stays while there is an owner, without a descriptor
hwpmcctl <<'E'
allocate a tc
start a
close
sh rmmod hwpmc 2>/dev/null
E
== out
allocate a tc: ok
start a: ok
close: ok
sh rmmod hwpmc 2>/dev/null: status 1
== run a killed owner, whose child keeps the device open
hwpmcctl <<'E'
idle child
allocate a tc flags=proccsw,procexit,descendants
allocate b ts
allocate s sc cpu=0
allocate z ss cpu=0
log killed
attach a child
start a
start b
start s
start z
rowinfo 0 1
rowinfo 0 3
heir
die
E
hwpmcctl <<'E'
waitrow 0 1
waitrow 0 2
waitrow 0 3
waitrow 0 4
E
== out
idle child: ok
allocate a tc flags=proccsw,procexit,descendants: ok
allocate b ts: ok
allocate s sc cpu=0: ok
allocate z ss cpu=0: ok
log killed: ok
attach a child: ok
start a: ok
start b: ok
start s: ok
start z: ok
rowinfo 0 1: SOFT-0 thread enabled owner none -
rowinfo 0 3: SOFT-2 standalone enabled owner self an-event
heir: ok
die: ok
waitrow 0 1: ok
waitrow 0 2: ok
waitrow 0 3: ok
waitrow 0 4: ok
== err
Killed
== run an owner that runs another program owns nothing any more
hwpmcctl <<'E'
allocate s sc cpu=0
exec
rowinfo 0 1
release 0x1f01
release 0x1f01
E
== out
allocate s sc cpu=0: ok
exec: ok
rowinfo 0 1: SOFT-0 free enabled owner none -
release 0x1f01: ESRCH
release 0x1f01: ESRCH
== run an owner whose log nobody reads ends
mkfifo fifo
sleep 1000 <fifo &
hwpmcctl >said <<'E'
log fifo
allocate a ts count=200000
start a
spin 500
die
E
cat said
hwpmcctl <<'E'
waitrow 0 1
E
kill $!
== out
log fifo: ok
allocate a ts count=200000: ok
start a: ok
spin 500: ok
die: ok
waitrow 0 1: ok
== err
Killed
== run what is said over and over in a log that nobody reads takes no end of memory
sleep 1000 <fifo &
(
	printf 'log fifo\nallocate a ts count=200000\n'
	yes 'setcount a 200000' | head -n 6000
) | hwpmcctl | sort -u
kill $!
== out
allocate a ts count=200000: ok
log fifo: ok
setcount a 200000: ENOMEM
setcount a 200000: ok
== run a log that is ended at once although nobody reads
sleep 1000 <fifo &
hwpmcctl <<'E'
log fifo
allocate a ts count=200000
start a
spin 500
log -1
flushlog
E
kill $!
== out
log fifo: ok
allocate a ts count=200000: ok
start a: ok
spin 500: ok
log -1: ok
flushlog: EINVAL
== run a reader that has gone: the error is kept, and told by a signal
mkfifo gone
(head -c 100 <gone >/dev/null; : >done) &
hwpmcctl <<'E'
log gone
allocate a ts
start a
writelog 1
sh until [ -e done ]; do :; done
spin 100
flushlog
signals
flushlog
stop a
closelog
E
== out
log gone: ok
allocate a ts: ok
start a: ok
writelog 1: ok
sh until [ -e done ]; do :; done: status 0
spin 100: ok
flushlog: EPIPE
signals: 1 SIGIO, 0 SIGBUS
flushlog: EPIPE
stop a: ok
closelog: EPIPE
== run counts of driver calls
hwpmcctl <<'E' | tail -n 1
driverstats
release 5
bad 6
unknown 0
version
driverstats
E
== out
driverstats: 5 calls, 3 errors
== run a log that comes when a PMC has its targets
hwpmcctl <<'E'
idle child
allocate a ts
attach a child
attach a self
log late
start a
spin 50
closelog
E
pmclog dump late | awk '{ print $1 }' | grep -E 'attach|allocate|closelog'
== out
idle child: ok
allocate a ts: ok
attach a child: ok
attach a self: ok
log late: ok
start a: ok
spin 50: ok
closelog: ok
allocatedyn
attach
attach
closelog
