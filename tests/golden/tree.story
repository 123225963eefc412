Trees: from the roots down, and around a function that calls itself.
== elf app
type exec
text 0x401000 0x1000
symbol leaf_a 0x401000 0x100
symbol leaf_b 0x401100 0x100
symbol again 0x401200 0x100
symbol main 0x401300 0x100
symbol rare_a 0x401400 0x100
symbol rare_b 0x401500 0x100
symbol foo::bar(int) 0x401600 0x100
== elf lib.so
text 0x1000 0x1000
symbol helper 0x1000 0x100
== log out.log
pmc 0xfff02f00 cpu-clock rate=1000000 flags=0x80
pmc 0xfff02f01 page-faults rate=100 flags=0x80
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
map 10 0x7f0000001000 0x1000 lib.so off=0x1000
sample 10 0x401010,0x401210,0x401220,0x401310 x600
sample 10 0x401110,0x401210,0x401310 x300
sample 10 0x7f0000001010,0x401320 x80
sample 10 0x401330 x11
sample 10 0x401410,0x401330 x4
sample 10 0x401510,0x401330 x3
sample 10 0x401010 x2
sample 10 0x401610,0x401330 pmc=0xfff02f01 x5
close
== run the tree adds up: what is below 0.5 % is one line
pmcstat -R out.log --tree
== out
@ cpu-clock [1000 samples]
TOTAL%  SELF%   SAMPLES  FUNCTION @ OBJECT
 99.80   1.10       998  main @ app
 90.00   0.00       900   again
 60.00   0.00       600    again
 60.00  60.00       600     leaf_a
 30.00  30.00       300    leaf_b
  8.00   8.00        80   helper @ lib.so
  0.70                7   ... 2 more
  0.20                2  ... 1 more

@ page-faults [5 samples]
TOTAL%  SELF%   SAMPLES  FUNCTION @ OBJECT
100.00   0.00         5  main @ app
100.00 100.00         5   foo::bar(int)

quality: 1005 samples of cpu-clock every 1000000, page-faults every 100; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0; whole chains 0 of 1005 (0.00%), elsewhere 1005
inclusive numbers and callers are partial: 100.00% of the chains do not reach where their thread began; --unwind=dwarf finds callers without frame pointers
== run -f threshold and skiplink, -z
pmcstat -q -R out.log -f threshold=1,skiplink=1 -z 1 --tree | head -n 7
== out
@ cpu-clock [1000 samples]
TOTAL%  SELF%   SAMPLES  FUNCTION @ OBJECT
 99.80   1.10       998  main @ app
 90.00   0.00       900   again
  8.00   8.00        80   helper @ lib.so
  0.70                7   .. 2 more
  0.20                2  . 1 more
== run callers of the innermost call, with the end of chains
pmcstat -q -R out.log --callers leaf_a
== out
@ cpu-clock [1000 samples]

leaf_a @ app: 602 samples (60.20%), 602 of them its own
TOTAL%   SAMPLES  CALLER @ OBJECT
100.00       602  leaf_a @ app
 99.67       600   again
 99.67       600    again
 99.67       600     main
  0.33         2   [end]

quality: 1005 samples of cpu-clock every 1000000, page-faults every 100; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0; whole chains 0 of 1005 (0.00%), elsewhere 1005
inclusive numbers and callers are partial: 100.00% of the chains do not reach where their thread began; --unwind=dwarf finds callers without frame pointers
== run a recursive function counts once: its callers
pmcstat -q -R out.log --callers again
== out
@ cpu-clock [1000 samples]

again @ app: 900 samples (90.00%), 0 of them its own
TOTAL%   SAMPLES  CALLER @ OBJECT
100.00       900  again @ app
 66.67       600   again
 66.67       600    main
 33.33       300   main

quality: 1005 samples of cpu-clock every 1000000, page-faults every 100; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0; whole chains 0 of 1005 (0.00%), elsewhere 1005
inclusive numbers and callers are partial: 100.00% of the chains do not reach where their thread began; --unwind=dwarf finds callers without frame pointers
== run a recursive function counts once: what it calls
pmcstat -q -R out.log --callees again
== out
@ cpu-clock [1000 samples]

again @ app: 900 samples (90.00%), 0 of them its own
TOTAL%  SELF%   SAMPLES  FUNCTION @ OBJECT
100.00   0.00       900  again @ app
 66.67   0.00       600   again
 66.67  66.67       600    leaf_a
 33.33  33.33       300   leaf_b

quality: 1005 samples of cpu-clock every 1000000, page-faults every 100; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0; whole chains 0 of 1005 (0.00%), elsewhere 1005
inclusive numbers and callers are partial: 100.00% of the chains do not reach where their thread began; --unwind=dwarf finds callers without frame pointers
== run a pattern, hottest first; what is below the threshold is told
pmcstat -q -R out.log --callees '[lr]*_*' -f threshold=35
== out
@ cpu-clock [1000 samples]

leaf_a @ app: 602 samples (60.20%), 602 of them its own
TOTAL%  SELF%   SAMPLES  FUNCTION @ OBJECT
100.00 100.00       602  leaf_a @ app

... 3 more functions match, each below 35 %

quality: 1005 samples of cpu-clock every 1000000, page-faults every 100; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0; whole chains 0 of 1005 (0.00%), elsewhere 1005
inclusive numbers and callers are partial: 100.00% of the chains do not reach where their thread began; --unwind=dwarf finds callers without frame pointers
== run of a name with brackets, in the event that has it
pmcstat -q -R out.log --callers 'foo::bar(int)'
== out
@ page-faults [5 samples]

foo::bar(int) @ app: 5 samples (100.00%), 5 of them its own
TOTAL%   SAMPLES  CALLER @ OBJECT
100.00         5  foo::bar(int) @ app
100.00         5   main

quality: 1005 samples of cpu-clock every 1000000, page-faults every 100; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0; whole chains 0 of 1005 (0.00%), elsewhere 1005
inclusive numbers and callers are partial: 100.00% of the chains do not reach where their thread began; --unwind=dwarf finds callers without frame pointers
== run 65 no such function
pmcstat -q -R out.log --callers foo::baz
== err
pmcstat: no function in the samples is called "foo::baz"
pmcstat: hint: names like it: foo::bar(int)
== run 65 no such function, nor one like it
pmcstat -q -R out.log --callees nothing_of_that_kind
== err
pmcstat: no function in the samples is called "nothing_of_that_kind"
pmcstat: hint: --flat lists the functions; * and ? in a name match
