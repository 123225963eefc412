-t with a name, for processes that appear later: they join PMCs that go on running for the others.
== machine smp
== run nothing is stopped for them, and all of them are counted and sampled
cp /pmc/bin/spin named
begins() {
	./named 100000000000 &
	pid=$!
	pids="$pids $pid"
	until grep -q named /proc/$pid/comm; do :; done
}
is_attached() {
	until pmclog dump log 2>/dev/null | grep -q "^attach .* $pid "; do
		sleep 0.1
	done
}
begins
pmcstat -q --collector=hwpmc -n 10000000 -P cpu-clock -E -C -p task-clock -t '^named$' -O log -o counts &
recorder=$!
is_attached
echo 1 >/proc/sys/kernel/hwpmc/debugflags
begins
is_attached
begins
is_attached
echo 0 >/proc/sys/kernel/hwpmc/debugflags
dmesg | sed -n 's/.*hwpmc: process [0-9]*: \(PMC[A-Z]*: [-0-9]*\)$/\1/p' | grep 'ATTACH\|START\|STOP'
for pid in $pids; do
	until pmclog dump log 2>/dev/null | grep -q "^callchain $pid "; do
		sleep 0.1
	done
done
kill $pids
wait $recorder
echo "status $?"
pmclog dump log | grep -c '^exitval'
pmclog dump log | awk '/^exitval/ { n += $4 } END { printf "%.0f\n", n }' >exits
[ "$(awk '$1 != "#" && NF { v = $1 } END { print v }' counts)" = "$(cat exits)" ] || paste counts exits
== out
PMCATTACH: 0
PMCATTACH: 0
PMCATTACH: 0
PMCATTACH: 0
status 0
3
== host samples of those that came late are named
mkdir -p root/pmc/stories/late/room && cp named root/pmc/stories/late/room
pmcstat -q -R log -r root --by pid --folded | sed -n 's/^cpu-clock.pid=[0-9]*,comm=\(named\);.*;\(main\) [0-9]*$/\1 \2/p' | sort | uniq -c | sed 's/^ *//'
== out
3 named main
