Logs as text that can be edited: pmclog-text(5).

== file said.txt
@7 origin bare host=box cputype=0x400 freq=1000 sec=5 nsec=6   # nothing else
pmc 0x2f01 cpu-clock rate=1000000 flags=0x80 event=0x30000 host=other
@100 exec 10 /bin/app pmc=none arg=app arg="two words" cut
sample 10 0x401310,(0x401100,0x401140)*3 guessed=1-2,4 exact=0
time 4000
close

== run a text is a log
pmclog assemble said.txt said.log && pmclog dump --json said.log
== out
{"type":"initialize","tsc":7,"version":"0x9030000","arch":"0x400","cpuid":"","tsc_freq":1000,"sec":5,"nsec":6,"host":"box"}
{"type":"pmcallocatedyn","tsc":1007,"pmcid":"0x2f01","event":"0x30000","flags":"0x80","evname":"cpu-clock","spec":"cpu-clock","host":"other","rate":1000000}
{"type":"procexec","tsc":100,"pmcid":"0xffffffff","pid":10,"start":"0x0","pathname":"/bin/app","arguments":["app","two words"],"arguments_cut":true}
{"type":"callchain","tsc":1100,"pmcid":"0x2f01","pid":10,"tid":10,"cpu":0,"mode":"user","pc":["0x401310","0x401100","0x401140","0x401100","0x401140","0x401100","0x401140"],"guessed":[1,2,4],"exact":[0]}
{"type":"closelog","tsc":4000}
== run through pipes too
pmclog assemble <said.txt | cmp - said.log && pmclog assemble - <said.txt | pmclog info | head -1
== out
log        -
== run what stands before the first PMC means it
printf 'exec 10 /bin/app\nsample 10 1\npmc 5 cycles\n' | pmclog assemble | pmclog dump
== out
initlog   0x9030000 "GENERIC"
exec      0xffffffff 10 0x0 "/bin/app"
callchain 10 0x5 0 1 u
...       0x1
allocatedyn 0x5 "cycles" 0x0
== run 65 a mistake is told with its line and column, and what was said before is written
printf 'pmc 1 cycles\nuser 9\nsample 10 0x1 cpus=3\nuser 10\n' | pmclog assemble - part.log
== err
pmclog: standard input: line 3, column 15: sample: "cpus=3" is none of its fields
pmclog: hint: it is written: sample PID[/TID] PC[,PC...] [pmc=] [cpu=] [k] [end=] [stitched=] [guessed=] [exact=] [xN]
== run
pmclog dump part.log
== out
initlog   0x9030000 "GENERIC"
allocatedyn 0x1 "cycles" 0x0
userdata  0x9
== run 65 also what waited for a PMC
printf 'user 9\nuser\n' | pmclog assemble - part.log || { pmclog dump part.log; exit 65; }
== out
initlog   0x9030000 "GENERIC"
allocatedyn 0x2f01 "CLOCK.HARD" 0x80
userdata  0x9
== err
pmclog: standard input: line 2, column 1: user needs 1 fields, not 0
pmclog: hint: it is written: user NUMBER
== run 65 a statement that lacks a field, and one that is none
printf 'map 10 1 2\n' | pmclog assemble - part.log || printf '\n  @5 smaple 10 2\n' | pmclog assemble - part.log
== err
pmclog: standard input: line 1, column 10: map needs 4 fields, not 3
pmclog: hint: it is written: map PID|kernel NUMBER NUMBER TEXT [off=] [dev=] [inode=] [build-id=] [sym=]
pmclog: standard input: line 2, column 6: unknown statement "smaple"
pmclog: hint: there are: origin time pmc attach detach proc thread thread-exit exec map unmap fork exit exitval csw user sample drop shared close raw poke cut rotate
== run 65 a time without a statement, or that is none
echo '@5' | pmclog assemble - part.log || echo '@soon close' | pmclog assemble - part.log
== err
pmclog: standard input: line 1, column 1: no statement behind its time
pmclog: standard input: line 1, column 1: "soon" is not a number
== run 65 frames are numbers
echo 'sample 1 1 exact=2-x' | pmclog assemble - part.log || echo 'sample 1 1 exact=4096' | pmclog assemble - part.log
== err
pmclog: standard input: line 1, column 12: "2-x" are no frames like 0,2-5
pmclog: standard input: line 1, column 12: 4096 is above 0xfff
== run 64 what was written is changed in files alone
printf 'user 1\npoke 0 ff\n' | { pmclog assemble; echo $? >status; } | wc -c
exit $(cat status)
== out
368
== err
pmclog: standard input: line 2: poke needs a log that is a regular file
== run 66 no such text
pmclog assemble none.txt
== err
pmclog: none.txt: cannot open: No such file or directory
== log every.log
origin host="my \"box\"" command="pmcstat -S \\x\x0a\xc2\x85é#" cpuid=GenuineIntel-6-9E-A
pmc 0xfff02f00 cpu-clock hz=997 flags=0x80 depth=64 spec=CPU-CLOCK
pmc 0xfff01f01 cycles
attach 0xfff02f00 10 /bin/app
attach 0xfff02f00 12
proc 10 "my app"
thread 11 10 worker
exec 10 /bin/app entry=0x401000 pmc=0xfff02f00 arg=app arg="" arg="a b"
exec 12 /bin/other arg=cut cut
map 10 0x401000 0x1000 /bin/app off=0x1000 build-id=00ff10 dev=8:1 inode=42
map kernel 0xffffffff81000000 0 /boot/vmlinux
map 10 0x7f0000 0x10 //anon sym="void f(int)"
fork 10 12
csw 0xfff01f01 10 11 99
sample 10/11 0x401310,0x401020 cpu=3 end=complete
sample 10 0xffffffff81000010 k end=no-data pmc=0xfff01f01
sample 10 (1,2,3)*170,4,5 stitched=2 guessed=1-3,510 exact=0
sample 10 (0x11,0x12)*1000,0x20,0x21 guessed=2001
sample 10 -
drop 5
drop 7 cpu=2 throttle pmc=0xfff02f00 paused=12
shared 100 25 cpu=1
raw u32:0xee990018 u32:0 u64:5 s:anything
thread-exit 11
exitval 0xfff01f01 10 5000000000
unmap 10 0x401000 0x402000
exit 10
detach 0xfff02f00 10 ran=1000,2000
user 0xabcd
time 3
close

