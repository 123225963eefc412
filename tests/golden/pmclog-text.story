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
