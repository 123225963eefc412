An attach to a process that makes another thread whenever its threads have been looked for; on amd64, where
the function that waits for that does so with interrupts on.
== machine amd64
== run it is given up, and keeps nobody waiting
insmod /pmc/hookwait.ko comm=maker hook=sched_process_fork before=1 until=hwpmc_counter_new waits=1
attacks threads
rmmod hookwait
== out
attach: EAGAIN
others: go on
