What was lost is told by its cause, the same everywhere: in the log's text, reports, JSON, pages, the display and at the end of a
recording.
== log out.log
pmc 1 cpu-clock
sample 10 0x401010 x83
drop 1
drop 20
drop 3 unreadable
drop 4 records
drop 5 throttle
drop 0 throttle paused=7500000
drop 6 starved pmc=1
drop 7 uncounted
drop 8 exits pmc=1
drop 9 switches pmc=1
drop 10 unsent
drop 11 hidden
drop 12 late-cpus cpu=3
drop 13 cpu-gaps cpu=2
shared 4000000 4000000 pmc=1
close
== run the text of the log
pmclog dump out.log | grep '^drop'
== out
drop      1 0
drop      20 0
drop      3 0 unreadable
drop      4 0 records
drop      5 0 throttle
drop      0 0 throttle 7500000
drop      6 0 starved
drop      7 0 uncounted
drop      8 0 exits
drop      9 0 switches
drop      10 0 unsent
drop      11 0 hidden
drop      12 3 late-cpus
drop      13 2 cpu-gaps
drop      0 0 shared 4000000 4000000
== run what is in the log
pmclog info out.log | sed -n '/^lost/,/^throttled/p'
== out
lost       34 samples (3 unreadable, 10 unsent)
           4 other records lost
           6 counters taken by others
           7 threads without a counter
           17 exits and switches without a counter (8 exits, 9 switches)
           11 programs hidden by the kernel
           25 CPUs that came online (12 late-cpus, 13 cpu-gaps)
throttled  5 times
== run the quality line
pmcstat -R out.log --flat | grep '^quality'
== out
quality: 83 samples of cpu-clock; lost 34 (29.06%); lost 4 other records: maps and names may be missing; 6 counters taken by others; 7 threads without a counter; 17 exits and switches without a counter; 11 programs hidden by the kernel; 25 CPUs came online, and were not sampled, or not at once; throttled 5 (paused 7.5 ms); unresolved 100.00%, of them unmapped 100.00%; truncated chains 0
== run JSON
pmcstat -q -R out.log --json=- | grep -o '"lost":.*"cpus":[0-9]*'
== out
"lost":34,"drops":0,"records_lost":4,"throttled":5,"paused_ns":7500000,"missed":0,"shared":0,"starved":6,"uncounted":7,"untold":17,"hidden":11,"cpus":25
== run a page
pmcstat -q -R out.log --html=page.html
grep -e '<dt>lost' -e 'records lost' -e 'without a counter' -e 'taken by' -e 'hidden by' -e 'came online' -e throttled page.html | grep '^<div.*<dt>'
== out
<div class="bad"><dt>lost</dt><dd>34 <small>29.06%</small></dd></div>
<div class="bad"><dt>other records lost</dt><dd>4</dd></div>
<div class="bad"><dt>counters taken by others</dt><dd>6</dd></div>
<div class="bad"><dt>threads without a counter</dt><dd>7</dd></div>
<div class="bad"><dt>exits and switches without a counter</dt><dd>17</dd></div>
<div class="bad"><dt>programs hidden by the kernel</dt><dd>11</dd></div>
<div class="bad"><dt>CPUs that came online</dt><dd>25</dd></div>
<div class="bad"><dt>throttled</dt><dd>5</dd></div>
== run the display
pmcstat -R out.log -T | grep '^lost'
== out
lost 34 (29.06%); lost 4 other records; 6 counters taken; 7 threads uncounted;..
== file script
pmc 1 cpu-clock
sample 10 0x401010 x83
drop 1
drop 20
drop 3 unreadable
drop 4 records
drop 5 throttle
drop 0 throttle paused=7500000
drop 6 starved pmc=1
drop 7 uncounted
drop 8 exits pmc=1
drop 9 switches pmc=1
drop 10 unsent
drop 11 hidden
drop 12 late-cpus cpu=3
drop 13 cpu-gaps cpu=2
shared 4000000 4000000 pmc=1
== run the end of a recording
pmcstat -q --collector=fake:script -P cpu-clock -t $$ -O new.log
== err
pmcstat: 21 of 117 samples were lost: the ring buffers were full
pmcstat: up to 3 of 117 samples were lost: the kernel's records of them could not be understood
pmcstat: 4 records of the log that are no samples were lost: maps, forks, names or counts may be missing
pmcstat: the kernel paused PMCs 5 times, for 7.5 ms in all, because samples came too fast; see kernel.perf_event_max_sample_rate
pmcstat: 6 times another user of the hardware took a PMC's counter: nothing was counted there from then on
pmcstat: 7 times a thread got no counter, for want of memory or of hardware: nothing of it was counted
pmcstat: 8 threads exited while their PMC had no counter: counts lack what those counted last
pmcstat: 9 times a thread left a CPU while its PMC had no counter: what it counted is in a later switch
pmcstat: 11 programs started with rights of their own (set-user-ID or the like), or cannot be read: the kernel took the PMCs from them, and nothing of them is in the log
pmcstat: 12 times a CPU came online while the recording went on: nothing was sampled there from then on
pmcstat: 13 times a CPU was off and came back: what ran there in the first second or two is missing
pmcstat: up to 10 of 117 samples were lost: they were sent through a connection that was, too, or while there was none
pmcstat: hint: a lower rate or --unwind=fp needs less room; where more memory may be locked (ulimit -l, kernel.perf_event_mlock_kb) the collector perf has more
== log endless.log
pmc 1 cpu-clock
sample 10 0x401010 x10
drop 18446744073709551615
drop 30
drop 18446744073709551615 unreadable
close
== run more than can be counted is the largest number that can
pmcstat -q -R endless.log --flat | grep -o 'lost.*;'; pmcstat -q -R endless.log --json=- | grep -o '"lost":[0-9]*'
pmclog info endless.log | grep '^lost'; pmcstat -R endless.log -T | grep -o '^lost [^;]*'
== out
lost 18446744073709551615 (100.00%); throttled 0; unresolved 100.00%, of them unmapped 100.00%;
"lost":18446744073709551615
lost       18446744073709551615 samples (18446744073709551615 unreadable)
lost 18446744073709551615 (100.00%)
