Top without a terminal: a text for every interval of the log's own time, each ended by a line of dashes.
== elf app
type exec
text 0x401000 0x1000
symbol leaf_a 0x401000 0x100
symbol leaf_b 0x401100 0x100
symbol caller 0x401200 0x100
symbol main 0x401300 0x100
== log out.log
pmc 0xfff02f00 cpu-clock rate=1000000 flags=0x80
proc 10 app
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401210,0x401310 x6
sample 10 0x401110,0x401310 x4
time 1500000000
sample 10/11 0x401110,0x401310 x20
drop 5
time 9200000000
sample 10 0x5000
== run a second each, and what is not recorded takes none
pmcstat -R out.log -T
== out
PMC: [cpu-clock] Samples: 10 (100.0%) , 0 unresolved
at 1.0 s, all samples, functions by self, threshold 0.5%
%SAMP IMAGE      FUNCTION             CALLERS
 60.0 app        leaf_a               caller
 40.0 app        leaf_b               main

lost 0 (0.00%); unresolved 0.00%; truncated 0; whole chains 0%
---
PMC: [cpu-clock] Samples: 30 (100.0%) , 0 unresolved
at 2.0 s, all samples, functions by self, threshold 0.5%
%SAMP IMAGE      FUNCTION             CALLERS
 80.0 app        leaf_b               main
 20.0 app        leaf_a               caller

lost 5 (14.29%); unresolved 0.00%; truncated 0; whole chains 0%
---
PMC: [cpu-clock] Samples: 31 (100.0%) , 1 unresolved
at 9.2 s, all samples, functions by self, threshold 0.5%
%SAMP IMAGE      FUNCTION             CALLERS
 77.4 app        leaf_b               main
 19.4 app        leaf_a               caller
  3.2 [unknown]  [unknown]

the log has ended, and was not closed
lost 5 (13.89%); unresolved 3.23%; truncated 0; whole chains 0%
---
== err
pmcstat: out.log: the log was not closed: it is still being written, or its recorder was killed or had no room, and what came then is missing
== run every interval that was asked for, with a threshold
pmcstat -R out.log --top -w 5 -f threshold=5
== out
PMC: [cpu-clock] Samples: 30 (100.0%) , 0 unresolved
at 5.0 s, all samples, functions by self, threshold 5%
%SAMP IMAGE      FUNCTION             CALLERS
 80.0 app        leaf_b               main
 20.0 app        leaf_a               caller

lost 5 (14.29%); unresolved 0.00%; truncated 0; whole chains 0%
---
PMC: [cpu-clock] Samples: 31 (100.0%) , 1 unresolved
at 10.0 s, all samples, functions by self, threshold 5%
%SAMP IMAGE      FUNCTION             CALLERS
 77.4 app        leaf_b               main
 19.4 app        leaf_a               caller
  3.2 in 1 more

the log has ended, and was not closed
lost 5 (13.89%); unresolved 3.23%; truncated 0; whole chains 0%
---
== err
pmcstat: out.log: the log was not closed: it is still being written, or its recorder was killed or had no room, and what came then is missing
== run 65 a damaged log is shown as far as it goes
head -c 1000 out.log | pmcstat -R - -T -w 60
== out
PMC: [cpu-clock] Samples: 9 (100.0%) , 0 unresolved
all samples, functions by self, threshold 0.5%
%SAMP IMAGE      FUNCTION             CALLERS
 66.7 app        leaf_a               caller
 33.3 app        leaf_b               main

standard input: record 15 at 0x3e0: the log ends after 8 of the record's 48 byte
lost 0 (0.00%); unresolved 0.00%; truncated 0; whole chains 0%
---
== err
pmcstat: standard input: record 15 at 0x3e0: the log ends after 8 of the record's 48 bytes
== run 64 not with outputs
pmcstat -R out.log -T --flat
== err
pmcstat: option -T and outputs are mutually exclusive
pmcstat: hint: pmcstat --help lists the options
== run 64 nor with reports for each key
pmcstat -R out.log -T --by tid
== err
pmcstat: option -T goes with none of --by, --inlines and -I
pmcstat: hint: pmcstat --help lists the options
== run 64 not with a length
pmcstat -T -S cpu-clock -l 1
== err
pmcstat: options -T and -l are mutually exclusive
pmcstat: hint: pmcstat --help lists the options
== run 64 not with the log on the same descriptor
pmcstat -T -S cpu-clock -O -
== err
pmcstat: option -T shows on standard output, where -O - writes the log
pmcstat: hint: pmcstat --help lists the options
== run 64 an interval is a number
pmcstat -R out.log -T -w 0
== err
pmcstat: -w "0" is not a number of seconds from 0.001 on
== run 64 an interval of nothing
pmcstat -R out.log -w 1
== err
pmcstat: option -w needs -T, --push, -p or -s
pmcstat: hint: pmcstat --help lists the options
