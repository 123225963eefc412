How call chains end: as the log says, else by the outermost function. One that was sampled in the
kernel for the kernel's frames alone leads nowhere else and is not counted; leaves alone are no
chains.
== elf app
type exec
text 0x401000 0x2000
symbol main 0x401000 0x100
symbol _start 0x401100 0x100
symbol f 0x401200 0x100
== file kallsyms
ffffffff81000000 T _stext
ffffffff81000100 T ret_from_fork
ffffffff81000200 T entry_SYSCALL_64
ffffffff81000300 T work
ffffffff81002000 T _etext
== file boot_id
0123
== log out.log
origin boot-id=0123
pmc 1 cpu-clock flags=0x180
pmc 2 faults
exec 10 /app
map 10 0x401000 0x2000 /app off=0x1000
map kernel 0xffffffff81000000 0x2000 [kernel]
sample 10 0x401210,0x401010,0x401110 x3
sample 10 0x401210,0x401010 x2
sample 10 0x401210,0x401010 end=complete stitched=1 guessed=1
sample 10 0x401210,0x401010 end=window x4
sample 10 0x401210 end=stale
sample 10 0x401210,0x401010 end=bad-return guessed=1
sample 10 0xffffffff81000310,0xffffffff81000210 k x5
sample 10 0xffffffff81000310,0xffffffff81000210,0x401210,0x401010,0x401110 k x6
sample 2 0xffffffff81000310,0xffffffff81000110 k x7
sample 10 0x401210 pmc=2 x8
close
== log whole.log
pmc 1 cpu-clock flags=0x80
exec 10 app
map 10 0x401000 0x2000 app off=0x1000
sample 10 0x401210,0x401010,0x401110 x19
sample 10 0x401210,0x401010
close
== run how many chains are whole, what the others lack, and what to do
mkdir -p root/proc/sys/kernel/random && cp app root/app && cp kallsyms root/proc && cp boot_id root/proc/sys/kernel/random
pmcstat -R out.log -r root --flat | sed -n '/^quality/,$p'
== out
quality: 38 samples of cpu-clock, faults; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0; whole chains 17 of 25 (68.00%), elsewhere 2, window 4, bad-return 1, stale 1; 1 with stitched frames; 2 with guessed frames
inclusive numbers and callers are partial: 32.00% of the chains do not reach where their thread began; most of them are deeper than what is copied of a stack, and their process had gone on, had ended or may not be read by this user
== run few enough are not whole
pmcstat -R whole.log --flat | sed -n '/^quality/,$p'
== out
quality: 20 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0; whole chains 19 of 20 (95.00%), elsewhere 1
== run for programs
pmcstat -R out.log -r root --json | grep -o '"chains":.*"inclusive_partial":[a-z]*'
pmcstat -R whole.log --json | grep -o '"chains":.*"inclusive_partial":[a-z]*'
== out
"chains":25,"ends":{"elsewhere":2,"complete":17,"window":4,"no-data":0,"bad-return":1,"depth":0,"stale":1,"overload":0,"no-stack":0},"at_unknown":0,"guessed":2,"stitched":1,"inclusive_partial":true
"chains":20,"ends":{"elsewhere":1,"complete":19,"window":0,"no-data":0,"bad-return":0,"depth":0,"stale":0,"overload":0,"no-stack":0},"at_unknown":0,"guessed":0,"stitched":0,"inclusive_partial":false
== run on the page
pmcstat -R out.log -r root --html page.html -q
grep -A1 'whole chains' page.html | head -2
== out
<div class="bad"><dt>whole chains</dt><dd>17 <small>68.00%</small></dd></div>
</dl>
== run every line of it is a description for callgrind's readers
pmcstat -q -R out.log -r root -F - | sed -n '/^desc: qu/,/^events/p' | cut -c1-60
== out
desc: quality: 38 samples of cpu-clock, faults; lost 0 (0.00
desc: inclusive numbers and callers are partial: 32.00% of t
positions: line
events: cpu-clock faults
== file ending
pmc 1 cpu-clock flags=0x80
exec 10 app
map 10 0x401000 0x2000 app off=0x1000
sample 10 0x401210,0x401010 end=
close
== run what to do is said of what most chains end by, and unwinding is not asked for where it was done
for end in no-data bad-return stale no-stack window overload depth; do
	sed "s/end=/end=$end/" ending | pmclog assemble >$end.log
	pmcstat -R $end.log --flat | sed -n "s/^inclusive.*began;/$end:/p"
done
== out
no-data: most of them end in code without unwind data, which would need frame pointers
bad-return: most of them end where unwind data are wrong or a stack was switched
stale: of most of them no stack of the user could be read
no-stack: of most of them no stack of the user could be read
window: most of them are deeper than what is copied of a stack, and their process had gone on, had ended or may not be read by this user
overload: record at a lower rate
depth: most of them have more frames than --depth had them keep, which has 4096 at most
== log unknown.log
pmc 1 cpu-clock flags=0x80
exec 10 app
map 10 0x401000 0x2000 app off=0x1000
map kernel 0xffffffff81000000 0x2000 [kernel]
sample 10 0x401210,0x7001 x85
sample 10 0x401210,0x7002 end=no-data x5
sample 10 0x401210,0x7003 end=complete x10
sample 10 0x401210,0x401010 x8
sample 10 0x7001,0x401010
sample 10 0xffffffffa1000010 end=no-stack k
close
== run how many of those that are not whole end where nothing is mapped
pmcstat -R unknown.log --flat | sed -n '/^quality/{s/.*; whole/whole/;p}'
pmcstat -q -R unknown.log --json | grep -o '"chains":[0-9]*\|"at_unknown":[0-9]*'
pmcstat -q -R unknown.log --html page.html
grep -A1 'whole chains' page.html | head -2
== out
whole chains 10 of 110 (9.09%), elsewhere 94, no-data 5, no-stack 1; 90 end at [unknown]
"chains":110
"at_unknown":90
<div class="bad"><dt>whole chains</dt><dd>10 <small>9.09%</small></dd></div>
<div class="bad"><dt>chains that end at [unknown]</dt><dd>90 <small>81.82%</small></dd></div>
== elf roots
type exec
text 0x401000 0x2000
symbol work 0x401000 0x100
symbol thread_start 0x401100 0x100
symbol __start 0x401200 0x100
symbol runtime.goexit 0x401300 0x100
symbol runtime.mstart 0x401400 0x100
symbol runtime.mstart.abi0 0x401500 0x100
symbol runtime.rt0_go 0x401600 0x100
symbol runtime.rt0_go.abi0 0x401700 0x100
symbol _rt0_386_linux 0x401800 0x100
symbol _rt0_arm_linux 0x401900 0x100
symbol thread_start_hook 0x401a00 0x100
== file freebsd
ffffffff81000000 T _stext
ffffffff81000100 T fork_trampoline
ffffffff81000200 T fork_exit
ffffffff81000300 T swapper
ffffffff81000400 T amd64_syscall
ffffffff81002000 T _etext
== log roots.log
origin boot-id=0123
pmc 1 cpu-clock flags=0x180
exec 10 roots
map 10 0x401000 0x2000 roots off=0x1000
map kernel 0xffffffff81000000 0x2000 [kernel]
sample 10 0x401010,0x401110
sample 10 0x401010,0x401210
sample 10 0x401010,0x401310
sample 10 0x401010,0x401410
sample 10 0x401010,0x401510
sample 10 0x401010,0x401610
sample 10 0x401010,0x401710
sample 10 0x401010,0x401810
sample 10 0x401010,0x401910
sample 10 0x401010,0x401a10
sample 2 0xffffffff81000310,0xffffffff81000110 k
sample 2 0xffffffff81000310,0xffffffff81000210 k
sample 2 0xffffffff81000310,0xffffffff81000410 k
close
== run threads begin in these: of FreeBSD, of libc, and of Go of several machines and ages
mkdir -p bsd/proc/sys/kernel/random && cp freebsd bsd/proc/kallsyms
cp boot_id bsd/proc/sys/kernel/random && cp roots bsd
pmcstat -R roots.log -r bsd --flat | sed -n '/^quality/{s/.*; whole/whole/;p}'
== out
whole chains 11 of 12 (91.67%), elsewhere 1
== file callers
exec 10 app
map 10 0x401000 0x2000 app off=0x1000
sample 10 0x401210,0x401010
close
== file freebsd.text
origin none
raw u32:0xee030070 u32:0 u64:1 u32:0x09030000 u32:0x400 u64:1000000000 u64:1000000 u64:0 z:64
== run what finds callers is said for who recorded: FreeBSD knows frame pointers, as the module does
for collector in perf hwpmc; do echo origin collector=$collector >$collector.text; done
for who in perf hwpmc freebsd; do
	{ cat $who.text; echo 'pmc 1 cpu-clock flags=0x80'; cat callers; } | pmclog assemble >it.log
	pmcstat -R it.log --flat | sed -n "s/^inclusive.*began;/$who:/p"
done
== out
perf: --unwind=dwarf finds callers without frame pointers
hwpmc: --collector=perf --unwind=dwarf finds callers without frame pointers
freebsd: FreeBSD finds callers by frame pointers: compile with -fno-omit-frame-pointer
