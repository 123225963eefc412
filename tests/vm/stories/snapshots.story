What a log is told of a process that goes on mapping while it is told: nothing that is gone already, and that
within bounds.
== machine smp
== file stale
# Of a dump: how many pages are mapped last, though one at a higher address, which goes later, is gone.
# A queue that has no room for their MAP_OUT, as where the writer does not run for long, counts it.
$1 == "drop" && $4 == "records" { lost += $2 }
$3 !~ /^0x10/ || length($3) != 14 { next }
{ last[$3] = $1 }
$1 == "map-out" && $3 "" > gone { gone = $3 "" }
END {
	for (at in last) left += last[at] == "map-in" && at "" < gone
	print (gone ? "told" : "nothing told") ", " (left > lost ? left " that are gone" : "nothing that is gone")
}
== run two PMCs that are attached before the log comes: it is told once of what their target is
hwpmcctl <<'END' | grep -v 'ok$'
idle d
allocate p ts config=cpu-clock count=1000000
allocate q ts config=cpu-clock count=1000000
attach p d
attach q d
log log
start p
start q
closelog
END
pmclog dump log | awk '$1 == "attach" { pid = $3 } $1 == "exec" && $3 == pid { print "told" }'
rm log
== out
told
== run pages that come and go while one log after the other is told of them
cp "$(command -v mapper)" .
{
	echo 'becomes it 0 ./mapper'
	echo 'sh until [ -e maps ]; do sleep 0.1; done'
	echo 'allocate p ts config=cpu-clock count=100000000'
	echo 'attach p it'
	n=0
	while [ $((n += 1)) -le 60 ]; do
		printf '%s\n' "log log.$n" 'start p' 'sh sleep 0.02' 'stop p' closelog
	done
} >operations
hwpmcctl <operations | grep -v 'ok$\|status 0$'
for log in log.*; do pmclog dump $log | awk -f stale; done | sort | uniq -c | sed 's/^ *//'
rm maps log.*
== out
60 told, nothing that is gone
== run pages that come faster than the log's reader reads: what was not told is counted
rmmod hwpmc
insmod /pmc/hwpmc.ko nbuffers=1 logbuffersize=1
mkfifo pipe
while dd bs=8192 count=1 2>/dev/null | grep -q .; do sleep 0.02; done <pipe &
hwpmcctl <<'END' | sed 's/^\(loglosses:\) [1-9].* records/\1 some records/'
becomes it 0 ./mapper
sh until [ -e maps ]; do sleep 0.1; done
allocate p ts config=cpu-clock count=100000000
log pipe
attach p it
start p
loglosses
closelog
END
wait
rm maps pipe
rmmod hwpmc
insmod /pmc/hwpmc.ko
== out
becomes it 0 ./mapper: ok
sh until [ -e maps ]; do sleep 0.1; done: status 0
allocate p ts config=cpu-clock count=100000000: ok
log pipe: ok
attach p it: ok
start p: ok
loglosses: some records, 0 threads
closelog: ok
== run a file that answers no mmap: what is mapped in that process cannot be known
insmod /pmc/stuck.ko
hwpmcctl <<'END'
becomes it 0 ./mapper /dev/stuck
sh until grep -q 1 /sys/module/stuck/parameters/waiting; do sleep 0.1; done
allocate p ts config=cpu-clock count=100000000
log log
attach p it
start p
loglosses
closelog
sh echo 1 >/sys/module/stuck/parameters/answers
END
until rmmod stuck 2>/dev/null; do sleep 0.1; done
pmclog dump log | grep -c '^map-in *[0-9]' || :
== out
becomes it 0 ./mapper /dev/stuck: ok
sh until grep -q 1 /sys/module/stuck/parameters/waiting; do sleep 0.1; done: status 0
allocate p ts config=cpu-clock count=100000000: ok
log log: ok
attach p it: ok
start p: ok
loglosses: 2 records, 0 threads
closelog: ok
sh echo 1 >/sys/module/stuck/parameters/answers: status 0
0
== run a hundred such processes: they share the five seconds that a log has for what is locked
insmod /pmc/stuck.ko
n=0
while [ $((n += 1)) -le 100 ]; do
	mapper /dev/stuck &
done
until grep -q 100 /sys/module/stuck/parameters/waiting; do sleep 0.1; done
began=$(date +%s)
hwpmcctl <<'END'
allocate p ss config=cpu-clock cpu=0 count=100000000
log log
start p
loglosses
closelog
END
[ $(($(date +%s) - began)) -lt 15 ] && echo timely
echo 1 >/sys/module/stuck/parameters/answers
kill $(pidof mapper)
wait
rmmod stuck
== out
allocate p ss config=cpu-clock cpu=0 count=100000000: ok
log log: ok
start p: ok
loglosses: 200 records, 0 threads
closelog: ok
timely
