Hooks run with preemption off, whatever the kernel's tracepoints do: they look at what is freed by RCU.
== machine smp
== run where a task forks, execs, gets a name, exits, maps and unmaps
echo 'log log
allocate a ts flags=descendants count=100000000
attach a self
start a
sh busybox true && busybox true' >operations
for function in hwpmc_task_forks hwpmc_task_execs hwpmc_task_renames hwpmc_task_exits hwpmc_maps_mmap \
	hwpmc_maps_munmap; do
	insmod /pmc/hookstate.ko function=$function
	hwpmcctl <operations >said
	grep -v ': ok$' said
	cd /sys/module/hookstate/parameters
	echo "$(cat function): $([ "$(cat called)" -gt 0 ] && echo called), preemptible $(cat preemptible) times"
	cd "$OLDPWD"
	rmmod hookstate
done
== out
sh busybox true && busybox true: status 0
hwpmc_task_forks: called, preemptible 0 times
sh busybox true && busybox true: status 0
hwpmc_task_execs: called, preemptible 0 times
sh busybox true && busybox true: status 0
hwpmc_task_renames: called, preemptible 0 times
sh busybox true && busybox true: status 0
hwpmc_task_exits: called, preemptible 0 times
sh busybox true && busybox true: status 0
hwpmc_maps_mmap: called, preemptible 0 times
sh busybox true && busybox true: status 0
hwpmc_maps_munmap: called, preemptible 0 times
== run functions are hooked while they are wanted, and a second longer
# Test modules have others.
cat >traced <<'E'
awk '/^(perf_event_|uprobe_)/ { print $1 }' /sys/kernel/tracing/enabled_functions | sort | xargs echo "$1:" >>hooked
E
sleep 3
sh traced nothing
hwpmcctl <<'E' | grep -Ev ': (ok|status 0)$'
log log
sh sh traced 'a log'
allocate a ts flags=descendants count=100000000
attach a self
start a
sh sh traced 'a log of samples'
E
sleep 3
sh traced 'nothing any more'
cat hooked
== out
nothing: perf_event_exec
a log: perf_event_exec
a log of samples: perf_event_exec perf_event_mmap uprobe_munmap
nothing any more: perf_event_exec
== run beside another tracer of the same functions
cd /sys/kernel/tracing
printf 'perf_event_mmap\nuprobe_munmap\n' >set_ftrace_filter
echo function >current_tracer
cd "$OLDPWD"
pmcstat -q --collector=hwpmc -P cpu-clock -O log maps >wanted
pmclog dump log | awk '$1 == "create" { n = ours = 0 } /\/maps"/ { ours = 1 } $1 ~ /^map/ && ours { line[n++] = $1 " " $3 " " $4 }
	END { for (i = 0; i < n; i++) print line[i] }' | diff wanted -
grep -c . wanted
grep -o 'maps-.*: \(perf_event_mmap\|uprobe_munmap\) ' /sys/kernel/tracing/trace | sed 's/.*: //' | sort -u
echo nop >/sys/kernel/tracing/current_tracer
echo >/sys/kernel/tracing/set_ftrace_filter
== out
7
perf_event_mmap 
uprobe_munmap 
