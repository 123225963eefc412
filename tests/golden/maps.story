Maps that are cut, told twice, or told without a length or an offset still name the addresses in them.
== elf app
type exec
text 0x401000 0x3000
symbol first 0x401000 0x1000
symbol second 0x402000 0x1000
symbol third 0x403000 0x1000
== elf lib
type dyn
text 0x1000 0x3000
symbol lib_first 0x1000 0x1000
symbol lib_third 0x3000 0x1000
== log cut.log
pmc 1 cpu-clock
exec 10 app
map 10 0x7f0000001000 0 lib
unmap 10 0x7f0000001000 0x7f0000003000
sample 10 0x7f0000003010
close
== run what is left of a map means what it meant
pmcstat -q -R cut.log --folded
== out
app;lib_third 1
== log kernel.log
pmc 1 cpu-clock
map kernel 0xffffffffc0001000 0x4000 [ext4]
map kernel 0xffffffffc0001000 0x1000 [bpf_prog_1]
sample 10 0xffffffffc0001010 k
sample 10 0xffffffffc0003010,0xffffffffc0001010 k x2
map kernel 0xffffffffc0003000 0x1000 [bpf_prog_2]
sample 10 0xffffffffc0003010,0xffffffffc0001010 k x4
close
== run kernel code that comes later is not what was sampled before
pmcstat -q -R kernel.log --flat | sed '$d'
== out
@ cpu-clock [7 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  57.14          4   57.14          4  bpf_prog_2  [bpf_prog_2]
  28.57          2   28.57          2  0xffffffffc0003010  [ext4]
  14.29          1  100.00          7  bpf_prog_1  [bpf_prog_1]

== log late.log
pmc 1 cpu-clock
sample 10 0xffffffffc0001010,0x401010 k
map kernel 0xffffffffc0001000 0x1000 [bpf_prog_1]
sample 10 0xffffffffc0001010,0x401010 k x2
close
== run nor is it what a sample found where nothing was
pmcstat -q -R late.log --folded
== out
pid-10;[unknown];[unknown] 1
pid-10;[unknown];bpf_prog_1 2
== log bare.log
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0 app
map 10 0x7f0000001000 0 lib
map 10 0x401000 0 app
map 10 0x7f0000001000 0 lib
sample 10 0x7f0000003010,0x402010
sample 10 0x403010,0x7f0000001010
close
== run maps without a length, told again for another PMC
pmcstat -q -R bare.log --folded
== out
app;lib_first;third 1
app;second;lib_third 1
== log garbage.log
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x3000 app off=0x1000
sample 10 0xffffffff81000010,0x401010,0x402010,0x8000000000000123 k
sample 10 0xffffffff81000010,0x401010,0x402010,0x8000000000000123 k
close
== run user frames keep their names below a root that is no address
pmcstat -q -R garbage.log --folded
== out
app;[unknown];second;first;[unknown] 2
== log reused.log
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x3000 app off=0x1000
exit 10
sample 10 0x401010
map 10 0x7f0000001000 0x3000 lib off=0x1000
sample 10 0x401010
sample 10 0x7f0000001010
close
== run a map of an exited process is one of a new process
pmcstat -q -R reused.log --folded
== out
app;first 1
pid-10;[unknown] 1
pid-10;lib_first 1
== log native.log
pmc 1 cpu-clock
exec 10 app entry=0x401000
sample 10 0x401010
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x402010,0x401010
close
== run a program of our logs is mapped where MAP_IN says, and nowhere else
pmcstat -q -R native.log --folded
== out
app;[unknown] 1
app;first;[unknown] 1
== log ten.log
origin version=10
pmc 1 cpu-clock
exec 10 app entry=0x401000 arg=app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x402010,0x401010
close
== run the same in version 10, whose PROCEXEC has two addresses
pmcstat --dump -R ten.log | sed -n '1p;/^exec/p'; pmcstat -q -R ten.log --folded
== out
initlog   0xa000000 "GENERIC"
exec      0xffffffff 10 0x0 0x0 "app"
app;first;[unknown] 1
