A log in several files: each is whole, and together they are one log.
== log first.log
# poke sets the time of day, which merge needs; the second file's is 5 s after the writer's 0.
origin host=alpha machine=x86_64 boot-id=b1 release=6.12 command="pmcstat --rotate 1m" version=10
time 5000000000
pmc 0xf00 cpu-clock rate=1000 flags=0x80
pmc 0xfff03f01 page-faults flags=0x20
attach 0xfff03f01 10 /bin/pmcstat
attach 0xfff03f01 11 /bin/other
map kernel 0xffffffff81000000 0x100000 [kernel] build-id=aa
map kernel 0xffffffffc0000000 0x1000 [here]
map kernel 0xffffffffc0010000 0x1000 [gone]
unmap kernel 0xffffffffc0010000 0xffffffffc0011000
proc 0 swapper
exec 10 /bin/parent pmc=0xfff03f01 arg=parent arg=-v
proc 10 parent
map 10 0x400000 0x4000 /bin/parent
map 10 0x700000 0x1000 //anon
thread 12 10 worker
thread 13 10 done
thread-exit 13
# A child that runs no program of its own, of a parent that then runs another.
fork 10 20
map 20 0x500000 0x1000 /lib/child
fork 10 21
exec 21 /bin/second
map 21 0x400000 0x4000 /bin/second
# What covers it, cuts it in two, and is taken out of it.
map 21 0x410000 0x1000 /lib/old
map 21 0x410000 0x8000 /lib/new
map 21 0x412000 0x1000 /lib/inner
unmap 21 0x414000 0x415000
sample 10 0x700004
map 20 0x700000 0x10 [jit] sym=native
map 10 0x700000 0x10 [jit] sym=jitted
exec 10 /bin/next
map 10 0x400000 0x4000 /bin/next
proc 10 renamed
attach 0xfff03f01 22 /bin/left
detach 0xfff03f01 22
detach 0xfff03f01 11 ran=5,6
fork 10 30
proc 30 exited
exit 30
sample 10 0x400010,0x400020
sample 10/12 0x400010
sample 20 0x400010,0x500020,0x700001
sample 21 0x400010,0x410010,0x412010,0x413010,0x414010,0x415010,0x411fff
sample 0 0xffffffff81000020,0xffffffffc0000010,0xffffffffc0010010 k
drop 5 cpu=3 pmc=0xf00
poke 32 u64:1000000
rotate second.log
# Names of code that is made while it runs are not of the head: the recorder writes them again.
map 20 0x700000 0x10 [jit] sym=native
sample 10 0x400010,0x400020
sample 10/12 0x400010
sample 20 0x400010,0x500020,0x700001
sample 21 0x400010,0x410010,0x412010,0x413010,0x414010,0x415010,0x411fff
sample 0 0xffffffff81000020,0xffffffffc0000010,0xffffffffc0010010 k
sample 30 0xffffffff81000030 k
exitval 0xfff03f01 21 9
exit 21
close
== log one.log
origin host=alpha machine=x86_64 boot-id=b1 release=6.12 command="pmcstat --rotate 1m" version=10
time 5000000000
pmc 0xf00 cpu-clock rate=1000 flags=0x80
pmc 0xfff03f01 page-faults flags=0x20
attach 0xfff03f01 10 /bin/pmcstat
attach 0xfff03f01 11 /bin/other
map kernel 0xffffffff81000000 0x100000 [kernel] build-id=aa
map kernel 0xffffffffc0000000 0x1000 [here]
map kernel 0xffffffffc0010000 0x1000 [gone]
unmap kernel 0xffffffffc0010000 0xffffffffc0011000
proc 0 swapper
exec 10 /bin/parent pmc=0xfff03f01 arg=parent arg=-v
proc 10 parent
map 10 0x400000 0x4000 /bin/parent
map 10 0x700000 0x1000 //anon
thread 12 10 worker
thread 13 10 done
thread-exit 13
# A child that runs no program of its own, of a parent that then runs another.
fork 10 20
map 20 0x500000 0x1000 /lib/child
fork 10 21
exec 21 /bin/second
map 21 0x400000 0x4000 /bin/second
# What covers it, cuts it in two, and is taken out of it.
map 21 0x410000 0x1000 /lib/old
map 21 0x410000 0x8000 /lib/new
map 21 0x412000 0x1000 /lib/inner
unmap 21 0x414000 0x415000
sample 10 0x700004
map 20 0x700000 0x10 [jit] sym=native
map 10 0x700000 0x10 [jit] sym=jitted
exec 10 /bin/next
map 10 0x400000 0x4000 /bin/next
proc 10 renamed
attach 0xfff03f01 22 /bin/left
detach 0xfff03f01 22
detach 0xfff03f01 11 ran=5,6
fork 10 30
proc 30 exited
exit 30
sample 10 0x400010,0x400020
sample 10/12 0x400010
sample 20 0x400010,0x500020,0x700001
sample 21 0x400010,0x410010,0x412010,0x413010,0x414010,0x415010,0x411fff
sample 0 0xffffffff81000020,0xffffffffc0000010,0xffffffffc0010010 k
drop 5 cpu=3 pmc=0xf00
poke 32 u64:1000000
sample 10 0x400010,0x400020
sample 10/12 0x400010
sample 20 0x400010,0x500020,0x700001
sample 21 0x400010,0x410010,0x412010,0x413010,0x414010,0x415010,0x411fff
sample 0 0xffffffff81000020,0xffffffffc0000010,0xffffffffc0010010 k
sample 30 0xffffffff81000030 k
exitval 0xfff03f01 21 9
exit 21
close
== run what the second file begins with, of all that the first one has
pmclog dump second.log | sed '/^callchain/,$d'
== out
initlog   0xa000000 "GENERIC"
allocatedyn 0xf00 "cpu-clock" 0x80
allocatedyn 0xfff03f01 "page-faults" 0x20
attach    0xfff03f01 10 "/bin/pmcstat"
exec      0xffffffff 10 0x0 0x0 "/bin/next"
map-in    10 0x400000 "/bin/next"
create    10 0 "renamed"
attach    0xfff03f01 11 "/bin/other"
map-in    -1 0xffffffff81000000 "[kernel]"
map-in    -1 0xffffffffc0000000 "[here]"
create    0 0 "swapper"
exec      0xfff03f01 20 0x0 0x0 "/bin/parent"
create    20 0 "parent"
map-in    20 0x400000 "/bin/parent"
map-in    20 0x700000 "//anon"
map-in    20 0x500000 "/lib/child"
create    21 0 "parent"
exec      0xffffffff 21 0x0 0x0 "/bin/second"
map-in    21 0x400000 "/bin/second"
map-in    21 0x410000 "/lib/new"
map-in    21 0x412000 "/lib/inner"
map-out   21 0x414000 0x415000
exec      0xffffffff 30 0x0 0x0 "/bin/next"
map-in    30 0x400000 "/bin/next"
create    30 0 "exited"
exit      30
thr-create 12 10 0 "worker"
thr-create 13 10 0 "done"
map-in    20 0x700000 "[jit]"
== run times go on, by the clock of the first file
pmclog info second.log | sed -n '/^began/p; /^host/p; /^command/p'
== out
began      1970-01-01 00:00:05 UTC
host       alpha
command    pmcstat --rotate 1m
== run each file names its samples as one log of all of them does
for log in one first second; do echo $log; pmcstat -q -R $log.log --by tid --folded; done
== out
one
cpu-clock/tid=0,comm=swapper;swapper;[unknown];0xffffffffc0000010;0xffffffff81000020 2
cpu-clock/tid=10,comm=renamed;renamed;0x20;0x10 2
cpu-clock/tid=12,comm=worker;renamed;0x10 2
cpu-clock/tid=20,comm=parent;parent;native;0x20;0x10 2
cpu-clock/tid=21,comm=second;second;0x1fff;0x5010;[unknown];0x3010;0x10;0x10;0x10 2
cpu-clock/tid=10,comm=parent;parent;jitted 1
cpu-clock/tid=30,comm=exited;exited;0xffffffff81000030 1
first
cpu-clock/tid=0,comm=swapper;swapper;[unknown];0xffffffffc0000010;0xffffffff81000020 1
cpu-clock/tid=10,comm=parent;parent;jitted 1
cpu-clock/tid=10,comm=renamed;renamed;0x20;0x10 1
cpu-clock/tid=12,comm=worker;renamed;0x10 1
cpu-clock/tid=20,comm=parent;parent;native;0x20;0x10 1
cpu-clock/tid=21,comm=second;second;0x1fff;0x5010;[unknown];0x3010;0x10;0x10;0x10 1
second
cpu-clock/tid=0,comm=swapper;swapper;[unknown];0xffffffffc0000010;0xffffffff81000020 1
cpu-clock/tid=10,comm=renamed;renamed;0x20;0x10 1
cpu-clock/tid=12,comm=worker;renamed;0x10 1
cpu-clock/tid=20,comm=parent;parent;native;0x20;0x10 1
cpu-clock/tid=21,comm=second;second;0x1fff;0x5010;[unknown];0x3010;0x10;0x10;0x10 1
cpu-clock/tid=30,comm=exited;exited;0xffffffff81000030 1
== run merged they are that log again
pmclog merge -o merged.log first.log second.log
for log in one merged; do
	pmcstat -q -R $log.log --by tid --folded >$log.text
	pmcstat -q -R $log.log --process-tree >>$log.text
