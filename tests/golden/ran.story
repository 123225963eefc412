What the recorded processes ran for by the kernel's own accounts, where the log has it of all of them.
== elf app
type exec
text 0x401000 0x1000
symbol leaf 0x401000 0x100
== log out.log
pmc 0xfff02f00 cpu-clock rate=1000000
attach 0xfff02f00 10 app
attach 0xfff02f00 20 app
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010 x200
exit 10
time 2000000000
detach 0xfff02f00 10 ran=150000000,40000000
detach 0xfff02f00 20 ran=10000000,20000000
close
== run the sum of all targets, in the head of a report, in its quality, and that they waited
pmcstat -q -R out.log | sed -n '1,2p; s/; throttled.*//; /^quality/p'
== out
@ cpu-clock [200 samples]
on a CPU 0.22 s (user 0.16, system 0.06) in 2.00 s, mostly waiting, maybe for a CPU; 1 process: app
quality: 200 samples of cpu-clock every 1000000; lost 0 (0.00%)
== run for programs
pmcstat -q -R out.log --json | sed -n 3p
== out
"elapsed_ns":2000001999,"user_ns":160000000,"system_ns":60000000,
== run on a page
pmcstat -q -R out.log --html=page; grep '<dt>on a CPU' page
== out
<div><dt>on a CPU</dt><dd>0.22 s <small>of 2.00 s: user 0.16, system 0.06</small></dd></div>
== run part of the log is known by its samples alone
for part in '--pid 10' '--tid 10' '--comm app' '--cpu 0' '--time ..1' '--time 0.000001..'; do
	pmcstat -q -R out.log $part | sed -n 's/ in .*//; 2p'
done
pmcstat -q -R out.log --pid 10 --json | sed -n 3p
== out
on a CPU 0.20 s
on a CPU 0.20 s
on a CPU 0.20 s
on a CPU 0.20 s
on a CPU 0.20 s
on a CPU 0.20 s
"elapsed_ns":2000001999,
== log files.log
# Two files, merged: what the second one says is of after the first one's end.
pmc 0xfff02f00 cpu-clock rate=1000000
attach 0xfff02f00 10 app
exec 10 app
sample 10 0x401010 x200
time 1000000000
detach 0xfff02f00 10 ran=150000000,40000000
attach 0xfff02f00 10 app
time 2000000000
detach 0xfff02f00 10 ran=10000000,20000000
close
== run files of one recording are added
pmcstat -q -R files.log | sed -n '2s/ in .*//p'
== out
on a CPU 0.22 s (user 0.16, system 0.06)
== log orphan.log
# A child that nobody waited for is in no account, or in that of another than the target.
pmc 0xfff02f00 cpu-clock rate=1000000
attach 0xfff02f00 10 app
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
fork 10 20
sample 10 0x401010 x40
sample 20 0x401010 x200
exit 20
time 2000000000
detach 0xfff02f00 10 ran=30000000,10000000
close
== run nothing where the samples of a clock are more than that
pmcstat -q -R orphan.log | sed -n '2s/ in .*//p'
pmcstat -q -R orphan.log --json | sed -n 3p
== out
on a CPU 0.24 s
"elapsed_ns":2000001000,
== log one.log
pmc 0xfff02f00 cpu-clock rate=1000000
attach 0xfff02f00 10 app
attach 0xfff02f00 20 app
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010 x200
exit 10
detach 0xfff02f00 10
detach 0xfff02f00 20 ran=10000000,20000000
time 2000000000
close
== run nothing where one of them is not known
pmcstat -q -R one.log | sed -n 2p
== out
on a CPU 0.20 s in 2.00 s, mostly waiting, maybe for a CPU; 1 process: app
== log cpu.log
pmc 0xfff02f00 cpu-clock rate=1000000
pmc 0x00002f01 cpu-clock rate=1000000
attach 0xfff02f00 20 app
exec 20 app
map 20 0x401000 0x1000 app off=0x1000
sample 20 0x401010 x200
sample 30 0x401010 pmc=0x00002f01 x200
detach 0xfff02f00 20 ran=10000000,20000000
time 2000000000
close
== run nothing where CPUs were sampled too
pmcstat -q -R cpu.log | sed -n 2p
== out
on a CPU 0.20 s in 2.00 s, mostly waiting, maybe for a CPU; 1 process: app
== run a line of text has them
pmcstat -R out.log --dump | grep detach
== out
detach    0xfff02f00 10 user=150000000 system=40000000
detach    0xfff02f00 20 user=10000000 system=20000000
== log short.log
pmc 0xfff02f00 cpu-clock rate=1000000
pmc 0xfff02f01 cpu-clock:u rate=1000000
pmc 0xfff02f02 task-clock rate=1000000
attach 0xfff02f00 20 app
exec 20 app
map 20 0x401000 0x1000 app off=0x1000
sample 20 0x401010 x67
sample 20 0x401010 pmc=0xfff02f01 x40
sample 20 0x401010 pmc=0xfff02f02 x800
detach 0xfff02f00 20 ran=810000000,100000000
time 2000000000
close
== run threads that end before their first sample: every report says of how much it is
pmcstat -R short.log --flat 2>/dev/null | tail -n 2
pmcstat -R short.log --folded 2>&1 >/dev/null | tail -n 2
pmcstat -q -R short.log --json=- | grep -o '"name":"[a-z:-]*clock.*_sample_ns":[0-9]*'
pmcstat -q -R short.log --flat --comm app | grep -c '^shares' || :
== out
shares are of part of the time: the samples of cpu-clock stand for 0.07 s of 0.91 s on a CPU
shares are of part of the time: the samples of cpu-clock:u stand for 0.04 s of 0.81 s on a CPU
pmcstat: shares are of part of the time: the samples of cpu-clock stand for 0.07 s of 0.91 s on a CPU
pmcstat: shares are of part of the time: the samples of cpu-clock:u stand for 0.04 s of 0.81 s on a CPU
"name":"cpu-clock","whole":"cpu-clock","spec":"cpu-clock","rate":1000000,"rate_unit":"events","sample_ns":1000000,"samples":67,"sampled_ns":67000000,"to_sample_ns":910000000
"name":"cpu-clock:u","whole":"cpu-clock:u","spec":"cpu-clock:u","rate":1000000,"rate_unit":"events","sample_ns":1000000,"samples":40,"sampled_ns":40000000,"to_sample_ns":810000000
0
