Groups on a CPU with four counters: all of a group has one, or none; and what does not fit is refused.
== machine pmu
== run 69 five events never fit
pmcstat -q --collector=perf -o counts -p '{r1:u,r2:u,r3:u,r4:u,r5:u}' -- chain 2 1000
== err
pmcstat: r5:u: there are no counters for 5 events of the group of r1:u at once, as there are for 4
pmcstat: hint: fewer events in the group; others may hold counters
== run 69 nor on a CPU
pmcstat -q --collector=perf -o counts -c 1 -s '{r1,r2,r3,r4,task-clock,r5}' -- chain 2 1000
== err
pmcstat: r5: there are no counters for 5 events of the group of r1 at once, as there are for 4
pmcstat: hint: fewer events in the group; others may hold counters
== run four are exact, and task-clock needs no counter
pmcstat -q --collector=perf -o counts -p '{r1:u,task-clock,r2:u,r3:u,r4:u}' -- chain 2 1000
tail -1 counts | awk '{ print NF, ($0 ~ /@/) }'
== out
5 0
== run two groups of three take turns, and each has one share
pmcstat -q --collector=perf -o counts -p '{r1:u,r2:u,r3:u}' -p '{r4:u,r5:u,r6:u}' -- chain 2 800000000
tail -1 counts | tr ' ' '\n' | sed -n 's/.*@//p' >shares
# The events of a group are read one after the other: a share's last figure may differ.
awk '{ s[NR] = $1; sum += $1; d = s[NR] - s[NR > 3 ? 4 : 1]; apart += (d > 1 || d < -1) } END { print NR, apart + 0, (sum > 270 && sum < 303) }' shares
== out
6 0 1
== run samples of both too
pmcstat -q --collector=perf --unwind=off -n 1000000 -P '{r1:u,r2:u,r3:u}' -P '{r4:u,r5:u,r6:u}' -O out.log -- chain 2 400000000 2>err
pmclog info out.log | sed -n 's/.* had a counter for \([0-9.]*\) of .*/\1/p' | awk '{ s[NR] = $1; d = s[NR] / s[NR > 3 ? 4 : 1] - 1; apart += (d > 0.02 || d < -0.02) } END { print NR, apart + 0 }'
== out
6 0
== run a pinned group that loses its counters has no counts at all
rm -f counts go
pmcstat -q --collector=perf -w 0.1 -p '{r1:uD,r2:u}' -o counts -- sh -c 'until [ -e go ]; do :; done' 2>err &
until [ -s counts ]; do :; done
pmcstat -q --collector=perf -s '{r1:D,r2,r3,r4}' -o others -- sh -c 'until grep -q "^ *- *-" counts; do :; done'
touch go
wait
tail -1 counts
grep -v hint err
== out
                     -                    -
pmcstat: r1:u: it has no count, for it is pinned and found or kept no counter
pmcstat: r2:u: it has no count, for it is pinned and found or kept no counter
== run the module has them as it has all PMCs
pmcstat -q --collector=hwpmc -o counts -p '{r1:u,r2:u,task-clock}' -- chain 2 1000000
tail -1 counts | awk '{ print ($1 > 0 && $2 > 0 && $3 > 0) }'
== out
1
== run the groups of a summary take turns in one run; a ratio within one needs no scale
pmcstat -q --collector=perf --summary --count-json -o turns -- chain 2 400000000
awk '/"elapsed time"/ { print ($0 ~ /"runs":1/) }
	match($0, /"share":[0-9.]*/) { share = substr($0, RSTART + 8, RLENGTH - 8) }
	/instructions a cycle|branch mispredict rate|cache miss rate/ { n++; shared += share > 0 && share < 1; exact += !/"scaled"/ }
	/"metric":"(instructions|cycles|clock rate)"/ { counts++; scaled += /"scaled":true/ }
	END { print n, shared, exact, counts, scaled }' turns
== out
1
4 4 4 3 3
== run under --runs they have counters all of the time
pmcstat -q --collector=perf --summary --runs 1 --count-json -o summary -- chain 2 20000000
grep -c '"apart"\|"share":0' summary
awk '/instructions a cycle/ { print (/"runs":1/ && /"share":1.0000/ ? "counted" : $0) }' summary
== out
0
counted
== run where one counter is free there is no group of two, and the summary says so
rm -f others
pmcstat -q --collector=perf -w 0.1 -s '{r1:D,r2,r3}' -o others -- sh -c 'until [ -e summed ]; do sleep 0.1; done' &
until [ -s others ]; do :; done
pmcstat -q --collector=perf -o counts -p '{instructions:u,cycles:u}' -- chain 2 1000 2>&1
pmcstat -q --collector=perf --summary --runs 1 -o summary -- chain 2 400000000
touch summed
wait
sed -n '/^instructions a cycle\|^clock rate/s/.*  @[0-9.]*%\(.*\)/shared\1/p' summary
grep -c 'not in one group' summary | awk '{ print ($1 > 2) }'
== out
pmcstat: cycles:u: there are no counters for 2 events of the group of instructions:u at once, as there are for 1
pmcstat: hint: fewer events in the group; others may hold counters
shared, not in one group
1
