-a and -m in the form that scripts for FreeBSD read: a block or a line for every sample.
== elf app
type exec
text 0x401000 0x1000
symbol _Z4leafic 0x401000 0x100
symbol main 0x401300 0x100
== log out.log
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401310,0x401390
sample 10 0x401010,0x401310 x2
sample 10 0x401014,0x401310
sample 10 0x401010
sample 10 0x401810,0x7000
sample 10 0x7000
== run every address of every sample
pmcstat -q -R out.log -a -
== out
0x401310 main ??:0
0x401390 main ??:0
--
0x401010 leaf(int,_char) ??:0
0x401310 main ??:0
--
0x401010 leaf(int,_char) ??:0
0x401310 main ??:0
--
0x401014 leaf(int,_char) ??:0
0x401310 main ??:0
--
0x401010 leaf(int,_char) ??:0
--
0x401810 <unknown> ??:0
0x7000 <unknown> ??:0
--
0x7000 <unknown> ??:0
--
== run a line for every sample, equal ones together
pmcstat -q -R out.log -m -
== out
0x401010 leaf(int,_char) 0x401000 0x401100
0x401010 leaf(int,_char) 0x401000 0x401100
0x401010 leaf(int,_char) 0x401000 0x401100
0x7000 <unknown> 0x0 0x0
0x401014 leaf(int,_char) 0x401000 0x401100
0x401310 main 0x401300 0x401400
0x401810 <unknown> 0x0 0x0
== run with -I the name has the offset
pmcstat -q -R out.log -I --pc-map - | head -n 1
== out
0x401010 leaf(int,_char)+0x10 0x401000 0x401100
== run they count as scripts do: samples in main, and main below leaf
pmcstat -q -R out.log -a - | awk '/^--/ { n++ } $2 == "main" && $0 !~ /<unknown>/ { m++ } END { print n, m }'
pmcstat -q -R out.log -m - | awk '{ pc = $1; n[$2]++ } END { print n["main"], n["leaf(int,_char)"] }'
== out
7 5
1 4