done
cmp one.text merged.text && grep -c . merged.text
== out
11
== run each is closed, and FreeBSD's tools read all of it
for log in first second; do pmclog check --freebsd $log.log; done
== out
first.log: 45 records, 6 samples, closed; the tools of FreeBSD 14 and 15 read all of it
second.log: 38 records, 6 samples, closed; the tools of FreeBSD 14 and 15 read all of it
== run 64 a limit without a unit
pmcstat -P cpu-clock -O out.log --rotate 100 true
== err
pmcstat: --rotate "100" is not a size like 100M or a time like 10m
pmcstat: hint: units are K, M and G (1024 bytes and on) or s, m, h and d; a number behind a comma says how many files are kept, as in 100M,10
== run 64 a number of files that is none
for limit in 10m,0 10m, 10m,-1 10m,2x 10m,99999999999999999999; do
	pmcstat -P cpu-clock -O out.log --rotate $limit true
done 2>&1 | grep -c 'not a size'
pmcstat -P cpu-clock -O out.log --rotate 10m5 true 2>/dev/null
== out
5
== run 64 sizes and times that are none
for limit in '' M nanM -1M 0x10M 1e3M 0s 10w 1K1K inf 1B; do
	pmcstat -P cpu-clock -O out.log --rotate "$limit" true
