// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Which logs hear of what a process does, and what it is called.
 */
#include <linux/pid.h>
#include <linux/sched.h>

#include "hwpmc_int.h"

/* Its log hears of every process.  RCU read side. */
static bool is_system_owner(const struct hwpmc_owner *owner)
{
	return READ_ONCE(owner->system_sampling);
}

bool hwpmc_all_are_heard(void)
{
	const struct hwpmc_owner *owner;

	list_for_each_entry_rcu(owner, &hwpmc_system_owners, of_system)
		if (is_system_owner(owner))
			return true;
	return false;
}

/* No attachment before it has the same owner.  RCU read side. */
static bool is_first_of_owner(const struct hwpmc_process *process,
			      const struct hwpmc_attachment *attachment,
			      const struct hwpmc_owner *owner, u32 flags)
{
	const struct hwpmc_attachment *other;

	list_for_each_entry_rcu(other, &process->attachments, of_process) {
		if (other == attachment)
			return true;
		if (hwpmc_attachment_hears(other, flags) && READ_ONCE(other->pmc->owner) == owner)
			return false;
	}
	return true;
}

/*
 * Owners that were told.  Whom an owner hears may change at any time, and he is to be told once, as
 * one of all processes or by the first of his attachments: what was told decides, and no second
 * look.
 */
struct told_owners {
	unsigned int n;
	const struct hwpmc_owner *owners[16];
};

static bool was_told(const struct told_owners *told, const struct hwpmc_process *process,
		     const struct hwpmc_attachment *attachment,
		     const struct hwpmc_owner *owner, u32 flags)
{
	unsigned int i;

	for (i = 0; i < told->n; i++)
		if (told->owners[i] == owner)
			return true;
	/* There may have been more than are remembered. */
	return told->n == ARRAY_SIZE(told->owners) &&
	       (is_system_owner(owner) ||
		!is_first_of_owner(process, attachment, owner, flags));
}

static void remember(struct told_owners *told, const struct hwpmc_owner *owner)
{
	if (told->n < ARRAY_SIZE(told->owners))
		told->owners[told->n++] = owner;
}

void hwpmc_each_log(struct pid *tgid, u32 flags, void (*each)(struct hwpmc_log *log, void *arg),
		    void *arg)
{
	struct told_owners told;
	struct hwpmc_attachment *attachment;
	struct hwpmc_process *process;
	struct hwpmc_owner *owner;
	struct hwpmc_log *log;

	if (!hwpmc_hooks_names_are_wanted()) /* nobody has a log */
		return;
	told.n = 0;
	list_for_each_entry_rcu(owner, &hwpmc_system_owners, of_system) {
		log = is_system_owner(owner) ? READ_ONCE(owner->log) : NULL;
		if (!log)
			continue;
		each(log, arg);
		remember(&told, owner);
	}
	process = hwpmc_process_find(tgid);
	if (!process)
		return;
	list_for_each_entry_rcu(attachment, &process->attachments, of_process) {
		owner = READ_ONCE(attachment->pmc->owner);
		log = owner ? READ_ONCE(owner->log) : NULL;
		if (!log || !hwpmc_attachment_hears(attachment, flags) ||
		    was_told(&told, process, attachment, owner, flags))
			continue;
		each(log, arg);
		remember(&told, owner);
	}
}

bool hwpmc_log_wants_arguments(const struct hwpmc_log *log, const struct pid *tgid)
{
	const struct hwpmc_process *process = hwpmc_process_find(tgid);
	const struct hwpmc_attachment *attachment;

	if (!process || !hwpmc_log_may_have_arguments(log))
		return false;
	list_for_each_entry_rcu(attachment, &process->attachments, of_process)
		if (hwpmc_attachment_hears(attachment, PMC_F_LOG_ARGUMENTS) &&
		    hwpmc_pmc_logs(attachment->pmc) && hwpmc_pmc_log(attachment->pmc) == log)
			return true;
	return false;
}

bool hwpmc_owner_hear_all(struct hwpmc_owner *owner)
{
	unsigned long flags;
	bool is_first = !owner->system_sampling;

	WRITE_ONCE(owner->system_sampling, owner->system_sampling + 1);
	if (!list_empty(&owner->of_system))
		return is_first;
	raw_spin_lock_irqsave(&hwpmc_hash_lock, flags);
	list_add_tail_rcu(&owner->of_system, &hwpmc_system_owners);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, flags);
	return is_first;
}

/*
 * The owner stays on the list until it is freed, and hooks pass it over: taken off, it might be put
 * there again before the hooks that are at it have gone on, and waiting for them would hold up
 * everybody who wants hwpmc_lock.
 */
void hwpmc_owner_unhear_all(struct hwpmc_owner *owner)
{
	WRITE_ONCE(owner->system_sampling, owner->system_sampling - 1);
}

struct name_note {
	const struct task_struct *task;
	const char *name;
};

static void log_name(struct hwpmc_log *log, void *arg)
{
	const struct name_note *note = arg;
	const struct task_struct *task = note->task;

	if (task->pid == task->tgid)
		hwpmc_log_proc_create(log, task->tgid, note->name, GFP_ATOMIC);
	else
		hwpmc_log_thr_create(log, task->pid, task->tgid, note->name, GFP_ATOMIC);
}

/* An exec's name is told after its PROCEXEC. */
void hwpmc_task_renames(struct task_struct *task, const char *name)
{
	struct name_note note = {.task = task, .name = name};

	if (task->in_execve)
		return;
	rcu_read_lock();
	hwpmc_each_log(task_tgid(task), 0, log_name, &note);
	rcu_read_unlock();
}

void hwpmc_task_named_by_exec(struct task_struct *task)
{
	struct name_note note = {.task = task, .name = task->comm};

	rcu_read_lock();
	hwpmc_each_log(task_tgid(task), 0, log_name, &note);
	rcu_read_unlock();
}
