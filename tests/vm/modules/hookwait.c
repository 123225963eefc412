// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * A module for tests that holds a task in a hook of hwpmc, preemption off, while the parameter
 * waits is set: where it forks or execs, before hwpmc is told of it or behind that.  What was left
 * to a worker there does not run either.  It is a task that is named as the parameter comm says;
 * the parameter pid says which process forks as its child, or execs, as soon as it is held.
 *
 * With the parameter until it is held where it makes threads: each time until that function, whose
 * second argument is a task, is called for the thread; and the function waits for the next one.
 * With tgid set these are processes, and the argument is their struct pid.
 */
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/tracepoint.h>

#define LONGEST (10 * HZ) /* then it goes on, and the test fails */

static char comm[TASK_COMM_LEN];
module_param_string(comm, comm, sizeof(comm), 0644);

static char hook[32];
module_param_string(hook, hook, sizeof(hook), 0444);

static bool before, tgid, waits;
module_param(before, bool, 0444);
module_param(tgid, bool, 0444);
module_param(waits, bool, 0644);

static int pid;
module_param(pid, int, 0444);

static char until[32];
module_param_string(until, until, sizeof(until), 0444);

static struct tracepoint *tracepoint;
static void *probe;
static const struct task_struct *held; /* the task, or that which it makes; to compare with only */

static void hold(const struct task_struct *task)
{
	unsigned long end = jiffies + LONGEST;

	if (!READ_ONCE(waits) || strcmp(current->comm, comm))
		return;
	preempt_disable(); /* not every kernel has it off in tracepoints */
	WRITE_ONCE(pid, task->tgid);
	WRITE_ONCE(held, task);
	while (READ_ONCE(waits) && READ_ONCE(held) && time_before(jiffies, end) &&
	       !fatal_signal_pending(current))
		cpu_relax();
	WRITE_ONCE(held, NULL);
	WRITE_ONCE(pid, 0);
	preempt_enable();
}

static int on_call(struct kprobe *kp, struct pt_regs *regs)
{
	void *argument = (void *)regs_get_kernel_argument(regs, 1);
	const struct task_struct *task;
	unsigned long end = jiffies + LONGEST;
	bool is_it;

	rcu_read_lock();
	task = tgid ? pid_task(argument, PIDTYPE_TGID) : argument;
	is_it = task && !strcmp(task->comm, comm);
	rcu_read_unlock();
	if (!is_it)
		return 0;
	if (READ_ONCE(held) == task)
		WRITE_ONCE(held, NULL);
	while (READ_ONCE(waits) && !READ_ONCE(held) && time_before(jiffies, end))
		cpu_relax();
	return 0;
}

static struct kprobe call = {.pre_handler = on_call, .symbol_name = until};

static void on_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	if (same_thread_group(parent, child) == (*until && !tgid))
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
	int err;

	for_each_kernel_tracepoint(find, NULL);
	if (!tracepoint)
		return -ENOENT;
	probe = strcmp(hook, "sched_process_fork") ? (void *)on_exec : (void *)on_fork;
	err = *until ? register_kprobe(&call) : 0;
	if (err)
		return err;
	err = tracepoint_probe_register_prio(tracepoint, probe, NULL,
					     TRACEPOINT_DEFAULT_PRIO + (before ? 1 : -1));
	if (err && *until)
		unregister_kprobe(&call);
	return err;
}
module_init(hookwait_init);

static void __exit hookwait_exit(void)
{
	tracepoint_probe_unregister(tracepoint, probe, NULL);
	tracepoint_synchronize_unregister();
	if (*until)
		unregister_kprobe(&call);
}
module_exit(hookwait_exit);

MODULE_DESCRIPTION("holds tasks in hooks, for tests");
MODULE_LICENSE("Dual BSD/GPL");
