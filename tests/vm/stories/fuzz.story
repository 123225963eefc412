Operations at random, from several processes that are killed meanwhile: nothing is left behind.
== machine smp pmu
== run twenty seconds
echo 200000 >/proc/sys/kernel/hwpmc/min_period_ns
fuzz_ioctl 1 20 3 2>counts
tail -n 1 counts | sed 's/[0-9]\+/N/g'
== out
seed 1
all rows are free
N operations, N of them refused
