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
== run while ftrace is off the module is not loaded, and while it is loaded ftrace stays on
rmmod hwpmc
sysctl -w kernel.ftrace_enabled=0
insmod /pmc/hwpmc.ko
dmesg | grep -o 'hwpmc: ftrace.*' | uniq
sysctl -w kernel.ftrace_enabled=1
insmod /pmc/hwpmc.ko
sysctl -w kernel.ftrace_enabled=0
sysctl kernel.ftrace_enabled
echo version | hwpmcctl
== out
kernel.ftrace_enabled = 0
hwpmc: ftrace does not tell of calls: error -16
kernel.ftrace_enabled = 1
kernel.ftrace_enabled = 1
version: as in hwpmc.h
== err
insmod: can't insert '/pmc/hwpmc.ko': Device or resource busy
sysctl: write error: Device or resource busy
