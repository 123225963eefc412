A summary: metrics of a command, of one run or of as many as its events take, and what is missing.
== file few
pmc 1 task-clock
pmc 2 page-faults
pmc 3 context-switches
pmc 4 instructions
pmc 5 cycles
pmc 6 branches
pmc 7 branch-misses
absent major-faults
absent cycles:k
absent stalled-cycles-frontend
absent stalled-cycles-backend
absent L1-dcache-loads
absent L1-dcache-load-misses
absent L1-icache-load-misses
absent cache-references
absent cache-misses
absent dTLB-load-misses
absent iTLB-load-misses
absent node-loads
absent node-load-misses
count 2000000000 pmc=1
count 1000 pmc=2
count 10 pmc=3
count 8000000000 pmc=4
count 4000000000 pmc=5
count 1000000000 pmc=6
count 10000000 pmc=7
tick
count 2000000000 pmc=1
count 1002 pmc=2
count 12 pmc=3
count 8000000000 pmc=4
count 2000000000 pmc=5
count 1000000000 pmc=6
count 30000000 pmc=7
tick
== run one run; the time on the wall is nobody's to know
pmcstat --collector=fake:few --summary -o - true | sed 's/^\(elapsed time\|CPUs used\)  *[0-9.]*/\1 T/'
== out
# 1 run of true
METRIC                                     VALUE  UNIT   FORMULA
elapsed time T  s      the clock on the wall
CPU time                                   2.000  s      task-clock
CPUs used T         task-clock / elapsed
page faults                                 1000         page-faults
page faults a CPU second                   500.0  /s     page-faults / task-clock
context switches                              10         context-switches
context switches a CPU second                5.0  /s     context-switches / task-clock
migrations to other CPUs                       0         cpu-migrations
instructions                          8000000000         instructions
cycles                                4000000000         cycles
instructions a cycle (IPC)                 2.000         instructions / cycles
cycles an instruction (CPI)                0.500         cycles / instructions
clock rate                                 2.000  GHz    cycles / task-clock
branches                                 125.000  /1000  1000 x branches / instructions
branch mispredict rate                      1.00  %      100 x branch-misses / branches
branch mispredicts                         1.250  /1000  1000 x branch-misses / instructions

