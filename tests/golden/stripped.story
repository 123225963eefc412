Functions that no symbol covers are one row each where unwind data tells their bounds, named by
where they begin; symbols go first, and addresses that nothing covers keep their number.
== elf bin/app
type exec
entry 0x401000
text 0x401000 0x1000
dynsym shown 0x401100 0x40
fde 0x401000 0x30
fde 0x401100 0x80
fde 0x401200 0x100
fde 0x401300 0x20
== elf lib32.so
class 32
machine i386
text 0x1000 0x1000
fde 0x1200 0x100
== log out.log
pmc 1 cpu-clock rate=1000000
exec 10 bin/app
map 10 0x401000 0x1000 bin/app off=0x1000
map 10 0xf7000000 0x1000 lib32.so off=0x1000
sample 10 0x401204,0x401310 x4
sample 10 0x401208,0x401318 x3
sample 10 0x4012ff,0x401310 x2
sample 10 0x401110,0x401310
sample 10 0x401150
sample 10 0x401300
sample 10 0x401205,0x401320 x5
sample 10 0x401400
sample 10 0x401404
sample 10 0xf7000204
sample 10 0xf7000208,0xf7000300
close
== run the flat profile
pmcstat -R out.log --flat
== out
@ cpu-clock [21 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  66.67         14   66.67         14  app+0x401200..  app
   9.52          2    9.52          2  lib32.so+0x1200..  lib32.so
   4.76          1   76.19         16  app+0x401300..  app
   4.76          1    4.76          1  0x401400  app
   4.76          1    4.76          1  0x401404  app
   4.76          1    4.76          1  app+0x401100..  app
   4.76          1    4.76          1  shown  app

quality: 21 samples of cpu-clock every 1000000; lost 0 (0.00%); throttled 0; unresolved 95.24%, of them unmapped 0.00%; truncated chains 0
== err
pmcstat: 18 samples (85.71%): bin/app is stripped and has no separate debug file: only the functions that it exports have names
pmcstat: 2 samples (9.52%): lib32.so is stripped and has no separate debug file
== run folded stacks
pmcstat -q -R out.log --folded
== out
app;0x401400 1
app;0x401404 1
app;app+0x401100.. 1
app;app+0x401300.. 1
app;app+0x401300..;app+0x401200.. 14
app;app+0x401300..;shown 1
app;lib32.so+0x1200.. 1
app;lib32.so+0x1200..;lib32.so+0x1200.. 1
== run the call graph
pmcstat -q -R out.log -G -
== out
@ cpu-clock [21 samples]

66.67%  [14]       app+0x401200.. @ bin/app
 100.0%  [14]        app+0x401300..

09.52%  [2]        lib32.so+0x1200.. @ lib32.so
 50.00%  [1]         [end]
 50.00%  [1]         lib32.so+0x1200..

04.76%  [1]        0x401400 @ bin/app

04.76%  [1]        0x401404 @ bin/app

04.76%  [1]        app+0x401100.. @ bin/app

04.76%  [1]        app+0x401300.. @ bin/app

04.76%  [1]        shown @ bin/app
 100.0%  [1]         app+0x401300..

== run each sample's function and its range
pmcstat -q -R out.log -m -
== out
0x401205 app+0x401200.. 0x401200 0x401300
0x401205 app+0x401200.. 0x401200 0x401300
0x401205 app+0x401200.. 0x401200 0x401300
0x401205 app+0x401200.. 0x401200 0x401300
0x401205 app+0x401200.. 0x401200 0x401300
0x401204 app+0x401200.. 0x401200 0x401300
0x401204 app+0x401200.. 0x401200 0x401300
0x401204 app+0x401200.. 0x401200 0x401300
0x401204 app+0x401200.. 0x401200 0x401300
0x401208 app+0x401200.. 0x401200 0x401300
0x401208 app+0x401200.. 0x401200 0x401300
0x401208 app+0x401200.. 0x401200 0x401300
0x4012ff app+0x401200.. 0x401200 0x401300
0x4012ff app+0x401200.. 0x401200 0x401300
0x401110 shown 0x401100 0x401140
0x401150 app+0x401100.. 0x401100 0x401180
0x401300 app+0x401300.. 0x401300 0x401320
0x401400 <unknown> 0x0 0x0
0x401404 <unknown> 0x0 0x0
0xf7000204 lib32.so+0x1200.. 0x1200 0x1300
0xf7000208 lib32.so+0x1200.. 0x1200 0x1300
== run each sample's chain
pmcstat -q -R out.log -a - | sort | uniq -c | sort -rn | sed 's/^ *//'
== out
21 --
7 0x401310 app+0x401300.. ??:0
5 0x401320 app+0x401300.. ??:0
5 0x401205 app+0x401200.. ??:0
4 0x401204 app+0x401200.. ??:0
3 0x401318 app+0x401300.. ??:0
3 0x401208 app+0x401200.. ??:0
2 0x4012ff app+0x401200.. ??:0
1 0xf7000300 lib32.so+0x1200.. ??:0
1 0xf7000208 lib32.so+0x1200.. ??:0
1 0xf7000204 lib32.so+0x1200.. ??:0
1 0x401404 <unknown> ??:0
1 0x401400 <unknown> ??:0
1 0x401300 app+0x401300.. ??:0
1 0x401150 app+0x401100.. ??:0
1 0x401110 shown ??:0
== run leaves by instruction are addresses, as they have no name to count from
pmcstat -q -R out.log -I --flat -f threshold=0 | head -n -1
== out
@ cpu-clock [21 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  23.81          5   23.81          5  0x401205  app
  19.05          4   19.05          4  0x401204  app
  14.29          3   14.29          3  0x401208  app
   9.52          2    9.52          2  0x4012ff  app
   4.76          1    4.76          1  0x1204  lib32.so
   4.76          1    4.76          1  0x1208  lib32.so
   4.76          1    4.76          1  0x401150  app
   4.76          1    4.76          1  0x401300  app
   4.76          1    4.76          1  0x401400  app
   4.76          1    4.76          1  0x401404  app
   4.76          1    4.76          1  shown+0x10  app
   0.00          0   71.43         15  app+0x401300..  app
   0.00          0    4.76          1  lib32.so+0x1200..  lib32.so

== run its callers
pmcstat -q -R out.log --callers 'app+0x401200..'
== out
@ cpu-clock [21 samples]

app+0x401200.. @ app: 14 samples (66.67%), 14 of them its own
TOTAL%   SAMPLES  CALLER @ OBJECT
100.00        14  app+0x401200.. @ app
100.00        14   app+0x401300..

quality: 21 samples of cpu-clock every 1000000; lost 0 (0.00%); throttled 0; unresolved 95.24%, of them unmapped 0.00%; truncated chains 0
== run its line, which nothing tells
pmcstat -q -R out.log --annotate 'app+0x401300..'
== out
@ cpu-clock [21 samples]

app+0x401300.. @ app: 16 samples (76.19%)
 SELF%      SELF TOTAL%     TOTAL   LINE  SOURCE
  6.25         1 100.00        16      -  (the line is not known)

quality: 21 samples of cpu-clock every 1000000; lost 0 (0.00%); throttled 0; unresolved 95.24%, of them unmapped 0.00%; truncated chains 0
== run for programs
pmcstat -q -R out.log --json | tr '{' '\n' | grep '"name":"app+'
== out
"name":"app+0x401200..","object":"bin/app","image":0,"self":14,"total":14},
"name":"app+0x401300..","object":"bin/app","image":0,"self":1,"total":16},
"name":"app+0x401100..","object":"bin/app","image":0,"self":1,"total":1},
== run calls in gmon.out files lead to where functions begin
pmcstat -q -R out.log -g -D . && tail -c 84 cpu-clock/app.gmon | od -A n -t x1 -w21
== out
 01 0f 13 40 00 00 00 00 00 00 12 40 00 00 00 00 00 06 00 00 00
 01 0f 13 40 00 00 00 00 00 00 11 40 00 00 00 00 00 01 00 00 00
 01 17 13 40 00 00 00 00 00 00 12 40 00 00 00 00 00 03 00 00 00
 01 1f 13 40 00 00 00 00 00 00 12 40 00 00 00 00 00 05 00 00 00
