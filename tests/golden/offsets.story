-I: leaves by instruction, callers as ever.
== elf app
type exec
text 0x401000 0x1000
symbol leaf 0x401000 0x100
symbol main 0x401300 0x100
== log out.log
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401310 x4
sample 10 0x401014,0x401310 x3
sample 10 0x401310,0x401320 x2
sample 10 0x401900
== run the call graph has a tree for each instruction
pmcstat -q -R out.log -I -G -
== out
@ cpu-clock [10 samples]

40.00%  [4]        leaf+0x10 @ app
 100.0%  [4]         main

30.00%  [3]        leaf+0x14 @ app
 100.0%  [3]         main

20.00%  [2]        main+0x10 @ app
 100.0%  [2]         main

10.00%  [1]        0x401900 @ app

== run the flat profile
pmcstat -q -R out.log --offsets --flat | head -n -1
== out
@ cpu-clock [10 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  40.00          4   40.00          4  leaf+0x10  app
  30.00          3   30.00          3  leaf+0x14  app
  20.00          2   20.00          2  main+0x10  app
  10.00          1   10.00          1  0x401900  app
   0.00          0   90.00          9  main  app

== run folded stacks
pmcstat -q -R out.log -I --folded
== out
app;0x401900 1
app;main;leaf+0x10 4
app;main;leaf+0x14 3
app;main;main+0x10 2
== run a tree
pmcstat -q -R out.log -I --tree | head -n -1
== out
@ cpu-clock [10 samples]
TOTAL%  SELF%   SAMPLES  FUNCTION @ OBJECT
 90.00   0.00         9  main @ app
 40.00  40.00         4   leaf+0x10
 30.00  30.00         3   leaf+0x14
 20.00  20.00         2   main+0x10
 10.00  10.00         1  0x401900

== run what calls an instruction's function
pmcstat -q -R out.log -I --callers 'leaf+*' | head -n -1
== out
@ cpu-clock [10 samples]

leaf+0x10 @ app: 4 samples (40.00%), 4 of them its own
TOTAL%   SAMPLES  CALLER @ OBJECT
100.00         4  leaf+0x10 @ app
100.00         4   main

leaf+0x14 @ app: 3 samples (30.00%), 3 of them its own
TOTAL%   SAMPLES  CALLER @ OBJECT
100.00         3  leaf+0x14 @ app
100.00         3   main

