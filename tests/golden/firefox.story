The Firefox Profiler's processed format, version 60: a thread for each thread and event, its samples at
their times, whose stacks are nodes of one tree.
== elf app
type exec
text 0x401000 0x1000
symbol leaf 0x401000 0x100
symbol main 0x401200 0x100
build-id 00ff10
== log out.log
pmc 1 cpu-clock:u hz=1000
pmc 2 page-faults rate=100
map kernel 0xffffffff81000000 0x1000000 [kernel]
exec 10 app
map 10 0x401000 0x1000 app off=0x1000 build-id=00ff10
time 5000000
sample 10 0x401010,0x401210 x2
time 7000000
sample 10/11 0xffffffff81000010,0x401018,0x401210 k
thread 11 10 "a \"b\""
sample 10 0x401210 pmc=2
sample 10/11 0x501010
time 6000000
sample 10 0x401210
== run the whole file
pmcstat -q -R out.log --firefox -
== out
{"meta":{"version":27,"preprocessedProfileVersion":60,
"product":"pmcstat","startTime":0,"interval":1,
"processType":0,"stackwalk":1,"symbolicated":true,
"usesOnlyOneStackType":true,"sourceCodeIsNotOnSearchfox":true,
"initialSelectedThreads":[0],"markerSchema":[],
"sampleUnits":{"time":"ms","eventDelay":"ms","threadCPUDelta":"ns"},
"categories":[
{"name":"Other","color":"grey","subcategories":["Other"]},
{"name":"User","color":"yellow","subcategories":["Other"]},
{"name":"Kernel","color":"orange","subcategories":["Other"]},
{"name":"JIT","color":"green","subcategories":["Other"]}]},
"libs":[
{"arch":"","name":"[kernel]","path":"[kernel]","debugName":"[kernel]","debugPath":"[kernel]","breakpadId":"","codeId":null},
{"arch":"","name":"app","path":"app","debugName":"app","debugPath":"app","breakpadId":"","codeId":"00ff10"}],
"shared":{
"stackTable":{"frame":[1,0,3,2,4,5],
"prefix":[null,0,0,2,null,null],
"length":6},
"frameTable":{"address":[4198416,4198927,-1,4198424,4198928,-1],
"inlineDepth":[0,0,0,0,0,0],
"category":[1,1,2,1,1,0],
"subcategory":[0,0,0,0,0,0],
"func":[0,1,2,0,1,3],
"nativeSymbol":[null,null,null,null,null,null],
"innerWindowID":[null,null,null,null,null,null],
"line":[null,null,null,null,null,null],
"column":[null,null,null,null,null,null],
"length":6},
"funcTable":{"name":[0,1,2,3],
"isJS":[false,false,false,false],
"relevantForJS":[false,false,false,false],
"resource":[1,1,0,-1],
"source":[null,null,null,null],
"lineNumber":[null,null,null,null],
"columnNumber":[null,null,null,null],
"length":4},
"resourceTable":{"lib":[0,1],
"name":[4,5],
"host":[null,null],
"type":[1,1],
"length":2},
"nativeSymbols":{"libIndex":[],
"address":[],
"name":[],
"functionSize":[],
"length":0},
"sources":{"uuid":[],
"filename":[],
"length":0},
"stringArray":["leaf","main","0xffffffff81000010","[unknown]","[kernel]","app"]},
"threads":[
{"name":"app (cpu-clock:u)","isMainThread":true,"pid":"10","tid":10,
"processName":"app","processType":"default","processStartupTime":0,
"processShutdownTime":null,"registerTime":0,"unregisterTime":null,
"pausedRanges":[],"markers":{"data":[],"name":[],"startTime":[],
"endTime":[],"phase":[],"category":[],"length":0},
"samples":{"stack":[1,1,4],
"time":[5.000,5.001,6.000],
"threadCPUDelta":[1000000,1000000,1000000],
"weight":null,"weightType":"samples","length":3}},
{"name":"a \"b\" (cpu-clock:u)","isMainThread":false,"pid":"10","tid":11,
"processName":"app","processType":"default","processStartupTime":0,
"processShutdownTime":null,"registerTime":0,"unregisterTime":null,
"pausedRanges":[],"markers":{"data":[],"name":[],"startTime":[],
"endTime":[],"phase":[],"category":[],"length":0},
"samples":{"stack":[3,5],
"time":[7.000,7.003],
"threadCPUDelta":[1000000,1000000],
"weight":null,"weightType":"samples","length":2}},
{"name":"app (page-faults)","isMainThread":false,"pid":"10","tid":"10 event 1",
"processName":"app","processType":"default","processStartupTime":0,
"processShutdownTime":null,"registerTime":0,"unregisterTime":null,
"pausedRanges":[],"markers":{"data":[],"name":[],"startTime":[],
"endTime":[],"phase":[],"category":[],"length":0},
"samples":{"stack":[4],
"time":[7.002],
"weight":null,"weightType":"samples","length":1}}]}