== run without the file they are addresses
rm lib32.so && pmcstat -q -R out.log --flat -f threshold=0 2>/dev/null | grep lib32
== out
   4.76          1    4.76          1  0x1204  lib32.so
   4.76          1    4.76          1  0x1208  lib32.so
   0.00          0    4.76          1  0x1300  lib32.so
== run 65 and what one knows that they are called finds nothing
pmcstat -q -R out.log --annotate work
== err
pmcstat: no function or source file in the samples is called "work"
pmcstat: hint: 20 of the 21 samples are in functions without a name; --flat -v lists the others, and says why
== elf exports
type exec
build-id 1122334455
text 0x401000 0x1000
dynsym shown 0x401000 0x40
== elf shown.debug
type exec
debug-only
build-id 1122334455
text 0x401000 0x1000
symbol hidden 0x401100 0x40
== log exports.log
pmc 1 cpu-clock rate=1000000
exec 10 bin/exports
map 10 0x401000 0x1000 bin/exports off=0x1000 build-id=1122334455
sample 10 0x401104
close
== run a debug file that cannot be opened is not said to be missing
mkdir -p root/bin root/usr/lib/debug/.build-id/11 && cp exports root/bin && cp shown.debug root/usr/lib/debug/.build-id/11/22334455.debug
(ulimit -n 5; pmcstat -q -r root -R exports.log --folded) 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
(ulimit -n 4; pmcstat -r root -R exports.log --folded) 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
== out
exports;hidden 1
exports;0x401104 1
== err
pmcstat: 1 samples (100.00%): root/bin/exports is stripped, and its debug file was not read (cannot open root/usr/lib/debug/.build-id/11/22334455.debug: of 4 files that may be open 4 are, and more are needed): only the functions that it exports have names
pmcstat: quality: 1 samples of cpu-clock every 1000000; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 0.00%; truncated chains 0
== run nor one that is damaged
printf '\177ELF' >root/usr/lib/debug/.build-id/11/22334455.debug; pmcstat -r root -R exports.log --folded
== out
exports;0x401104 1
== err
pmcstat: 1 samples (100.00%): root/bin/exports is stripped, and its debug file was not read (root/usr/lib/debug/.build-id/11/22334455.debug is no ELF file): only the functions that it exports have names
pmcstat: quality: 1 samples of cpu-clock every 1000000; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 0.00%; truncated chains 0
