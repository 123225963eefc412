Counts at exits and switches with perf, of PMCs that share counters and on a kernel that tells of exits too late.
== machine x612-pmu
== run 69 counts of all that a program starts are refused
mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null
pmcstat -q --collector=perf -d -E -p r1:u -O out.log -o counts -- chain 2 1000 2>err
status=$?
sed 's/Linux 6[^ ]*/Linux N/' err >&2
exit $status
== err
pmcstat: Linux N tells that a process exits when its counts are gone: there are none at exits (6.16 has them)
pmcstat: hint: --collector=hwpmc, or -E without -d and -W: the count of the process that is started or named alone
== run the count of one process is what was counted, shares or not
spec=
for i in 1 2 3 4 5 6; do
	spec="$spec -p r$i:u"
	pmcstat -q --collector=perf -E $spec -O out.log -o counts -- chain 2 30000000
	pmcstat --dump -R out.log | awk '/^exitval/ { print $4 }' >exits
	tail -n 1 counts | tr ' ' '\n' | sed -n 's/@.*//; /[1-9]/p' >counted
	cmp exits counted && sed -n '$=' exits
done
== out
1
2
3
4
5
6
== run what switches lack is told
cat >crowd <<'END'
for i in 1 2 3 4 5 6 7 8 9 10; do
	chain 2 3000000 >/dev/null
	for j in 1 2; do (chain 2 100000 >/dev/null) & done
	wait
done
END
spec=
for i in 1 2 3 4 5 6; do
	spec="$spec -p r$i:u"
done
pmcstat -q --collector=perf -d -W $spec -O out.log -o counts -- sh crowd 2>err
pmcstat --dump -R out.log >text
exits=$(grep -c '^exit ' text)
awk -v exits="$exits" '/ exits$/ { n += $2 } END { print n == 6 * exits ? "each exit" : n " of " 6 * exits }' text
awk '/ switches$/ { n += $2 } END { print (n > 0) }' text
sed 's/[0-9][0-9.]*/N/g' err | sort -u | grep -e exited -e left
== out
each exit
1
pmcstat: N threads exited while their PMC had no counter: counts lack what those counted last
pmcstat: N times a thread left a CPU while its PMC had no counter: what it counted is in a later switch
