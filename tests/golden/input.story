A log that comes through gzip or a pipe is read to its last record.
== log out.log
pmc 1 cpu-clock
proc 10 app
sample 10 0x10 x3
== run 65 a gzip stream whose check sum is wrong gives what it holds
gzip -nc out.log | { head -c -8; printf '00000000'; } >bad.gz; pmcstat -q -R bad.gz --folded
== out
app;[unknown] 3
== err
pmcstat: bad.gz: record 7 at 0x200: the gzip stream is damaged: incorrect data check
== run what comes late on a standard input that does not block
{ pmcstat -q -R out.log --flat >/dev/null; head -c 200 out.log; pmcstat -q -R out.log --flat >/dev/null; tail -c +201 out.log; } | { dd iflag=nonblock count=0 2>/dev/null; pmcstat -q -R - --folded; }
== out
app;[unknown] 3
