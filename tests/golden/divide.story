A report for each process, thread, CPU, command or object; the sum of the parts is the whole.
== elf app
type exec
text 0x401000 0x1000
symbol main 0x401100 0x100
symbol leaf 0x401200 0x100
== elf lib.so
type dyn
text 0x1000 0x1000
symbol help 0x1100 0x100
== log out.log
pmc 1 cpu-clock rate=1000
pmc 2 page-faults
proc 10 first
map 10 0x401000 0x1000 app off=0x1000
map 10 0x7f0000001000 0x1000 lib.so off=0x1000
proc 20 second
map 20 0x401000 0x1000 app off=0x1000
sample 10/10 0x401210,0x401110 cpu=0 x1
sample 10/11 0x7f0000001110,0x401110 cpu=1 x2
sample 20/20 0x401210,0x401110 cpu=0 x4
sample 20/20 0x401110 cpu=0 pmc=2 x8
close
== run by event, which is how it is anyway
pmcstat -R out.log --by event --folded
== out
cpu-clock;first;main;help 2
cpu-clock;first;main;leaf 1
cpu-clock;second;main;leaf 4
page-faults;second;main 8
== err
pmcstat: quality: 15 samples of cpu-clock every 1000, page-faults; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== run by process, those with most samples first; the quality line still names each event once
pmcstat -R out.log --by pid --folded
== out
cpu-clock/pid=20,comm=second;second;main;leaf 4
cpu-clock/pid=10,comm=first;first;main;help 2
cpu-clock/pid=10,comm=first;first;main;leaf 1
page-faults/pid=20,comm=second;second;main 8
== err
pmcstat: quality: 15 samples of cpu-clock every 1000, page-faults; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== run by thread
pmcstat -q -R out.log --by tid --folded
== out
cpu-clock/tid=20,comm=second;second;main;leaf 4
cpu-clock/tid=11,comm=first;first;main;help 2
cpu-clock/tid=10,comm=first;first;main;leaf 1
page-faults/tid=20,comm=second;second;main 8
== run by CPU
pmcstat -q -R out.log --by cpu --folded
== out
cpu-clock/cpu=0;first;main;leaf 1
cpu-clock/cpu=0;second;main;leaf 4
cpu-clock/cpu=1;first;main;help 2
page-faults/cpu=0;second;main 8
== run by host: where the log was made; pmclog-merge.story has more than one
pmcstat -q -R out.log --by host --folded
== out
cpu-clock/host=fake;first;main;help 2
cpu-clock/host=fake;first;main;leaf 1
cpu-clock/host=fake;second;main;leaf 4
page-faults/host=fake;second;main 8
== run by command name, as a call graph
pmcstat -q -R out.log --by comm -G -
== out
@ cpu-clock/comm=second [4 samples]

100.0%  [4]        leaf @ app
 100.0%  [4]         main

@ cpu-clock/comm=first [3 samples]

66.67%  [2]        help @ lib.so
 100.0%  [2]         main @ app

33.33%  [1]        leaf @ app
 100.0%  [1]         main

@ page-faults/comm=second [8 samples]

100.0%  [8]        main @ app

== run by object of the leaf
pmcstat -q -R out.log --by object --folded
== out
cpu-clock/object=app;first;main;leaf 1
cpu-clock/object=app;second;main;leaf 4
cpu-clock/object=lib.so;first;main;help 2
page-faults/object=app;second;main 8
== run with a selection
pmcstat -q -R out.log --by tid --pid 10 --folded
== out
cpu-clock/tid=11,comm=first;first;main;help 2
cpu-clock/tid=10,comm=first;first;main;leaf 1
== log exec.log
pmc 1 cpu-clock
proc 10 sh
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401110 x1
exec 10 /bin/cc
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401110 x2
close
== run a process that became another program is two
pmcstat -q -R exec.log --by pid --folded
== out
cpu-clock/pid=10,comm=cc;cc;main 2
cpu-clock/pid=10,comm=sh;sh;main 1
== log threads.log
pmc 1 cpu-clock
proc 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10/10 0x401110 x1
thread 11 10 app
sample 10/11 0x401110 x2
thread 11 10 worker
thread 12 10 lost
sample 10/12 0x401110 x3
thread-exit 11
thread-exit 12
thread 11 10 second
sample 10/11 0x401110 x6
proc 20 other
map 20 0x401000 0x1000 app off=0x1000
thread 12 20 found
sample 20/12 0x401110 x4
sample 20/21 0x401110 x5
close
== run a thread has its last name, and none of another one that had its number later
pmcstat -q -R threads.log --by tid --folded
== out
cpu-clock/tid=11,comm=second;app;main 6
cpu-clock/tid=21,comm=other;other;main 5
cpu-clock/tid=12,comm=found;other;main 4
cpu-clock/tid=12,comm=lost;app;main 3
cpu-clock/tid=11,comm=worker;app;main 2
cpu-clock/tid=10,comm=app;app;main 1
== run so has it for viewers, of which each thread needs a number of its own
pmcstat -q -R threads.log --firefox - | sed -n '/"tid"/p'
== out
{"name":"app","isMainThread":true,"pid":"10","tid":10,
{"name":"worker","isMainThread":false,"pid":"10","tid":11,
{"name":"lost","isMainThread":false,"pid":"10","tid":12,
{"name":"second","isMainThread":false,"pid":"10","tid":"11 reused 1",
{"name":"found","isMainThread":false,"pid":"20","tid":12,
{"name":"other","isMainThread":false,"pid":"20","tid":21,
== log namespace.log
pmc 1 cpu-clock
proc 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401110 x1
sample 4294967295 0x1234 x2
close
== run what lives outside of the recorder's pid namespace has no number
pmcstat -q -R namespace.log --by pid --folded
pmcstat -q -R namespace.log --by tid --folded
== out
cpu-clock/pid=none,comm=no-pid;no-pid;[unknown] 2
cpu-clock/pid=10,comm=app;app;main 1
cpu-clock/pid=none,comm=no-pid;no-pid;[unknown] 2
cpu-clock/tid=10,comm=app;app;main 1
== run 64 an unknown key
pmcstat -R out.log --by colour --folded
== err
pmcstat: --by "colour" is not one of event, comm, pid, tid, cpu, object, host
== log empty.log
pmc 1 cpu-clock
close
== run without samples there is nothing to divide
pmcstat -q -R empty.log --by pid --flat
== out
@ cpu-clock [0 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT

quality: 0 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== log old.log
origin none
raw u32:0xee020014 u32:1500000000 u32:7 u32:0x03010000 u32:0x8b
raw u32:0xee050018 u32:1500000000 u32:8 u32:0x2f01 u32:0x20000 u32:0x80
raw u32:0xee100020 u32:1500000001 u32:250000008 u32:10 u32:0x2f01 u32:0x00030001 u64:0x401010
raw u32:0xee100020 u32:1500000001 u32:250000008 u32:10 u32:0x2f01 u32:0x00010001 u64:0x401010
raw u32:0xee100020 u32:1500000001 u32:250000008 u32:11 u32:0x2f01 u32:0x00030001 u64:0x401010
close
== run logs before version 6 say no threads: there are the processes
pmcstat -q -R old.log --by tid --folded
pmcstat -q -R old.log --firefox - | sed -n '/"tid"/p'
== out
event-0x20000/pid=10,comm=pid-10;pid-10;[unknown] 2
event-0x20000/pid=11,comm=pid-11;pid-11;[unknown] 1
{"name":"pid-10","isMainThread":true,"pid":"10","tid":10,
{"name":"pid-11","isMainThread":true,"pid":"11","tid":11,
