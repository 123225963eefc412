Samples that come too fast: perf pauses their PMC, and the reports say how many were not taken: about
as many here, where an emulated CPU runs in fits and starts; throttling-exact.story has how many.
== machine x61-pmu x612-pmu rt61-pmu
== run about as many as the PMU knows of
# In periods of 4,000,000 ticks.
paused() {
	awk '{ printf "%.0f\n", $1 / 4000000 }' /sys/module/fakepmu/parameters/paused_ticks
}
# One a tick.  A CPU that looks after itself does so at one pace; another one is held up by this one.
echo 0 >/sys/devices/system/cpu/cpu1/online
sample_limit 100
# For as long as it takes to lose many.
for times in 100000000 800000000 6400000000; do
	before=$(paused)
	pmcstat -q --collector=perf --unwind=fp -n 4000000 -P r1 -O out.log -- chain 2 $times 2>err
	paused=$(($(paused) - before))
	[ $paused -gt 300 ] && break
done
sample_limit 100000
echo 1 >/sys/devices/system/cpu/cpu1/online
pmcstat -q -R out.log --json=json
sed -n 's/.*"samples":\([0-9]*\),"selected".*"missed":\([0-9]*\),.*/\1 \2/p' json >told
awk -v paused=$paused '{
	print (paused > 300 ? "many" : paused)
	print ($2 > paused / 3 && $2 < paused * 2 ? "as many are told" : $2 " of " paused)
}' told
grep -c 'the kernel paused PMCs [0-9]* times, for [0-9.]* ms in all, because samples came too fast' err
== out
many
as many are told
1
== run the quality line says it, and the log for how long
awk -v n="$(cut -d ' ' -f 2 told)" -v s="$(cut -d ' ' -f 1 told)" 'BEGIN { print "about " n " of " n + s " samples not taken" }' >want
pmcstat -q -R out.log --flat | sed -n 's/.*(paused [0-9.]* ms, \(about [^)]*\)).*/\1/p' | cmp - want && echo quality
pmclog info out.log | sed -n 's/.*, had a counter for \([0-9.]*\) of .* paused for \([0-9.]*\) s$/\1 \2/p' |
	awk '{ print ($2 > $1 / 20 && $2 < $1 ? "some of the time" : $0) }'
== out
quality
some of the time
== run none where they are not too many
pmcstat -q --collector=perf --unwind=fp -n 4000000 -P r1 -O calm.log -- chain 2 20000000
pmclog info calm.log | grep throttled
== out
throttled  0 times
== run the module's log says how long, too, as far as it knows
# Four a tick.
echo 0 >/sys/devices/system/cpu/cpu1/online
sample_limit 1000
for times in 100000000 800000000 6400000000; do
	before=$(awk '{ print $1 }' /sys/module/fakepmu/parameters/paused_ticks)
	pmcstat -q --collector=hwpmc -n 400000 -P r1 -O out.log -- chain 2 $times 2>err
	after=$(awk '{ print $1 }' /sys/module/fakepmu/parameters/paused_ticks)
	awk -v n="$(pmclog info out.log | sed -n 's/^throttled *\([0-9]*\) .*/\1/p')" 'BEGIN { exit n <= 100 }' && break
done
sample_limit 100000
echo 1 >/sys/devices/system/cpu/cpu1/online
khz=$(sed -n 's/^cpu MHz[^:]*: *\([0-9]*\)\.\([0-9]*\)$/\1\2/p' /proc/cpuinfo | head -n 1)
pmclog info out.log | sed -n 's/^pmc .* paused for \([0-9.]*\) s$/\1/p' >told
awk -v before=$before -v after=$after -v khz=$khz '{
	truth = (after - before) / khz / 1000
	print ($1 > truth / 3 && $1 < truth * 2 ? "about the truth" : $1 " of " truth)
}' told
grep -c 'the kernel paused PMCs [0-9]* times, for [0-9.]* ms in all, because samples came too fast' err
pmclog check out.log | sed 's/[0-9]* records, [0-9]* samples/N/'
== out
about the truth
1
out.log: N, closed
