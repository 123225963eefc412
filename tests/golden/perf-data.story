What perf record has recorded becomes a log that says the same.
== file out.perf
host box
release 6.1.0
arch x86_64
cpuid GenuineIntel,6,85,4
command perf record -g app
event cycles type=0 period=1000 sample=ip,tid,time,cpu,period,callchain,id ids=1,2 depth=127
event cpu-clock hz=99 sample=ip,tid,time,cpu,period,callchain,id ids=3 user
build-id /bin/app 00112233445566778899aabbccddeeff00112233
build-id [kernel.kallsyms] aa112233445566778899aabbccddeeff00112233
place 1:0:10 2:1:10 3:0:10
mmap kernel 0xffffffff81000000 0x1000000 [kernel.kallsyms]_text off=0xffffffff81000000
mmap kernel 0xffffffffc0000000 0x4000 /lib/modules/6.1.0/kernel/fs/ext-four.ko.xz
comm 1 init
fork 1 10 misc=0x2000
comm 10 perf-exec
comm 10 app exec time=1000 id=1
mmap2 10 0x401000 0x1000 /bin/app off=0x1000 inode=77 time=1010 id=1
mmap2 10 0x7f0000001000 0x1000 /lib/libc.so off=0x1000 build-id=ff00 time=1020 id=1
sample 10 u 0x401110 chain=u,0x401110,0x401210 period=1000 cpu=1 time=2000 id=2
sample 10 k 0xffffffff81000010 chain=k,0xffffffff81000010,0xffffffff81000020,u,0x401110 period=1000 time=1900 id=1
sample 10 u 0x7f0000001100 chain=u,0x7f0000001100 period=10 time=3000 id=3
sample 10 u 0x7f0000001100 chain=u,0x7f0000001100 period=30 time=3001 id=3
round
fork 10 11 time=3100 id=1
fork 10 10/12 time=3110 id=1
comm 10/12 worker time=3120 id=1
mmap 11 0x501000 0x1000 /bin/old time=3130 id=1
sample 10/12 K 0xffffffff81000010 chain=g,0xffffffff81000010 period=1000 time=3140 id=1
lost 5 time=3150 id=1 cpu=1
lost-samples 7 id=1
lost-samples 3 time=3160 id=2
throttle 2 time=3170 id=2
unthrottle 2 time=3180 id=2
record 18 1 2 3
round
exit 11 time=3300 id=1
exit 10 time=3400 id=1
== run every record has its fields, in order of time
mkperf out.data <out.perf && pmclog convert out.data >out.log
pmclog dump --json out.log | sed 's/^{"type"://'
== out
"initialize","tsc":1000,"version":"0x9030000","arch":"0x400","cpuid":"GenuineIntel-6-55-4","tsc_freq":1000000000,"sec":0,"nsec":0,"host":"box","release":"6.1.0","machine":"x86_64","command":"perf record -g app","collector":"perf"}
"pmcallocatedyn","tsc":1000,"pmcid":"0xfff02f00","event":"0x40000","flags":"0x182","evname":"cycles","spec":"cycles","rate":1000,"max_depth":127}
"pmcallocatedyn","tsc":1000,"pmcid":"0xfff02f01","event":"0x40001","flags":"0x182","evname":"cpu-clock","spec":"cpu-clock","frequency":99}
"map_in","tsc":1000,"pid":-1,"start":"0xffffffff81000000","pathname":"[kernel]","length":16777216,"file_offset":0,"build_id":"aa112233445566778899aabbccddeeff00112233"}
"map_in","tsc":1000,"pid":-1,"start":"0xffffffffc0000000","pathname":"[ext_four]","length":16384,"file_offset":0}
"proc_create","tsc":1000,"pid":1,"flags":"0x0","pcomm":"init"}
"proc_create","tsc":1000,"pid":10,"flags":"0x0","pcomm":"perf-exec"}
"procexec","tsc":1010,"pmcid":"0xffffffff","pid":10,"start":"0x0","pathname":"/bin/app"}
"proc_create","tsc":1010,"pid":10,"flags":"0x0","pcomm":"app"}
"map_in","tsc":1010,"pid":10,"start":"0x401000","pathname":"/bin/app","length":4096,"file_offset":4096,"build_id":"00112233445566778899aabbccddeeff00112233"}
"map_in","tsc":1020,"pid":10,"start":"0x7f0000001000","pathname":"/lib/libc.so","length":4096,"file_offset":4096,"build_id":"ff00"}
"callchain","tsc":1900,"pmcid":"0xfff02f00","pid":10,"tid":10,"cpu":0,"mode":"system","pc":["0xffffffff81000010","0xffffffff81000020","0x401110"]}
"callchain","tsc":2000,"pmcid":"0xfff02f00","pid":10,"tid":10,"cpu":1,"mode":"user","pc":["0x401110","0x401210"]}
"callchain","tsc":3000,"pmcid":"0xfff02f01","pid":10,"tid":10,"cpu":0,"mode":"user","pc":["0x7f0000001100"]}
"callchain","tsc":3001,"pmcid":"0xfff02f01","pid":10,"tid":10,"cpu":0,"mode":"user","pc":["0x7f0000001100"]}
"procfork","tsc":3100,"oldpid":10,"newpid":11}
"thr_create","tsc":3110,"tid":12,"pid":10,"flags":"0x0","tdname":"app"}
"thr_create","tsc":3120,"tid":12,"pid":10,"flags":"0x0","tdname":"worker"}
"map_in","tsc":3130,"pid":11,"start":"0x501000","pathname":"/bin/old","length":4096,"file_offset":0}
"callchain","tsc":3140,"pmcid":"0xfff02f00","pid":10,"tid":12,"cpu":0,"mode":"system","pc":["0xffffffff81000010"]}
"dropnotify","tsc":3150,"count":5,"cpu":1,"cause":0}
"dropnotify","tsc":3160,"count":3,"cpu":0,"cause":0,"pmcid":"0xfff02f00"}
"dropnotify","tsc":3170,"count":1,"cpu":0,"cause":1,"pmcid":"0xfff02f00"}
"thr_exit","tsc":3300,"tid":11}
"sysexit","tsc":3300,"pid":11}
"thr_exit","tsc":3400,"tid":10}
"dropnotify","tsc":3400,"count":2,"cpu":0,"cause":0}
"closelog","tsc":3400}
== err
pmclog: out.data: records that are left out: 1 UNTHROTTLE, 1 FORK of processes that were there before, 1 BPF_EVENT
pmclog: out.data: cpu-clock: its 2 samples stand for 10 to 30 events each; the log counts samples, perf report events
pmclog: out.data: 1 samples were taken in guests: the log cannot say so, and their addresses look like the host's
pmclog: out.data: left out: the frames of guests in 1 samples
pmclog: out.data: perf lost 10 records: the log says so
== run what comes through a pipe is the same
{ echo pipe && cat out.perf; } | mkperf piped.data
pmclog convert <piped.data 2>/dev/null | cmp - out.log
cat piped.data | pmclog convert - 2>/dev/null | cmp - out.log
== run so is what was recorded without rounds, which is sorted as a whole
grep -v round out.perf | mkperf other.data && pmclog convert other.data 2>/dev/null | cmp - out.log
== run every sample is in the reports
pmcstat -q -R out.log --folded
== out
cycles;app;0x1110;0xffffffff81000020;0xffffffff81000010 1
cycles;app;0x1210;0x1110 1
cycles;app;0xffffffff81000010 1
cpu-clock;app;0x1100 2
== file system.perf
# Of the whole system: a PMC for each CPU, and the CPU of a sample from its id.
event cpu-clock hz=99 sample=identifier,ip,tid,time,stream_id,period ids=1,2
event page-faults config=2 period=1 sample=identifier,ip,tid,time,addr,raw,branch_stack,weight,read,callchain ids=3,4 format=15 user
clock 1700000000123456789 500
place 1:0:-1 2:1:-1 3:0:-1 4:1:-1
comm 5/6 worker
sample 5/6 u 0x1000 time=1000 id=2 period=1
sample 0 k 0xffffffff81000000 time=1001 id=1 period=1
sample 5/6 u 0x1010 time=1002 id=4 read=2,9,9,1,3,2,4 chain=u,0x1010,0x2020 raw=0x400000004,0 branches=1,0x1,0x2,0
throttle 1 time=1003 id=1
unthrottle 1 time=2003 id=1
exit 5/6 time=3000 id=1
== run of the whole system
mkperf system.data <system.perf && pmclog convert system.data >system.log
pmclog dump --json system.log | sed 's/^{"type"://'
== out
"initialize","tsc":1000,"version":"0x9030000","arch":"0x400","cpuid":"","tsc_freq":1000000000,"sec":1700000000,"nsec":123457289,"collector":"perf"}
"proc_create","tsc":1000,"pid":0,"flags":"0x0","pcomm":"swapper"}
"thr_create","tsc":1000,"tid":6,"pid":5,"flags":"0x0","tdname":"worker"}
"map_in","tsc":1000,"pid":-1,"start":"0x8000000000000000","pathname":"[kernel]","length":9223372036854771712,"file_offset":0}
"pmcallocatedyn","tsc":1000,"pmcid":"0x100f00","event":"0x40000","flags":"0x0","evname":"cpu-clock","spec":"cpu-clock","frequency":99}
"callchain","tsc":1000,"pmcid":"0x100f00","pid":5,"tid":6,"cpu":1,"mode":"user","pc":["0x1000"]}
"pmcallocatedyn","tsc":1001,"pmcid":"0xf00","event":"0x40000","flags":"0x0","evname":"cpu-clock","spec":"cpu-clock","frequency":99}
"callchain","tsc":1001,"pmcid":"0xf00","pid":0,"tid":0,"cpu":0,"mode":"system","pc":["0xffffffff81000000"]}
"pmcallocatedyn","tsc":1002,"pmcid":"0x100f01","event":"0x40001","flags":"0x180","evname":"page-faults","spec":"page-faults","rate":1}
"callchain","tsc":1002,"pmcid":"0x100f01","pid":5,"tid":6,"cpu":1,"mode":"user","pc":["0x1010","0x2020"]}
"dropnotify","tsc":1003,"count":1,"cpu":0,"cause":1,"pmcid":"0xf00"}
"dropnotify","tsc":2003,"count":0,"cpu":0,"cause":1,"pmcid":"0xf00","paused":1000}
"thr_exit","tsc":3000,"tid":6}
"sysexit","tsc":3000,"pid":5}
"closelog","tsc":3000}
== err
pmclog: system.data: parts of samples that are left out: addresses of data, counts, fields of tracepoints, branches, weights
== file open.perf
event cpu-clock hz=99 sample=ip,tid,time
mmap 7 0x1000 0x1000 /bin/a
mmap2 7 0x3000 0x1000 /bin/a inode=1
sample 7 u 0x1010 time=1002
sample 7 u 0x3010 time=0
lost 3 time=1004
lost 4 time=1004
lost-samples 6
lost-samples 9 misc=0x8000
record 3 0x700000007 0
comm 7 name
poke 48 u64:0
cut 670
== run 65 what perf record could not end is read as far as it goes
mkperf open.data <open.perf && pmclog convert open.data >open.log
status=$?
pmclog dump open.log
exit $status
== out
initlog   0x9030000 "GENERIC"
allocatedyn 0xfff02f00 "cpu-clock" 0x2
map-in    7 0x1000 "/bin/a"
map-in    7 0x3000 "/bin/a"
map-in    -1 0x8000000000000000 "[kernel]"
callchain 7 0xfff02f00 0 1 u
...       0x3010
drop      1 0 unreadable
callchain 7 0xfff02f00 0 1 u
...       0x1010
drop      3 0
drop      4 0
closelog
== err
pmclog: open.data: perf record was not ended in order: what it writes at its end is not there
pmclog: open.data: records that are left out: 1 LOST_SAMPLES of filters
pmclog: open.data: 2 samples do not say on which CPU they were taken: CPU 0 stands for all (perf record --sample-cpu)
pmclog: open.data: 1 records are shorter than they have to be, or of no event: left out, and counted as lost
pmclog: open.data: perf lost 7 records: the log says so
pmclog: open.data: a record at 0x288: there are 22 of its 32 bytes
== file forks.perf
event cpu-clock hz=99 sample=ip,tid,time,cpu,callchain
comm 7 parent
mmap 7 0x1000 0x1000 /bin/a
fork 7 8 time=1
sample 8 u 0x1010 chain=u,0x1010 time=2
comm 8 child exec time=3
mmap 8 0x1000 0x1000 /bin/b time=5
sample 8 u 0x1010 chain=u,0x1010 time=6
exit 8 time=7
== run a child has its parent's files until it executes another
mkperf forks.data <forks.perf && pmclog convert forks.data >forks.log && pmcstat -q -R forks.log --flat -f threshold=0
== out
@ cpu-clock [2 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  50.00          1   50.00          1  0x10  a
  50.00          1   50.00          1  0x10  b

quality: 2 samples of cpu-clock at 99 Hz; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 0.00%; truncated chains 0; whole chains 0 of 2 (0.00%), elsewhere 2
inclusive numbers and callers are partial: 100.00% of the chains do not reach where their thread began; --unwind=dwarf finds callers without frame pointers
== file rounds.perf
event cpu-clock hz=99 sample=ip,tid,time,cpu
sample 7 u 0x10 time=10
sample 7 u 0x20 time=20
round
sample 7 u 0x15 time=15
sample 7 u 0x30 time=30
round
sample 7 u 0x25 time=25
round
== run a round may have what is older than the newest of the round before it
mkperf rounds.data <rounds.perf && pmclog convert rounds.data | pmclog dump | grep '^\.\.\.'
== out
...       0x10
...       0x15
...       0x20
...       0x25
...       0x30
== run what is older than that comes late
{ cat rounds.perf && echo sample 7 u 0x5 time=5; } | mkperf late.data
pmclog convert late.data | pmclog dump | grep '^\.\.\.'
== out
...       0x10
...       0x15
...       0x20
...       0x25
...       0x30
...       0x5
== err
pmclog: late.data: 1 records came when later ones had been written: what was mapped may be wrong for some samples
== file parts.perf
# Behind the branches, with their counters, are stacks; an id of a CPU does not make the other's event the system's.
event cpu-clock hz=99 sample=ip,tid,time,id,cpu,branch_stack,stack_user ids=1,2 branch=0xa0000 stack=8
place 1:0:10 2:1:-1
sample 7 u 0x10 time=10 id=2 branches=1,9,0x100,0x200,0,5 stack=0x99
sample 7 u 0x20 time=20 id=1 branches=9,9,9 stack=0x99
== run parts of samples that are not taken are passed over by their lengths
mkperf parts.data <parts.perf && pmclog convert parts.data | pmclog dump
== out
initlog   0x9030000 "GENERIC"
allocatedyn 0xfff02f00 "cpu-clock" 0x2
map-in    -1 0x8000000000000000 "[kernel]"
callchain 7 0xfff02f00 0 1 u
...       0x10
drop      1 0 unreadable
closelog
== err
pmclog: parts.data: parts of samples that are left out: branches
pmclog: parts.data: 1 samples have stacks that are not unwound: not all registers are with them; they have the chains that perf recorded
pmclog: parts.data: 1 records are shorter than they have to be, or of no event: left out, and counted as lost
