Where a log goes: a full disk, a closed pipe, a reader that does not read, an owner that is killed.
== machine smp
== run a full disk keeps whole records
mkdir full
mount -t tmpfs -o size=16k full full
pmcstat -q -n 1000000 -S cpu-clock -O full/out.log -- chain 6 400000000 2>err
echo $?
sed 's/[0-9]* samples/N samples/' err
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
head -c 1000 pipe >/dev/null &
pmcstat -q -n 1000000 -S cpu-clock -O pipe -- sh -c 'chain 6 400000000; echo done' 2>err
echo $?
wait
sed 's/[0-9]* samples/N samples/' err
rm pipe
== out
done
74
pmcstat: the log cannot be written: Broken pipe
pmcstat: N samples could not be written to the log
== run a reader that waits does not hold up the program; what is lost is told
mkfifo pipe
(
	exec 5<pipe
	while [ ! -e ended ]; do sleep 0.1; done
	cat <&5 >out.log
) &
pmcstat -q -n 1000000 -S cpu-clock -O pipe -- sh -c 'while [ $((n += 1)) -lt 5 ]; do chain 6 50000000; done; echo >ended' 2>err
echo $?
wait
pmclog check out.log | sed 's/[0-9]* records, [0-9]* samples/N/'
told=$(sed -n 's/^pmcstat: \([0-9]*\) of [0-9]* samples were lost.*/\1/p' err)
pmclog info out.log | awk -v told="${told:-0}" '/^lost/ { print ($2 == told) ? "told" : $2 "/" told }'
rm pipe
== out
0
out.log: N, closed
told
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
