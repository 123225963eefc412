The report for programs, as pmcstat-json(5) specifies it: valid JSON whatever bytes the log held.
== elf app
type exec
text 0x401000 0x1000
symbol leaf 0x401000 0x100
symbol _ZN3vecIiEixEl 0x401100 0x100
symbol main 0x401200 0x100
== log out.log
pmc 1 cpu-clock rate=1000000
pmc 2 page-faults hz=99 spec=page-faults:u
exec 10 app
exec 11 app
map 10 0x401000 0x1000 app off=0x1000
map 11 0x401000 0x1000 app off=0x1000
map 11 0x501000 0x1000 /gone build-id=0102ff
map 11 0x601000 0x1000 /never/sampled
map kernel 0xffffffff81000000 0x1000 [ext4]
sample 10 0x401010,0x401110,0x401210 x4
sample 10 0x401018,0x401210 x4
sample 11 0x401020,0x401214 x3
sample 10 0x401210,0x401210 x2
sample 11 0x501010,0x701000 x2 pmc=2
sample 11 0xffffffff81000010 k pmc=2
drop 7
== run the whole report
pmcstat -q -R out.log --json | sed "s,here [0-9a-f-]*),here another),"
== out
{"format":"pmcstat-report","version":1,
"quality":{"samples":16,"selected":16,"lost":7,"drops":0,"records_lost":0,"throttled":0,"paused_ns":0,"missed":0,"shared":0,"starved":0,"uncounted":0,"untold":0,"hidden":0,"cpus":0,"unresolved":3,"unmapped":0,"truncated":0,"chains":0,"ends":{"elsewhere":0,"complete":0,"window":0,"no-data":0,"bad-return":0,"depth":0,"stale":0,"overload":0,"no-stack":0},"at_unknown":0,"guessed":0,"stitched":0,"inclusive_partial":false,"unannounced":0,"foreign":0,"closed":false},
"elapsed_ns":26000,
"events":[
{"name":"cpu-clock","whole":"cpu-clock","spec":"cpu-clock","rate":1000000,"rate_unit":"events","sample_ns":1000000,"samples":13,
"functions":[
{"name":"leaf","object":"app","image":0,"self":11,"total":11},
{"name":"main","object":"app","image":0,"self":2,"total":13},
{"name":"vec<int>::operator[](long)","object":"app","image":0,"self":0,"total":4}],
"stacks":[
{"comm":"app","samples":7,"functions":[1,0]},
{"comm":"app","samples":4,"functions":[1,2,0]},
{"comm":"app","samples":2,"functions":[1,1]}]},
{"name":"page-faults","whole":"page-faults","spec":"page-faults:u","rate":99,"rate_unit":"Hz","samples":3,
"functions":[
{"name":"0x10","object":"/gone","image":1,"self":2,"total":2},
{"name":"0xffffffff81000010","object":"[ext4]","image":2,"self":1,"total":1},
{"name":"[unknown]","object":"[unknown]","self":0,"total":2}],
"stacks":[
{"comm":"app","samples":2,"functions":[2,0]},
{"comm":"app","samples":1,"functions":[1]}]}],
"images":[
{"path":"app","samples":13},
{"path":"/gone","samples":2,"build_id":"0102ff","problem":"cannot open /gone: No such file or directory"},
{"path":"[ext4]","kernel":true,"samples":1,"problem":"the log is of another machine or an earlier boot (boot id fake, here another)"}]}
== log base.log
pmc 1 cpu-clock rate=500000
exec 10 app
map 10 0x401000 0x1000 app off=0x1000
sample 10 0x401010,0x401210 x5
sample 10 0x701010
drop 2
== run a comparison counts the base beside
pmcstat -q -R out.log --diff base.log --json
== out
{"format":"pmcstat-report","version":1,
"quality":{"samples":16,"selected":16,"lost":7,"drops":0,"records_lost":0,"throttled":0,"paused_ns":0,"missed":0,"shared":0,"starved":0,"uncounted":0,"untold":0,"hidden":0,"cpus":0,"unresolved":3,"unmapped":0,"truncated":0,"chains":0,"ends":{"elsewhere":0,"complete":0,"window":0,"no-data":0,"bad-return":0,"depth":0,"stale":0,"overload":0,"no-stack":0},"at_unknown":0,"guessed":0,"stitched":0,"inclusive_partial":false,"unannounced":0,"foreign":0,"closed":false},
"base_quality":{"samples":6,"selected":6,"lost":2,"drops":0,"records_lost":0,"throttled":0,"paused_ns":0,"missed":0,"shared":0,"starved":0,"uncounted":0,"untold":0,"hidden":0,"cpus":0,"unresolved":1,"unmapped":1,"truncated":0,"chains":0,"ends":{"elsewhere":0,"complete":0,"window":0,"no-data":0,"bad-return":0,"depth":0,"stale":0,"overload":0,"no-stack":0},"at_unknown":0,"guessed":0,"stitched":0,"inclusive_partial":false,"unannounced":0,"foreign":0,"closed":false},
"events":[
{"name":"cpu-clock","whole":"cpu-clock","spec":"cpu-clock","rate":1000000,"rate_unit":"events","sample_ns":1000000,"samples":13,"base_samples":6,
"functions":[
{"name":"leaf","object":"app","image":0,"self":11,"total":11,"base_self":5,"base_total":5},
{"name":"main","object":"app","image":0,"self":2,"total":13,"base_self":0,"base_total":5},
{"name":"vec<int>::operator[](long)","object":"app","image":0,"self":0,"total":4,"base_self":0,"base_total":0},
{"name":"[unknown]","object":"[unknown]","self":0,"total":0,"base_self":1,"base_total":1}],
"stacks":[
{"comm":"app","samples":7,"base_samples":5,"functions":[1,0]},
{"comm":"app","samples":4,"base_samples":0,"functions":[1,2,0]},
{"comm":"app","samples":2,"base_samples":0,"functions":[1,1]},
{"comm":"app","samples":0,"base_samples":1,"functions":[3]}]},
{"name":"page-faults","whole":"page-faults","spec":"page-faults:u","rate":99,"rate_unit":"Hz","samples":3,"base_samples":0,
"functions":[
{"name":"0x10","object":"/gone","image":1,"self":2,"total":2,"base_self":0,"base_total":0},
{"name":"0xffffffff81000010","object":"[ext4]","image":2,"self":1,"total":1,"base_self":0,"base_total":0},
{"name":"[unknown]","object":"[unknown]","self":0,"total":2,"base_self":0,"base_total":0}],
"stacks":[
{"comm":"app","samples":2,"base_samples":0,"functions":[2,0]},
{"comm":"app","samples":1,"base_samples":0,"functions":[1]}]}],
"images":[
{"path":"app","samples":13,"base_samples":5},
{"path":"/gone","samples":2,"base_samples":0},
{"path":"[ext4]","kernel":true,"samples":1,"base_samples":0}]}
== log bad.log
pmc 1 "clock\x1b\xc2\x9b\x7f"
proc 10 "\"\\\xff</s>\x09"
map 10 0x1000 0x1000 "/\xe2\x80\xa8\xe2\x82\xac\xed\xa0\x80\xf0\x9f\x98\x80\xc3"
sample 10 0x1010
sample 10 0x1010
== run names of any bytes
pmcstat -q -R bad.log --json
== out
{"format":"pmcstat-report","version":1,
"quality":{"samples":2,"selected":2,"lost":0,"drops":0,"records_lost":0,"throttled":0,"paused_ns":0,"missed":0,"shared":0,"starved":0,"uncounted":0,"untold":0,"hidden":0,"cpus":0,"unresolved":2,"unmapped":0,"truncated":0,"chains":0,"ends":{"elsewhere":0,"complete":0,"window":0,"no-data":0,"bad-return":0,"depth":0,"stale":0,"overload":0,"no-stack":0},"at_unknown":0,"guessed":0,"stitched":0,"inclusive_partial":false,"unannounced":0,"foreign":0,"closed":false},
"elapsed_ns":5000,
"events":[
{"name":"clock\u001b\u009b\u007f","whole":"clock\u001b\u009b\u007f","spec":"clock\u001b\u009b\u007f","samples":2,
"functions":[
{"name":"0x10","object":"/\u2028€���😀�","image":0,"self":2,"total":2}],
"stacks":[
{"comm":"\"\\�\u003c/s>\t","samples":2,"functions":[0]}]}],
"images":[
{"path":"/\u2028€���😀�","samples":2,"problem":"cannot open /\u2028€���😀�: No such file or directory"}]}
== log none.log
close
== run a log without samples
pmcstat -q -R none.log --json
== out
{"format":"pmcstat-report","version":1,
"quality":{"samples":0,"selected":0,"lost":0,"drops":0,"records_lost":0,"throttled":0,"paused_ns":0,"missed":0,"shared":0,"starved":0,"uncounted":0,"untold":0,"hidden":0,"cpus":0,"unresolved":0,"unmapped":0,"truncated":0,"chains":0,"ends":{"elsewhere":0,"complete":0,"window":0,"no-data":0,"bad-return":0,"depth":0,"stale":0,"overload":0,"no-stack":0},"at_unknown":0,"guessed":0,"stitched":0,"inclusive_partial":false,"unannounced":0,"foreign":0,"closed":true},
"elapsed_ns":2000,
"events":[
{"name":"CLOCK.HARD","whole":"CLOCK.HARD","spec":"CLOCK.HARD","rate":1000000,"rate_unit":"events","sample_ns":1000000,"samples":0,
"functions":[],
"stacks":[]}],
"images":[]}
