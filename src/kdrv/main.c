// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * hwpmc.ko: loading and unloading.  Process context.
 *
 * Unloading is refused while a process owns a PMC or a log, or has the device open.  Only a forced
 * unload (MODULE_FORCE_UNLOAD, which distributions leave out) comes to owners: they get SIGBUS.
 */
#include <linux/init.h>
#include <linux/module.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>

#include "hwpmc_int.h"

/*
 * Newer kernels, such as 7.3, leave preemption on in what hooks tracepoints, and free by SRCU.  Our
 * hooks look at what is freed by RCU, and no worker is to come between what they do.
 */
static void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	preempt_disable();
	hwpmc_task_forks(parent, child);
	hwpmc_kapi_task_forks(parent, child);
	preempt_enable();
}

static void HWPMC_ON_EXIT(on_exit)
{
	preempt_disable();
	hwpmc_task_exits(task);
	hwpmc_kapi_task_exits(task);
	if (!atomic_read(&task->signal->live))
		hwpmc_owner_process_ends(task);
	preempt_enable();
}

static void on_exec(void *data, struct task_struct *task, pid_t old, struct linux_binprm *bprm)
{
	preempt_disable();
	hwpmc_task_execs(task);
	hwpmc_owner_process_ends(task);
	if (hwpmc_hooks_names_are_wanted())
		hwpmc_maps_exec();
	preempt_enable();
}

static void on_rename(void *data, struct task_struct *task, const char *name)
{
	preempt_disable();
	hwpmc_task_renames(task, name);
	preempt_enable();
}

static const struct hwpmc_hooks hooks = {
	.on_fork = on_fork,
	.on_exit = on_exit,
	.on_exec = on_exec,
	.on_switch = hwpmc_task_switches,
	.on_rename = on_rename,
	.on_mmap = hwpmc_maps_mmap,
	.on_munmap = hwpmc_maps_munmap,
	.on_close = hwpmc_counters_close,
};

static int hooks_init(void)
{
	return hwpmc_hooks_init(&hooks);
}

/*
 * In the order of what needs what.  The device is the last to come and the first to go; then no
 * hook runs any more, so that nothing new begins while the rest is taken down.
 */
static const struct {
	int (*init)(void); /* NULL, both: nothing to do */
	void (*exit)(void);
} parts[] = {
	{hwpmc_releasers_init, hwpmc_releasers_exit},
	{hwpmc_tunables_init, hwpmc_tunables_exit},
	{hwpmc_access_init, hwpmc_access_exit},
	{hwpmc_rows_init, hwpmc_rows_exit},
	{hwpmc_processes_init, hwpmc_processes_exit},
	{hwpmc_threads_init, hwpmc_threads_exit},
	{hwpmc_burials_init, hwpmc_burials_exit},
	{NULL, hwpmc_targets_exit},
	{NULL, hwpmc_task_exit},
	{hwpmc_logs_init, hwpmc_logs_exit},
	{hwpmc_kernel_text_init, NULL},
	{hwpmc_maps_init, hwpmc_maps_exit},
	{NULL, hwpmc_starve_exit},
	{hwpmc_owner_init, hwpmc_owner_exit},
	{hwpmc_kapi_init, hwpmc_kapi_exit},
	{NULL, hwpmc_works_exit},
	{hooks_init, hwpmc_hooks_exit},
	{hwpmc_hotplug_init, hwpmc_hotplug_exit},
	{hwpmc_device_init, hwpmc_device_exit},
};

static void leave(unsigned int nparts)
{
	while (nparts--)
		if (parts[nparts].exit)
			parts[nparts].exit();
	rcu_barrier();
}

static int __init hwpmc_module_init(void)
{
	unsigned int i;
	int err;

	for (i = 0; i < ARRAY_SIZE(parts); i++) {
		err = parts[i].init ? parts[i].init() : 0;
		if (err) {
			leave(i);
			return err;
		}
	}
	return 0;
}

static void __exit hwpmc_module_exit(void)
{
	leave(ARRAY_SIZE(parts));
}

module_init(hwpmc_module_init);
module_exit(hwpmc_module_exit);
MODULE_DESCRIPTION("Performance monitoring counters after FreeBSD's hwpmc(4)");
MODULE_AUTHOR("The pmcstat project");
MODULE_LICENSE("Dual BSD/GPL");
