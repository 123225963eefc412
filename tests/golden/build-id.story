A file that is not the one that was profiled is not used, and the report says so.
== elf app
type exec
build-id 0102030405060708
text 0x401000 0x1000
symbol main 0x401000 0x1000
== log same.log
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000 build-id=0102030405060708
sample 10 0x401010 x3
close
== log other.log
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000 build-id=aabbccdd
sample 10 0x401010 x3
close
== log gone.log
pmc 1 cpu-clock
exec 10 gone
map 10 0x401000 0x1000 gone off=0x1000
sample 10 0x401010 x3
close
== run the same build-id
pmcstat -R same.log --folded
== out
app;main 3
== err
pmcstat: quality: 3 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== run another build-id
pmcstat -R other.log --folded
== out
app;0x1010 3
== err
pmcstat: 3 samples (100.00%): app has build-id 0102030405060708, but the file that was profiled has aabbccdd
pmcstat: quality: 3 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 0.00%; truncated chains 0
== run a file that is gone
pmcstat -R gone.log --folded
== out
gone;0x1010 3
== err
pmcstat: 3 samples (100.00%): cannot open gone: No such file or directory
pmcstat: quality: 3 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 0.00%; truncated chains 0
== run -q tells nothing
pmcstat -q -R other.log --folded
== out
app;0x1010 3
