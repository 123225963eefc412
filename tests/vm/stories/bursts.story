What hooks hand to tasks is made beforehand: a burst of forks may find none left, which is told, and the
next as large one finds enough.
== machine x61 x612
== run a burst of 400 before any of them runs, where 256 can be handed a counter; then 400 more
pmcstat -q --collector=hwpmc -d -n 1000000000 -P cpu-clock -O log sh -c 'burst 400; burst 400' 2>err
echo $?
sed -n 's/^pmcstat: \([0-9]* times a thread got no counter\).*/\1/p' err
pmclog dump log | awk '/^drop/ && / uncounted/ { n += $2 } END { print n + 0, "in the log" }'
pmclog dump log | grep -c '^drop.* records' 
pmccontrol --collector=hwpmc -s | grep '^threads without a counter' | sed 's/  */ /g'
== out
0
144 times a thread got no counter
144 in the log
0
threads without a counter 144
