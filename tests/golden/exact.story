Frames that a signal interrupted, and where its handler returns to, are no return addresses: at the first
instruction of a function they belong to it, not to the one before.
== elf app
type exec
text 0x401000 0x1000
symbol handler 0x401000 0x100
symbol before 0x401100 0x100
symbol interrupted 0x401200 0x100
symbol main 0x401300 0x100
symbol restorer 0x401400 0x100
== log out.log
pmc 1 cpu-clock flags=0x80
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401400,0x401200,0x401310 end=complete exact=1 exact=2 x3
sample 10 0x401010,0x401400,0x401200,0x401310 end=complete exact=1
sample 10 0x401010,0x401400,0x401200,0x401310 end=complete x2
sample 10 0x401200,0x401310 end=complete
sample 10 0xffffffff81000010,0x401010,0x401400,0x401200,0x401310 k end=complete exact=2 exact=3 x4
== run every chain has the functions that it went through
pmcstat -q -R out.log --folded
== out
app;main;before;main;handler 2
app;main;before;restorer;handler 1
app;main;interrupted 1
app;main;interrupted;restorer;handler 3
app;main;interrupted;restorer;handler;[unknown] 4
== run a function's callers
pmcstat -q -R out.log --callers interrupted
== out
@ cpu-clock [11 samples]

interrupted @ app: 8 samples (72.73%), 1 of them its own
TOTAL%   SAMPLES  CALLER @ OBJECT
100.00         8  interrupted @ app
100.00         8   main

quality: 11 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 36.36%, of them unmapped 36.36%; truncated chains 0; whole chains 11 of 11 (100.00%)
== run the record's text, which is of one chain
pmcstat -q --dump -R out.log | sed -n '/callchain/{p;q}'
== out
callchain 10 0x1 0 4 u end=complete exact=1,2
== run frames beyond the first words of marks
deep=$(printf '0x401310,%.0s' $(seq 130))
printf '%s\n' 'pmc 1 cpu-clock flags=0x80' 'exec 10 app' 'map 10 0x401000 0x1000 app off=0x1000' \
	"sample 10 ${deep}0x401200 exact=130" "sample 10 ${deep}0x401200" | mklog deep.log
pmcstat -q -R deep.log --folded | sed 's/\(;main\)*;main/;main*/'
== out
app;before;main* 1
app;interrupted;main* 1
