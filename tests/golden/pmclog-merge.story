Several logs made one: aligned in time, hosts told apart, read rightly by every reader.
== log a.log
# poke sets the time of day, 1,000,000 s. The merged log begins with the earliest, b.log.
origin host=alpha machine=x86_64 boot-id=b1 release=6.1 command="pmcstat -S cpu-clock"
time 5000000000
pmc 0x2f00 cpu-clock rate=1000 flags=0x80
proc 0 swapper
proc 10 first
thread 11 10 worker
map kernel 0xffffffff81000000 0x100000 [kernel] build-id=aa
map 10 0x401000 0x1000 app off=0x1000
time 5500000000
sample 10/11 0x401010,0x401020 cpu=3
sample 10 0xffffffff81000010,0x401020 k
sample 0 0xffffffff81000020 k
drop 5 cpu=3 pmc=0x2f00
shared 100 50 pmc=0x2f00
close
poke 32 u64:1000000
== log b.log
origin host=beta machine=x86_64 boot-id=b2 release=6.12 command="pmcstat -S cpu-clock"
time 5900000000
pmc 0x2f00 cpu-clock rate=1000 flags=0x80
pmc 0xfff03f01 page-faults flags=0x20
proc 10 second
map kernel 0xffffffff81000000 0x100000 [kernel] build-id=bb
map 10 0x401000 0x1000 lib off=0x1000
attach 0xfff03f01 10 /bin/second
time 6200000000
sample 10 0x401010,0x401020 cpu=3 x2
sample 10 0xffffffff81000010,0x401020 k
unmap kernel 0xffffffff81000000 0xffffffff81001000
fork 10 12
exec 12 /bin/third pmc=0xfff03f01
thread-exit 10
csw 0xfff03f01 10 10 7
exitval 0xfff03f01 12 9
exit 12
detach 0xfff03f01 10 ran=5,6
user 77
map 10 0x7f0000000000 0x40 [jit] sym=jitted
close
poke 32 u64:999999
== log c.log
# The same boot as a.log, whose clock is the better one: the time of day has been set back meanwhile.
origin host=alpha machine=x86_64 boot-id=b1 release=6.1 command="pmcstat -P cpu-clock"
time 7000000000
pmc 0x2f00 cpu-clock rate=5000 flags=0x80
proc 10 renamed
sample 10 0x401010,0x401020 x4
close
poke 32 u64:5000
== run samples, counts and losses are all there, in order of time
pmclog merge -o new.log a.log b.log c.log
pmclog check --freebsd new.log
pmclog dump --json new.log | awk -F'[:,]' '{ for (i = 1; i < NF; i++) if ($i ~ /"tsc"/ && $(i + 1) + 0 < last) bad++; else if ($i ~ /"tsc"/) last = $(i + 1) + 0 } END { print bad + 0, "out of order" }'
pmclog info new.log 
pmclog dump --json new.log | grep allocatedyn | grep -o '"tsc":[0-9]*'
== out
new.log: 38 records, 10 samples, closed; the tools of FreeBSD 12 and 13 read all of it
0 out of order
log        new.log
version    0x09030000
began      1970-01-12 13:46:39 UTC
time       8.000 s
cputype    0x400 GENERIC
host       alpha, beta
machine    x86_64
cpuid      fake
collector  fake
pmc        0x2f00 cpu-clock on beta, rate 1000, 3 samples
pmc        0xfff03f01 page-faults on beta, 0 samples
pmc        0x2f01 cpu-clock on alpha, rate 1000, 3 samples, had a counter for 0.000000 of 0.000000 s
pmc        0x2f02 cpu-clock on alpha, rate 5000, 4 samples
processes  4
records    38 in 2632 bytes
           CLOSELOG           1
           DROPNOTIFY         2
           INITIALIZE         1
           PMCATTACH          1
           PMCDETACH          1
           PROCCSW            1
           PROCEXEC           1
           PROCEXIT           1
           PROCFORK           1
           SYSEXIT            1
           USERDATA           1
           MAP_IN             5
           MAP_OUT            1
           CALLCHAIN          10
           PMCALLOCATEDYN     4
           THR_CREATE         1
           THR_EXIT           1
           PROC_CREATE        4
