A gmon.out file for each event and object, and what none of them can have.
== elf app
type exec
text 0x401000 0x1000
symbol _init 0x401000 0x10
symbol leaf 0x401100 0x100
symbol mid 0x401200 0x100
symbol main 0x401300 0x100
== elf lib.so
class 32
order big
text 0x1000 0x1000
symbol f 0x1000 0x1000
== log out.log
pmc 1 cpu-clock rate=1000000
pmc 2 cpu/event=0x3c,umask=0/
exec 10 /bin/app
map 10 0x401000 0x1000 app off=0x1000
map 10 0x7f0000000000 0x1000 lib.so off=0x1000
map 10 0x7f0000010000 0x1000 /other/lib.so off=0x1000
sample 10 0x401110,0x401210,0x401310 x4
sample 10 0x401110,0x401210,0x401310,0x401310 x70000
sample 10 0x401110 x2
sample 10 0x7f0000000123,0x401310 x3
sample 10 0x7f0000010124,0x401310
sample 10 0x555500000000 x5
sample 10 0x7f0000000123,0x401310 pmc=2 x6
== run each object has a file for each event, under its own name
pmcstat -q -R out.log -g -D d -M - && find d -type f | sort
== out
 "app" => "app.gmon" cpu-clock/70006
 "lib.so" => "lib.so.gmon" cpu-clock/3 cpu/event=0x3c,umask=0//6
 "/other/lib.so" => "lib.so~2.gmon" cpu-clock/1
 "[unknown]" => "" cpu-clock/5
d/cpu-clock/app.gmon
d/cpu-clock/lib.so.gmon
d/cpu-clock/lib.so~2.gmon
d/cpu_event=0x3c,umask=0_/lib.so.gmon
== err
pmcstat: 5 of 70015 samples of cpu-clock were taken where nothing is mapped: no gmon.out file has them
== run bytes: one function, twice because of 16-bit counters, and its calls, some from outside
pmcstat -q -R out.log --pid 10 -g && od -A d -t x1z -v cpu-clock/app.gmon
== out
0000000 67 6d 6f 6e 01 00 00 00 00 00 00 00 00 00 00 00  >gmon............<
0000016 00 00 00 00 00 10 11 40 00 00 00 00 00 12 11 40  >.......@.......@<
0000032 00 00 00 00 00 01 00 00 00 e8 03 00 00 73 65 63  >.............sec<
0000048 6f 6e 64 73 00 00 00 00 00 00 00 00 73 ff ff 00  >onds........s...<
0000064 10 11 40 00 00 00 00 00 12 11 40 00 00 00 00 00  >..@.......@.....<
0000080 01 00 00 00 e8 03 00 00 73 65 63 6f 6e 64 73 00  >........seconds.<
0000096 00 00 00 00 00 00 00 73 77 11 01 0f 12 40 00 00  >.......sw....@..<
0000112 00 00 00 00 11 40 00 00 00 00 00 74 11 01 00 01  >.....@.....t....<
0000128 0f 13 40 00 00 00 00 00 00 12 40 00 00 00 00 00  >..@.......@.....<
0000144 74 11 01 00 01 0f 13 40 00 00 00 00 00 00 13 40  >t......@.......@<
0000160 00 00 00 00 00 70 11 01 00 01 00 10 40 00 00 00  >.....p......@...<
0000176 00 00 00 11 40 00 00 00 00 00 02 00 00 00        >....@.........<
0000190
== err
pmcstat: 5 of 70015 samples of cpu-clock were taken where nothing is mapped: no gmon.out file has them
== run an object of other pointers and order, of an event that is no clock
pmcstat -q -R out.log -g && od -A d -t x1z -v cpu_event=0x3c,umask=0_/lib.so.gmon
== out
0000000 67 6d 6f 6e 00 00 00 01 00 00 00 00 00 00 00 00  >gmon............<
0000016 00 00 00 00 00 00 00 11 22 00 00 11 24 00 00 00  >........"...$...<
0000032 01 00 00 00 01 73 61 6d 70 6c 65 73 00 00 00 00  >.....samples....<
0000048 00 00 00 00 23 00 06                             >....#..<
0000055
== err
pmcstat: 5 of 70015 samples of cpu-clock were taken where nothing is mapped: no gmon.out file has them
== run the wide dialect
pmcstat -q -R out.log -g -e -D wide && od -A d -t x1z -v wide/cpu-clock/app.gmon
== out
0000000 10 11 40 00 00 00 00 00 18 11 40 00 00 00 00 00  >..@.......@.....<
0000016 30 00 00 00 79 18 05 00 e8 03 00 00 40 00 00 00  >0...y.......@...<
0000032 00 00 00 00 00 00 00 00 76 11 01 00 00 00 00 00  >........v.......<
0000048 0f 12 40 00 00 00 00 00 00 11 40 00 00 00 00 00  >..@.......@.....<
0000064 74 11 01 00 00 00 00 00 0f 13 40 00 00 00 00 00  >t.........@.....<
0000080 00 12 40 00 00 00 00 00 74 11 01 00 00 00 00 00  >..@.....t.......<
0000096 0f 13 40 00 00 00 00 00 00 13 40 00 00 00 00 00  >..@.......@.....<
0000112 70 11 01 00 00 00 00 00 00 10 40 00 00 00 00 00  >p.........@.....<
0000128 00 11 40 00 00 00 00 00 02 00 00 00 00 00 00 00  >..@.............<
0000144
== err
pmcstat: 5 of 70015 samples of cpu-clock were taken where nothing is mapped: no gmon.out file has them
== elf clones
type exec
text 0x401000 0x1000
symbol before 0x401000 0x100
symbol hot.isra.0 0x401100 0x100
symbol warm.cold 0x401200 0x100
symbol nested.0 0x401300 0x100
== log clones.log
pmc 1 cpu-clock rate=1000000
exec 10 /bin/clones
map 10 0x401000 0x1000 clones off=0x1000
sample 10 0x401010 x1
sample 10 0x401110 x5
sample 10 0x401210 x2
sample 10 0x401310 x4
== run functions that gprof does not know, and takes for the one before
pmcstat -q -R clones.log -g
== err
pmcstat: 7 of 12 samples of cpu-clock are in functions such as hot.isra.0, which GNU gprof does not know: it gives their time to others
