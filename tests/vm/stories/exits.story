Processes that exit at the same time: the log hears of each, with what it counted.
== machine smp
== run four at a time, 1201 in all
pmcstat -q --collector=hwpmc -d -E -p task-clock -o counts -O log sh -c '
	i=0
	while [ $((i += 1)) -le 300 ]; do
		(:) & (:) & (:) & (:) &
		wait
	done'
pmclog dump log >text
for what in fork exitval exit thr-exit; do
	echo "$(grep -c "^$what " text) $what"
done
== out
1200 fork
1201 exitval
1201 exit
1201 thr-exit
