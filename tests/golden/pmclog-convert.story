A log of ours in the version that either generation of FreeBSD's tools reads: nothing that a record tells is lost.
== log nine.log
origin host=box release=6.1 machine=x86_64 command=pmcstat cpuid=GenuineIntel-6-55-4
pmc 1 cycles rate=1000 flags=0x8e depth=32 spec=cycles:u
pmc 2 cpu-clock hz=99
attach 1 10 /usr/bin/app
proc 10 app
exec 10 app entry=0x401000 pmc=1 arg=app arg=-x
map 10 0x401000 0x1000 app off=0x1000 build-id=0011aabb dev=0x800000001 inode=77
map 10 0x7f0000000000 0x40 //anon sym=jitted
map kernel 0xffffffff81000000 0x1000 [kernel]
thread 11 10 worker
sample 10 0x401110 x3 cpu=1
sample 10/11 0x401210,0x401110,0x401010 pmc=1 end=complete stitched=1 guessed=3 exact=1 exact=2
sample 10 0xffffffff81000010 k end=window
csw 1 10 11 5000
fork 10 12
unmap 10 0x401000 0x402000
drop 3 cpu=1
drop 1 throttle pmc=1 paused=7500
drop 2 exits pmc=1
shared 4000 1000 pmc=1
user 0xbeef
thread-exit 11
exitval 1 10 123456789012
exit 10
detach 1 10 ran=1500000,2000000
close
== log unknown.log
origin host=box release=6.1 machine=x86_64
pmc 1 cpu-clock
raw u32:0xee020010 u32:0 u64:5
raw u32:0xee020010 u32:0 u64:6
drop 3
== log ten.log
origin version=10 host=box release=6.1 machine=x86_64 command=pmcstat cpuid=GenuineIntel-6-55-4
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x402010,0x401010
== log other.log
origin host=box release=6.1 machine=x86_64 command=pmcstat cpuid=GenuineIntel-6-55-4
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x402010,0x401010
== run the same to the byte in its own version
pmclog convert --version 9 nine.log >same.log && cmp nine.log same.log
pmclog convert --version=10 - <ten.log >same.log && cmp ten.log same.log
== run the other version as if it had been recorded so, and back
pmclog convert --version 10 other.log >converted.log && cmp ten.log converted.log
pmclog convert --version 9 ten.log >converted.log && cmp other.log converted.log
== run of losses that nothing tells the number of the other version knows as much
pmclog convert --version 10 unknown.log >ten-of-unknown.log
pmclog info ten-of-unknown.log | grep '^lost'
pmclog convert --version 9 ten-of-unknown.log | cmp unknown.log -
== out
lost       3 samples, and 2 times a number that is not said
== run where a program begins is all that differs
pmclog convert --version 10 nine.log >ten-of-nine.log
pmclog dump nine.log >nine.txt
pmclog dump ten-of-nine.log | diff nine.txt - | grep '^[<>]'
pmcstat -q -R nine.log --flat >nine.flat
pmcstat -q -R ten-of-nine.log --flat | cmp nine.flat -
== out
< initlog   0x9030000 "GENERIC"
> initlog   0xa000000 "GENERIC"
< exec      0x1 10 0x401000 "app"
> exec      0x1 10 0x0 0x0 "app"
== run 65 what is there before the damage is converted
head -c 700 nine.log >cut.log
pmclog convert --version 9 cut.log >converted.log
status=$?
head -c "$(wc -c <converted.log)" nine.log | cmp - converted.log && pmclog check converted.log
exit $status
== out
converted.log: 6 records, 0 samples, not closed
== err
pmclog: cut.log: record 7 at 0x2b0: the log ends after 12 of the record's 128 bytes
== run 64 a version is asked for
pmclog convert nine.log
== err
pmclog: convert needs --version 9 (FreeBSD 12, 13) or 10 (14, 15)
pmclog: hint: usage: pmclog convert [--version 9|10] [FILE]
== run 65 but not for what is no log
printf 'no log, and not of perf either' >text
pmclog convert text
== err
pmclog: text: neither a log nor what perf record writes
== run 74 a full disk is told
pmclog convert --version 9 nine.log >/dev/full
== err
pmclog: standard output: cannot write: No space left on device (0 bytes are in the log)
pmclog: hint: make room for more
== file script
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x402010,0x401010 x3
== run a recording of either version is what the other one is converted to
record='pmcstat -q --collector=fake:script -S cpu-clock'
$record --log-version 10 -O ten.log; $record --log-version=9 -O nine.log; $record -O plain.log
pmclog check --freebsd ten.log; pmclog check --freebsd nine.log; pmclog check --freebsd plain.log
# Only times and commands differ, which dump does not show.
pmclog convert --version 9 ten.log | pmclog dump >converted.txt; pmclog dump nine.log | cmp converted.txt -
$record --log-version 10 -O ten.pmcz && pmclog expand ten.pmcz - | pmclog check --freebsd
$record --log-version 10 --rotate 1m -O many.log && pmclog check --freebsd many.000001.log
== out
ten.log: 9 records, 3 samples, closed; the tools of FreeBSD 14 and 15 read all of it
nine.log: 9 records, 3 samples, closed; the tools of FreeBSD 12 and 13 read all of it
plain.log: 9 records, 3 samples, closed; the tools of FreeBSD 12 and 13 read all of it
-: 9 records, 3 samples, closed; the tools of FreeBSD 14 and 15 read all of it
many.000001.log: 9 records, 3 samples, closed; the tools of FreeBSD 14 and 15 read all of it
== run 64 another version
for o in '--log-version 11 -O out.log' '--log-version 10 -T'; do pmcstat --collector=fake:script -S cpu-clock $o 2>&1; s=$?; done; exit $s
== out
pmcstat: --log-version "11" is not a whole number from 9 to 10
pmcstat: option --log-version needs a log that is written: -O
pmcstat: hint: pmcstat --help lists the options
