Call chains of 32-bit programs on arm64, whose unwind data nothing here reads.
== machine a61 a612
== needs chain32
== run the leaf is known, and that no more is
pmcstat -q --collector=perf -P cpu-clock:u -O log chain32 6 200000000
pmcstat -q -R log --folded | awk '{ all += $NF } /;spin [0-9]+$/ { leaf += $NF } END { print (all > 50), (leaf > all * 0.9) }'
pmclog dump log | awk '/^callchain/ { n++ } / end=no-data/ { none++ } END { print (n > 50), none - n }'
== out
1 1
1 0
