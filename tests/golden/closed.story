Descriptors that are closed from the start: no file that is opened gets what was meant for them.
== log out.log
pmc 1 cpu-clock
exec 10 app
sample 10 0x10 x3
close
== file script
pmc 1 page-faults
count 5 pmc=1
tick
== run of a report and a file, the file has its own text alone
pmcstat -R out.log --folded=folded --flat >&-; echo $?
pmcstat -R out.log --folded=alone >&- 2>&-; echo $?
cat folded alone
== out
74
0
app;[unknown] 3
app;[unknown] 3
== err
pmcstat: standard output: Bad file descriptor
== run 73 a log has nowhere to go
pmcstat --collector=fake:script -p page-faults -E -O - true >&-
== err
pmcstat: standard output is not open for writing
== run a command finds them as they are
pmcstat --collector=fake:script -o counts -p page-faults -t $$ sh -c 'for i in 0 1 2; do test -e /proc/$$/fd/$i || echo $i >&3; done' 3>&1 <&- >&- 2>&-
== out
0
1
2
== run 74 no log that is read is taken for standard output
pmclog compress out.log >&-
== err
pmclog: standard output: cannot write: Bad file descriptor (0 bytes are in the log)
