Nothing vanishes: leaves and callers that are in no mapping stay as [unknown], addresses without a
symbol keep their number, lost samples and samples of unannounced PMCs are counted.
== elf app
type exec
text 0x401000 0x2000
symbol main 0x401000 0x100
== log out.log
pmc 1 cpu-clock depth=3
exec 10 app
map 10 0x401000 0x2000 app off=0x1000
sample 10 0x401010 x5
sample 10 0x401900,0x401010 x2
sample 10 0xdead0000,0x401010
sample 10 0x401010,0xdead0000,0xbeef0000
drop 7 cpu=1
drop 2 throttle
drop 3 records cpu=1
drop 1 starved pmc=1
drop 2 uncounted
sample 10 0x401010 pmc=9
close
== run what is not known is shown
pmcstat -R out.log --flat
== out
@ cpu-clock [9 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  66.67          6  100.00          9  main  app
  22.22          2   22.22          2  0x401900  app
  11.11          1   22.22          2  [unknown]  [unknown]

@ [unannounced] [1 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
 100.00          1  100.00          1  main  app

quality: 10 samples of cpu-clock, [unannounced]; lost 7 (41.18%); lost 3 other records: maps and names may be missing; 1 counters taken by others; 2 threads without a counter; throttled 2; unresolved 30.00%, of them unmapped 10.00%; truncated chains 1; 1 samples of unannounced PMCs
== run what was lost, by its cause
pmcstat --dump -R out.log | grep '^drop'
pmclog info out.log | sed -n '/^lost/,/^throttled/p'
== out
drop      7 1
drop      2 0 throttle
drop      3 1 records
drop      1 0 starved
drop      2 0 uncounted
lost       7 samples
           3 other records lost
           1 counters taken by others
           2 threads without a counter
throttled  2 times
== run an unmapped caller keeps its line
pmcstat -q -R out.log --folded
== out
cpu-clock;app;[unknown];[unknown];main 1
cpu-clock;app;main 5
cpu-clock;app;main;0x401900 2
cpu-clock;app;main;[unknown] 1
[unannounced];app;main 1
== log again.log
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010
pmc 1 page-faults
sample 10 0x401010 x2
== run a PMC that is announced again has the event that it has from then on
pmcstat -q -R again.log --folded
== out
cpu-clock;app;main 1
page-faults;app;main 2
