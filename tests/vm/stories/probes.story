Probes that the administrator has put somewhere are tracepoints: each passage is an event.
== machine x61 x612
== run a uprobe counts the calls of a function, a kprobe those of a system call
cd /sys/kernel/tracing
echo "p:mine/known /pmc/bin/calls:$(calls offset)" >uprobe_events
echo "r:mine/returned /pmc/bin/calls:$(calls offset)" >>uprobe_events
echo 'p:mine/asked __x64_sys_getppid' >kprobe_events
cd - >/dev/null
pmcstat --collector=perf -C -o counts -p mine:known -p mine:returned -p mine:asked calls 4321
(head -n 1 counts; tail -n 1 counts) | tr -s ' '
pmcstat -q --collector=perf -n 1 -P mine:known -O known.log calls 123
pmcstat -q --collector=perf -n 1 -P mine:asked -O asked.log calls 77
pmcstat -q -R asked.log --folded | sed 's/.*;//'
echo >/sys/kernel/tracing/uprobe_events
echo >/sys/kernel/tracing/kprobe_events
pmcstat --collector=perf -p mine:known calls 1 2>&1 | head -n 1
== out
# p/mine:known p/mine:returned p/mine:asked
 4321 4321 4321
__x64_sys_getppid 77
pmcstat: this kernel has no tracepoint mine:known
== host samples are where the probes were
pmcstat -q -R known.log -r "$root" --folded | sed 's/.*;//'
== out
known 123
