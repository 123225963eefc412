What an address is comes before the samples that have it: nothing of a process is sampled before the log has all
that it has mapped, however long that takes and whatever happens meanwhile.
== machine smp
== file early
# Of a dump: whether processes with 3000 maps and more were sampled, and how often before all of their maps came.
# A child has those that its parent had in the log when it was forked, a program those behind its exec.
function fresh(pid) { n[pid] = 0; age[pid]++ }
function add(pid, start) { if (!((pid, age[pid], start) in has)) list[pid, ++n[pid]] = start; has[pid, age[pid], start] = 1 }
$1 == "exec" { fresh($3) }
$1 == "fork" { fresh($3); for (i = 1; i <= n[$2]; i++) add($3, list[$2, i]) }
$1 == "map-in" { add($2, $3) }
$1 == "callchain" { samples[$2]++; if (n[$2] < 3000) early[$2]++ }
END {
	for (pid in samples)
		if (n[pid] >= 3000) { processes++; sum += early[pid] }
	print (processes > 1 ? "sampled, " processes : processes ? "sampled" : "not sampled") ", too early: " 0 + sum
}
== file stalled
# Reads the pipe: 40 KB of it, then no more until the file has come that is named, and, with ran as second
# word, the process that was attached last has run for a tenth of a second.
exec 5<pipe
dd bs=1024 count=40 iflag=fullblock <&5 2>/dev/null >log
>told
if [ "${2-}" = ran ]; then
	pid=$(pmclog dump log 2>/dev/null | awk '$1 == "attach" { p = $3 } END { print p }')
	ticks() { cut -d ' ' -f 14 /proc/$pid/stat; }
	end=$(($(ticks) + 10))
	until [ "$(ticks)" -ge $end ]; do :; done
fi
until [ -e $1 ]; do sleep 0.1; done
cat <&5 >>log
== run a process that a running PMC is attached to, whose maps wait for the log's reader
rmmod hwpmc
insmod /pmc/hwpmc.ko nbuffers=1 logbuffersize=1
mkfifo pipe
sh stalled told ran &
hwpmcctl <<'END' | grep -v 'ok$'
allocate p ts config=cpu-clock count=2000000
log pipe
idle d
attach p d
start p
child c 3000
attach p c
waitsamples 20
closelog
END
wait
rm told
pmclog dump log | awk -f early
== out
sampled, too early: 0
== run the PMC is stopped and started meanwhile
sh stalled started ran &
hwpmcctl <<'END' | grep -v 'ok$'
allocate p ts config=cpu-clock count=2000000
log pipe
idle d
attach p d
start p
child c 3000
thread attach p c
sh until [ -e told ]; do sleep 0.1; done
stop p
start p
sh >started
waitthread
waitsamples 20
closelog
END
wait
rm told started
pmclog dump log | awk -f early
== out
sh until [ -e told ]; do sleep 0.1; done: status 0
sh >started: status 0
sampled, too early: 0
== run it is detached meanwhile, and attached anew
sh stalled detached ran &
hwpmcctl <<'END' | grep -v 'ok$'
allocate p ts config=cpu-clock count=2000000
log pipe
idle d
attach p d
start p
child c 3000
thread attach p c
sh until [ -e told ]; do sleep 0.1; done
detach p c
sh >detached
waitthread
attach p c
waitsamples 20
closelog
END
wait
rm told detached
pmclog dump log | awk -f early
== out
sh until [ -e told ]; do sleep 0.1; done: status 0
sh >detached: status 0
sampled, too early: 0
== run the PMC is given back meanwhile
sh stalled released &
hwpmcctl <<'END' | grep -v 'ok$'
allocate p ts config=cpu-clock count=2000000
log pipe
idle d
attach p d
start p
child c 3000
thread attach p c
sh until [ -e told ]; do sleep 0.1; done
release p
sh >released
waitthread
closelog
END
wait
rm told released
pmclog dump log | awk -f early
== out
sh until [ -e told ]; do sleep 0.1; done: status 0
sh >released: status 0
waitthread: ESRCH
not sampled, too early: 0
== run the log is closed meanwhile, and the PMC started with another
sh stalled closed &
hwpmcctl <<'END' | grep -v 'ok$'
allocate p ts config=cpu-clock count=2000000
log pipe
idle d
attach p d
start p
child c 3000
thread attach p c
sh until [ -e told ]; do sleep 0.1; done
log -1
log second
start p
waitsamples 20
sh >closed
waitthread
closelog
END
wait
rm told closed
pmclog dump second | awk -f early
== out
sh until [ -e told ]; do sleep 0.1; done: status 0
sh >closed: status 0
sampled, too early: 0
== run its owner is killed meanwhile
sh stalled killed &
hwpmcctl <<'END' | grep -v 'ok$'
allocate p ts config=cpu-clock count=2000000
log pipe
idle d
attach p d
start p
child c 3000
thread attach p c
sh until [ -e told ]; do sleep 0.1; done
sh >killed
die
END
wait
rm told killed pipe
rmmod hwpmc
insmod /pmc/hwpmc.ko nbuffers=1024
== out
sh until [ -e told ]; do sleep 0.1; done: status 0
sh >killed: status 0
== err
Killed
== run children that it forks meanwhile: none goes without a counter for that
hwpmcctl <<'END' | grep -v 'ok$'
allocate p ts config=cpu-clock count=2000000 flags=descendants
log log
idle d
attach p d
start p
forks f 3000
attach p f
waitsamples 300
loglosses
closelog
END
pmclog dump log | awk -f early | sed 's/, [0-9]*,/, some,/'
== out
loglosses: 0 records, 0 threads
sampled, some, too early: 0
== run it is a target of one PMC, and becomes one of another; then PMCs of system scope are started
hwpmcctl <<'END' | grep -v 'ok$'
allocate p ts config=cpu-clock count=2000000
allocate q ts config=cpu-clock count=2000000
allocate s ss config=cpu-clock count=2000000
log log
idle d
attach p d
attach q d
start p
start q
child c 3000
attach p c
waitsamples 20
attach q c
waitsamples 20
start s
waitsamples 20
closelog
END
pmclog dump log | awk -f early
== out
sampled, too early: 0
