--annotate where there is no debug information: functions still have instructions, and nothing is
lost of what has no line.  mkelf's code is zero bytes, for a machine that is not
disassembled here.
== elf app
class 32
type exec
machine arm
text 0x11000 0x1000
symbol leaf 0x11000 0x14
symbol caller 0x11014 0x10
== elf bare
type exec
debug-only
text 0x401000 0x1000
symbol elsewhere 0x401000 0x10
== log out.log
pmc 1 cpu-clock
exec 10 app
map 10 0x11000 0x1000 app off=0x1000
sample 10 0x11004,0x11018,0x1101c x6
sample 10 0x11010,0x11018 x3
sample 10 0x11020
map 10 0x401000 0x1000 bare off=0x1000
sample 10 0x401008 x2
== run no line is known
pmcstat -q -R out.log --annotate leaf
== out
@ cpu-clock [12 samples]

leaf @ app: 9 samples (75.00%)
 SELF%      SELF TOTAL%     TOTAL   LINE  SOURCE
100.00         9 100.00         9      -  (the line is not known)

quality: 12 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== run addresses and bytes: callers are at the call before where it returns to
pmcstat -q -R out.log --annotate '[cl]*' --asm | sed 's/^([^:]*:/(WHY:/'
== out
@ cpu-clock [12 samples]

caller @ app: 10 samples (83.33%)
(WHY: only addresses and bytes are shown)
 SELF%      SELF TOTAL%     TOTAL      ADDRESS  INSTRUCTION
                  90.00         9        11014  00 00 00 00
                  60.00         6        11018  00 00 00 00
                                         1101c  00 00 00 00
 10.00         1  10.00         1        11020  00 00 00 00

leaf @ app: 9 samples (75.00%)
(WHY: only addresses and bytes are shown)
 SELF%      SELF TOTAL%     TOTAL      ADDRESS  INSTRUCTION
                                         11000  00 00 00 00
 66.67         6  66.67         6        11004  00 00 00 00 00 00 00 00
                                         1100c  00 00 00 00
 33.33         3  33.33         3        11010  00 00 00 00

quality: 12 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== run no file has the code
pmcstat -q -R out.log --annotate elsewhere --asm
== out
@ cpu-clock [12 samples]

elsewhere @ bare: 2 samples (16.67%)
(no file has the code: only the addresses are shown)
 SELF%      SELF TOTAL%     TOTAL      ADDRESS  INSTRUCTION
                                        401000
100.00         2 100.00         2       401008

quality: 12 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== run 65 neither a function nor a file
pmcstat -q -R out.log --annotate leaf.c
== err
pmcstat: no function or source file in the samples is called "leaf.c"
pmcstat: hint: names like it: leaf
== run 65 no sample at all is no match
mklog none.log </dev/null && pmcstat -q -R none.log --annotate leaf
== err
pmcstat: no function or source file in the samples is called "leaf"
pmcstat: hint: the log has no samples: --dump shows what it has
