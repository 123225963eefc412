Samples are selected by when they were taken, in seconds from the log's first record.
== log out.log
pmc 1 cpu-clock
proc 10 app
time 500000000
sample 10 0x1000
time 1500000000
sample 10 0x1000 x2
time 2500000000
sample 10 0x1000 x4
close
== run from one second to the next
pmcstat -R out.log --time 1..2 --folded
== out
app;[unknown] 2
== err
pmcstat: quality: 7 samples of cpu-clock; 2 selected; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 100.00%; truncated chains 0
== run to the end
pmcstat -q -R out.log --time 1.25.. --folded
== out
app;[unknown] 6
== run from the start
pmcstat -q -R out.log --time ..1.5 --folded
== out
app;[unknown] 1
== run with fractions, and another selection
pmcstat -q -R out.log --time 0.4..2.6 --comm 'a*' --folded
== out
app;[unknown] 7
== run 64 behind the log's end, which is told
pmcstat -q -R out.log --time 100..200 --folded
== err
pmcstat: out.log: --time 100..200 is behind its end: it is 2.500 s long
== run to its last record
pmcstat -q -R out.log --time 2.5.. --folded
== out
app;[unknown] 4
== run 64 backwards
pmcstat -R out.log --time 2..1 --folded
== err
pmcstat: --time "2..1" is not a range of seconds like 1.5..3, 2.. or ..10
== run 64 nothing at all
pmcstat -R out.log --time .. --folded
== err
pmcstat: --time ".." is not a range of seconds like 1.5..3, 2.. or ..10
== run 64 no number
pmcstat -R out.log --time 1..nan --folded
== err
pmcstat: --time "1..nan" is not a range of seconds like 1.5..3, 2.. or ..10
== log long.log
# Three times 4 MB, as often as packed logs begin afresh, so that there is something to leave out.
pmc 1 cpu-clock rate=1000
pmc 3 page-faults
proc 1 init
fork 1 10
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
thread 11 10 worker
fork 10 20
time 500000000
sample 10/11 0x401010,0x401020 cpu=1 x40000
sample 30 0x401010 cpu=2 x3
sample 10 0x401010 pmc=2 x3
sample 42 0x401010 x7
sample 41 0x401010 x7
sample 20 0x401030,0x401020 x70000
map 20 0x600000 0x1000 lib off=0x0
exec 20 other
map 20 0x401000 0x1000 new off=0x1000
time 1500000000
sample 10 0x401010,0x401020 x60000
sample 20 0x401030,0x600020 pmc=3 x50000
sample 41 0x401010 x7
sample 42 0x401010 x7
time 2500000000
exit 10
fork 20 10
sample 10/10 0x401030,0x401020 x100000
sample 10 0x401010 pmc=2 x5
map 10 0x7f0000000000 0x40 [jit] sym=jitted
close
== run packed, where only what is needed is unpacked: to the byte the same reports
pmclog compress long.log long.pmcz
# all LOG OPTION...: every report on its samples
all() {
	rm -rf all && mkdir all && cp "$1" all/log && shift && (
		cd all && pmcstat -R log "$@" --folded=1 --flat=2 --tree=3 -G 4 --html 5 --json=6 --overview=7 \
			--speedscope 8 --firefox 9 --pprof 10 -a 11 --callgrind out.12 --flamegraph=13 --perf-script=14 2>err &&
			rm log && cksum ./*
	)
}
for time in 0.2..0.9 1..2 2.. ..0.6 1.2..2.6 0.1..0.2; do
	for more in '-c 0-9' '-c 0 --by tid' '--pid 10,20 --by pid' '--comm app'; do
		# shellcheck disable=SC2086
		all long.log --time $time $more >plain.txt && all long.pmcz --time $time $more | cmp plain.txt - ||
			echo "--time $time $more"
	done
done
pmcstat -q -R long.pmcz --time 1..2 --folded
== out
cpu-clock;app;0x1020;0x1010 60000
cpu-clock;pid-41;[unknown] 7
cpu-clock;pid-42;[unknown] 7
page-faults;other;[unknown];0x1030 50000
== run 64 it ends where it does unpacked
pmcstat -q -R long.log --time 100.. --folded
pmcstat -q -R long.pmcz --time 100.. --folded
== err
pmcstat: long.log: --time 100.. is behind its end: it is 2.600 s long
pmcstat: long.pmcz: --time 100.. is behind its end: it is 2.600 s long
== log killed.log
pmc 1 cpu-clock rate=1000
time 500000000
sample 10 0x401010,0x401020 x130000
time 1500000000
sample 10 0x401010,0x401020 x130000
close
== run a log ends with its last sample, read or not
pmclog compress killed.log killed.pmcz
pmcstat -R killed.log --time 0.5..1 --overview >plain.txt 2>&1
pmcstat -R killed.pmcz --time 0.5..1 --overview 2>&1 | sed 's/killed.pmcz/killed.log/g' | cmp plain.txt - && head -n 2 plain.txt
== out
@ cpu-clock [130000 samples]
on a CPU 0.13 s in 0.50 s, no samples of 0.37 s of 1 CPU; 1 process: pid-10
== run what is left out is not read but for its names: a damaged log has other offsets
head -c -10 long.pmcz >cut.pmcz
pmcstat -q -R cut.pmcz --time ..0.6 --folded 2>&1 | grep -o 'of those that were read: block [0-9]*'
== out
of those that were read: block 59
