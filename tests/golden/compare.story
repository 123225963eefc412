Two logs: what changed between them, told from noise.  The program was built anew in another
directory; parse got slower, render is gone, cache is new, what has no symbol is another file's.
== elf old/app
type exec
text 0x401000 0x1000
symbol parse 0x401000 0x100
symbol render 0x401100 0x100
symbol main 0x401200 0x100
symbol rare 0x401300 0x100
== elf new/app
type exec
text 0x401000 0x1000
symbol main 0x401000 0x100
symbol parse 0x401100 0x100
symbol cache 0x401200 0x100
symbol rare 0x401300 0x100
== log old.log
pmc 1 cpu-clock rate=1000
pmc 2 page-faults
proc 10 app
exec 10 old/app
map 10 0x401000 0x1000 old/app off=0x1000
sample 10 0x401010,0x401210 x200
sample 10 0x401110,0x401210 x100
sample 10 0x401210 x92
sample 10 0x401810,0x401210 x5
sample 10 0x401310,0x401210 x3
sample 10 0x401310 pmc=2 x7
close
== log new.log
pmc 1 cpu-clock rate=1000
proc 20 app
exec 20 new/app
map 20 0x401000 0x1000 new/app off=0x1000
sample 20 0x401110,0x401010 x400
sample 20 0x401210,0x401010 x90
sample 20 0x401010 x100
sample 20 0x401910,0x401010 x6
sample 20 0x401310,0x401010 x4
close
== run two logs are enough to see what changed
pmcstat -R new.log --diff old.log
== out
@ cpu-clock [base 400 samples, now 600]

Functions by their own samples
 CHANGE    +-  SURE    BASE%    NOW%       BASE        NOW  FUNCTION  OBJECT
 -25.00  2.17  real    25.00    0.00        100          0  render  new/app
 +16.67  3.15  real    50.00   66.67        200        400  parse  new/app
 +15.00  1.48  real     0.00   15.00          0         90  cache  new/app
noise: 3 functions, 25.00% of the samples in the base, 18.33% now (100, 110)

Functions by the samples in them and in what they called
 CHANGE    +-  SURE    BASE%    NOW%       BASE        NOW  FUNCTION  OBJECT
 -25.00  2.17  real    25.00    0.00        100          0  render  new/app
 +16.67  3.15  real    50.00   66.67        200        400  parse  new/app
 +15.00  1.48  real     0.00   15.00          0         90  cache  new/app
noise: 3 functions

Call paths, outermost caller first
 CHANGE    +-  SURE    BASE%    NOW%       BASE        NOW  PATH
 -25.00  2.17  real    25.00    0.00        100          0  main;render
 +16.67  3.15  real    50.00   66.67        200        400  main;parse
 +15.00  1.48  real     0.00   15.00          0         90  main;cache
noise: 3 paths, 25.00% of the samples in the base, 18.33% now (100, 110)

@ page-faults [base 7 samples, now 0]

no samples now: there are no shares to compare

base quality: 407 samples of cpu-clock every 1000, page-faults; lost 0 (0.00%); throttled 0; unresolved 1.23%, of them unmapped 0.00%; truncated chains 0
quality: 600 samples of cpu-clock every 1000; lost 0 (0.00%); throttled 0; unresolved 1.00%, of them unmapped 0.00%; truncated chains 0
== run folded stacks have both counts
pmcstat -q -R old.log -R new.log --folded
== out
cpu-clock;app;main 92 100
cpu-clock;app;main;[no_symbol] 5 6
cpu-clock;app;main;cache 0 90
cpu-clock;app;main;parse 200 400
cpu-clock;app;main;rare 3 4
cpu-clock;app;main;render 100 0
page-faults;app;rare 7 0
== run the flat profile has both
pmcstat -q -R old.log -R new.log --flat
== out
@ cpu-clock [base 400 samples, now 600]
  BASE%   SELF%       BASE       SELF   BASE%  TOTAL%       BASE      TOTAL  FUNCTION  OBJECT
  50.00   66.67        200        400   50.00   66.67        200        400  parse  new/app
  23.00   16.67         92        100  100.00  100.00        400        600  main  new/app
   0.00   15.00          0         90    0.00   15.00          0         90  cache  new/app
   1.25    1.00          5          6    1.25    1.00          5          6  [no symbol]  new/app
   0.75    0.67          3          4    0.75    0.67          3          4  rare  new/app
  25.00    0.00        100          0   25.00    0.00        100          0  render  new/app

@ page-faults [base 7 samples, now 0]
  BASE%   SELF%       BASE       SELF   BASE%  TOTAL%       BASE      TOTAL  FUNCTION  OBJECT
 100.00    0.00          7          0  100.00    0.00          7          0  rare  new/app

