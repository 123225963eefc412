Where no build-id tells which file was profiled, what the log's machine cannot run is another one:
a log of an arm64 machine is read on one of x86-64, without the root that its files are below.
== elf bin/app
machine x86_64
type exec
text 0x401000 0x1000
symbol of_this_machine 0x401000 0x100
== elf bin/tool
machine arm
class 32
type exec
text 0x501000 0x1000
symbol of_32_bits 0x501000 0x100
== elf root/bin/app
machine aarch64
type exec
text 0x401000 0x1000
symbol of_that_machine 0x401000 0x100
== log out.log
origin host=board machine=aarch64
pmc 1 cpu-clock rate=1000000
exec 10 bin/app
map 10 0x401000 0x1000 bin/app off=0x1000
map 10 0x501000 0x1000 bin/tool off=0x1000
sample 10 0x401010 x3
sample 10 0x501010
close
== run another machine's file gives no names
pmcstat -R out.log --folded
== out
app;0x1010 3
app;of_32_bits 1
== err
pmcstat: 3 samples (75.00%): bin/app has no build-id and is for x86_64, but the log is of aarch64: -r names the root that its files are below
pmcstat: quality: 4 samples of cpu-clock every 1000000; lost 0 (0.00%); throttled 0; unresolved 75.00%, of them unmapped 0.00%; truncated chains 0
== run with the root all is found
pmcstat -q -R out.log -r root --folded=- -v
== out
app;0x1010 1
app;of_that_machine 3
