Two leaves, 60/40, reached through two callers: the call graph and the flat profile of FORMATS.
== elf app
type exec
text 0x401000 0x1000
symbol leaf_a 0x401000 0x100
symbol leaf_b 0x401100 0x100
symbol caller 0x401200 0x100
symbol main 0x401300 0x100
== log out.log
pmc 0xfff02f00 cpu-clock rate=1000000 flags=0x80
proc 10 app
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401210,0x401310 x6
sample 10 0x401110,0x401310 x4
close
== run the call graph goes from the leaf to main
pmcstat -R out.log -G -
== out
@ cpu-clock [10 samples]

60.00%  [6]        leaf_a @ app
 100.0%  [6]         caller
  100.0%  [6]          main

40.00%  [4]        leaf_b @ app
 100.0%  [4]         main

== err
pmcstat: quality: 10 samples of cpu-clock every 1000000; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0; whole chains 0 of 10 (0.00%), elsewhere 10
pmcstat: inclusive numbers and callers are partial: 100.00% of the chains do not reach where their thread began; --unwind=dwarf finds callers without frame pointers
== run the flat profile counts what was called
pmcstat -R out.log --flat
== out
@ cpu-clock [10 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  60.00          6   60.00          6  leaf_a  app
  40.00          4   40.00          4  leaf_b  app
   0.00          0  100.00         10  main  app
   0.00          0   60.00          6  caller  app

quality: 10 samples of cpu-clock every 1000000; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0; whole chains 0 of 10 (0.00%), elsewhere 10
inclusive numbers and callers are partial: 100.00% of the chains do not reach where their thread began; --unwind=dwarf finds callers without frame pointers
== run folded stacks begin with the command's name
pmcstat -q -R out.log --folded
== out
app;main;caller;leaf_a 6
app;main;leaf_b 4
== run -z cuts the call graph
pmcstat -q -R out.log -z 1 -G -
== out
@ cpu-clock [10 samples]

60.00%  [6]        leaf_a @ app
 100.0%  [6]         caller

40.00%  [4]        leaf_b @ app
 100.0%  [4]         main

== run the log as text
pmcstat --dump -R out.log | sed -n '1,9p'
== out
initlog   0x9030000 "GENERIC"
allocatedyn 0xfff02f00 "cpu-clock" 0x80
create    10 0 "app"
exec      0xfff02f00 10 0x0 "app"
map-in    10 0x401000 "app"
callchain 10 0xfff02f00 0 3 u
...       0x401010
...       0x401210
...       0x401310
== run 66 a log that is not there
pmcstat -R none.log -G -
== err
pmcstat: none.log: cannot open: No such file or directory
