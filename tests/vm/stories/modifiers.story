Modifiers that say how counters are shared, and what the collectors refuse of the others.
== machine pmu
== run 69 a pinned PMC is refused where no counter is left
pmcstat -q --collector=perf -o counts -p r1:uD -p r2:uD -p r3:uD -p r4:uD -p r5:uD -- chain 2 1000
== err
pmcstat: r5:u: no counter is left for it beside 4 PMCs that share none: 4 of its kind fit at once
pmcstat: hint: fewer PMCs at a time, or without --no-sharing: they take turns then
== run one that is pinned does not share with five that do
# For as long as it takes the kernel to let others have their turn.
for times in 800000000 6400000000; do
	pmcstat -q --collector=perf -o counts -p r1:uD -p r2:u -p r3:u -p r4:u -p r5:u -p r6:u -- chain 2 $times
	grep -q @ counts && break
done
tail -1 counts | awk '{ print $1 ~ /@/, (gsub(/@/, "") > 0) }'
== out
0 1
== run an exclusive PMC has its counter beside no other
pmcstat -q --collector=perf -o counts -p r1:ue -p r2:u -- chain 2 800000000
tail -1 counts | tr ' ' '\n' | sed -n 's/.*@\(.*\)%/\1/p' | awk '{ n++; sum += $1 } END { print n, (sum > 90 && sum < 101) }'
== out
2 1
== run what has lost its counter has no count, and says why
rm -f counts
pmcstat -q --collector=perf -w 0.1 -p r1:uD -o counts -- sh -c 'until [ -e go ]; do :; done' 2>err &
until [ -s counts ]; do :; done
pmcstat -q --collector=perf -s r1:D -s r2:D -s r3:D -s r4:D -o others -- sh -c 'until grep -q "^ *-$" counts; do :; done'
touch go
wait
tail -1 counts
cat err
== out
                     -
pmcstat: r1:u: it has no count, for it is pinned and found or kept no counter
pmcstat: hint: stop other users of counters, or let it share: without ":D" and --no-sharing
== run 69 the module pins all, and refuses the rest
pmcstat -q --collector=hwpmc -o counts -p r1:uD -- chain 2 1000 && echo counted
for spec in r1:G r1:H r1:e; do
	pmcstat -q --collector=hwpmc -o counts -p $spec -- chain 2 1000 2>&1
done
pmcstat -q --collector=hwpmc -o counts -s r1:I -- chain 2 1000 2>&1
pmcstat -q --collector=perf -o counts -s r1:I -- chain 2 1000 2>&1
pmcstat -q --collector=perf -o counts -p r1:h -- chain 2 1000 2>&1
== out
counted
pmcstat: r1:G: the collector "hwpmc" does not tell host, guests and hypervisor apart
pmcstat: hint: leave that modifier out; --collector=perf does without the module
pmcstat: r1:H: the collector "hwpmc" does not tell host, guests and hypervisor apart
pmcstat: hint: leave that modifier out; --collector=perf does without the module
pmcstat: r1:e: the collector "hwpmc" keeps no PMC alone on a CPU
pmcstat: hint: leave that modifier out; --collector=perf does without the module
pmcstat: r1:I: the collector "hwpmc" does not tell the idle task apart
pmcstat: hint: leave that modifier out; --collector=perf does without the module
pmcstat: r1:I: in system scope Linux leaves the idle task out of samples of cpu-clock and task-clock alone
pmcstat: r1:h: counters of x86 tell no hypervisor's mode apart
