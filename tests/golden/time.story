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
== run outside of the log
pmcstat -q -R out.log --time 100..200 --folded
== out
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
