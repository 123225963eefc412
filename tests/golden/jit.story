What JIT compilers name.  Names come behind the samples, when the process ends; the last one of an
address is for all samples of it.
== elf app
type exec
text 0x401000 0x1000
symbol main 0x401000 0x100
== log node.log
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
map 10 0x7f0000 0x4000 //anon off=0x7f0000
sample 10 0x7f0010,0x7f1020,0x401010 x5
sample 10 0x7f0090,0x7f1020,0x401010 x2
sample 10 0x7f3000,0x401010 x1
map 10 0x7f0000 0x80 [jit] "sym=JS:*inner a.js:1:1"
map 10 0x7f1000 0x100 [jit] "sym=JS:~outer a.js:2:1"
map 10 0x7f1010 0x20 [jit] "sym=JS:*outer a.js:2:1"
exit 10
close
== run functions in place of addresses
pmcstat -q -R node.log --flat
== out
@ cpu-clock [8 samples]
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  62.50          5   62.50          5  JS:*inner a.js:1:1  [jit]
  25.00          2   25.00          2  0x7f0090  //anon
  12.50          1   12.50          1  0x7f3000  //anon
   0.00          0  100.00          8  main  app
   0.00          0   87.50          7  JS:*outer a.js:2:1  [jit]

quality: 8 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 37.50%, of them unmapped 0.00%; truncated chains 0
== run nothing leads to lines, which it has not
pmcstat -q -R node.log | sed -n '/^more/,/^$/p'
== out
more of it:
  pmcstat -R node.log --html=report.html  # a page to look around in
  pmcstat -R node.log --tree  # the call tree

== run a function at its addresses
pmcstat -q -R node.log --annotate "JS:?inner*" --asm
== out
@ cpu-clock [8 samples]

JS:*inner a.js:1:1 @ [jit]: 5 samples (62.50%)
(no file has the code: only the addresses are shown)
 SELF%      SELF TOTAL%     TOTAL      ADDRESS  INSTRUCTION
                                        7f0000
100.00         5 100.00         5       7f0010

quality: 8 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 37.50%, of them unmapped 0.00%; truncated chains 0
== run and what was not named is told
pmcstat -R node.log --flat=/dev/null
== err
pmcstat: 3 samples (37.50%): //anon is memory without a file, and no perf-PID.map named what was in it; a JIT compiler writes one when asked, as node --perf-basic-prof does
pmcstat: quality: 8 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 37.50%, of them unmapped 0.00%; truncated chains 0
== log two.log
pmc 1 cpu-clock
exec 10 app
exec 11 app
map 10 0x7f0000 0x4000 //anon
map 11 0x7f0000 0x4000 /memfd:code
sample 10 0x7f0010 x4
sample 11 0x7f0010 x3
fork 10 12
map 12 0x7f2000 0x1000 /dev/zero
sample 12 0x7f0010 x2
sample 12 0x7f2010 x1
map 10 0x7f0000 0x80 [jit] sym=ten
map 11 0x7f0000 0x80 [jit] sym=eleven
map 12 0x7f0000 0x80 [jit] sym=twelve
map 12 0x7f2000 0x80 [jit] sym=twelve_too
exit 10
exit 11
exit 12
close
== run one process's function without the samples of another's at its address
pmcstat -q -R two.log --annotate ten --asm
== out
@ cpu-clock [10 samples]

ten @ [jit]: 4 samples (40.00%)
(no file has the code: only the addresses are shown)
 SELF%      SELF TOTAL%     TOTAL      ADDRESS  INSTRUCTION
                                        7f0000
100.00         4 100.00         4       7f0010

