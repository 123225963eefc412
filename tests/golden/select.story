Samples are selected by process, thread, CPU and command name.
== log out.log
pmc 1 cpu-clock
proc 10 first
proc 20 second
sample 10/10 0x10 cpu=0 x1
sample 10/11 0x10 cpu=1 x2
sample 20/20 0x10 cpu=0 x4
sample 20/21 0x10 cpu=1 x8
close
== run by process
pmcstat -q -R out.log --pid 20 --folded
== out
second;[unknown] 12
== run by thread
pmcstat -q -R out.log -i 21 -i 11,1-5,30-40 --folded
== out
first;[unknown] 2
second;[unknown] 8
== run by CPU
pmcstat -q -R out.log -c 0 --folded
== out
first;[unknown] 1
second;[unknown] 4
== run by command name, with a pattern
pmcstat -q -R out.log --comm 'f*' --folded
== out
first;[unknown] 3
== run the quality line tells how many
pmcstat -R out.log --comm second -c 1 --folded
== out
second;[unknown] 8
== err
pmcstat: quality: 15 samples of cpu-clock; 8 selected; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 100.00%; truncated chains 0
== run all CPUs again
pmcstat -q -R out.log -c 0 -c '*' --folded
== out
first;[unknown] 3
second;[unknown] 12
== run 64 the log as text would have all samples
pmcstat --dump -R out.log --pid 20
== err
pmcstat: options -i, --pid, --comm, --time and, with -R, -c need an output or -T
pmcstat: hint: pmcstat --help lists the options
== run 64 by CPU likewise
pmcstat --dump -R out.log -c 0
== err
pmcstat: options -i, --pid, --comm, --time and, with -R, -c need an output or -T
pmcstat: hint: pmcstat --help lists the options
== log rates.log
pmc 1 cpu-clock rate=1000 depth=2
pmc 0x100002 cpu-clock rate=5000 depth=4
sample 20 0x10,0x20,0x30 pmc=1
sample 20 0x10,0x20,0x30 pmc=0x100002
close
== run a rate that differs from PMC to PMC is not told, a cut chain is one of its own PMC
pmcstat -R rates.log --folded
== out
pid-20;[unknown];[unknown];[unknown] 2
== err
pmcstat: quality: 2 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 100.00%; truncated chains 1
== run a name that no process can have
pmcstat -R out.log --comm sixteen-and-more --folded 2>&1 | head -n 2
== out
pmcstat: none of the 15 samples is of the processes, threads or CPUs that -i, --pid, --comm and -c name: without them --by=comm shows whose they are
pmcstat: no sample is of sixteen-and-more: Linux keeps 15 characters of a name, FreeBSD 19
