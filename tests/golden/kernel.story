Kernel and user frames in one chain; the first user frame below the kernel is no return address, so
a fault at a function's first byte belongs to that function.
== elf app
type exec
text 0x401000 0x1000
symbol before 0x401000 0x100
symbol faulting 0x401100 0x100
symbol main 0x401200 0x100
== file kallsyms
ffffffff81000000 T _stext
ffffffff81000100 T handle_fault
ffffffff81000200 T asm_exc_page_fault
ffffffff81000300 T _etext
== file boot_id
0123
== log out.log
origin boot-id=0123
pmc 1 page-faults flags=0x180
map kernel 0xffffffff81000000 0x1000 [kernel]
exec 10 /app
map 10 0x401000 0x1000 /app off=0x1000
sample 10 0xffffffff81000110,0xffffffff81000210,0x401100,0x401210 k x3
sample 10 0xffffffff81000110,0xffffffff81000210 k
== run a fault at the first byte of a function
mkdir -p root/proc/sys/kernel/random && cp app root/app && cp kallsyms root/proc && cp boot_id root/proc/sys/kernel/random && pmcstat -q -r root -R out.log --folded
== out
app;asm_exc_page_fault;handle_fault 1
app;main;faulting;asm_exc_page_fault;handle_fault 3