quality: 10 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 0.00%, of them unmapped 0.00%; truncated chains 0
== run each process has its own code, a forked one too
pmcstat -q -R two.log --folded
== out
app;eleven 3
app;ten 4
app;twelve 2
app;twelve_too 1
== log again.log
pmc 1 cpu-clock
exec 10 app
map 10 0x7f0000 0x4000 //anon
sample 10 0x7f0010 x4
map 10 0x7f0000 0x80 [jit] sym=before
exec 10 app
map 10 0x7f0000 0x4000 //anon
sample 10 0x7f0010 x3
map 10 0x7f0000 0x80 [jit] sym=after
close
== run what runs after exec has other names
pmcstat -q -R again.log --folded
== out
app;after 3
app;before 4
== log versions.log
pmc 1 cpu-clock
exec 10 app
exec 11 app
map 10 0x401000 0x1000 app off=0x1000
map 11 0x401000 0x1000 app off=0x1000
map 10 0x7f0000 0x500000 //anon off=0x7f0000
map 11 0x7f0000 0x4000 //anon off=0x7f0000
sample 10 0x7f0010,0x401010 x5
sample 10 0xbf0020,0x7f0030,0x401010 x3
sample 11 0x7f1010,0x401010 x2
sample 10 0x8f0010,0x401010 x1
map 10 0x7f0000 0x80 [jit] sym=hot
map 10 0xbf0000 0x80 [jit] sym=hot
map 10 0x8f0000 0x80 [jit] sym=other
map 11 0x7f1000 0x80 [jit] sym=hot
exit 10
exit 11
close
== run what was compiled three times, in two processes, is one function, also where it calls itself
pmcstat -q -R versions.log --flat | sed -n 2,5p
== out
  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT
  90.91         10   90.91         10  hot  [jit]
   9.09          1    9.09          1  other  [jit]
   0.00          0  100.00         11  main  app
== run at the addresses of each
pmcstat -q -R versions.log --annotate hot --asm | sed -n 3,11p
pmcstat -q -R versions.log -m - | uniq
pmcstat -q -R versions.log --perf-script | grep -o 'hot+.*' | sort | uniq -c
== out
hot @ [jit]: 10 samples (90.91%)
(no file has the code: only the addresses are shown)
 SELF%      SELF TOTAL%     TOTAL      ADDRESS  INSTRUCTION
                                        7f0000
 50.00         5  80.00         8       7f0010
                                        7f0030
 20.00         2  20.00         2       7f1010
 30.00         3  30.00         3       bf0020

0x7f0010 hot 0x7f0000 0x7f0080
0xbf0020 hot 0xbf0000 0xbf0080
0x7f1010 hot 0x7f1000 0x7f1080
0x8f0010 other 0x8f0000 0x8f0080
      5 hot+0x10 (/tmp/perf-10.map)
      2 hot+0x10 (/tmp/perf-11.map)
      3 hot+0x20 (/tmp/perf-10.map)
      3 hot+0x30 (/tmp/perf-10.map)
== log hostile.log
pmc 1 cpu-clock
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
map kernel 0xffffffff81000000 0x1000 //anon
sample 10 0x401010 x2
sample 10 0x501010 x1
map 10 0x401000 0x1000 [jit] sym=liar
map kernel 0x401000 0x1000 [jit] sym=liar
map 10 0x501000 0x1000 [jit] sym=liar
map 10 0xffffffffffffff00 0x1000 [jit] sym=wraps
map 10 0x7f0000 0 [jit] sym=empty
close
== run names are for memory without a file alone
pmcstat -q -R hostile.log --folded
== out
app;[unknown] 1
app;main 2
== log many.log
pmc 1 cpu-clock
proc 10 app
map 10 0x7f0000 0x4000 //anon
sample 10 0x7f0010 x2
proc 11 app
map 11 0x7f0000 0x4000 //anon
sample 11 0x7f0010 x3
map 11 0x501000 0x1000 absent
sample 11 0x501010 x4
close
== run what is wrong alike in several processes is told once
pmcstat -R many.log --flat=/dev/null
== err
pmcstat: 5 samples (55.56%): //anon is memory without a file, and no perf-PID.map named what was in it; a JIT compiler writes one when asked, as node --perf-basic-prof does
pmcstat: 4 samples (44.44%): cannot open absent: No such file or directory
pmcstat: quality: 9 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 0.00%; truncated chains 0
