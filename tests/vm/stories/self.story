A thread reads its own counter without a system call.
== machine arm64
== run not until the administrator lets programs read counters
self
== out
0 of 1000 reads disagree
read(2) fails: yes
pmc_read fails: yes
it counts: no
== run by the registers and the page
echo 1 >/proc/sys/kernel/perf_user_access
self
== out
0 of 1000 reads disagree
read(2) fails: yes
pmc_read fails: no
it counts: yes