done 2>&1 | grep -c 'not a size'
pmcstat -P cpu-clock -O out.log --rotate 0.5K true 2>/dev/null
== out
11
== run 64 without a log
pmcstat -P cpu-clock --rotate 10m true
== err
pmcstat: option --rotate needs a log that is written: -O FILE
pmcstat: hint: pmcstat --help lists the options
== run 64 to a pipe
pmcstat -P cpu-clock -O - --rotate 10m true
== err
pmcstat: option --rotate needs files or connections: -O - is neither
pmcstat: hint: pmcstat --help lists the options
== run 64 files that are kept at another host
pmcstat -P cpu-clock -O localhost:1 --rotate 10m,5 true
== err
pmcstat: option --rotate keeps files here alone: of those that -O HOST:PORT sends pmclog recv -k does
pmcstat: hint: pmcstat --help lists the options
== run 64 with an output
pmcstat -P cpu-clock -O out.log --rotate 10m --folded true
== err
pmcstat: option --rotate goes with no output, nor with --dump and -T: they read one file
pmcstat: hint: pmcstat --help lists the options
== run 64 with the display
pmcstat -T -P cpu-clock -O out.log --rotate 10m true 2>&1 | head -n 1
exit 64
== out
pmcstat: option --rotate goes with no output, nor with --dump and -T: they read one file
== file script
sample 1 0x1000
== run 73 to a device
pmcstat --collector=fake:script -S cpu-clock -O /dev/null --rotate 10m
== err
pmcstat: /dev/null is not a file: a log in several cannot be named after it
pmcstat: hint: without --rotate all of the log goes there
