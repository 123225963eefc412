Counts at exits and switches of more PMCs of perf than counters: none is lost without a word.
== machine x612-pmu
== run every process has a count of each PMC, and what they lack is told
mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null
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
pmcstat -q --collector=perf -d -E -W $spec -O out.log -o counts -- sh crowd 2>err
pmcstat -R out.log >text
exits=$(grep -c '^exit ' text)
awk -v exits="$exits" '/^exitval/ { n[$2]++ } END { for (p in n) print (n[p] == exits) ? "all" : n[p] " of " exits }' text
awk '/ exits$/ { n += $2 } END { print (n > 0) }' text
sed 's/[0-9][0-9.]*/N/g' err | sort -u | grep -e exited -e left
pmcstat -q -R out.log --process-tree | sed -n 's/[0-9][0-9.]*/N/g; /^@/p' | sort -u
== out
all
all
all
all
all
all
1
pmcstat: N threads exited while their PMC had no counter: counts at exits lack what those counted last
pmcstat: N times a thread left a CPU while its PMC had no counter: what it counted is in a later switch
@ rN:u [N@N% counted, N exits without a counter]
