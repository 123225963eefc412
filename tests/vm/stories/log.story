Where a log goes: a full disk, a closed pipe, a reader that does not read, an owner that is killed.
== machine smp
== run 69 the module writes a log in one way, and what it cannot is refused
for how in --compress '--log-version 10' '--rotate 10m'; do
	pmcstat -q --collector=hwpmc $how -S cpu-clock -O out.log -- chain 2 1000 2>&1
	status=$?
done
exit $status
== out
pmcstat: the module writes the log itself, and cannot compress it
pmcstat: hint: -O - | pmclog compress - FILE does it, --collector=perf too
pmcstat: the module writes the log itself, and not in version 10
pmcstat: hint: pmclog convert --version 10 makes one of its log; --collector=perf writes it
pmcstat: the module writes the log itself, and cannot go on in another file
pmcstat: hint: --collector=perf does it; of a log of the module, pmclog cut makes several
== run a full disk keeps whole records
mkdir full
mount -t tmpfs -o size=16k full full
pmcstat -q -n 1000000 -S cpu-clock -O full/out.log -- chain 6 400000000 2>err
echo $?
sed '/the kernel paused a PMC/d; s/[0-9]* samples/N samples/' err
pmclog check full/out.log | sed 's/[0-9]* records, [0-9]* samples/N/'
[ "$(wc -c <full/out.log)" -gt 12000 ] || wc -c full/out.log
umount full
== out
74
pmcstat: the log cannot be written: No space left on device
pmcstat: N samples could not be written to the log
full/out.log: N, not closed
== run a closed pipe ends the recording, not the program
mkfifo pipe
(
	head -c 1000 pipe >/dev/null
	: >gone
) &
pmcstat -q -n 1000000 -S cpu-clock -O pipe -- \
	sh -c 'until [ -e gone ]; do chain 6 4000000; done; chain 6 4000000; sleep 1; echo done' 2>err
