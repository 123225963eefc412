On a kernel of PREEMPT_RT events are released by workers, and counters are free before these have run.
== machine rt61-pmu
== run the counters that PMCs of processes have kept are given to a CPU while nothing else gets one
hwpmcctl <<'E'
write /proc/sys/kernel/sched_rt_runtime_us -1
allocate a tc class=cpu type=0
allocate b tc class=cpu type=0
attach a self
attach b self
start a
start b
fifo 2
child hog
fifo 3
release a
release b
allocate e sc class=cpu type=0 cpu=0
allocate f sc class=cpu type=0 cpu=0
allocate g sc class=cpu type=0 cpu=0
allocate h sc class=cpu type=0 cpu=0
start e
start f
start g
start h
spin 20
rw e old
is e > 0
rw h old
is h > 0
kill hog
write /proc/sys/kernel/sched_rt_runtime_us 950000
E
== out
write /proc/sys/kernel/sched_rt_runtime_us -1: ok
allocate a tc class=cpu type=0: ok
allocate b tc class=cpu type=0: ok
attach a self: ok
attach b self: ok
start a: ok
start b: ok
fifo 2: ok
child hog: ok
fifo 3: ok
release a: ok
release b: ok
allocate e sc class=cpu type=0 cpu=0: ok
allocate f sc class=cpu type=0 cpu=0: ok
allocate g sc class=cpu type=0 cpu=0: ok
allocate h sc class=cpu type=0 cpu=0: ok
start e: ok
start f: ok
start g: ok
start h: ok
spin 20: ok
rw e old: ok
is e > 0: yes
rw h old: ok
is h > 0: yes
kill hog: ok
write /proc/sys/kernel/sched_rt_runtime_us 950000: ok
