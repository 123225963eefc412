PMCs of one event that see the same are not added up: each has a report of its own.
== log scopes.log
pmc 0x00002f00 cpu-clock rate=1000000
pmc 0x00102f00 cpu-clock rate=1000000
pmc 0xfff02f01 cpu-clock rate=1000000
pmc 0xfff02f02 cpu-clock rate=1000000
pmc 0xfff03f03 page-faults rate=1
exec 10 app
sample 10 0x401010 pmc=0x00002f00 x300
sample 10 0x401010 pmc=0x00102f00 x200
sample 0 0xffffffff81000000 pmc=0x00002f00 x100
sample 10 0x401010 pmc=0xfff02f01 x495
sample 10 0x401010 pmc=0xfff02f02 x496
sample 10 0x401010 pmc=0xfff03f03 x7
time 600000000
close
== run those of each CPU are one, those of processes another, each
pmcstat -R scopes.log --overview=- 2>/dev/null | grep -A 1 ^@
== out
@ cpu-clock [600 samples]
on a CPU 0.50 s in 0.60 s, CPUs idle 0.10 s, no samples of 0.60 s of 2 CPUs; 1 process: app 83%
--
@ cpu-clock#2 [495 samples]
on a CPU 0.49 s in 0.60 s; 1 process: app
--
@ cpu-clock#3 [496 samples]
on a CPU 0.50 s in 0.60 s; 1 process: app
--
@ page-faults [7 samples]
in 0.60 s; 1 process: app
== log a.log
origin host=left machine=x86_64 boot-id=l sec=1000000
pmc 0xfff02f00 cpu-clock rate=1000000
@1000 exec 10 app
@2000 sample 10 0x401010 x3
@9000 close
== log b.log
origin host=left machine=x86_64 boot-id=l sec=1000000
pmc 0xfff02f00 cpu-clock rate=1000000
@1500 exec 11 other
@2500 sample 11 0x401010 x4
@9500 close
== run recordings at one time of other processes that were merged are one
pmclog merge -o both.log a.log b.log && pmcstat -q -R both.log --folded
== out
app;[unknown] 3
other;[unknown] 4
