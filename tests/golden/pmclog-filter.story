Parts of a log: what pmclog filter and pmclog cut keep is a log that every reader takes.
== log out.log
pmc 1 cpu-clock rate=1000 spec=cpu-clock:u
pmc 2 page-faults
proc 10 first
proc 20 second
thread 11 10 worker
map 10 0x401000 0x1000 app off=0x1000
map 20 0x401000 0x1000 app off=0x1000
time 500000000
sample 10 0x401010 cpu=0 x1
sample 10/11 0x401010 cpu=1 x2
drop 3 cpu=0
drop 4 pmc=2
time 1500000000
sample 20 0x401010 cpu=0 x4
sample 20/21 0x401010 cpu=1 pmc=2 x8
csw 1 20 21 77
exitval 1 10 99
time 2500000000
fork 20 30
sample 30 0x401010 cpu=2 x16
exec 30 /bin/third
map 30 0x401000 0x1000 third off=0x1000
sample 30 0x401010 cpu=2 x32
close
== file show
# show LOG: its samples by process, counts and losses
pmclog check "$1"
pmclog dump --json "$1" | awk -F'"' '
	/"type":"callchain"/ { match($0, /"pid":[0-9]*/); n[substr($0, RSTART + 6, RLENGTH - 6)]++ }
	/"type":"(proccsw|procexit|dropnotify)"/ { print $4 }
	END { for (pid in n) print pid, n[pid] }' | sort
== run without a criterion all is kept, to the byte
pmclog filter out.log new.log && cmp out.log new.log
pmclog filter <out.log | cmp out.log -
pmclog filter -x out.log - | cmp out.log -
== run by process, its counts too; a loss can have been anyone's
pmclog filter -p 10,30-40 out.log new.log && sh ./show new.log
== out
new.log: 66 records, 51 samples, closed
10 3
30 48
dropnotify
dropnotify
procexit
== run by thread
pmclog filter -t 11 --lwps=21 out.log new.log && sh ./show new.log
== out
new.log: 26 records, 10 samples, closed
10 2
20 8
dropnotify
dropnotify
proccsw
procexit
== run by CPU, a loss that names another one is left out
pmclog filter -c 1,2 out.log new.log && sh ./show new.log
== out
new.log: 72 records, 58 samples, closed
10 2
20 8
30 48
proccsw
procexit
== run by event, as allocated or as the user wrote it
pmclog filter -e PAGE-faults out.log new.log && sh ./show new.log
pmclog filter -e cpu-clock:u,page-faults out.log | cmp out.log -
pmclog filter -e cpu-clock out.log | pmclog dump | grep drop
== out
new.log: 22 records, 8 samples, closed
20 8
dropnotify
dropnotify
drop      3 0
== run by what a process was called at that time, in part as FreeBSD does it
pmclog filter -P sec out.log new.log && sh ./show new.log
== out
new.log: 43 records, 28 samples, closed
20 12
30 16
dropnotify
dropnotify
proccsw
== run by the whole name as a pattern
pmclog filter --comm 'sec' --comm '*ird' out.log new.log && sh ./show new.log
== out
new.log: 46 records, 32 samples, closed
30 32
dropnotify
dropnotify
== run by thread name, that of its process where it has none
pmclog filter -T work,third out.log new.log && sh ./show new.log
== out
new.log: 49 records, 34 samples, closed
10 2
30 32
dropnotify
dropnotify
procexit
== run by time
pmclog filter --time 1..2 out.log new.log && sh ./show new.log
== out
new.log: 26 records, 12 samples, closed
20 12
proccsw
procexit
== run criteria add up
pmclog filter -p 20 -c 1 --time ..2 out.log new.log && sh ./show new.log
== out
new.log: 21 records, 8 samples, closed
20 8
proccsw
== run negated, none of the criteria is met
pmclog filter -x -p 30 -c 0 out.log new.log && sh ./show new.log
== out
new.log: 24 records, 10 samples, closed
10 2
20 8
proccsw
procexit
== run what is kept is shown as it was in the whole log
pmclog filter -P first out.log | pmcstat -q -R - --folded
pmcstat -q -R out.log --comm first --folded
== out
first;0x1010 3
first;0x1010 3
== run as JSON
pmclog filter -j -p 20 -c 0 out.log | grep -c callchain
== out
4
== run a cut has nothing of after its end, and what is needed of before it
pmclog cut 1..2 out.log new.log && sh ./show new.log
pmclog dump new.log | sed -n '/exec/p;/fork/p;/closelog/p'
pmcstat -q -R new.log --folded
== out
new.log: 23 records, 12 samples, closed
20 12
proccsw
procexit
closelog
cpu-clock;second;0x1010 4
page-faults;second;0x1010 8
== log nameless.log
pmc 1 cpu-clock
proc 10 app
thread 11 10 worker
sample 10 0x10
sample 10/11 0x10 x2
sample 10/4294967295 0x10 x4
sample 4294967295/4294967295 0x10 x8
== run a sample whose thread or process is not told is none of those that are named: one half has it alone
for by in '-p 10' '-t 10' '-P app' '-T app' '-T worker'; do
	pmclog filter $by nameless.log part.log && pmclog filter -x $by nameless.log rest.log
	echo "$by $(pmclog dump part.log | grep -c ^callchain) $(pmclog dump rest.log | grep -c ^callchain)"