lost       5 samples
throttled  0 times
closed     yes
"tsc":5900000000
"tsc":5900001000
"tsc":6000000000
"tsc":8000000000
== run numbers of other hosts are 10,000,000 and 1,000 higher, of the same host they are the same
pmclog dump new.log
== out
initlog   0x9030000 "GENERIC"
allocatedyn 0x2f00 "cpu-clock" 0x80
allocatedyn 0xfff03f01 "page-faults" 0x20
create    10000010 0 "second"
map-in    -1 0xfdffffff81000000 "[kernel]"
map-in    10000010 0x401000 "lib"
attach    0xfff03f01 10000010 "/bin/second"
allocatedyn 0x2f01 "cpu-clock" 0x80
create    0 0 "swapper"
create    10 0 "first"
thr-create 11 10 0 "worker"
map-in    -1 0xffffffff81000000 "[kernel]"
map-in    10 0x401000 "app"
callchain 10000010 0x2f00 1003 2 u
...       0x401010
...       0x401020
callchain 10000010 0x2f00 1003 2 u
...       0x401010
...       0x401020
callchain 10000010 0x2f00 1000 2 s
...       0xfdffffff81000010
...       0x401020
map-out   -1 0xfdffffff81000000 0xfdffffff81001000
fork      10000010 10000012
exec      0xfff03f01 10000012 0x0 "/bin/third"
thr-exit  10000010
cswval    0xfff03f01 10000010 7
exitval   0xfff03f01 10000012 9
exit      10000012
detach    0xfff03f01 10000010 user=5 system=6
userdata  0x4d
map-in    10000010 0x7f0000000000 "[jit]"
callchain 10 0x2f01 3 2 u
...       0x401010
...       0x401020
callchain 10 0x2f01 0 2 s
...       0xffffffff81000010
...       0x401020
callchain 0 0x2f01 0 1 s
...       0xffffffff81000020
drop      5 3
drop      0 0 shared 50 100
allocatedyn 0x2f02 "cpu-clock" 0x80
create    10 0 "renamed"
callchain 10 0x2f02 0 2 u
...       0x401010
...       0x401020
callchain 10 0x2f02 0 2 u
...       0x401010
...       0x401020
callchain 10 0x2f02 0 2 u
...       0x401010
...       0x401020
callchain 10 0x2f02 0 2 u
...       0x401010
...       0x401020
closelog
== run addresses of kernels are kept apart
pmcstat -R new.log --folded
== out
first;0x1020;0x1010 1
first;0x1020;0xffffffff81000010 1
renamed;0x1020;0x1010 4
second;0x1020;0x1010 2
second;0x1020;0xfdffffff81000010 1
swapper;0xffffffff81000020 1
== err
pmcstat: 5 samples (50.00%): cannot open app: No such file or directory
pmcstat: 3 samples (30.00%): no kernel symbols: the log does not say which boot of which machine it is of; a vmlinux can be named with -k
pmcstat: 2 samples (20.00%): cannot open lib: No such file or directory
pmcstat: quality: 10 samples of cpu-clock; lost 5 (33.33%); had a counter part of the time: cpu-clock 50.0%; throttled 0; unresolved 100.00%, of them unmapped 0.00%; truncated chains 0; whole chains 0 of 9 (0.00%), elsewhere 9
pmcstat: inclusive numbers and callers are partial: 100.00% of the chains do not reach where their thread began; --unwind=dwarf finds callers without frame pointers
== run --by host divides
pmcstat -q -R new.log --by host --folded
== out
cpu-clock/host=alpha;first;0x1020;0x1010 1
cpu-clock/host=alpha;first;0x1020;0xffffffff81000010 1
cpu-clock/host=alpha;renamed;0x1020;0x1010 4
cpu-clock/host=alpha;swapper;0xffffffff81000020 1
cpu-clock/host=beta;second;0x1020;0x1010 2
cpu-clock/host=beta;second;0x1020;0xfdffffff81000010 1
== run the whole of it through every report: as many samples
for out in --folded --flat --json --overview; do pmcstat -R new.log $out 2>&1 | grep -o '10 samples' | head -n 1; done
pmcstat -q -R new.log -c 1000-1999 --folded | awk '{ n += $NF } END { print n, "of the second host" }'
== out
10 samples
10 samples
10 samples
3 of the second host
== run alone and of one host nothing is moved
pmclog merge a.log | cmp - a.log
pmclog merge a.log | pmclog info | sed -n 's/^host */of /p'
pmclog merge c.log a.log --output new2.log && pmclog dump new2.log | grep -c '^callchain 10 0x2f0[01] '
pmclog compress b.log b.pmcz && pmclog merge a.log b.pmcz c.log | cmp - new.log
pmclog merge a.log - c.log <b.log | cmp - new.log
== out
of alpha
6
== log at-once-1.log
origin host=alpha machine=x86_64 boot-id=b1
pmc 0xfff03f01 event1 flags=0x22
proc 10 sh
time 1000001
fork 10 12
time 2000001
exec 12 /bin/third pmc=0xfff03f01
exitval 0xfff03f01 12 9
exit 12
time 9000001
fork 10 12
exitval 0xfff03f01 12 5
exit 12
exitval 0xfff03f01 10 20
poke 32 u64:1000000
== log at-once-2.log
origin host=alpha machine=x86_64 boot-id=b1
pmc 0xfff03f02 event2 flags=0x22
proc 10 sh
time 1000002
fork 10 12
time 2000002
exec 12 /bin/third pmc=0xfff03f02
exitval 0xfff03f02 12 9
exit 12
time 9000002
fork 10 12
exitval 0xfff03f02 12 5
exit 12
exitval 0xfff03f02 10 20
poke 32 u64:1000000
== run of two recordings at once each process is one
pmclog merge at-once-1.log at-once-2.log | pmcstat -q -R - --process-tree
== out
@ event1 [34 counted]
TOTAL%     TOTAL       SELF   SECONDS     PID  COMMAND
100.00        34         20         -      10  sh
 26.47         9          9     0.001      12    third
 14.71         5          5     0.000      12    sh

