The callgrind format: a part for each function, its own samples and its calls by line.
== elf app
type exec
text 0x401000 0x1000
symbol leaf 0x401100 0x100
symbol mid 0x401200 0x100
symbol main 0x401300 0x100
symbol rare 0x401400 0x100
== log out.log
pmc 1 cpu-clock rate=1000000
pmc 2 page-faults
exec 10 /bin/app
map 10 0x401000 0x1000 app off=0x1000
map 10 0x7f0000000000 0x1000 /usr/lib/lib.so off=0x1000
sample 10 0x401110,0x401210,0x401310 x40
sample 10 0x401110,0x401210,0x401310,0x401320 x50
sample 10 0x401120,0x401410,0x401310 x2
sample 10 0x7f0000000123,0x401310 x3
sample 10 0x555500000000 x5
sample 10 0x401110,0x401220,0x401310 pmc=2 x6
== run two events, recursion, another object and none
pmcstat -q -R out.log -F -
== out
# callgrind format
version: 1
creator: pmcstat
desc: arcs are sampled, their counts are samples, not calls
desc: quality: 106 samples of cpu-clock every 1000000, page-faults; lost 0 (0.00%); throttled 0; unresolved 7.55%, of them unmapped 4.72%; truncated chains 0
positions: line
events: cpu-clock page-faults
summary: 100 6

fl=(1) ???
fn=(1) [root]
cob=(1) app
cfi=(1)
cfn=(4) main
calls=101 0
0 95 6
cob=(3) [unknown]
cfi=(1)
cfn=(7) [unknown]
calls=5 0
0 5 0

ob=(1)
fl=(1)
fn=(2) leaf
0 92 6

fl=(1)
fn=(3) mid
cfi=(1)
cfn=(2)
calls=96 0
0 90 6

fl=(1)
fn=(4)
cfi=(1)
cfn=(3)
calls=96 0
0 90 6
cfi=(1)
cfn=(4)
calls=50 0
0 0 0
cfi=(1)
cfn=(5) rare
calls=2 0
0 2 0
cob=(2) /usr/lib/lib.so
cfi=(1)
cfn=(6) 0x1123
calls=3 0
0 3 0

fl=(1)
fn=(5)
cfi=(1)
cfn=(2)
calls=2 0
0 2 0

ob=(2)
fl=(1)
fn=(6)
0 3 0

ob=(3)
fl=(1)
fn=(7)
0 5 0

totals: 100 6
== run what is below the threshold becomes part of its caller
pmcstat -q -R out.log -F - -f threshold=4 | sed -n '/^ob=(1)/,$p'
== out
ob=(1)
fl=(1)
fn=(2) leaf
0 92 6

fl=(1)
fn=(3) mid
cfi=(1)
cfn=(2)
calls=96 0
0 90 6

fl=(1)
fn=(4)
0 3 0
cfi=(1)
cfn=(2)
calls=2 0
0 2 0
cfi=(1)
cfn=(3)
calls=96 0
0 90 6
cfi=(1)
cfn=(4)
calls=50 0
0 0 0

ob=(3)
fl=(1)
fn=(7)
0 5 0

totals: 100 6
