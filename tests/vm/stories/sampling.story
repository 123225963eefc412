Sampling on a machine that counts exactly: each period of cycles is one sample, and chains are right.
== machine exact
== run counted cycles / period = samples, and none lost
counted=$(pmcstat -p cycles:u chain 6 10000000 2>&1 | awk '/^ *[0-9]/ { print $1 }')
sampled() {
	pmcstat -q -n "$1" -P cycles:u -O out.log -- chain 6 10000000
	[ "$(pmclog info out.log | awk '/CALLCHAIN/ { print $2 }')" = $((counted / $1)) ] && echo "every $1"
	pmclog info out.log | grep -E '^(lost|throttled)'
}
sampled 100000
sampled 20000
# Faster than perf allows, which sysctl takes back.
echo 1 >/proc/sys/kernel/hwpmc/unthrottle
sampled 5000
sampled 2000
echo 0 >/proc/sys/kernel/hwpmc/unthrottle
== out
every 100000
lost       0 samples
throttled  0 times
every 20000
lost       0 samples
throttled  0 times
every 5000
lost       0 samples
throttled  0 times
every 2000
lost       0 samples
throttled  0 times
== run what perf's guard takes away is told
pmcstat -q -n 2000 -P cycles:u -O out.log -- chain 6 10000000 2>err
pmclog info out.log | awk '/^throttled/ { print ($2 > 0 ? "throttled" : "not throttled") } /^lost/'
sed 's/ [0-9]* times, for [0-9.]* ms/ N times, for N ms/' err
== out
lost       0 samples
throttled
pmcstat: the kernel paused PMCs N times, for N ms in all, because samples came too fast; see kernel.perf_event_max_sample_rate
== run every sample of the loop has all callers
pmcstat -q -n 100000 -P cycles:u -O out.log -- chain 6 10000000
pmcstat -q -R out.log --folded | awk '/;spin [0-9]*$/ {
	all += $2
	if ($1 ~ /;main;below;below;below;below;below;spin$/) right += $2
} END { print (all >= 199 && right == all) ? "all" : right "/" all }'
== out
all
== run a function that has no frame yet keeps its caller
pmcstat -q -n 1000 -P cycles:u -O out.log -- chain leaf 20000
pmcstat -q -R out.log --folded | awk '/;leaf [0-9]*$/ {
	all += $2
	if ($1 ~ /;main;calls_leaf;leaf$/) right += $2
} END { print (all > 20 && right == all) ? "all" : right "/" all }'
== out
all
== run chains that are cut are counted
pmcstat -q -n 100000 -P cycles:u --depth 4 -O out.log -- chain 6 10000000 2>err
pmcstat -q -R out.log --folded | awk '/;spin [0-9]*$/ { print $1 }'
== out
chain;below;below;below;spin
== run kernel chains reach the system call, with -U the program that made it
share() {
	pmcstat -q -R out.log --folded | awk -v want="$1" '/^dd;.*ksys_read/ {
		all += $2
		if ($1 ~ want) right += $2
	} END { print (all > 1000 && right == all) ? "all" : right "/" all }'
}
pmcstat -q -n 20000 -S cycles -O out.log -- dd if=/dev/zero of=/dev/null bs=64k count=1000 2>/dev/null
share '^dd;el0t_64_sync;el0t_64_sync_handler;el0_svc;.*;ksys_read'
pmcstat -q -n 20000 -U -S cycles -O out.log -- dd if=/dev/zero of=/dev/null bs=64k count=1000 2>/dev/null
share '^dd;[^;]*0x[^;]*;.*;el0t_64_sync;el0t_64_sync_handler;el0_svc;.*;ksys_read'
pmclog check out.log | sed 's/[0-9]* records, [0-9]* samples/N/'
== out
all
all
out.log: N, closed
== run where perf allows one sample a tick they go on without its guard
limit=/proc/sys/kernel/perf_event_max_sample_rate share=/proc/sys/kernel/perf_cpu_time_max_percent
had=$(cat $share)
echo 25 >$share
was=$(cat $limit)
echo 1 >/proc/sys/kernel/hwpmc/unthrottle
echo 100 >$limit
pmcstat -q -n 1000000 -P cpu-clock -O out.log -- chain 6 20000000 2>/dev/null
echo "$was" >$limit
echo "$had" >$share
echo 0 >/proc/sys/kernel/hwpmc/unthrottle
pmclog info out.log | awk '/CALLCHAIN/ { print ($2 > 5 ? "several samples" : $2 " samples") } /^throttled/ { print ($2 > 5 ? "as many pauses told" : $0) }'
== out
several samples
as many pauses told
== run a rate that perf refuses leaves the one before
limit=/proc/sys/kernel/perf_event_max_sample_rate share=/proc/sys/kernel/perf_cpu_time_max_percent
had=$(cat $share)
echo 25 >$share
was=$(cat $limit)
echo 2000 >$limit
hwpmcctl <<'E'
allocate s ss cpu=0 config=page-faults flags=frequency count=1000
rate 0 1
setcount s 50000
rate 0 1
setcount s 1500
rate 0 1
allocate t ts config=page-faults flags=frequency count=2001
allocate t ts config=page-faults flags=frequency count=2000
setcount t 2001
E
echo "$was" >$limit
echo "$had" >$share
== out
allocate s ss cpu=0 config=page-faults flags=frequency count=1000: ok
rate 0 1: 1000
setcount s 50000: EINVAL
rate 0 1: 1000
setcount s 1500: ok
rate 0 1: 1500
allocate t ts config=page-faults flags=frequency count=2001: EINVAL
allocate t ts config=page-faults flags=frequency count=2000: ok
setcount t 2001: EINVAL
