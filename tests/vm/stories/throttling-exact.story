What pauses cost, where time is exact: a clock that is paused in each tick would have given a sample
each period that it was on.
== machine exact
== run what was taken and what is told as not taken are all periods but one in fifty
sample_limit 1000
pmcstat -q --collector=perf --unwind=fp -n 50000 -P cpu-clock -O out.log -- chain 2 400000000 2>err
sample_limit 100000
pmclog info out.log | sed -n 's/^pmc .*, \([0-9]*\) samples, .* of \([0-9.]*\) s, paused for \([0-9.]*\) s$/\1 \2 \3/p' >log
pmcstat -R out.log --flat | sed -n 's/.*, about \([0-9]*\) of .* samples not taken.*/\1/p' >told
paste -d ' ' log told | awk '
function near(what, is, truth, part) {
	print what, (is > truth * (1 - part) && is < truth * (1 + part) ? "right" : is " of " truth)
}
{
	periods = $2 / 0.00005
	print (periods > 10000 && $1 < periods / 10 ? "most are not taken" : $0)
	near("the time of the pauses is", $3 / 0.00005, periods - $1, 0.005)
	near("what is told is", $1 + $4, periods, 0.02)
}'
== out
most are not taken
the time of the pauses is right
what is told is right
== run the module's log, too, which knows of a pause's end by the next sample alone
sample_limit 1000
pmcstat -q --collector=hwpmc -n 400000 -P cpu-clock -O out.log -- chain 2 400000000 2>err
sample_limit 100000
pmclog info out.log | sed -n 's/^pmc .*, \([0-9]*\) samples.*, paused for \([0-9.]*\) s$/\1 \2/p' >log
pmclog info out.log | sed -n 's/^throttled *\([0-9]*\) times/\1/p' >times
pmcstat -R out.log --flat | sed -n 's/.*, about \([0-9]*\) of .* samples not taken.*/\1/p' >told
# Of ten periods in a tick four are sampled, in each tick.
paste -d ' ' log times told | awk '
function near(what, is, truth) {
	print what, (is > truth * 0.97 && is < truth * 1.03 ? "right" : is " of " truth)
}
{
	print ($3 > 150 && $1 >= $3 * 4 && $1 < $3 * 4 + 8 ? "four in each tick" : $0)
	near("the time of the pauses is", $2, $3 * (10 - 4) * 0.0004)
	near("what is told is", $4, $3 * (10 - 4))
}'
sed 's/[0-9][0-9.]* times, for [0-9.]* ms/N times, for N ms/' err
pmclog check out.log | sed 's/[0-9]* records, [0-9]* samples/N/'
== out
four in each tick
the time of the pauses is right
what is told is right
pmcstat: the kernel paused PMCs N times, for N ms in all, because samples came too fast; see kernel.perf_event_max_sample_rate
out.log: N, closed
