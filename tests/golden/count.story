Counts in columns: what was added since the line before, or (-C) since the start.
== file script
pmc 1 page-faults
pmc 2 context-switches
count 5 pmc=1
count 7 pmc=1 cpu=1
count 1000000000000000000 pmc=2
tick
count 6 pmc=1
tick
count 18446744073709551615 pmc=1 cpu=1
count 1 pmc=2
== run process scope
pmcstat --collector=fake:script -w 0.001 -p page-faults -C -p context-switches -p page-faults -t $$
== err
#        p/page-faults   p/context-switches        p/page-faults
                    12  1000000000000000000                   12
                     6  1000000000000000000                   18
  18446744073709551615  1000000000000000001                   17
== run system scope: a column a CPU; names wider than any count
pmcstat --collector=fake:script -w 0.001 -c 0,1 -s page-faults -C -s page-faults -c 0 -C -s context-switches -o out && cat out
== out
#     s/00/page-faults     s/01/page-faults     s/00/page-faults     s/01/page-faults s/00/context-switches
                     5                    7                    5                    7   1000000000000000000
                     6                    0                   11                    7                     0
                     0 18446744073709551615                   11                    6                     1
== run JSON; only the times differ from run to run
pmcstat --collector=fake:script -w 0.001 -p context-switches -c 1 -C -s page-faults -t $$ -o - --count-json | sed 's/^{"seconds":[0-9]*[.][0-9]*,/{/'
== out
{"counts":[{"event":"context-switches","scope":"process","cumulative":false,"count":1000000000000000000},{"event":"page-faults","scope":"system","cpu":1,"cumulative":true,"count":7}]}
{"counts":[{"event":"context-switches","scope":"process","cumulative":false,"count":0},{"event":"page-faults","scope":"system","cpu":1,"cumulative":true,"count":7}]}
{"counts":[{"event":"context-switches","scope":"process","cumulative":false,"count":1},{"event":"page-faults","scope":"system","cpu":1,"cumulative":true,"count":6}]}
== run where nothing is sampled that is what --json asks for
pmcstat --collector=fake:script -w 0.001 -p context-switches -t $$ --json | sed 's/^{"seconds":[0-9]*[.][0-9]*,/{/'
== out
{"counts":[{"event":"context-switches","scope":"process","cumulative":false,"count":1000000000000000000}]}
{"counts":[{"event":"context-switches","scope":"process","cumulative":false,"count":0}]}
{"counts":[{"event":"context-switches","scope":"process","cumulative":false,"count":1}]}
== run and to a file
pmcstat --collector=fake:script -w 0.001 -p context-switches -t $$ --json=j && wc -l <j
== out
3
== run 64 but not to two
pmcstat -p page-faults --json=a -o b true
== err
pmcstat: outputs show samples, and need -P, -S or -R; --count-json is for counts
pmcstat: hint: pmcstat --help lists the options
== file shared
pmc 1 page-faults
pmc 2 context-switches
count 1000 pmc=1 enabled=1000000 running=250000
count 50 pmc=2 enabled=1000000 running=1000000
tick
count 0 pmc=1 enabled=1000000
count 50 pmc=2 enabled=1000000 running=999999
tick
count 1000 pmc=1 enabled=1000000 running=1000000
count 50 pmc=2 enabled=1000000 running=500000
== run shares of the time with a counter, in the interval or from the start
pmcstat --collector=fake:shared -w 0.001 -p page-faults -p context-switches -C -p page-faults -t $$
== err
#        p/page-faults   p/context-switches        p/page-faults
            1000@25.0%                   50           1000@25.0%
                0@0.0%             50@99.9%           1000@12.5%
                  1000             50@50.0%           2000@41.6%
== run scaled up on request, but for nothing
pmcstat --collector=fake:shared --scale -w 0.001 -p page-faults -p context-switches -C -p page-faults -t $$
== err
#        p/page-faults   p/context-switches        p/page-faults
           ~4000@25.0%                   50          ~4000@25.0%
                0@0.0%            ~50@99.9%          ~8000@12.5%
                  1000           ~100@50.0%          ~4800@41.6%
