PMCs that shared counters or were paused: every output says for what share of the time their samples stand.
== elf app
type exec
text 0x401000 0x1000
symbol main 0x401100 0x100
symbol work 0x401200 0x100
== log shared.log
pmc 1 cycles rate=1000
pmc 2 instructions rate=1000
pmc 3 branches rate=1000
pmc 4 cpu-clock rate=1000000
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
shared 1000000 250000 pmc=1
shared 3000000 1461000 pmc=1
shared 4000000 0 pmc=2
sample 10 0x401110 x30 pmc=1
sample 10 0x401210,0x401110 x70 pmc=1
sample 10 0x401110 x10 pmc=4
drop 1 throttle pmc=3
drop 0 throttle pmc=3 paused=7500000
shared 10000000 10000000 pmc=3
sample 10 0x401210 x25 pmc=3
close
== log alone.log
pmc 1 cycles rate=1000
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401110
shared 2000000 1000000
close
== log counts.log
pmc 1 instructions flags=0xa
attach 1 100 /usr/bin/pmcstat
exec 100 /usr/bin/make
fork 100 101
exec 101 /usr/bin/cc
exitval 1 101 600
exit 101
shared 1000000 771999 pmc=1
drop 2 exits pmc=1
exitval 1 100 400
exit 100
close
== run the flat profile marks what missed samples, and says so of what has none
pmcstat -R shared.log --flat
== out
@ cycles [100@42.7% samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  70.00         70   70.00         70  work  app
  30.00         30  100.00        100  main  app

@ instructions [0@0.0% samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT

@ branches [25 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
 100.00         25  100.00         25  work  app

@ cpu-clock [10 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
 100.00         10  100.00         10  main  app

quality: 135 samples of cycles every 1000, instructions every 1000, branches every 1000, cpu-clock every 1000000; lost 0 (0.00%); had a counter part of the time: cycles 42.7%, instructions never; throttled 1 (paused 7.5 ms, about 75 of 210 samples not taken); unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== run scaled it is an estimate of all of the time
pmcstat -R shared.log --flat --scale
== out
@ cycles [~234@42.7% samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  70.09        164   70.09        164  work  app
  29.91         70  100.00        234  main  app

@ instructions [0@0.0% samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT

@ branches [25 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
 100.00         25  100.00         25  work  app

@ cpu-clock [10 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
 100.00         10  100.00         10  main  app

quality: 135 samples of cycles every 1000, instructions every 1000, branches every 1000, cpu-clock every 1000000; about 269 when scaled; lost 0 (0.00%); had a counter part of the time: cycles 42.7%, instructions never; throttled 1 (paused 7.5 ms); unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== run other texts have the marks
pmcstat -q -R shared.log --graph=- | grep @; pmcstat -q -R shared.log --tree | grep '^@'; pmcstat -q -R shared.log --callers=work | grep '^@ '
== out
@ cycles [100@42.7% samples]
70.00%  [70]       work @ app
30.00%  [30]       main @ app
@ instructions [0@0.0% samples]
@ branches [25 samples]
100.0%  [25]       work @ app
@ cpu-clock [10 samples]
100.0%  [10]       main @ app
@ cycles [100@42.7% samples]
@ instructions [0@0.0% samples]
@ branches [25 samples]
@ cpu-clock [10 samples]
@ cycles [100@42.7% samples]
@ branches [25 samples]
== run folded stacks are scaled on request alone
pmcstat -q -R shared.log --folded; pmcstat -q -R shared.log --folded --scale
== out
cycles;app;main 30
cycles;app;main;work 70
branches;app;work 25
cpu-clock;app;main 10
cycles;app;main 70
cycles;app;main;work 164
branches;app;work 25
cpu-clock;app;main 10
== run profiles of viewers have it in their names, and threads in theirs
pmcstat -q -R shared.log --speedscope - | grep -o '"name":"[^"]*","unit"'
pmcstat -q -R shared.log --scale --speedscope - | grep -o '"name":"cycles[^"]*","unit"'
pmcstat -q -R shared.log --firefox - | grep -o '"name":"app[^"]*","isMainThread"'
pmcstat -q -R alone.log --firefox - | grep -o '"name":"app[^"]*","isMainThread"'
== out
"name":"cycles [100@42.7% samples]","unit"
"name":"instructions [0@0.0% samples]","unit"
"name":"branches","unit"
"name":"cpu-clock","unit"
"name":"cycles [~234@42.7% samples]","unit"
"name":"app (cycles@42.7%)","isMainThread"
"name":"app (cpu-clock)","isMainThread"
"name":"app (branches)","isMainThread"
"name":"app (cycles@50.0%)","isMainThread"
== run readers choose samples of perf script by the event's name: that stays, and standard error tells
pmcstat -R shared.log --perf-script | sed -n 's/.* \([a-z-]*\): $/\1/p' | uniq
== out
cycles
cpu-clock
branches
== err
pmcstat: quality: 135 samples of cycles every 1000, instructions every 1000, branches every 1000, cpu-clock every 1000000; lost 0 (0.00%); had a counter part of the time: cycles 42.7%, instructions never; throttled 1 (paused 7.5 ms, about 75 of 210 samples not taken); unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== run parts of an event have its share
pmcstat -q -R shared.log --by comm --flat --scale | grep -e '^@' -e quality
== out
@ cycles/comm=app [~234@42.7% samples]
@ instructions [0@0.0% samples]
@ branches/comm=app [25 samples]
@ cpu-clock/comm=app [10 samples]
quality: 135 samples of cycles every 1000, instructions every 1000, branches every 1000, cpu-clock every 1000000; about 269 when scaled; lost 0 (0.00%); had a counter part of the time: cycles 42.7%, instructions never; throttled 1 (paused 7.5 ms); unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== run JSON
pmcstat -q -R shared.log --json | grep -e quality -e '"rate"'
== out
"quality":{"samples":135,"selected":135,"lost":0,"drops":0,"records_lost":0,"throttled":1,"paused_ns":7500000,"missed":75,"shared":2,"starved":0,"uncounted":0,"untold":0,"hidden":0,"cpus":0,"unresolved":0,"unmapped":0,"truncated":0,"chains":0,"ends":{"elsewhere":0,"complete":0,"window":0,"no-data":0,"bad-return":0,"depth":0,"stale":0,"overload":0,"no-stack":0},"at_unknown":0,"guessed":0,"stitched":0,"inclusive_partial":false,"unannounced":0,"foreign":0,"closed":true},
{"name":"cycles","whole":"cycles","spec":"cycles","rate":1000,"rate_unit":"events","samples":100,"enabled_ns":4000000,"running_ns":1711000,"share":0.4277,
{"name":"instructions","whole":"instructions","spec":"instructions","rate":1000,"rate_unit":"events","samples":0,"enabled_ns":4000000,"running_ns":0,"share":0.0000,
{"name":"branches","whole":"branches","spec":"branches","rate":1000,"rate_unit":"events","samples":25,"enabled_ns":10000000,"running_ns":10000000,"share":1.0000,"paused_ns":7500000,
{"name":"cpu-clock","whole":"cpu-clock","spec":"cpu-clock","rate":1000000,"rate_unit":"events","sample_ns":1000000,"samples":10,
== run the page
pmcstat -q -R shared.log --html=out.html; grep -e '<dt>time with' -e 'not taken, about' -e 'cycles<td>' -e 'cycles, ' out.html
== out
<div class="bad"><dt>time with a counter, cycles</dt><dd>42.7%</dd></div>
<div class="bad"><dt>time with a counter, instructions</dt><dd>0.0%</dd></div>
<div class="bad"><dt>samples not taken, about</dt><dd>75 <small>35.71%</small></dd></div>
<details open><summary>cycles, 100@42.7% samples, 2 functions</summary>
<tr><td>cycles<td>cycles<td>1000<td>100@42.7%
== run a comparison says it of both
pmcstat -q --diff shared.log -R shared.log --flat | grep quality
== out
base quality: 135 samples of cycles every 1000, instructions every 1000, branches every 1000, cpu-clock every 1000000; lost 0 (0.00%); had a counter part of the time: cycles 42.7%, instructions never; throttled 1 (paused 7.5 ms, about 75 of 210 samples not taken); unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
quality: 135 samples of cycles every 1000, instructions every 1000, branches every 1000, cpu-clock every 1000000; lost 0 (0.00%); had a counter part of the time: cycles 42.7%, instructions never; throttled 1 (paused 7.5 ms, about 75 of 210 samples not taken); unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== run the tree of processes
pmcstat -q -R counts.log --process-tree
== out
@ instructions [1000@77.1% counted, 2 exits without a counter]
TOTAL%     TOTAL       SELF   SECONDS     PID  COMMAND
100.00      1000        400     0.000     100  make
 60.00       600        600     0.000     101    cc

== run the log as text
pmcstat --dump -R shared.log | grep drop
== out
drop      0 0 shared 250000 1000000
drop      0 0 shared 1461000 3000000
drop      0 0 shared 0 4000000
drop      1 0 throttle
drop      0 0 throttle 7500000
drop      0 0 shared 10000000 10000000
== run what the log says of its PMCs
pmclog info shared.log | grep -e '^pmc' -e throttled
== out
pmc        0x1 cycles, rate 1000, 100 samples, had a counter for 0.001711 of 0.004000 s
pmc        0x2 instructions, rate 1000, 0 samples, had a counter for 0.000000 of 0.004000 s
pmc        0x3 branches, rate 1000, 25 samples, had a counter for 0.010000 of 0.010000 s, paused for 0.007500 s
pmc        0x4 cpu-clock, rate 1000000, 10 samples
throttled  1 times
== run 64 nothing to scale
pmcstat --dump -R shared.log --scale
== err
pmcstat: option --scale needs -p, -s, -P, -S or an output
pmcstat: hint: pmcstat --help lists the options
== file recorded
pmc 1 cycles
pmc 2 instructions
shared 1000000 250000 pmc=1
shared 3000000 1461000 pmc=1
shared 4000000 0 pmc=2
sample 10 0x401210 x10 pmc=1
drop 3 throttle pmc=1
drop 0 throttle pmc=1 paused=7500000
== run a recording says what it lacks
pmcstat -q --collector=fake:recorded -P cycles -P instructions -t $$ -O out.log 2>&1 | sed '/^pmcstat: hint: these/d; /^pmcstat: hint: record/d'
== out
pmcstat: the kernel paused PMCs 3 times, for 7.5 ms in all, because samples came too fast; see kernel.perf_event_max_sample_rate
pmcstat: PMCs shared counters, and samples are of this part of the time: cycles 42.7%, instructions never
== file alone
pmc 1 cycles
shared 1000000 1000000 pmc=1
sample 10 0x401210 x10 pmc=1
== run an event that had a counter all the time is not spoken of
pmcstat -q --collector=fake:alone -P cycles -t $$ -O out.log
== log counted.log
pmc 0xfff03f00 instructions flags=0x8
attach 0xfff03f00 100 /bin/a
exec 100 /bin/a
proc 100 a
shared 4000000 1000000 pmc=0xfff03f00
exitval 0xfff03f00 100 5
exit 100
close
== run what is only counted has shares, but no section among samples
pmcstat -q -R counted.log --process-tree | sed -n '/^@/p'
pmcstat -q -R counted.log --flat | sed -n '/^@/p'
== out
@ instructions [5@25.0% counted]
== log burst.log
pmc 1 branches rate=1000
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
@1000000000 sample 10 0x401110 x3 pmc=1
@2000000000 drop 1 throttle pmc=1
@2000000000 sample 10 0x401110 pmc=1
@2003000000 drop 0 throttle pmc=1 paused=3000000
@2003300000 sample 10 0x401110 pmc=1
@2003600000 sample 10 0x401110 pmc=1
@2004000000 drop 1 throttle pmc=1
@2004000000 sample 10 0x401110 pmc=1
@2007000000 drop 0 throttle pmc=1 paused=3000000
@2057000000 sample 10 0x401110 pmc=1
@2059500000 sample 10 0x401110 pmc=1
@2062000000 drop 1 throttle pmc=1
@2062000000 sample 10 0x401110 pmc=1
@2064000000 drop 0 throttle pmc=1 paused=2000000
@2065000000 sample 10 0x401110 pmc=1
@2066000000 sample 10 0x401110 pmc=1
@2067000000 sample 10 0x401110 pmc=1
@2068000000 sample 10 0x401110 pmc=1
@2069000000 sample 10 0x401110 pmc=1
@2070000000 sample 10 0x401110 pmc=1
@2085000000 drop 1 throttle pmc=1
@2085000000 sample 10 0x401110 pmc=1
@2091000000 drop 0 throttle pmc=1 paused=6000000
shared 3000000000 3000000000 pmc=1
close
== run what pauses cost is reckoned at the pace just before them, as far as that is known
pmcstat -R burst.log --flat | sed -n 's/.*\(throttled[^;]*\);.*/\1/p'
== out
throttled 4 (paused 14.0 ms, about 15 of 32 samples not taken)
== log guessed.log
pmc 1 cpu-clock rate=1000000 flags=0x80
sample 10 0x401010,0x1 guessed=1 stitched=1 end=window x10
shared 4000 1000 pmc=1
close
== run what is said of chains is scaled as they are
pmcstat -R guessed.log --folded=/dev/null --scale
== err
pmcstat: quality: 10 samples of cpu-clock every 1000000; about 40 when scaled; lost 0 (0.00%); had a counter part of the time: cpu-clock 25.0%; throttled 0; unresolved 100.00%, of them unmapped 100.00%; truncated chains 0; whole chains 0 of 40 (0.00%), window 40; 40 end at [unknown]; 40 with stitched frames; 40 with guessed frames
pmcstat: inclusive numbers and callers are partial: 100.00% of the chains do not reach where their thread began; most of them are deeper than what is copied of a stack, and their process had gone on, had ended or may not be read by this user
== log endless.log
pmc 1 cpu-clock rate=1000000
pmc 2 cycles rate=1000000
sample 10 0x401010 x10 pmc=1
sample 10 0x401020 x10 pmc=1
sample 10 0x401030 pmc=2
shared 18446744073709551615 1 pmc=1
close
== run an estimate beyond any number is the largest that all events have room for
pmcstat -q -R endless.log --folded --scale
== out
cpu-clock;pid-10;[unknown] 9223372036854775807
cycles;pid-10;[unknown] 1
== run 64 a comparison tells chance by samples, of which estimates say nothing
pmcstat -R guessed.log --diff guessed.log --scale
== err
pmcstat: options --diff and --scale are mutually exclusive: estimates are no samples by which chance could be told
pmcstat: hint: pmcstat --help lists the options