Missing, for want of the event:
major page faults               major-faults
cycles in the kernel            cycles:k
cycles stalled for code         stalled-cycles-frontend
cycles stalled for data         stalled-cycles-backend
data loads an instruction       L1-dcache-loads
L1 data cache miss rate         L1-dcache-load-misses
L1 data cache misses            L1-dcache-load-misses
L1 instruction cache misses     L1-icache-load-misses
cache references                cache-references
cache miss rate                 cache-misses
cache misses                    cache-misses
data TLB misses                 dTLB-load-misses
instruction TLB misses          iTLB-load-misses
loads from other nodes' memory  node-load-misses
the script has no counter for major-faults; pmcstat --doctor tells more
== run the mean of two runs, and the standard deviation of a sample
pmcstat --collector=fake:few --summary --runs 2 -q -o - true | grep -E '^#|METRIC|^page faults  |IPC|mispredict rate|^branches'
== out
# 2 runs of true
METRIC                                      MEAN      DEVIATION  UNIT   FORMULA
page faults                                 1001            1.4         page-faults
instructions a cycle (IPC)                 3.000          1.414         instructions / cycles
branches                                 125.000          0.000  /1000  1000 x branches / instructions
branch mispredict rate                      2.00           1.41  %      100 x branch-misses / branches
== run what it will do is said before it does it more than once
pmcstat --collector=fake:few --summary --runs 2 -o all sh -c 'echo ran >&2'
pmcstat --collector=fake:few --summary --runs 2 -q -o all true
pmcstat --collector=fake:few --summary -o all true
== err
pmcstat: sh will run at least 2 times
ran
ran
== file input
one line
the rest
== run each run reads the same file, from where it was
(read -r line; pmcstat --collector=fake:few --summary --runs 2 -o all -q sh -c 'cat >>seen') <input; cat seen
== out
the rest
the rest
== run 64 a pipe can be read once
echo text | pmcstat --collector=fake:few --summary --runs 2 -o - cat
== err
pmcstat: standard input is a pipe, and only the first of 2 runs of cat could read it
pmcstat: hint: give it a file: < FILE, or < /dev/null
== run one run reads it
echo text | pmcstat --collector=fake:few --summary -o all cat
== out
text
== run the same for programs
pmcstat --collector=fake:few --summary --runs 2 -q --count-json -o - true | grep -E 'IPC|major|page faults"'
== out
{"metric":"page faults","unit":"","formula":"page-faults","runs":2,"mean":1001,"deviation":1.41421356,"share":1.0000}
{"metric":"major page faults","unit":"","formula":"major-faults","runs":0,"missing":"major-faults"}
{"metric":"instructions a cycle (IPC)","unit":"","formula":"instructions / cycles","runs":2,"mean":3,"deviation":1.41421356,"share":1.0000}
== file sets
counters 4
== run one run, however many sets of events there are; what always had a counter is not marked
pmcstat --collector=fake:sets --summary -o all sh -c 'echo run >>together'; sed -n 1p all; grep -c . together; grep @ all | grep -c .; true
== out
# 1 run of sh -c 'echo run >>together'
1
0
== run --runs has a run for each set
pmcstat --collector=fake:sets --summary --runs 1 -o all sh -c 'echo run >>sets-run'; sed -n '1p;2p' all; grep -c . sets-run
== out
# 6 runs of sh -c 'echo run >>sets-run'
METRIC                                     VALUE  UNIT   FORMULA
6
== err
pmcstat: sh will run at least 6 times: 1 for each of 6 sets of events
== file shared
pmc 1 task-clock
pmc 4 instructions
pmc 5 cycles
pmc 6 branches
pmc 7 branch-misses
pmc 8 L1-dcache-loads
pmc 9 L1-dcache-load-misses
pmc 10 cache-references
pmc 11 dTLB-load-misses
absent cycles:k
absent stalled-cycles-frontend
absent stalled-cycles-backend
absent L1-icache-load-misses
absent cache-misses
absent iTLB-load-misses
absent node-loads
absent node-load-misses
count 1000 pmc=1 enabled=1000 running=1000
# Three groups of four, four and two events took turns, and the last one's never came.
count 800 pmc=4 group=1 enabled=1000 running=250
count 400 pmc=5 group=1 enabled=1000 running=250
count 80 pmc=6 group=1 enabled=1000 running=250
count 20 pmc=7 group=1 enabled=1000 running=250
count 4000 pmc=4 group=2 enabled=1000 running=771
count 1000 pmc=8 group=2 enabled=1000 running=771
count 100 pmc=9 group=2 enabled=1000 running=771
count 8 pmc=10 group=2 enabled=1000 running=771
count 0 pmc=4 group=3 enabled=1000 running=0
count 0 pmc=11 group=3 enabled=1000 running=0
tick
== run groups that took turns are marked with their shares; what is no ratio of one group is scaled
pmcstat --collector=fake:shared --summary -o all true; sed -n '/^CPU time/p;/^instructions/,/^$/{/./p}' all
== out
CPU time                                   0.000  s      task-clock
instructions                               ~3200         instructions  @25.0%
cycles                                     ~1600         cycles  @25.0%
instructions a cycle (IPC)                 2.000         instructions / cycles  @25.0%
cycles an instruction (CPI)                0.500         cycles / instructions  @25.0%
clock rate                                ~1.600  GHz    cycles / task-clock  @25.0%
branches                                 100.000  /1000  1000 x branches / instructions  @25.0%
branch mispredict rate                     25.00  %      100 x branch-misses / branches  @25.0%
branch mispredicts                        25.000  /1000  1000 x branch-misses / instructions  @25.0%
data loads an instruction                  0.250         L1-dcache-loads / instructions  @77.1%
L1 data cache miss rate                    10.00  %      100 x L1-dcache-load-misses / L1-dcache-loads  @77.1%
L1 data cache misses                      25.000  /1000  1000 x L1-dcache-load-misses / instructions  @77.1%
cache references                           2.000  /1000  1000 x cache-references / instructions  @77.1%
data TLB misses                                -  /1000  1000 x dTLB-load-misses / instructions  @0.0%, never had a counter
== err
pmcstat: events shared counters: @ is the part of the time that a metric was counted for, ~ scaled to all of it
pmcstat: hint: --runs 1 counts fewer events at a time, in several runs of true
== run the same for programs
pmcstat -q --collector=fake:shared --summary --count-json -o - true | grep -E '"(cycles|clock rate|data TLB misses|branches|CPU time)"'
== out
{"metric":"CPU time","unit":"s","formula":"task-clock","runs":1,"mean":1e-06,"deviation":null,"share":1.0000}
{"metric":"cycles","unit":"","formula":"cycles","runs":1,"mean":1600,"deviation":null,"share":0.2500,"scaled":true}
{"metric":"clock rate","unit":"GHz","formula":"cycles / task-clock","runs":1,"mean":1.6,"deviation":null,"share":0.2500,"scaled":true}
{"metric":"branches","unit":"/1000","formula":"1000 x branches / instructions","runs":1,"mean":100,"deviation":null,"share":0.2500}
{"metric":"data TLB misses","unit":"/1000","formula":"1000 x dTLB-load-misses / instructions","runs":1,"mean":null,"deviation":null,"share":0.0000}
== file unshared
counters 4 unshared
pmc 4 instructions
pmc 5 cycles
absent cycles:k
absent stalled-cycles-frontend
absent stalled-cycles-backend
count 10 pmc=4
count 20 pmc=5
tick
== run where counters are not shared, one run has those of the first sets, and says what it has not
pmcstat -q --collector=fake:unshared --summary -o - sh -c 'echo run >>first' | grep -E '^#|IPC|^data|^cache miss'; grep -c . first
== out
# 1 run of sh -c 'echo run >>first'
instructions a cycle (IPC)                 0.500         instructions / cycles
data loads an instruction                      -         L1-dcache-loads / instructions  @0.0%, never had a counter
cache miss rate                                -  %      100 x cache-misses / cache-references  @0.0%, never had a counter
cache misses                                   -  /1000  1000 x cache-misses / instructions  @0.0%, never had a counter
data TLB misses                                -  /1000  1000 x dTLB-load-misses / instructions  @0.0%, never had a counter
1
== err
pmcstat: not all is counted: L1-dcache-loads: the script's machine has 4 counters, for no more PMCs at once
pmcstat: hint: --runs 1 counts the rest in runs of their own
== file turns
pmc 4 instructions
pmc 5 cycles
pmc 6 branches
pmc 7 branch-misses
absent cycles:k
absent stalled-cycles-frontend
absent stalled-cycles-backend
absent L1-dcache-loads
absent L1-dcache-load-misses
absent L1-icache-load-misses
absent cache-references
absent cache-misses
absent dTLB-load-misses
absent iTLB-load-misses
absent node-loads
absent node-load-misses
# Four at a time have to take turns,
count 1 pmc=4 enabled=1000 running=500
count 1 pmc=5 enabled=1000 running=500
count 1 pmc=6 enabled=1000 running=500
count 1 pmc=7 enabled=1000 running=500
tick
# two do not,
count 600 pmc=4 enabled=1000 running=1000
count 300 pmc=5 enabled=1000 running=1000
tick
count 1000 pmc=4 enabled=1000 running=1000
count 200 pmc=6 enabled=1000 running=1000
tick
count 400 pmc=6 enabled=1000 running=1000
count 4 pmc=7 enabled=1000 running=1000
tick
# and of this pair even one goes without.
count 1000 pmc=4 enabled=1000 running=1000
count 5 pmc=7 enabled=1000 running=999
tick
count 500 pmc=4 enabled=1000 running=1000
count 7 pmc=7 enabled=1000 running=250
tick
== run events that had to take turns are counted again, fewer at a time; what still had to is marked
pmcstat --collector=fake:turns --summary --runs 1 -q -o - sh -c 'echo run >>runs' | grep -E '^#|IPC|^branch'; grep -c . runs
== out
# 6 runs of sh -c 'echo run >>runs'
instructions a cycle (IPC)                 2.000         instructions / cycles
branches                                 200.000  /1000  1000 x branches / instructions
branch mispredict rate                      1.00  %      100 x branch-misses / branches
branch mispredicts                        14.000  /1000  1000 x branch-misses / instructions  @25.0%
6
== run without --runs they are not: what had to take turns is marked
echo text | pmcstat -q --collector=fake:turns --summary -o - sh -c 'cat >piped; echo run >>once' | grep -E '^#|IPC'; grep -c . once
== out
# 1 run of sh -c 'cat >piped; echo run >>once'
instructions a cycle (IPC)                 1.000         instructions / cycles  @50.0%
1
== file pair
counters 2
pmc 4 instructions
pmc 5 cycles
pmc 6 branches
pmc 7 branch-misses
absent cycles:k
absent stalled-cycles-frontend
absent stalled-cycles-backend
absent L1-dcache-loads
absent L1-dcache-load-misses
absent L1-icache-load-misses
absent cache-references
absent cache-misses
absent dTLB-load-misses
absent iTLB-load-misses
absent node-loads
absent node-load-misses
count 600 pmc=4 enabled=1000 running=1000
count 300 pmc=5 enabled=1000 running=1000
tick
count 1000 pmc=4 enabled=1000 running=1000
count 200 pmc=6 enabled=1000 running=1000
tick
count 400 pmc=6 enabled=1000 running=1000
count 4 pmc=7 enabled=1000 running=1000
tick
count 1000 pmc=4 enabled=1000 running=1000
count 5 pmc=7 enabled=1000 running=1000
tick
== file pairs
counters 2
pmc 4 instructions
pmc 5 cycles
pmc 6 branches
pmc 7 branch-misses
absent cycles:k
absent stalled-cycles-frontend
absent stalled-cycles-backend
absent L1-dcache-loads
absent L1-dcache-load-misses
absent L1-icache-load-misses
absent cache-references
absent cache-misses
absent dTLB-load-misses
absent iTLB-load-misses
absent node-loads
absent node-load-misses
count 600 pmc=4 enabled=1000 running=1000 group=1
count 300 pmc=5 enabled=1000 running=1000 group=1
count 1000 pmc=4 enabled=1000 running=1000 group=2
count 200 pmc=6 enabled=1000 running=1000 group=2
count 400 pmc=6 enabled=1000 running=1000 group=3
count 4 pmc=7 enabled=1000 running=1000 group=3
count 1000 pmc=4 enabled=1000 running=1000 group=4
count 5 pmc=7 enabled=1000 running=1000 group=4
tick
== run a group has as many events as there are counters free; nothing is run for what does not fit
pmcstat --collector=fake:pair --summary --runs 1 -q -o - sh -c 'echo run >>paired' | grep -E '^#|IPC|^branch'; grep -c . paired
== out
# 4 runs of sh -c 'echo run >>paired'
instructions a cycle (IPC)                 2.000         instructions / cycles
branches                                 200.000  /1000  1000 x branches / instructions
branch mispredict rate                      1.00  %      100 x branch-misses / branches
branch mispredicts                         5.000  /1000  1000 x branch-misses / instructions
4
== run in one run there are as many groups
pmcstat --collector=fake:pairs --summary -o - sh -c 'echo run >>pairs-run' | grep -E '^#|IPC|^branch'; grep -c . pairs-run
== out
# 1 run of sh -c 'echo run >>pairs-run'
instructions a cycle (IPC)                 2.000         instructions / cycles
branches                                 200.000  /1000  1000 x branches / instructions
branch mispredict rate                      1.00  %      100 x branch-misses / branches
branch mispredicts                         5.000  /1000  1000 x branch-misses / instructions
1
== file one
counters 1
pmc 4 instructions
pmc 5 cycles
absent branches
absent branch-misses
absent cycles:k
absent stalled-cycles-frontend
absent stalled-cycles-backend
absent L1-dcache-loads
absent L1-dcache-load-misses
absent L1-icache-load-misses
absent cache-references
absent cache-misses
absent dTLB-load-misses
absent iTLB-load-misses
absent node-loads
absent node-load-misses
count 10 pmc=4 enabled=1000 running=1000
tick
count 20 pmc=5 enabled=1000 running=1000
tick
count 600 pmc=4 enabled=1000 running=500
count 300 pmc=5 enabled=1000 running=400
tick
count 1 pmc=4 enabled=1000 running=500
count 3 pmc=5 enabled=1000 running=500
tick
count 7 pmc=5 enabled=1000 running=1000
tick
== run where two have one counter between them, the ratio is of different times, is scaled, and says so
pmcstat --collector=fake:one --summary --runs 1 -q -o - true | grep -E '^#|IPC|CPI|^cycles  |^instructions  |^clock'
== out
# 5 runs of true
instructions                                  10         instructions
cycles                                        20         cycles
instructions a cycle (IPC)                ~1.600         instructions / cycles  @40.0%, not in one group
cycles an instruction (CPI)               ~3.000         cycles / instructions  @50.0%, not in one group
clock rate                                     -  GHz    cycles / task-clock
== run the same for programs
pmcstat --collector=fake:one --summary --runs 1 -q --count-json -o - true | grep -E 'IPC|clock rate'
== out
{"metric":"instructions a cycle (IPC)","unit":"","formula":"instructions / cycles","runs":1,"mean":1.6,"deviation":null,"share":0.4000,"scaled":true,"apart":true}
{"metric":"clock rate","unit":"GHz","formula":"cycles / task-clock","runs":1,"mean":null,"deviation":null,"share":1.0000}
== run 3 the status of a command that fails
pmcstat --collector=fake:few --summary -o /dev/null sh -c 'exit 3'
== run 143 nothing more is run after one that was killed
pmcstat --collector=fake:few --summary --runs 5 -q -o - sh -c 'echo run >>killed; kill -TERM $$' | head -n 1; grep -c . killed; pmcstat --collector=fake:few --summary -o /dev/null sh -c 'kill -TERM $$'
== out
# 1 run of sh -c 'echo run >>killed; kill -TERM $$'
1
== run 127 no such command
pmcstat --collector=fake:few --summary /no/such/command
== err
pmcstat: /no/such/command: No such file or directory
== run 64 a summary of nothing
pmcstat --summary
== err
pmcstat: option --summary needs a command
pmcstat: hint: pmcstat --help lists the options
== run 64 a summary beside another recording
pmcstat --summary -p page-faults true
== err
pmcstat: option --summary goes with --runs, --count-json, -o and a command alone
pmcstat: hint: pmcstat --help lists the options
== run 64 runs of no summary
pmcstat --runs 3 -p page-faults true
== err
pmcstat: option --runs needs --summary
pmcstat: hint: pmcstat --help lists the options
