An attach to a process of many threads, which holds the lock that all share.
== machine smp
== run it takes as long as there are threads
echo 20000 >/proc/sys/kernel/threads-max
threads 8000
== out
as the threads
