A log as JSON, one object a line: every fact that a record has, under documented keys.
== log out.log
origin host=box release=6.1 machine=x86_64 boot-id=b command="pmcstat \"x\"" cpuid=GenuineIntel
pmc 1 cycles rate=1000 flags=0x80 depth=32 spec=cycles:u
pmc 2 cpu-clock hz=99
attach 1 10 /usr/bin/app
proc 10 app
exec 10 app entry=0x401000 pmc=1 arg=app arg="a\x01b" cut
map 10 0x401000 0x1000 app off=0x1000 build-id=0011aabb dev=8:1 inode=77
map kernel 0xffffffff81000000 0x1000 [kernel]
map 10 0x7f0000000000 0x40 [jit] sym=jitted
thread 11 10 "wor\"ker"
sample 10/11 0x401210,0x401110,0x401010 pmc=1 end=complete stitched=1 guessed=2 exact=1 cpu=3
sample 10 0xffffffff81000010 k
csw 1 10 11 18446744073709551615
fork 10 12
unmap 10 0x401000 0x402000
drop 3 cpu=1
drop 1 throttle pmc=1 paused=7500
shared 4000 1000 pmc=1
user 0xbeef
thread-exit 11
exitval 1 10 123456789012
exit 10
detach 1 10
close
== run all records
pmclog dump --json out.log
== out
{"type":"initialize","tsc":0,"version":"0x9030000","arch":"0x400","cpuid":"GenuineIntel","tsc_freq":1000000000,"sec":0,"nsec":0,"host":"box","release":"6.1","machine":"x86_64","boot_id":"b","command":"pmcstat \"x\"","collector":"fake"}
{"type":"pmcallocatedyn","tsc":1000,"pmcid":"0x1","event":"0x20000","flags":"0x80","evname":"cycles","spec":"cycles:u","rate":1000,"max_depth":32}
{"type":"pmcallocatedyn","tsc":2000,"pmcid":"0x2","event":"0x20000","flags":"0x0","evname":"cpu-clock","spec":"cpu-clock","frequency":99}
{"type":"pmcattach","tsc":3000,"pmcid":"0x1","pid":10,"pathname":"/usr/bin/app"}
{"type":"proc_create","tsc":4000,"pid":10,"flags":"0x0","pcomm":"app"}
{"type":"procexec","tsc":5000,"pmcid":"0x1","pid":10,"start":"0x401000","pathname":"app","arguments":["app","a\u0001b"],"arguments_cut":true}
{"type":"map_in","tsc":6000,"pid":10,"start":"0x401000","pathname":"app","length":4096,"file_offset":4096,"device":"0x800000001","inode":77,"build_id":"0011aabb"}
{"type":"map_in","tsc":7000,"pid":-1,"start":"0xffffffff81000000","pathname":"[kernel]","length":4096,"file_offset":0}
{"type":"map_in","tsc":8000,"pid":10,"start":"0x7f0000000000","pathname":"[jit]","length":64,"file_offset":0,"symbol":"jitted"}
{"type":"thr_create","tsc":9000,"tid":11,"pid":10,"flags":"0x0","tdname":"wor\"ker"}
{"type":"callchain","tsc":10000,"pmcid":"0x1","pid":10,"tid":11,"cpu":3,"mode":"user","end":"complete","pc":["0x401210","0x401110","0x401010"],"stitched":1,"guessed":[2],"exact":[1]}
{"type":"callchain","tsc":11000,"pmcid":"0x1","pid":10,"tid":10,"cpu":0,"mode":"system","pc":["0xffffffff81000010"]}
{"type":"proccsw","tsc":12000,"pmcid":"0x1","pid":10,"tid":11,"value":-1}
{"type":"procfork","tsc":13000,"oldpid":10,"newpid":12}
{"type":"map_out","tsc":14000,"pid":10,"start":"0x401000","end":"0x402000"}
{"type":"dropnotify","tsc":15000,"count":3,"cpu":1,"cause":0}
{"type":"dropnotify","tsc":16000,"count":1,"cpu":0,"cause":1,"pmcid":"0x1","paused":7500}
{"type":"dropnotify","tsc":17000,"count":0,"cpu":0,"cause":6,"pmcid":"0x1","enabled":4000,"running":1000}
{"type":"userdata","tsc":18000,"userdata":"0xbeef"}
{"type":"thr_exit","tsc":19000,"tid":11}
{"type":"procexit","tsc":20000,"pmcid":"0x1","pid":10,"value":123456789012}
{"type":"sysexit","tsc":21000,"pid":10}
{"type":"pmcdetach","tsc":22000,"pmcid":"0x1","pid":10}
{"type":"closelog","tsc":23000}
