// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * A module for tests that holds a task in a hook of hwpmc, preemption off, while the parameter
 * waits is set: where it forks or execs, before hwpmc is told of it or behind that.  What was left
 * to a worker there does not run either.  It is a task that is named as the parameter comm says;
 * the parameter pid says which process forks as its child, or execs, as soon as it is held.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/tracepoint.h>

#define LONGEST_MS 5000 /* then it goes on, and the test fails */

static char comm[TASK_COMM_LEN];
module_param_string(comm, comm, sizeof(comm), 0644);

static char hook[32];
module_param_string(hook, hook, sizeof(hook), 0444);

static bool before, waits;
module_param(before, bool, 0444);
module_param(waits, bool, 0644);

static int pid;
module_param(pid, int, 0444);

static struct tracepoint *tracepoint;
static void *probe;

static void hold(const struct task_struct *task)
{
	int ms;

	if (!READ_ONCE(waits) || strcmp(current->comm, comm))
		return;
	WRITE_ONCE(pid, task->tgid);
	for (ms = 0; READ_ONCE(waits) && ms < LONGEST_MS; ms++)
		mdelay(1);
	WRITE_ONCE(pid, 0);
}

static void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	if (!same_thread_group(parent, child))
		hold(child);
}

static void on_exec(void *data, struct task_struct *task, pid_t old, struct linux_binprm *bprm)
{
	hold(task);
}

static void find(struct tracepoint *tp, void *arg)
{
	if (!strcmp(tp->name, hook))
		tracepoint = tp;
}

static int __init hookwait_init(void)
{
	for_each_kernel_tracepoint(find, NULL);
	if (!tracepoint)
		return -ENOENT;
	probe = strcmp(hook, "sched_process_fork") ? (void *)on_exec : (void *)on_fork;
	return tracepoint_probe_register_prio(tracepoint, probe, NULL,
					      TRACEPOINT_DEFAULT_PRIO + (before ? 1 : -1));
}
module_init(hookwait_init);

static void __exit hookwait_exit(void)
{
	tracepoint_probe_unregister(tracepoint, probe, NULL);
	tracepoint_synchronize_unregister();
}
module_exit(hookwait_exit);

MODULE_DESCRIPTION("holds tasks in hooks, for tests");
MODULE_LICENSE("Dual BSD/GPL");