== run shares in JSON
pmcstat --collector=fake:shared --scale -w 0.001 -p page-faults -p context-switches -t $$ -o - --count-json | sed 's/^{"seconds":[0-9]*[.][0-9]*,/{/'
== out
{"counts":[{"event":"page-faults","scope":"process","cumulative":false,"count":1000,"share":0.2500,"scaled":4000},{"event":"context-switches","scope":"process","cumulative":false,"count":50,"share":1.0000}]}
{"counts":[{"event":"page-faults","scope":"process","cumulative":false,"count":0,"share":0.0000},{"event":"context-switches","scope":"process","cumulative":false,"count":50,"share":0.9999,"scaled":50}]}
{"counts":[{"event":"page-faults","scope":"process","cumulative":false,"count":1000,"share":1.0000},{"event":"context-switches","scope":"process","cumulative":false,"count":50,"share":0.5000,"scaled":100}]}
== file long
count 1
tick
tick
tick
tick
tick
tick
tick
tick
tick
tick
tick
tick
tick
tick
tick
tick
tick
tick
tick
tick
count 21
tick
count 22
tick
count 23
tick
== run a header for each screen of 24 lines
pmcstat --collector=fake:long -w 0.001 -c 0 -s page-faults -o - | awk 'NF != 1 || $1 != "0"'
== out
#     s/00/page-faults
                     1
                    21
                    22

#     s/00/page-faults
                    23
== log both
pmc 1 page-faults
exec 10 app
map 10 0x401000 0x1000 [anon]
sample 10 0x401010 pmc=1 x3
== file mixed
pmc 1 page-faults
pmc 2 context-switches
exec 10 app
map 10 0x401000 0x1000 [anon]
sample 10 0x401010 pmc=1 x3
count 4 pmc=2
tick
count 5 pmc=2
== run samples go to the log, counts to their file
pmcstat -q --collector=fake:mixed -w 0.001 -c 0 -S page-faults -s context-switches -O log -o counts && cat counts && pmcstat -q -R log --folded
== out
# s/00/context-switches
                      4
                      5
app;0x401010 3
== run 64 both without a log
pmcstat -P page-faults -p page-faults true
== err
pmcstat: option -O is required where PMCs that sample and PMCs that count are together
pmcstat: hint: pmcstat --help lists the options
== run 64 -p without a target
pmcstat -p page-faults
== err
pmcstat: options -P and -p need a target: a command or -t
pmcstat: hint: pmcstat --help lists the options
== run 64 -C for nothing that counts
pmcstat -C -P page-faults true
== err
pmcstat: option -C needs -p or -s
pmcstat: hint: pmcstat --help lists the options
== run 64 -o for nothing
pmcstat -o file -P page-faults -O log true
== err
pmcstat: option -o needs -p, -s, --summary or what goes to standard output
pmcstat: hint: pmcstat --help lists the options
== run 64 counts in the file of the log
pmcstat -P page-faults -p page-faults -O file -o ./file true
== err
pmcstat: --count-output would overwrite the log file
== run 64 top where counts would show
pmcstat -T -S page-faults -s page-faults -O log
== err
pmcstat: option -T with -p or -s needs a file of -o for the counts
pmcstat: hint: pmcstat --help lists the options
== run 64 an output of samples
pmcstat -p page-faults --flat true
== err
pmcstat: outputs show samples, and need -P, -S or -R; --count-json is for counts
pmcstat: hint: pmcstat --help lists the options
== run 74 a full disk ends it, but not the command
pmcstat -p page-faults -o /dev/full -w 0.001 sh -c 'sleep 0.1; echo done'
== out
done
== err
pmcstat: /dev/full: cannot write counts: No space left on device
pmcstat: hint: make room for more
