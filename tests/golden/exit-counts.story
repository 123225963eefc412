Counts of processes at exit and of threads at switches, of those PMCs that are to log them.
== file script
pmc 1 page-faults
pmc 2 context-switches
exec 10 sh
fork 10 11
exec 11 ls
csw 1 11 11 7
count 12 pmc=1
count 5 pmc=2
exitval 1 11 9
exitval 2 11 4
exit 11
csw 1 10 12 3
csw 2 10 10 1
exitval 1 10 3
exit 10
== run -E and -W toggle for the PMCs behind them; the log is text on standard output
pmcstat --collector=fake:script -E -W -p page-faults -W -p context-switches -t $$ -o counts | grep -v attach; cat counts
== out
initlog   0x9030000 "GENERIC"
allocatedyn 0xfff03f00 "page-faults" 0xc
allocatedyn 0xfff03f01 "context-switches" 0x8
exec      0xfff03f00 10 0x0 "sh"
fork      10 11
exec      0xfff03f00 11 0x0 "ls"
cswval    0xfff03f00 11 7
exitval   0xfff03f00 11 9
exitval   0xfff03f01 11 4
exit      11
cswval    0xfff03f00 10 3
exitval   0xfff03f00 10 3
exit      10
closelog
#        p/page-faults   p/context-switches
                    12                    5
== run to a file
pmcstat -q --collector=fake:script -W -p page-faults -t $$ -O log -o /dev/null && pmcstat --dump -R log | grep val
== out
cswval    0xfff03f00 11 7
cswval    0xfff03f00 10 3
== run 64 twice is not at all
pmcstat --collector=fake:script -E -E -p page-faults -t $$ -O log
== err
pmcstat: option -O needs -P, -S, -E or -W
pmcstat: hint: pmcstat --help lists the options
== run 64 -E without a target
pmcstat -E -p page-faults
== err
pmcstat: options -P and -p need a target: a command or -t
pmcstat: hint: pmcstat --help lists the options
== run 64 -W without a PMC that counts in processes
pmcstat -W -P page-faults true
== err
pmcstat: option -W needs -p
pmcstat: hint: pmcstat --help lists the options
== run 64 nor one in system scope
pmcstat -E -s page-faults true
== err
pmcstat: option -E needs -p
pmcstat: hint: pmcstat --help lists the options
== run 64 a toggle that no PMC follows, and that two were before
pmcstat -p page-faults -p task-clock -E true
== err
pmcstat: option -E is for the PMCs behind it, and there is none
pmcstat: hint: put it before the -P, -S, -p or -s that it is for
== run 64 samples beside counts want a file, as ever
pmcstat -E -p page-faults -P cpu-clock true
== err
pmcstat: option -O is required where PMCs that sample and PMCs that count are together
pmcstat: hint: pmcstat --help lists the options
== log both.log
pmc 0xfff02f00 cpu-clock flags=0x80
pmc 0xfff03f00 task-clock flags=0xa
pmc 0x00001f01 cpu-migrations
pmc 0xfff02f02 page-faults flags=0x80
exec 10 app
sample 10 0x401310
exitval 0xfff03f00 10 600
exit 10
== run beside two that are sampled
pmcstat -q -R both.log --flat | grep '^@'
== out
@ cpu-clock [1 samples]
@ page-faults [0 samples]
