A log at first sight: how long, who ran, the hottest functions and path, and what shows more.
== elf app
type exec
text 0x401000 0x2000
symbol leaf_a 0x401000 0x100
symbol leaf_b 0x401100 0x100
symbol caller 0x401200 0x100
symbol main 0x401300 0x100
symbol down 0x401400 0x100
symbol ns::it<int> 0x401500 0x100
== log out.log
pmc 0xfff02f00 cpu-clock rate=1000000 flags=0x80
proc 10 app
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
proc 11 other
proc 12 other
sample 10 0x401010,0x401210,0x401310 x6000
sample 10 0x401110,0x401310 x2000
sample 11 0x10 x50
sample 12 0x10 x50
time 9000000000
sample 10 0x401110,0x401310 x1900
== run a log that nothing else is asked of
pmcstat -q -R out.log
== out
@ cpu-clock [10000 samples]
on a CPU 10.00 s in 9.00 s; 3 processes: app 99%, other 1%

 SELF%  TOTAL%   SELF s  TOTAL s  FUNCTION  OBJECT
 60.00   60.00     6.00     6.00  leaf_a  app
 39.00   39.00     3.90     3.90  leaf_b  app
  1.00    1.00     0.10     0.10  [unknown]  [unknown]

hottest path, 60.00%:
  main > caller > leaf_a

more of it:
  pmcstat -R out.log --html=report.html  # a page to look around in
  pmcstat -R out.log --tree  # the call tree
  pmcstat -R out.log --annotate=leaf_a  # its lines

quality: 10000 samples of cpu-clock every 1000000; lost 0 (0.00%); throttled 0; unresolved 1.00%, of them unmapped 1.00%; truncated chains 0; whole chains 0 of 10000 (0.00%), elsewhere 10000; 100 end at [unknown]
inclusive numbers and callers are partial: 100.00% of the chains do not reach where their thread began; --unwind=dwarf finds callers without frame pointers
== run is what the output of that name says, of part of it too
pmcstat -q -R out.log --overview=all --comm other; sed -n 2p all
== out
on a CPU 0.10 s in 9.00 s, mostly waiting, maybe for a CPU; 2 processes: other
== run of part of the time as well
pmcstat -q -R out.log --time 8.5.. | sed -n 2p
== out
on a CPU 1.90 s in 0.50 s; 1 process: app
== log idle.log
pmc 0x00002f00 cpu-clock rate=1000000
proc 10 app
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 0 0xffffffff81000000 x1500
sample 10 0x401010 x500
time 2000000000
sample 10 0x401510 x1000
== run CPUs that had nothing to do
pmcstat -q -R idle.log
== out
@ cpu-clock [3000 samples]
on a CPU 1.50 s in 2.00 s, CPUs idle 1.50 s; 1 process: app 50%

 SELF%  TOTAL%   SELF s  TOTAL s  FUNCTION  OBJECT
 50.00   50.00     1.50     1.50  [unknown]  [unknown]
 33.33   33.33     1.00     1.00  ns::it<int>  app
 16.67   16.67     0.50     0.50  leaf_a  app

more of it:
  pmcstat -R idle.log --html=report.html  # a page to look around in
  pmcstat -R idle.log --tree  # the call tree

