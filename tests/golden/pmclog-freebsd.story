pmclog check --freebsd: whether FreeBSD's tools read all of a log. What crashes or ends them is in the log that a
FreeBSD machine or another program wrote; ours have none of it.
== log good.log
pmc 1 cycles
pmc 2 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401110
unmap 10 0x401000 0x402000
sample 10 0x401110 pmc=2
close
== run a log of ours
pmclog check --freebsd good.log
== out
good.log: 9 records, 2 samples, closed; the tools of FreeBSD 12 and 13 read all of it
== run in the version for newer ones
pmclog convert --version 10 good.log | pmclog check --freebsd
== out
-: 9 records, 2 samples, closed; the tools of FreeBSD 14 and 15 read all of it
== log bad.log
pmc 1 cycles
sample 10 0x401110
sample 10 0x401110 pmc=7 x3
unmap 10 0x401000 0x401000
raw u32:0xee150018 u32:0 u64:5 u32:1 u32:10
close
sample 10 0x401110
== run 65 what each fault does, and where the first one is
pmclog check --freebsd bad.log
== out
bad.log: 10 records, 5 samples, closed
== err
pmclog: bad.log: for FreeBSD: record 8 at byte 536, GROUP_INHERIT_MISS, has a type that ends the reading of most of their tools
pmclog: bad.log: for FreeBSD: record 4 at byte 376, CALLCHAIN, names a PMC that no record before it announced, which crashes their tools; so do 2 others
pmclog: bad.log: for FreeBSD: record 7 at byte 496, MAP_OUT, ends where it begins or before, which stops their tools
pmclog: bad.log: for FreeBSD: record 10 at byte 576, CALLCHAIN, comes behind CLOSELOG, where their tools stop
== run nobody else minds
pmclog check bad.log
== out
bad.log: 10 records, 5 samples, closed
== log unknown.log
pmc 1 cycles
raw u32:0xee630010 u32:0 u64:5
== run 65 types of nobody
pmclog check --freebsd unknown.log
== out
unknown.log: 3 records, 0 samples, not closed
== err
pmclog: unknown.log: for FreeBSD: records of types that no version has, which end their reading: 1
== log old.log
origin none
raw u32:0xee020014 u32:0 u32:0 u32:0x03010000 u32:0x400
== run 65 the log of an older machine
pmclog check --freebsd old.log
== out
old.log: 1 records, 0 samples, not closed
== err
pmclog: old.log: for FreeBSD: record 1 at byte 0, INITIALIZE, has a version that their tools refuse
== file contain
# contain LOG [VERSION]: the log as FreeBSD 16's pmc record writes it on amd64, with what it tells of a machine
printf "LCMP\\$(printf %03o "${2:-0}")\0\1\0"
printf '\1\0\300\0\0\0\0\0'
for text in 'Some CPU @ 2.10GHz' 16.0-CURRENT 00ff10; do printf '%s' "$text"; head -c $((64 - ${#text})) /dev/zero; done
printf '\3\0\20\0\0\0\0\0\0\0\0\0GenuntelineI'
printf '\0\0\0\0\0\0\0\0'
cat "$1"
== run what pmc record writes before a log is skipped
sh ./contain good.log >contained.log
pmclog check contained.log
pmclog convert --version 9 contained.log | cmp good.log
pmclog filter -p 10 contained.log | cmp good.log
sh ./contain good.log | pmcstat -q -R - --folded
printf 'PMCL\0\0\0\3\3\0\0\2\0\0\0\0ab\0\0\0\0\0\0\0\0' | cat - good.log | pmclog check
== out
contained.log: 9 records, 2 samples, closed
cycles;app;0x1110 1
cpu-clock;app;[unknown] 1
-: 9 records, 2 samples, closed
== log freebsd.log
origin none
raw u32:0xee030070 u32:0 u64:0 u32:0x09030000 u32:0x8b u64:1000000000 u64:0 u64:0 47656e75696e65496e74656c2d362d394500000000000000 u64:0 u64:0 u64:0 u64:0 u64:0
raw u32:0xee010010 u32:0 u64:0
== run what it tells of the machine is shown
sh ./contain freebsd.log | pmclog info | sed -n '/^cputype/,/^processes/p'
sh ./contain freebsd.log >contained.log; pmcstat -q -R contained.log --flamegraph | grep -o '>a log;.*</text>'
== out
cputype    0x8b INTEL_COREI7
cpuid      GenuineIntel-6-9E
cpu        Some CPU @ 2.10GHz
release    16.0-CURRENT
machine    amd64
kernel     00ff10
processes  0
>a log; on Some CPU @ 2.10GHz, 16.0-CURRENT</text>
== run as far as it does, of either byte order; a text may fill its place, and nothing gets to the terminal as it is
{ printf 'LCMP\0\0\11\0\1\0\101\0\0\0\0\0\033[1m%60s1\0\0\0\0\0\0\0\0' x; cat freebsd.log; } | pmclog info | sed -n '/^cpuid/,/^processes/p'
{ printf 'PMCL\0\0\0\2\1\0\0\3\0\0\0\0arm\1\0\0\2\0\0\0\0XY\2\0\0\1\0\0\0\0Z\0\0\0\0\0\0\0\0'; cat freebsd.log; } | pmclog info | sed -n '/^cpuid/,/^processes/p'
== out
cpuid      GenuineIntel-6-9E
cpu        \033[1m                                                           x
release    1
processes  0
cpuid      GenuineIntel-6-9E
cpu        arm
machine    arm64
processes  0
== run 65 a version of it that is not known
sh ./contain good.log 2 | pmclog check
== err
pmclog: standard input: FreeBSD's pmc record wrote version 2 of what is before its log: 0 is known
== run 65 it ends early
sh ./contain good.log | head -c 100 | pmclog check
== err
pmclog: standard input: ends after 100 bytes of what FreeBSD's pmc record writes before a log
== run 65 it does not end
{ printf 'LCMP\0\0\1\0'; for i in $(seq 40); do printf '\2\0\0\200\0\0\0\0'; head -c 32768 /dev/zero; done; } | pmclog check
== err
pmclog: standard input: no log is behind the first 1048576 bytes that FreeBSD's pmc record writes before it
