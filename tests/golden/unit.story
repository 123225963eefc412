Seconds in place of samples, where a sample of the event stands for some.
== elf app
type exec
text 0x401000 0x1000
symbol leaf 0x401000 0x100
symbol main 0x401100 0x100
== log out.log
pmc 1 cpu-clock rate=4000000
pmc 2 page-faults rate=1
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401110 x3
sample 10 0x401110
sample 10 0x401010,0x401110 x2 pmc=2
== run the flat profile: a clock's seconds, in the columns of samples
pmcstat -q -R out.log --flat --unit=seconds | head -n -2
== out
@ cpu-clock [4 samples]
  SELF%     SELF_s  TOTAL%    TOTAL_s  FUNCTION  OBJECT
  75.00      0.012   75.00      0.012  leaf  app
  25.00      0.004  100.00      0.016  main  app

@ page-faults [2 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
 100.00          2  100.00          2  leaf  app
   0.00          0  100.00          2  main  app
== run the tree, callers and lines
pmcstat -q -R out.log --unit seconds --tree --callers leaf --annotate leaf | sed '/page-faults/,/^quality/d'
== out
@ cpu-clock [4 samples]
TOTAL%  SELF%   SECONDS  FUNCTION @ OBJECT
100.00  25.00     0.016  main @ app
 75.00  75.00     0.012   leaf

@ cpu-clock [4 samples]

leaf @ app: 0.012 s (75.00%), 0.012 of them its own
TOTAL%   SECONDS  CALLER @ OBJECT
100.00     0.012  leaf @ app
100.00     0.012   main

@ cpu-clock [4 samples]

leaf @ app: 3 samples (75.00%)
 SELF%      SELF TOTAL%     TOTAL   LINE  SOURCE
100.00     0.012 100.00     0.012      -  (the line is not known)

== run by default they are samples
pmcstat -q -R out.log --unit samples --flat >a; pmcstat -q -R out.log --flat | cmp - a
== run 64 another unit
pmcstat -q -R out.log --unit=minutes --flat
== err
pmcstat: --unit=minutes is neither samples nor seconds
== log cycles.log
pmc 1 cycles spec=cycles hz=500
pmc 2 cycles spec=cycles:u hz=500
pmc 3 ref-cycles spec=ref-cycles rate=1000
pmc 4 cache-misses spec=cache-misses hz=500
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010 x5
sample 10 0x401010 x6 pmc=2
sample 10 0x401010 x7 pmc=3
sample 10 0x401010 x8 pmc=4
== run cycles are a clock at a frequency, unless they are of one mode alone
pmcstat -q -R cycles.log --flat --unit=seconds | grep -E '^@|leaf'
== out
@ cycles [5 samples]
 100.00      0.010  100.00      0.010  leaf  app
@ cycles [6 samples]
 100.00          6  100.00          6  leaf  app
@ ref-cycles [7 samples]
 100.00          7  100.00          7  leaf  app
@ cache-misses [8 samples]
 100.00          8  100.00          8  leaf  app