quality: 3000 samples of cpu-clock every 1000000; lost 0 (0.00%); throttled 0; unresolved 50.00%, of them unmapped 50.00%; truncated chains 0
== log asleep.log
pmc 0x00002f00 cpu-clock rate=1000000
pmc 0x00003f00 cpu-clock rate=1000000
pmc 0x00002f01 cpu-clock:u rate=1000000
proc 10 app
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 0 0xffffffff81000000 pmc=0x00002f00 x100
sample 10 0x401010 pmc=0x00003f00 x500
sample 10 0x401010 pmc=0x00002f01 x10
time 2000000000
sample 10 0x401510 pmc=0x00003f00 x1000
== run CPUs that sleep, of which a clock tells too late: what no sample stands for is said, but for one that is of a mode alone
pmcstat -q -R asleep.log | grep '^on a'
== out
on a CPU 1.50 s in 2.00 s, CPUs idle 0.10 s, no samples of 2.40 s of 2 CPUs; 1 process: app 94%
on a CPU 0.01 s in 2.00 s; 1 process: app
== run of part of the time, of one process, and of each one
for part in '--time 0..1' '--pid 10' '--by=pid'; do pmcstat -q -R asleep.log $part --overview | grep -m 1 '^on a'; done
== out
on a CPU 0.50 s in 1.00 s, CPUs idle 0.10 s, no samples of 1.40 s of 2 CPUs; 1 process: app 83%
on a CPU 1.50 s in 2.00 s; 1 process: app
on a CPU 1.50 s in 2.00 s; 1 process: app
== log wait.log
pmc 0xfff02f00 task-clock rate=1000000
pmc 0xfff02f01 cycles rate=100000
proc 10 app
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401410,0x401410,0x401410,0x401410,0x401410,0x401410,0x401410,0x401410,0x401410,0x401210,0x401310 x100
sample 10 0x401010 pmc=0xfff02f01
time 2000000000
sample 10 0x401010 x1
== run a program that mostly waits, an event that is no clock, and a path that is too long
pmcstat -q -R wait.log
== out
@ task-clock [101 samples]
on a CPU 0.10 s in 2.00 s, mostly waiting, maybe for a CPU; 1 process: app

 SELF%  TOTAL%   SELF s  TOTAL s  FUNCTION  OBJECT
100.00  100.00     0.10     0.10  leaf_a  app

hottest path, 99.01%:
  main > caller > down > (3 more) > down > down > down > down > down > leaf_a

@ cycles [1 samples]
in 2.00 s; 1 process: app

 SELF%  TOTAL%  FUNCTION  OBJECT
100.00  100.00  leaf_a  app

more of it:
  pmcstat -R wait.log --html=report.html  # a page to look around in
  pmcstat -R wait.log --tree  # the call tree
  pmcstat -R wait.log --annotate=leaf_a  # its lines

quality: 102 samples of task-clock every 1000000, cycles every 100000; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== log shallow.log
pmc 1 page-faults
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401310 x71
sample 10 0x401210,0x401310 x64
sample 10 0x401410,0x401210,0x401310 x32
sample 10 0x401110,0x401410,0x401210,0x401310 x16
sample 10 0x401510,0x401110,0x401410,0x401210,0x401310 x8
sample 10 0x401010,0x401510,0x401110,0x401410,0x401210,0x401310 x9
== run a path ends where it has less than a twentieth of all
pmcstat -q -R shallow.log | sed -n '/^hottest/,/^$/p'
== out
hottest path, 8.50%:
  main > caller > down > leaf_b > ns::it<int>

== run nothing sampled
pmcstat -q -R wait.log --pid 99
== out
@ task-clock [0 samples]
on a CPU 0.00 s in 2.00 s; no process was sampled

@ cycles [0 samples]
in 2.00 s; no process was sampled

quality: 102 samples of task-clock every 1000000, cycles every 100000; 0 selected; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== run from standard input there is nothing more to see of it
pmcstat -q -R - <idle.log | awk '/more of it/ { n++ } END { print n + 0 }'
== out
0
== log both.log
pmc 0xfff02f00 cpu-clock rate=1000000
proc 10 app
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401210 x3000
sample 10 0x401210 x1000
== run seconds of a function, its own and with what it called
pmcstat -q -R both.log | sed -n '4,6p'
== out
 SELF%  TOTAL%   SELF s  TOTAL s  FUNCTION  OBJECT
 75.00   75.00     3.00     3.00  leaf_a  app
 25.00  100.00     1.00     4.00  caller  app
== run 65 what has no record is no log, and has no report
echo 'no log at all' >text
pmcstat -R text --folded=folded; status=$?; ls folded 2>/dev/null; exit $status
== err
pmcstat: text: not a pmclog stream: its bytes 0 and 3 are 0x6e and 0x6c, neither is the magic 0xee
