Speedscope's file format: a sampled profile for each event, in time where the event is a clock of
known rate, else in samples.
== elf app
type exec
text 0x401000 0x1000
symbol leaf 0x401000 0x100
symbol main 0x401200 0x100
== log out.log
pmc 1 cpu-clock:u hz=1000
pmc 2 page-faults rate=100
exec 10 app
exec 11 app
map 10 0x401000 0x1000 app off=0x1000
map 11 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401210 x4
sample 11 0x401018,0x401210 x4
sample 10 0x401210 x2
sample 11 0x401018,0x401210 x3 pmc=2
proc 11 "a \"b\"\xff"
sample 11 0x501010 pmc=2
== run the whole file
pmcstat -q -R out.log --speedscope -
== out
{"$schema":"https://www.speedscope.app/file-format-schema.json",
"exporter":"pmcstat",
"shared":{"frames":[
{"name":"leaf","file":"app"},
{"name":"main","file":"app"},
{"name":"[unknown]"},
{"name":"app"},
{"name":"a \"b\"�"}]},
"profiles":[
{"type":"sampled","name":"cpu-clock:u","unit":"nanoseconds","startValue":0,"endValue":10000000,
"samples":[
[3,1],
[3,1,0]],
"weights":[2000000,8000000]},
{"type":"sampled","name":"page-faults","unit":"none","startValue":0,"endValue":4,
"samples":[
[4,2],
[3,1,0]],
"weights":[1,3]}]}
== log fast.log
pmc 1 cpu-clock rate=0xffffffffffffffff
exec 10 app
sample 10 0x10 x3
== run a rate that no sum could hold leaves samples
pmcstat -q -R fast.log --speedscope - | tail -n 5
== out
"profiles":[
{"type":"sampled","name":"cpu-clock","unit":"none","startValue":0,"endValue":3,
"samples":[
[1,0]],
"weights":[3]}]}
