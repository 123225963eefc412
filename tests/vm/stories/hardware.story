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
== run one that others take while it runs
hwpmcctl <<'E'
child c
allocate a tc class=cpu type=0
attach a c
start a
spin 20
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
spin 20
rw a old
is a > 0
E
== out
child c: ok
allocate a tc class=cpu type=0: ok
attach a c: ok
start a: ok
spin 20: ok
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
spin 20: ok
rw a old: ok
is a > 0: yes
== run a sampling PMC whose counter others take is told of while it runs
hwpmcctl <<'E'
child c
allocate a ts class=cpu type=0 count=10000000
log taken.log
attach a c
start a
spin 20
hog 4
waitstarved 1
hog 0
stop a
closelog
E
pmcstat -q -R taken.log | grep '^drop .* starved'
pmccontrol --collector=hwpmc -s | grep '^counters taken'
== out
child c: ok
allocate a ts class=cpu type=0 count=10000000: ok
log taken.log: ok
attach a c: ok
start a: ok
spin 20: ok
hog 4: ok
waitstarved 1: ok
hog 0: ok
stop a: ok
closelog: ok
drop      1 0 starved
counters taken by others                           2
== run a process that exits without its counter is told of
hwpmcctl <<'E'
child c
allocate a tc class=cpu type=0
log exited.log
attach a c
start a
spin 20
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
E
pmcstat -q -R exited.log | grep '^drop .* starved'
== out
child c: ok
allocate a tc class=cpu type=0: ok
log exited.log: ok
attach a c: ok
start a: ok
spin 20: ok
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
