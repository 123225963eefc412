More PMCs of perf than counters: they take turns, and what that means is told.
== machine pmu
== run nine PMCs have four counters between them, and all together their time
spec=
for i in 1 2 3 4 5 6 7 8 9; do
	spec="$spec -P r$i:u"
done
# For as long as it takes each to have its turns, and samples enough to tell its pace.
for times in 100000000 800000000 6400000000; do
	pmcstat -q --collector=perf --unwind=fp -n 1000000 $spec -O out.log -- chain 2 $times 2>err
	pmclog info out.log | awk '/^pmc .* samples$/ { n += $(NF - 1) >= 100 } END { exit n < 9 }' && break
done
pmclog info out.log | sed -n 's/.* had a counter for \([0-9.]*\) of \([0-9.]*\) s.*/\1 \2/p' >times
awk '{ n++; sum += $1 / $2 } END { print n " PMCs, " (sum > 3.2 && sum < 4.1 ? "four counters" : sum) }' times
grep -c 'shared counters, and samples' err
pmcstat -q -R out.log --flat | grep -c '^@ r[0-9]:u \[[0-9]*@[0-9.]*% samples\]$'
== out
9 PMCs, four counters
1
9
== run samples are at one pace in the time with a counter
pmcstat -R out.log --json=all.json -q
tr ',' '\n' <all.json | awk -F: '
	$1 == "\"samples\"" && seen { s = $2 }
	$1 == "\"events\"" { seen = 1 }
	$1 == "\"running_ns\"" {
		pace = s / $2
		most = pace > most ? pace : most
		least = least && least < pace ? least : pace
	}
	END { print (least > 0 && most / least < 2) ? "one pace" : least " to " most }'
== out
one pace
== run four PMCs share nothing
pmcstat -q --collector=perf --unwind=fp -n 1000000 -P r1:u -P r2:u -P r3:u -P r4:u -O out.log -- chain 2 100000000
pmclog info out.log | grep -c 'had a counter'
pmcstat -q --no-sharing --collector=perf --unwind=fp -n 1000000 -P r1:u -P r2:u -P r3:u -P r4:u -O out.log -- chain 2 100000000
pmclog info out.log | awk '/^pmc.* samples/ && !/ 0 samples/ { n++ } END { print n }'
== out
0
4
== run 69 a fifth is refused where they are not to share
pmcstat -q --no-sharing --collector=perf -P r1:u -P r2:u -P r3:u -P r4:u -P r5:u -O refused.log -- chain 2 1000
status=$?
ls refused.log 2>/dev/null
exit $status
== err
pmcstat: r5:u: no counter is left for it beside 4 PMCs that share none: 4 of its kind fit at once
pmcstat: hint: fewer PMCs at a time, or without --no-sharing: they take turns then
== run 69 on a CPU too
pmcstat -q --no-sharing --collector=perf -c 0 -S r1 -S r2 -S r3 -s r4 -s r5 -o counts -O refused.log -- chain 2 1000
== err
pmcstat: r5: no counter is left for it beside 4 PMCs that share none: 4 of its kind fit at once
pmcstat: hint: fewer PMCs at a time, or without --no-sharing: they take turns then
