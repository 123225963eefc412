Where a program spends 60 and 40 % of its time is seen through either collector, and its log is understood elsewhere.
== machine exact smp pmu
== run counts of one program are the same, to the instruction where the machine is exact
case " $IS " in
*\ exact\ *)
	for c in hwpmc perf; do pmcstat --collector=$c -o $c -p instructions:u -p cycles:u split 1000000; done
	cmp hwpmc perf
	;;
esac
== run auto is the module where that is loaded
cat >event <<'END'
case " $IS " in
*\ arm64\ *) event='-n 200000 EVENT cycles' ;;
*\ pmu\ *) event='-n 50000 EVENT cycles' ;;
*) event='-n 300000 EVENT cpu-clock' ;;
esac
# record COLLECTOR SCOPE LOG: the program, sampled for as long as it takes to see its functions.
record() {
	for time in 400 1600 6400 25600 102400; do
		# That the kernel pauses what is emulated this slowly is no news.  Nor would unwinding
		# keep up with such a rate; the program keeps frame pointers.
		pmcstat -q --collector=$1 --unwind=fp ${event%EVENT*} -$2 ${event#*EVENT } -O $3 split time $time 2>said || cat said
		pmcstat -q -R $3 --folded 2>said | awk '/sixty|forty/ { n += $NF } END { exit n < 300 }' && return
	done
}
END
. ./event
record auto P auto.log
pmclog info auto.log | grep ^collector
== out
collector  hwpmc
== run samples of a process
. ./event
record hwpmc P P-hwpmc.log && record perf P P-perf.log
== run samples of the machine
. ./event
record hwpmc S S-hwpmc.log && record perf S S-perf.log
== run the logs are whole
for log in *.log; do pmclog check $log >said || cat said; done
== host the logs are whole elsewhere too
for log in *.log; do pmclog check $log >said || cat said; done
== host sixty() and forty() have what their names say
for log in P-hwpmc S-hwpmc P-perf S-perf; do
	pmcstat -q -R $log.log -r "$root" --flat | awk -v name=$log '
		$5 == "sixty" { sixty = $2 }
		$5 == "forty" { forty = $2 }
		END { share = sixty + forty ? 100 * sixty / (sixty + forty) : 0
		      print name, (sixty + forty > 100 && share > 50 && share < 70 ? "60/40" : sixty "/" forty) }'
done
== out
P-hwpmc 60/40
S-hwpmc 60/40
P-perf 60/40
S-perf 60/40
== host called by work(), which main() called
for log in P-hwpmc S-hwpmc P-perf S-perf; do
	pmcstat -q -R $log.log -r "$root" --folded |
		awk -v name=$log '/main;work;sixty/ { n += $NF } /sixty/ { all += $NF } END { print name, (n > 0.9 * all ? "called" : n " of " all) }'
done
== out
P-hwpmc called
S-hwpmc called
P-perf called
S-perf called