done
== out
-p 10 7 8
-t 10 1 14
-P app 7 8
-T app 5 10
-T worker 2 13
== log ran.log
pmc 0x2f01 cpu-clock
attach 0x2f01 10 app
sample 10 0x10
detach 0x2f01 11
detach 0x2f01 10 ran=5000,6000
== run what targets ran for in all of a log is not told of a part of it
pmclog dump --json ran.log | sed -n 's/.*\("type":"pmcdetach".*\)/\1/p'
for by in '-e cpu-clock' '-p 10' '-t 10' '-c 0' '-P app' '-T app' '--time ..9'; do
	pmclog filter $by ran.log part.log
	pmclog dump part.log | grep ^detach
done
pmclog cut 0.000001.. ran.log part.log && pmclog dump part.log | grep ^detach
== out
"type":"pmcdetach","tsc":4000,"pmcid":"0x2f01","pid":11}
"type":"pmcdetach","tsc":5000,"pmcid":"0x2f01","pid":10,"user_ns":5000,"system_ns":6000}
detach    0x2f01 11
detach    0x2f01 10 user=5000 system=6000
detach    0x2f01 11
detach    0x2f01 11
detach    0x2f01 11
detach    0x2f01 11
detach    0x2f01 11
detach    0x2f01 11
detach    0x2f01 11
== log jit.log
pmc 1 cpu-clock
proc 10 node
map 10 0x7f0000000000 0x1000 //anon
time 500000000
sample 10 0x7f0000000010
time 1500000000
sample 10 0x7f0000000010 x2
map 10 0x7f0000000000 0x40 [jit] sym=jitted
exit 10
map 10 0x7f0000000000 0x40 [jit] sym=another
close
== run names of JIT-compiled code are kept, they come behind the samples; those of a later process are not
pmclog cut ..1 jit.log new.log
pmcstat -q -R new.log --folded
pmclog dump --json new.log | grep -o '"symbol":"[a-z]*"'
== out
node;jitted 1
"symbol":"jitted"
== run 64 the log is not overwritten by a part of it
pmclog filter -p 10 out.log out.log
== err
pmclog: out.log is the log that is read
pmclog: hint: name another file to write
== run what is there already is replaced
cp out.log new.log
pmclog cut 1..2 out.log new.log && pmclog check new.log
== out
new.log: 23 records, 12 samples, closed
== run 66 a log that is not there costs no other file
cp out.log new.log
pmclog cut 1..2 none.log new.log
status=$?
cmp out.log new.log
exit $status
== err
pmclog: none.log: cannot open: No such file or directory
== run 65 an event that no PMC had
pmclog filter -e cycles out.log new.log
== err
pmclog: out.log: no PMC of the log has the event "cycles"
pmclog: hint: pmclog info out.log lists the events
== run 65 what is there before the damage is kept
head -c 1000 out.log >cut.log
pmclog filter -p 10 cut.log new.log
status=$?
pmclog check new.log
exit $status
== out
new.log: 12 records, 3 samples, not closed
== err
pmclog: cut.log: record 13 at 0x3e0: the log ends after 8 of the record's 88 bytes
== run 64 no range of time
pmclog cut 2..1 out.log
== err
pmclog: "2..1" is not a range of seconds like 1.5..3, 2.. or ..10
pmclog: hint: usage: pmclog cut FROM..TO [FILE [NEW]]
== run 64 behind the log's end: no log of nothing without a word
pmclog filter --time 100..200 out.log new.log
== err
pmclog: out.log: --time 100..200 is behind its end: it is 2.500 s long
== run 64 nor a part of it, be it packed
pmclog cut 2.6.. out.log new.log
pmclog compress out.log small.log
pmclog cut 2.6.. small.log new.log
== err
pmclog: out.log: 2.6.. is behind its end: it is 2.500 s long
pmclog: small.log: 2.6.. is behind its end: it is 2.500 s long
== run its last record is not behind its end, and all of it is without what is
pmclog filter --time 2.5.. out.log new.log && pmclog check new.log
pmclog filter -x --time 100.. out.log new.log && cmp out.log new.log
== out
new.log: 60 records, 48 samples, closed
== run 64 no numbers
pmclog filter -p first out.log new.log
== err
pmclog: -p "first" is not a list of numbers like 0,2-5
pmclog: hint: usage: pmclog filter [OPTION ...] [FILE [NEW]]
== run 64 no such option
pmclog filter --pid 1 -z out.log new.log
== err
pmclog: filter: unknown option, or one without its value
pmclog: hint: usage: pmclog filter [OPTION ...] [FILE [NEW]]
== run 73 no such directory
pmclog filter out.log none/new.log
== err
pmclog: none/new.log: cannot create: No such file or directory
== run 74 a full disk is told
pmclog filter out.log >/dev/full
== err
pmclog: standard output: cannot write: No space left on device (0 bytes are in the log)
pmclog: hint: make room for more
== run 74 and of text
pmclog filter --json out.log >/dev/full
== err
pmclog: standard output: cannot write: No space left on device
pmclog: hint: make room for more
== log again.log
pmc 1 cpu-clock rate=1000
proc 10 server
thread 30 10 worker
sample 10/30 0x401010 x2
thread-exit 30
sample 10/30 0x401010 x16
thread 31 10 helper
fork 10 31
exec 31 /bin/cc1
sample 31/31 0x401010 x7
thread 10 10 renamed
sample 10/10 0x401010 x4
proc 50 old
sample 50 0x401010
exit 50
fork 77 50
sample 50 0x401010 x11
close
== run a name is that of who had the number then: a thread, a process, and a process whose main thread was renamed
for o in '-T worker' '-T helper' '-T cc1' '-P old' '-P renamed' '-P server'; do
	echo "$o: $(pmclog filter $o again.log | pmclog check | grep -o '[0-9]* samples')"
done
== out
-T worker: 2 samples
-T helper: 0 samples
-T cc1: 7 samples
-P old: 1 samples
-P renamed: 4 samples
-P server: 18 samples
