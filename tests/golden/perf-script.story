The text that perf script prints, a block for each sample in the order of time, as its readers take it.
== elf app
type exec
text 0x401000 0x1000
symbol leaf 0x401000 0x100
symbol _ZN12_GLOBAL__N_14workEPKci 0x401100 0x100
symbol main 0x401200 0x100
== file kallsyms
ffffffff81000000 T _stext
ffffffff81000100 T do_work
ffffffff81000300 T _etext
== file boot_id
0123
== log out.log
origin boot-id=0123
pmc 1 cpu-clock:u hz=1000
pmc 2 page-faults rate=100
pmc 3 cycles hz=99
map kernel 0xffffffff81000000 0x1000000 [kernel]
map kernel 0xffffffffc0000000 0x1000 [nf_tables]
proc 0 swapper
exec 10 app
map 10 0x401000 0x1000 "/my app" off=0x1000
map 10 0x601000 0x1000 /lib/gone off=0x1000
map 10 0x7f0000 0x4000 //anon
time 5000000
sample 10 0x401010,0x401110,0x401210 x2
time 1200007000000
sample 10/11 0xffffffff81000110,0xffffffffc0000010,0x401018,0x401210 cpu=130 k
thread 11 10 "Web Content 2"
sample 10 0x401210 pmc=2
sample 10 0x601020,0x501010,0x401210 pmc=3
time 6000000
sample 0/0 0xffffffff81000000 cpu=3 k
sample 123456 0x10
proc 12 "#! 1 x\x0a"
sample 12 0x10
proc 13 "7"
sample 13 0x10
sample 10 0x7f0010,0x7f1000,0x401210
map 10 0x7f0000 0x80 [jit] "sym=JS:*inner a.js:1:1"
exit 10
== run every sample with its time, period and chain
mkdir -p root/proc/sys/kernel/random && cp app 'root/my app' && cp kallsyms root/proc && cp boot_id root/proc/sys/kernel/random
pmcstat -q -r root -R out.log --perf-script | sed "s/: \$/: ./"
== out
app    10/10    [000]     0.005000:    1000000 cpu-clock:u: .
	          401010 leaf+0x10 (/my_app)
	          401110 ::(anonymous namespace)::work(char const*, int)+0x10 (/my_app)
	          401210 main+0x10 (/my_app)

app    10/10    [000]     0.005001:    1000000 cpu-clock:u: .
	          401010 leaf+0x10 (/my_app)
	          401110 ::(anonymous namespace)::work(char const*, int)+0x10 (/my_app)
	          401210 main+0x10 (/my_app)

swapper     0/0     [003]     0.006000:    1000000 cpu-clock:u: .
	ffffffff81000000 _stext+0x0 ([kernel.kallsyms])

pid-123456 123456/123456 [000]     0.006001:    1000000 cpu-clock:u: .
	              10 [unknown] ([unknown])

_!_1 x_    12/12    [000]     0.006003:    1000000 cpu-clock:u: .
	              10 [unknown] ([unknown])

7     13/13    [000]     0.006005:    1000000 cpu-clock:u: .
	              10 [unknown] ([unknown])

app    10/10    [000]     0.006006:    1000000 cpu-clock:u: .
	          7f0010 JS:*inner a.js:1:1+0x10 (/tmp/perf-10.map)
	          7f1000 [unknown] (//anon)
	          401210 main+0x10 (/my_app)

Web Content_2    10/11    [130]  1200.007000:    1000000 cpu-clock:u: .
	ffffffff81000110 do_work+0x10 ([kernel.kallsyms])
	ffffffffc0000010 nf_tables+0x10 ([nf_tables])
	          401018 leaf+0x18 (/my_app)
	          401210 main+0x10 (/my_app)

app    10/10    [000]  1200.007002:        100 page-faults: .
	          401210 main+0x10 (/my_app)

app    10/10    [000]  1200.007003:          1 cycles: .
	          601020 [unknown] (/lib/gone)
	          501010 [unknown] ([unknown])
	          401210 main+0x10 (/my_app)

== log old.log
origin none
raw u32:0xee020014 u32:1500000000 u32:7 u32:0x03010000 u32:0x8b
raw u32:0xee050018 u32:1500000000 u32:8 u32:0x2f01 u32:0x20000 u32:0x80
raw u32:0xee100020 u32:1500000001 u32:250000008 u32:10 u32:0x2f01 u32:0x00030001 u64:0x401010
== run an old log says no thread, and times in its own way
pmcstat -q -R old.log --perf-script | sed "s/: \$/: ./"
== out
pid-10    10 [003]     1.250000:          1 event-0x20000: .
	          401010 [unknown] ([unknown])

