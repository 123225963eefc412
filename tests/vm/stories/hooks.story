Hooks run with preemption off, whatever the kernel's tracepoints do: they look at what is freed by RCU.
== machine smp
== run where a task forks, execs, gets a name and exits
echo 'log log
allocate a ts flags=descendants count=100000000
attach a self
start a
sh busybox true && busybox true' >operations
for function in hwpmc_task_forks hwpmc_task_execs hwpmc_task_renames hwpmc_task_exits; do
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
