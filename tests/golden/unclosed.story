Who records closes the log.  One that was killed, or had no room, did not, and lost more than it could tell.
== log whole.log
pmc 1 cpu-clock
exec 10 app
sample 10 0x10 x3
close
== log cut.log
pmc 1 cpu-clock
exec 10 app
sample 10 0x10 x3
== run a log that was closed has nothing to say of that
pmcstat -R whole.log --folded
== out
app;[unknown] 3
== err
pmcstat: quality: 3 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 100.00%; truncated chains 0
== run of one that was not, the report is of a part, and says so
pmcstat -R cut.log --folded
== out
app;[unknown] 3
== err
pmcstat: cut.log: the log was not closed: it is still being written, or its recorder was killed or had no room, and what came then is missing
pmcstat: quality: 3 samples of cpu-clock; lost 0 (0.00%); throttled 0; unresolved 100.00%, of them unmapped 100.00%; truncated chains 0
== run the base of a comparison too
pmcstat -R whole.log --diff cut.log --folded 2>&1 >changes | grep closed
== out
pmcstat: cut.log: the log was not closed: it is still being written, or its recorder was killed or had no room, and what came then is missing
== run JSON has it
pmcstat -q -R whole.log --json | grep -o '"closed":[a-z]*'
pmcstat -q -R cut.log --json | grep -o '"closed":[a-z]*'
pmcstat -q -R whole.log --diff cut.log --json | grep -o '^"[a-z_]*quality"\|"closed":[a-z]*'
== out
"closed":true
"closed":false
"quality"
"closed":true
"base_quality"
"closed":false
== run top says it where the log ends, and when it is left
pmcstat -T -R whole.log | grep 'the log'
pmcstat -T -R cut.log | grep 'the log'
pmcstat -T -R - <cut.log | grep 'the log'
pmcstat -q -T -R cut.log | grep 'the log'
== out
the log has ended
the log has ended, and was not closed
the log has ended, and was not closed
the log has ended, and was not closed
== err
pmcstat: cut.log: the log was not closed: it is still being written, or its recorder was killed or had no room, and what came then is missing
pmcstat: standard input: the log was not closed: it is still being written, or its recorder was killed or had no room, and what came then is missing
== run whoever sees its records sees that, and quiet is quiet
pmcstat -R cut.log --dump | tail -n 1
pmcstat -q -R cut.log --folded
== out
...       0x10
app;[unknown] 3
