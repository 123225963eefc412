Processes that exit at the same time: the log hears of each, with what it counted.
== machine smp
== run four at a time, 4001 in all
pmcstat -q --collector=hwpmc -d -E -p task-clock -o counts -O log sh -c '
	i=0
	while [ $((i += 1)) -le 1000 ]; do
		(:) & (:) & (:) & (:) &
		wait
	done'
pmclog dump log >text
for what in fork exitval exit thr-exit; do
	echo "$(grep -c "^$what " text) $what"
done
== out
4000 fork
4001 exitval
4001 exit
4001 thr-exit