base quality: 407 samples of cpu-clock every 1000, page-faults; lost 0 (0.00%); throttled 0; unresolved 1.23%, of them unmapped 0.00%; truncated chains 0
quality: 600 samples of cpu-clock every 1000; lost 0 (0.00%); throttled 0; unresolved 1.00%, of them unmapped 0.00%; truncated chains 0
== run a threshold hides small changes, and their sum is told
pmcstat -q -R new.log --diff old.log -f threshold=20 --changes | sed -n '/own/,/^$/p'
== out
Functions by their own samples
 CHANGE    +-  SURE    BASE%    NOW%       BASE        NOW  FUNCTION  OBJECT
 -25.00  2.17  real    25.00    0.00        100          0  render  new/app
below 20 points: 2 functions, 50.00% of the samples in the base, 81.67% now (200, 490)
noise: 3 functions, 25.00% of the samples in the base, 18.33% now (100, 110)

== run frames of a flame graph are as wide as now, and red, blue or grey
pmcstat -q -R new.log --diff old.log --icicle | sed -n 's/.*<title>\(.*\)<.title>.* fill="\([^"]*\)".*/\2 \1/p; s/.*<text class="pale"[^>]*>\(.*\)<.text>/\1/p'
== out
#d0d4dc cpu-clock: 600 samples, 100.00%; base 400, 100.00%
#cdcdcd main (new/app): 600 samples, 100.00%; base 400, 100.00%; +0.00 points, noise
#cdcdcd [no symbol] (new/app): 6 samples, 1.00%; base 5, 1.25%; -0.25 points, noise
hsl(8,85%,61%) cache (new/app): 90 samples, 15.00%; base 0, 0.00%; +15.00 points, real
hsl(8,85%,60%) parse (new/app): 400 samples, 66.67%; base 200, 50.00%; +16.67 points, real
#cdcdcd rare (new/app): 4 samples, 0.67%; base 3, 0.75%; -0.08 points, noise
red: a greater share of the samples than in the base, blue: a lesser one, grey: chance alone explains the change
not visible: 107 of the base&#39;s 407 samples (26.29%) are in call paths that are gone
a log; on fake, fake; processes: app
base quality: 407 samples of cpu-clock every 1000, page-faults; lost 0 (0.00%);
throttled 0; unresolved 1.23%, of them unmapped 0.00%; truncated chains 0
quality: 600 samples of cpu-clock every 1000; lost 0 (0.00%); throttled 0;
unresolved 1.00%, of them unmapped 0.00%; truncated chains 0
== run a log does not differ from itself
pmcstat -q -R new.log --diff new.log
== out
@ cpu-clock [base 600 samples, now 600]

Functions by their own samples
no change that chance does not explain
noise: 5 functions, 100.00% of the samples in the base, 100.00% now (600, 600)

Functions by the samples in them and in what they called
no change that chance does not explain
noise: 5 functions

Call paths, outermost caller first
no change that chance does not explain
noise: 5 paths, 100.00% of the samples in the base, 100.00% now (600, 600)

base quality: 600 samples of cpu-clock every 1000; lost 0 (0.00%); throttled 0; unresolved 1.00%, of them unmapped 0.00%; truncated chains 0
quality: 600 samples of cpu-clock every 1000; lost 0 (0.00%); throttled 0; unresolved 1.00%, of them unmapped 0.00%; truncated chains 0
== log cores.log
pmc 1 cycles rate=1000 spec=cpu_core/cycles/
pmc 2 cycles rate=1000 spec=cpu_atom/cycles/
proc 10 app
exec 10 old/app
map 10 0x401000 0x1000 old/app off=0x1000
sample 10 0x401010 x100
sample 10 0x401110 pmc=2 x50
close
== log turned.log
pmc 1 cycles rate=1000 spec=cpu_atom/cycles/
pmc 2 cycles rate=1000 spec=cpu_core/cycles/
proc 10 app
exec 10 old/app
map 10 0x401000 0x1000 old/app off=0x1000
sample 10 0x401110 x50
sample 10 0x401010 pmc=2 x100
close
== run events of one name are told apart by how they were asked for
pmcstat -q -R turned.log --diff cores.log | grep -E '^(@|.*real)'
== out
@ cycles [base 50 samples, now 50]
@ cycles [base 100 samples, now 100]
== run 64 changes need two logs
pmcstat -R new.log --changes
== err
pmcstat: option --changes needs two logs
pmcstat: hint: name the older one with --diff
== run 64 what cannot compare says so
pmcstat -R new.log --diff old.log -G -
== err
pmcstat: option --graph cannot compare two logs
pmcstat: hint: these can: --flat --folded --flamegraph --icicle --changes --json
== run 66 both logs must be there
pmcstat -R new.log --diff none.log
== err
pmcstat: none.log: cannot open: No such file or directory
== log faults.log
pmc 1 page-faults
proc 20 app
exec 20 new/app
map 20 0x401000 0x1000 new/app off=0x1000
sample 20 0x401110,0x401010 x400
close
== run 65 logs of different events
pmcstat -q -R new.log --diff faults.log --folded >/dev/null
== err
pmcstat: no event is in both logs, so nothing can be compared: page-faults in the base, cpu-clock now