== run every record has a line, and its bytes where no statement writes it
pmclog text every.log every.txt && cat every.txt
== out
origin bare host="my \"box\"" release=fake machine=fake boot-id=fake collector=fake command="pmcstat -S \\x\x0a\xc2\x85é#" cpuid=GenuineIntel-6-9E-A cputype=0x400 freq=1000000000 sec=0 nsec=0
pmc 0xfff02f00 cpu-clock hz=997 flags=0x80 depth=64 event=0x20000 spec=CPU-CLOCK
pmc 0xfff01f01 cycles rate=0 flags=0x0 event=0x20000 spec=cycles
attach 0xfff02f00 10 /bin/app
attach 0xfff02f00 12
proc 10 "my app"
thread 11 10 worker
exec 10 /bin/app entry=0x401000 arg=app arg="" arg="a b"
exec 12 /bin/other arg=cut cut
map 10 0x401000 0x1000 /bin/app off=0x1000 dev=8:1 inode=42 build-id=00ff10
map kernel 0xffffffff81000000 0x0 /boot/vmlinux
map 10 0x7f0000 0x10 //anon sym="void f(int)"
fork 10 12
csw 0xfff01f01 10 11 99
sample 10/11 0x401310,0x401020 cpu=3 end=complete
sample 10 0xffffffff81000010 pmc=0xfff01f01 k end=no-data
sample 10 0x1,0x2,0x3,0x1,(0x2,0x3,0x1)*168,0x2,0x3,0x4,0x5 stitched=2 guessed=1-3,510 exact=0
sample 10 (0x11,0x12)*1000,0x20,0x21 guessed=2001
sample 10 -
drop 5
drop 7 cpu=2 throttle pmc=0xfff02f00 paused=12
shared 100 25 cpu=1
raw 180099ee000000000500000000000000616e797468696e67 # unknown
thread-exit 11
exitval 0xfff01f01 10 5000000000
unmap 10 0x401000 0x402000
exit 10
detach 0xfff02f00 10 ran=1000,2000
user 43981
@3 close
== run and becomes what it was
pmclog assemble every.txt | cmp - every.log && pmclog compress every.log | pmclog text | cmp - every.txt
== run version 10 is told
pmclog convert --version 10 every.log >ten.log 2>err; pmclog text ten.log ten.txt && pmclog assemble ten.txt | cmp - ten.log
grep '^origin\|exec' ten.txt
== out
origin bare host="my \"box\"" release=fake machine=fake boot-id=fake collector=fake command="pmcstat -S \\x\x0a\xc2\x85é#" cpuid=GenuineIntel-6-9E-A cputype=0x400 freq=1000000000 sec=0 nsec=0 version=10
exec 10 /bin/app arg=app arg="" arg="a b"
exec 12 /bin/other arg=cut cut
== log bytes.log
origin bare
raw u32:0xee110060 u32:0 u64:1000 u32:7 u32:0x20000 u32:0x80 u32:0 u64:65536 s:cycles z:50
sample 10 0x1 pmc=7
sample 10 0x1 pmc=0x2f01
== run a PMC that is bytes is none that statements mean
pmclog text bytes.log bytes.txt && pmclog assemble bytes.txt | cmp - bytes.log && grep -v raw bytes.txt
== out
origin bare cputype=0x0 freq=0 sec=0 nsec=0
sample 10 0x1 pmc=0x7
sample 10 0x1
== log damaged.log
pmc 1 cycles
user 1
user 2
cut 5
== run 65 of a damaged log what came before is written
pmclog text damaged.log
== out
origin bare host=fake release=fake machine=fake boot-id=fake collector=fake cpuid=fake cputype=0x400 freq=1000000000 sec=0 nsec=0
pmc 0x1 cycles rate=0 flags=0x0 event=0x20000 spec=cycles
user 1
== err
pmclog: damaged.log: record 4 at 0x168: the log ends after 19 of the record's 24 bytes
== run an edited log
pmclog text said.log | sed 's/exact=0/cpu=7/' | pmclog assemble | pmclog dump --json | grep -c '"cpu":7'
== out
1
== run 73 where it cannot be written
pmclog text said.log none/text
== err
pmclog: none/text: cannot create: No such file or directory
== run 64 nor over the log itself
pmclog text said.log said.log
== err
pmclog: said.log is the log that is read
pmclog: hint: name another file to write