echo $?
wait
sed '/the kernel paused a PMC/d; s/[0-9]* samples/N samples/' err
rm pipe
== out
done
74
pmcstat: the log cannot be written: Broken pipe
pmcstat: N samples could not be written to the log
== run a reader that waits does not hold up the program; what is lost is told
rmmod hwpmc
insmod /pmc/hwpmc.ko nsamples=1
mkfifo pipe
(
	exec 5<pipe
	while [ ! -e ended ]; do sleep 0.1; done
	cat <&5 >out.log
) &
pmcstat -q -n 200000 -S cpu-clock -O pipe -- sh -c 'timeout 3 chain 6 100000000000; echo >ended' 2>err
echo $?
wait
pmclog check out.log | sed 's/[0-9]* records, [0-9]* samples/N/'
told=$(sed -n 's/^pmcstat: \([0-9]*\) of [0-9]* samples were lost.*/\1/p' err)
pmclog info out.log | awk -v told="${told:-0}" '/^lost/ { print ($2 == told && told > 0) ? "told" : $2 "/" told }'
rm pipe
rmmod hwpmc
insmod /pmc/hwpmc.ko
== out
0
out.log: N, closed
told
== run records that are no samples are counted, and told, apart from these
rmmod hwpmc
insmod /pmc/hwpmc.ko nbuffers=1 logbuffersize=1
mkfifo pipe
# The pipe's 64 KB are filled sooner.
head -c 40960 /dev/zero >pipe &
filler=$!
(
	exec 5<pipe
	while [ ! -e forked ]; do sleep 0.1; done
	dd bs=1024 count=40 iflag=fullblock <&5 >/dev/null 2>&1
	cat <&5 >forks.log
) &
wait $filler
pmcstat -q -d -n 100000000 -P cpu-clock -O pipe -- sh -c 'while [ $((n += 1)) -lt 400 ]; do (:); done; echo >forked' 2>err
echo $?
wait
told=$(sed -n 's/^pmcstat: \([0-9]*\) records of the log that are no samples were lost: maps, forks, .*/\1/p' err)
pmclog info forks.log | awk -v told="${told:-0}" '/^lost/ { print } / other records/ { print ($1 == told) ? "told" : $1 "/" told }'
sum=$(pmcstat -q --dump -R forks.log | awk '$1 == "drop" && $4 == "records" { sum += $2 } END { print sum + 0 }')
[ "$sum" = "$told" ] && echo "and logged" || echo "logged: $sum of $told"
pmccontrol --collector=hwpmc -s | awk -v told="$told" '/^log records without room/ { print ($NF == told) ? "and counted" : $NF "/" told }'
rm pipe
rmmod hwpmc
insmod /pmc/hwpmc.ko
== out
0
lost       0 samples
told
and logged
and counted
== run an owner that is killed leaves nothing, though nobody reads its pipe
mkfifo pipe
(
	exec 5<pipe
	while [ ! -e left ]; do sleep 0.1; done
) &
pmcstat -q -n 200000 -S cpu-clock -O pipe -- sh -c 'while :; do :; done' &
# Until the pipe is full the writer is not blocked; it is when the file's size does not change.
until grep -q 'hwpmc/' /proc/[0-9]*/comm 2>/dev/null; do sleep 0.1; done
sleep 1
kill -9 $!
wait $! 2>/dev/null
n=0
while grep -q 'hwpmc/' /proc/[0-9]*/comm 2>/dev/null && [ $((n += 1)) -lt 100 ]; do sleep 0.1; done
[ $n -lt 100 ] && echo ended
while ! rmmod hwpmc 2>/dev/null && [ $((n += 1)) -lt 100 ]; do sleep 0.1; done
[ $n -lt 100 ] && echo unloaded
insmod /pmc/hwpmc.ko
echo >left
wait
== out
ended
unloaded
== run the error of a write is kept, for each flush, until the log is closed
mkdir tiny
mount -t tmpfs -o size=4k tiny tiny
{
	echo log tiny/out.log
	seq 300 | sed 's/^/writelog /'
	printf '%s\n' flushlog flushlog 'start none' flushlog logstats closelog flushlog signals \
		'log good.log' flushlog closelog
} | hwpmcctl | grep -v '^writelog .*: ok$'
umount tiny
== out
log tiny/out.log: ok
flushlog: ENOSPC
flushlog: ENOSPC
start none: ESRCH
flushlog: ENOSPC
logstats: no samples, some bytes, 0 lost, 0 dropped, error ENOSPC
closelog: ENOSPC
flushlog: EINVAL
signals: 1 SIGIO, 0 SIGBUS
log good.log: ok
flushlog: ok
closelog: ok
== run a log whose file does not answer is ended, and the module stays until it does
insmod /pmc/stuck.ko
hwpmcctl <<'E'
log /dev/stuck
sh until grep -q 1 /sys/module/stuck/parameters/waiting; do sleep 0.1; done
log -1
log good.log
closelog
E
rmmod hwpmc 2>/dev/null && echo gone
hwpmcctl <<'E'
log /dev/stuck
sh until grep -q 2 /sys/module/stuck/parameters/waiting; do sleep 0.1; done
die
E
echo 1 >/sys/module/stuck/parameters/answers
n=0
while ! rmmod hwpmc 2>/dev/null && [ $((n += 1)) -lt 300 ]; do sleep 0.1; done
[ $n -lt 300 ] && echo unloaded
until rmmod stuck 2>/dev/null; do sleep 0.1; done
echo closed
insmod /pmc/hwpmc.ko
== out
log /dev/stuck: ok
sh until grep -q 1 /sys/module/stuck/parameters/waiting; do sleep 0.1; done: status 0
log -1: ok
log good.log: ok
closelog: ok
log /dev/stuck: ok
sh until grep -q 2 /sys/module/stuck/parameters/waiting; do sleep 0.1; done: status 0
die: ok
unloaded
closed
== err
Killed
== run a signal while a log is closed loses nothing that its file takes
insmod /pmc/stuck.ko
hwpmcctl <<'E'
log /dev/stuck
sh until grep -q 1 /sys/module/stuck/parameters/waiting; do sleep 0.1; done
sh (sleep 0.5; kill -IO $PPID; sleep 0.5; echo 1 >/sys/module/stuck/parameters/answers) >/dev/null &
closelog
signals
E
rmmod stuck
== out
log /dev/stuck: ok
sh until grep -q 1 /sys/module/stuck/parameters/waiting; do sleep 0.1; done: status 0
sh (sleep 0.5; kill -IO $PPID; sleep 0.5; echo 1 >/sys/module/stuck/parameters/answers) >/dev/null &: status 0
closelog: ok
signals: 1 SIGIO, 0 SIGBUS
== run nor does libpmc, which has it flushed before, tell of a loss
insmod /pmc/stuck.ko
closer /dev/stuck &
pid=$!
until grep -q hwpmc_log_flush /proc/$pid/stack; do sleep 0.1; done
kill -IO $pid
until ! grep -q hwpmc_log_flush /proc/$pid/stack; do :; done
echo 1 >/sys/module/stuck/parameters/answers
wait $pid
rmmod stuck
== out
closed
== run what is written is memory of the control group of who records
mkdir groups big
mount -t cgroup2 groups groups
echo +memory >groups/cgroup.subtree_control
mkdir groups/one
mount -t tmpfs big big
sh -c 'echo $$ >groups/one/cgroup.procs
	exec pmcstat -q -n 200000 -S cpu-clock -O big/out.log -- chain 6 800000000' 2>/dev/null
size=$(wc -c <big/out.log)
awk -v size="$size" '$1 == "shmem" { print ($2 >= size && size > 20000) ? "all of it" : $2 " of " size }' groups/one/memory.stat
umount big
rmdir groups/one
umount groups
== out
all of it
== run the writer of a file is frozen when the machine sleeps, that of a pipe lets it sleep
flags() {
	awk '$2 ~ /^[(]hwpmc\// { print int($9 / 0x8000) % 2 ? "never frozen" : "frozen" }' /proc/[0-9]*/stat 2>/dev/null
}
echo 1 >/sys/module/suspend/parameters/pm_test_delay
echo freezer >/sys/power/pm_test
: >slept.log
pmcstat -q -S cpu-clock -O slept.log -- sleep 1000 2>/dev/null &
until [ "$(wc -c <slept.log)" -gt 10000 ]; do sleep 0.1; done
flags
echo freeze >/sys/power/state && echo slept
kill $!
wait
pmclog check slept.log >/dev/null && echo whole
mkfifo slow
exec 5<>slow
pmcstat -q -n 200000 -S cpu-clock -O slow -- sleep 1000 2>/dev/null &
until awk '$2 ~ /^[(]hwpmc\// && $3 == "S" { waits = 1 } END { exit !waits }' /proc/[0-9]*/stat 2>/dev/null; do sleep 0.1; done
flags
echo freeze >/sys/power/state && echo slept
kill -9 $!
wait
exec 5<&-
rm slow
echo none >/sys/power/pm_test
== out
frozen
slept
whole
never frozen
slept
