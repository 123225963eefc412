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
== run ten by a user, against a set-user-ID program and in namespaces: no log tells what he may not see
chmod 777 .
echo 2 >/proc/sys/kernel/perf_event_paranoid
echo 1 >/proc/sys/kernel/unprivileged_userns_clone
echo 4194304 >/proc/sys/kernel/pid_max
cp /pmc/bin/fuzz_ioctl closed && chmod 4755 closed
ulimit -r 1
su user -c 'fuzz_ioctl 2 10 3 ./closed 2>user.counts'
tail -n 1 user.counts | sed 's/[0-9]\+/N/g'
rm -f fuzz-* notes
== out
seed 2
all rows are free
no log tells more than it may
N operations, N of them refused