@ event2 [34 counted]
TOTAL%     TOTAL       SELF   SECONDS     PID  COMMAND
100.00        34         20         -      10  sh
 26.47         9          9     0.001      12    third
 14.71         5          5     0.000      12    sh

== log deep.log
origin host=delta machine=x86_64 boot-id=b4
pmc 0x2f00 cpu-clock rate=1000 flags=0x80
sample 10 0xffffffff81000010,(0x401210,0x401310,0x401410)*700,0x401510 k end=complete
poke 32 u64:1000000
== run chains that are deeper than a record stay so
pmclog merge a.log deep.log >deep-merged.log
pmclog dump --json deep-merged.log | grep -o '"folded":[0-9]*'
pmcstat -q -R deep-merged.log --pid 10000010 --folded -I | tr ';' '\n' | sort | uniq -c
== out
"folded":5
   2101 [unknown]
      1 [unknown] 1
      1 pid-10000010
== run 65 what is damaged is merged up to there
head -c -100 b.log >cut.log
pmclog merge a.log cut.log -o new3.log; status=$?
pmclog check new3.log; exit $status
== out
new3.log: 30 records, 6 samples, not closed
== err
pmclog: cut.log: record 20 at 0x4e8: the log ends after 12 of the record's 96 bytes
== log arm.log
origin host=gamma machine=aarch64 boot-id=b3
pmc 1 cpu-clock
poke 32 u64:1000000
== log slow.log
origin host=gamma machine=x86_64 boot-id=b3
pmc 1 cpu-clock
poke 24 u64:1000
poke 32 u64:1000000
== log nowhen.log
origin host=gamma machine=x86_64 boot-id=b3
pmc 1 cpu-clock
== log manycpus.log
origin host=gamma machine=x86_64 boot-id=b3
pmc 1 cpu-clock
sample 10 0x401010 cpu=1000
poke 32 u64:1000000
== log freebsd.log
origin none
raw u32:0xee030070 u32:0 u64:1 u32:0x09030000 u32:0x400 u64:1000000000 u64:1000000 u64:0 z:64
== run what cannot be in one log is refused, and nothing written
for log in arm slow nowhen freebsd none; do pmclog merge a.log $log.log -o not.log 2>&1; echo $?; done; ls not.log 2>&1
pmclog merge a.log manycpus.log 2>&1 >not.log; echo $?
pmclog merge new.log a.log 2>&1 >not.log; echo $?
pmclog merge a.log b.log -o a.log 2>&1; echo $?; pmclog check a.log
pmclog merge -o x 2>&1; echo $?
pmclog merge a.log -x 2>&1; echo $?
== out
pmclog: arm.log: it is of a machine "aarch64", a.log of "x86_64": their samples cannot be in one log
65
pmclog: slow.log: its clock has 1000 ticks a second, that of a.log has 1000000000
65
pmclog: nowhen.log: it does not say when it was recorded
65
pmclog: freebsd.log: a log of FreeBSD cannot be merged: what programs map when they start is told in another way there
65
pmclog: none.log: cannot open: No such file or directory
66
ls: cannot access 'not.log': No such file or directory
pmclog: manycpus.log: record 3 at 0x158: CPU 1000 is not below 1000, from where on those of other hosts are
pmclog: hint: where it is a merged log, merge those that it was made of
65
pmclog: new.log: record 4 at 0x220: pid or tid 10000010 is not below 10000000, from where on those of other hosts are
pmclog: hint: where it is a merged log, merge those that it was made of
65
pmclog: a.log is the log that is read
pmclog: hint: name another file to write
64
a.log: 13 records, 3 samples, closed
pmclog: merge needs the logs to be made one
pmclog: hint: usage: pmclog merge [-o NEW] FILE ...
64
pmclog: merge: unknown option, or -o without its file
pmclog: hint: usage: pmclog merge [-o NEW] FILE ...
64
== file piece
origin host=alpha machine=x86_64 boot-id=b1 sec=1000000
time NUMBER000000000
pmc 0x2f00 cpu-clock rate=1000 flags=0x80
pmc 0x2f01 page-faults rate=RATE flags=0x80
sample 10 0x401010 pmc=0x2f00
sample 10 0x401010 pmc=0x2f01 x2
shared 100 50 pmc=0x2f01
close
== run the files of one recording have its PMCs, however many they are; what differs is another one
for i in $(seq 130); do sed "s/NUMBER/$i/; s/RATE/$((1 + i / 130))/" piece | pmclog assemble >piece.$i; done
seq 130 | sed 's/^/piece./' | xargs pmclog merge -o whole.log && pmclog info whole.log | grep ^pmc
pmcstat -q -R whole.log --flat | grep ^@
== out
pmc        0x2f00 cpu-clock, rate 1000, 130 samples
pmc        0x2f01 page-faults, rate 1, 258 samples, had a counter for 0.000006 of 0.000013 s
pmc        0x2f02 page-faults on alpha, rate 2, 2 samples, had a counter for 0.000000 of 0.000000 s
@ cpu-clock [130 samples]
@ page-faults [260@50.0% samples]
== run 65 no more PMCs than ids can tell apart
for i in $(seq 256); do cp a.log a.$i; done
seq 200 | sed 's/^/a./' | xargs pmclog merge -o 200.log && pmclog info 200.log | grep -c ^pmc
seq 256 | sed 's/^/a./' | xargs pmclog merge -o 256.log && pmclog info 256.log | grep -c ^pmc
pmclog merge 256.log a.log >257.log
== out
200
256
== err
pmclog: a.log: record 2 at 0xe8: PMC 0x2f00 is one more than the 256 of a class, mode and CPU that one log can have
== log right.log
# An hour, at whose end both see the same event.
origin host=right machine=x86_64 boot-id=r sec=1000000
pmc 0x2f00 cpu-clock rate=1000 flags=0x80
@3600000000000 sample 10 0x401010
@3600100000000 sample 10 0x401020
close
== log fast.log
# Nothing disciplines its clocks, which are 50 millionths fast.
origin host=fast machine=x86_64 boot-id=f sec=1000000
pmc 0x2f00 cpu-clock rate=1000 flags=0x80
@3600180000000 sample 10 0x401030
close
== run clocks that run apart leave samples apart by as much as they do
pmclog merge right.log fast.log | pmclog dump --json | sed -n 's/.*"tsc":\([0-9]*\).*"pid":\([0-9]*\).*"pc":\["\([^"]*\)".*/\1 \2 \3/p'
== out
3600000000000 10 0x401010
3600100000000 10 0x401020
3600180000000 10000010 0x401030
== run 64 a log that is named twice would count twice
pmclog merge right.log fast.log ./right.log
== err
pmclog: right.log and ./right.log are one file
