// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Target processes and what is attached to them.  Process context, under the lock of the PMC's
 * owner and hwpmc_lock, unless said otherwise.
 *
 * No thread is missed: an attachment is published first, and from then on the fork hook (task.c)
 * catches every thread that its process makes; only then are the threads looked for that are there
 * already.  One that both find has one counter, since both have the lock of its owner.
 *
 * What an attachment has counted is what its freed counters have, and of the others each its total
 * where its thread has exited, else the snapshot of its event: each thread is in that sum once,
 * whenever it exits.  What has exited is summed up for hooks, too, under hwpmc_hash_lock.
 */
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/signal.h>
#include <linux/slab.h>

#include "hwpmc_int.h"

#define FEW_THREADS 32 /* for which nothing is allocated */
/* Of a process that makes threads, which the fork hook misses, while it is attached to. */
#define SCANS_MAX 256

/* Of a process those that are to get a counter; a reference to each. */
struct threads {
	struct task_struct *few[FEW_THREADS], **tasks; /* the former, or allocated */
	u32 n, room;
};

static LLIST_HEAD(queued_processes);
static void reap(struct work_struct *work);
static DECLARE_DELAYED_WORK(reap_work, reap);

/* To end by the reaper. */
static void attachment_take(struct hwpmc_attachment *attachment)
{
	unsigned long irq;

	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	WRITE_ONCE(attachment->taken, true);
	hwpmc_process_queue(attachment->process);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	hwpmc_targets_reap();
}

/*
 * Threads of leader's process that have no counter yet, are not about to make it themselves and do
 * not exit; those without room are only counted.  How many there are.
 */
static u32 threads_scan(const struct hwpmc_attachment *attachment, struct task_struct *leader,
			struct threads *threads)
{
	struct task_struct *task;
	u32 found = 0;

	rcu_read_lock();
	for_each_thread(leader, task) {
		if ((READ_ONCE(task->flags) & PF_EXITING) ||
		    hwpmc_counter_exists(attachment, task) ||
		    hwpmc_child_waits(attachment->pmc, task) == -EEXIST)
			continue;
		if (found++ < threads->room)
			threads->tasks[threads->n++] = get_task_struct(task);
	}
	rcu_read_unlock();
	return found;
}

static void threads_put(struct threads *threads)
{
	while (threads->n)
		put_task_struct(threads->tasks[--threads->n]);
}

static void threads_free(struct threads *threads)
{
	threads_put(threads);
	if (threads->tasks != threads->few)
		kvfree(threads->tasks);
}

static int threads_find(const struct hwpmc_attachment *attachment, struct task_struct *leader,
			struct threads *threads)
{
	u32 found;

	while ((found = threads_scan(attachment, leader, threads)) > threads->room) {
		threads_free(threads);
		threads->room = 0;
		threads->tasks = kvmalloc_array(2 * found, sizeof(*threads->tasks), GFP_KERNEL);
		if (!threads->tasks)
			return -ENOMEM;
		threads->room = 2 * found;
	}
	return 0;
}

static int threads_count(struct hwpmc_attachment *attachment, const struct threads *threads)
{
	int error = 0;
	u32 i;

	for (i = 0; i < threads->n && !error; i++) {
		error = fatal_signal_pending(current)
				? -EINTR
				: hwpmc_counter_new(attachment, threads->tasks[i]);
		if (error == -ESRCH && (READ_ONCE(threads->tasks[i]->flags) & PF_EXITING))
			error = 0;
	}
	return error;
}

/*
 * A scan takes all threads at once: what it costs is to grow as they do.  Other targets that fork
 * wait meanwhile, so a process that makes threads for ever is given up.
 */
static int count_threads(struct hwpmc_attachment *attachment, struct task_struct *leader)
{
	struct threads threads = {.tasks = threads.few, .room = FEW_THREADS};
	u32 scans = 0, found;
	int error;

	/* Pairs with hwpmc_task_forks(): a child is seen, or sees that it is to have an event. */
	smp_mb();
	do {
		error = scans++ < SCANS_MAX ? threads_find(attachment, leader, &threads) : -EAGAIN;
		found = threads.n;
		if (!error)
			error = threads_count(attachment, &threads);
		threads_put(&threads);
	} while (found && !error);
	threads_free(&threads);
	return error;
}

static int attach_conflict(const struct hwpmc_pmc *pmc, struct pid *tgid)
{
	const struct hwpmc_process *process;
	int error = hwpmc_heirs_know(tgid, NULL);

	process = hwpmc_process_find(tgid);
	if (error || !process)
		return error;
	if (hwpmc_attachment_find(process, pmc))
		return -EEXIST;
	if (READ_ONCE(process->exited))
		return -ESRCH;
	return hwpmc_process_conflicts(process, pmc) ? -EBUSY : 0;
}

/*
 * Where the process has exited meanwhile there may be no exit hook left that would see the
 * attachment: it is undone.
 */
static int attach_allowed(struct hwpmc_pmc *pmc, struct pid *tgid, struct task_struct *leader,
			  u64 attach)
{
	struct hwpmc_attachment *attachment;
	int error = hwpmc_may_attach(leader);

	if (error)
		return error;
	attachment =
		hwpmc_attachment_new(pmc, tgid, attach, hwpmc_process_told(tgid, pmc->owner->log));
	if (!attachment)
		return -ENOMEM;
	if (!pmc->inherits || hwpmc_attachment_counts(attachment))
		error = count_threads(attachment, leader);
	if (pmc->meters && pmc->state == HWPMC_RUNNING)
		hwpmc_counters_look();
	/* With that of hwpmc_counters_may_be(): the last exit sees the process, or it is gone. */
	smp_mb();
	if (!error && !atomic_read(&leader->signal->live))
		error = -ESRCH;
	if (error) {
		hwpmc_attachment_undo(attachment);
		return error;
	}
	if (pmc->owner->log)
		hwpmc_attachment_log(attachment, pmc->owner->log, true);
	return 0;
}

/*
 * Perf closes the events of a process that an exec makes more than its user: none may be made
 * between that and what the process was when its user was asked.
 */
int hwpmc_attach_one(struct hwpmc_pmc *pmc, struct pid *tgid, struct task_struct *leader,
		     u64 attach)
{
	int error = atomic_read(&leader->signal->live) ? 0 : -ESRCH;

	/* Before conflicts: who may not attach does not learn who else does. */
	if (!error)
		error = hwpmc_may_attach(leader);
	if (!error)
		error = attach_conflict(pmc, tgid);
	/* A child that has not run yet is a target as soon as it does, by its parent's attach. */
	if (!error)
		error = hwpmc_child_waits(pmc, leader);
	if (error)
		return error;
	/* An exec may wait for anything, as for the server of a file that it closes. */
	if (!down_read_trylock(&leader->signal->exec_update_lock)) {
		if (!pmc->owner->busy)
			pmc->owner->busy = get_pid(tgid);
		return -EAGAIN;
	}
	error = attach_allowed(pmc, tgid, leader, attach);
	up_read(&leader->signal->exec_update_lock);
	hwpmc_roots_thin(pmc);
	return error;
}

/* Whether a thread of leader's process has an event of pmc. */
static bool covers_some(const struct hwpmc_pmc *pmc, struct task_struct *leader)
{
	struct task_struct *task;
	bool any = false;

	rcu_read_lock();
	for_each_thread(leader, task)
		any = any || hwpmc_root_covers(pmc, task);
	rcu_read_unlock();
	return any;
}

/*
 * Roots for its threads.  One that is in the middle of an exec gives itself what it lacks when it
 * is through.  What an exec has made more than its user, before its hook could say so, or the
 * process itself has since it was attached to, is no target any more.
 */
static int attachment_root(struct hwpmc_attachment *attachment)
{
	struct task_struct *leader = get_pid_task(attachment->process->tgid, PIDTYPE_TGID);
	int error = 0;

	if (!leader)
		return 0;
	/* Pairs with the end of the exec: its hook sees that the PMC runs. */
	smp_mb();
	if (down_read_trylock(&leader->signal->exec_update_lock)) {
		if (!hwpmc_may_users_see(leader) && hwpmc_may_attach(leader))
			attachment_take(attachment);
		if (!READ_ONCE(attachment->taken))
			error = count_threads(attachment, leader);
		/* By the hook meanwhile, which found no event: it is not to have this one. */
		if (!error && READ_ONCE(attachment->taken) && covers_some(attachment->pmc, leader))
			error = -EAGAIN;
		up_read(&leader->signal->exec_update_lock);
		hwpmc_roots_thin(attachment->pmc);
	} else if (!thread_group_empty(leader)) {
		/* Who execs is alone: this is Landlock's, which changes all threads. */
		hwpmc_thread_missed(attachment->pmc);
	}
	put_task_struct(leader);
	return error;
}

static int attachment_start(struct hwpmc_attachment *attachment)
{
	struct hwpmc_counter *counter;
	int error = 0;

	if (!hwpmc_attachment_counts(attachment))
		return 0;
	if (attachment->pmc->inherits)
		return attachment_root(attachment);
	list_for_each_entry(counter, &attachment->counters, of_attachment) {
		error = hwpmc_counter_start(counter);
		if (error)
			break;
	}
	return error;
}

/* Of a PMC that samples: none is metered. */
int hwpmc_attachment_told(struct hwpmc_attachment *attachment, u64 log)
{
	/* Pairs with hand_works(): the child is forked after the maps. */
	smp_store_release(&attachment->told, log);
	return attachment_start(attachment);
}

int hwpmc_process_start(struct hwpmc_pmc *pmc)
{
	struct hwpmc_attachment *attachment;
	int error = pmc->meters ? hwpmc_meters_start(pmc) : 0;

	if (error)
		return error;
	hwpmc_heirs_allow(pmc);
	list_for_each_entry(attachment, &pmc->attachments, of_pmc) {
		error = attachment_start(attachment);
		if (error) {
			hwpmc_process_stop(pmc);
			return error;
		}
		/* Forked while the log was told of its parent's maps, and not with these. */
		if (!hwpmc_attachment_counts(attachment) && !attachment->snapshot &&
		    !READ_ONCE(attachment->taken))
			hwpmc_thread_missed(pmc);
	}
	if (!pmc->meters)
		return 0;
	hwpmc_counters_look();
	if (!hwpmc_meters_starve(pmc))
		return 0;
	hwpmc_process_stop(pmc);
	return -EBUSY;
}

/* Those of an attach; 0: all.  What they lack is noted before they go. */
static void roots_end(struct hwpmc_pmc *pmc, u64 attach)
{
	if (pmc->inherits)
		hwpmc_starve_look(pmc);
	hwpmc_roots_end(pmc, attach);
}

void hwpmc_process_stop(struct hwpmc_pmc *pmc)
{
	struct hwpmc_attachment *attachment;
	struct hwpmc_counter *counter;
	bool any = false;

	hwpmc_heirs_attach(pmc);
	if (pmc->meters)
		list_for_each_entry(attachment, &pmc->attachments, of_pmc)
			any |= hwpmc_attachment_unmeter(attachment);
	if (any)
		hwpmc_counters_look();
	roots_end(pmc, 0);
	list_for_each_entry(attachment, &pmc->attachments, of_pmc)
		list_for_each_entry(counter, &attachment->counters, of_attachment)
			hwpmc_counter_stop(counter);
	if (pmc->meters)
		hwpmc_meters_stop(pmc);
}

/*
 * A process that is no target any more has inherited its events, or given some to others: those of
 * its attach end, or all where it had some of another's, and whoever is still a target has new
 * ones.  What these do in between is in no sum.
 */
static void roots_renew(struct hwpmc_pmc *pmc, u64 attach, struct pid *tgid)
{
	struct task_struct *leader = get_pid_task(tgid, PIDTYPE_TGID);
	struct hwpmc_attachment *attachment;

	if (pmc->inherits && pmc->state == HWPMC_RUNNING) {
		roots_end(pmc, attach);
		if (leader && covers_some(pmc, leader))
			roots_end(pmc, 0);
		list_for_each_entry(attachment, &pmc->attachments, of_pmc)
			if (attachment_start(attachment))
				hwpmc_thread_missed(pmc);
	}
	if (leader)
		put_task_struct(leader);
}

static void detach(struct hwpmc_pmc *pmc, struct hwpmc_attachment *attachment, struct pid *tgid)
{
	u64 attach = attachment->attach;
	bool heirs = pmc->heirs;

	hwpmc_heirs_attach(pmc);
	hwpmc_attachment_end(attachment);
	roots_renew(pmc, attach, tgid);
	if (heirs)
		hwpmc_heirs_allow(pmc);
	hwpmc_attachment_log_end(pmc, tgid);
}

int hwpmc_detach(struct hwpmc_pmc *pmc, struct pid *tgid)
{
	struct hwpmc_attachment *attachment;
	struct hwpmc_process *process;
	/* Whether it is a target of others is no matter of the caller. */
	int error = hwpmc_heirs_know(tgid, pmc->owner);

	if (error)
		return error;
	process = hwpmc_process_find(tgid);
	/* What has exited is no process: the reaper ends its attachments, and counts stay. */
	if (!process || READ_ONCE(process->exited))
		return -ESRCH;
	attachment = hwpmc_attachment_find(process, pmc);
	if (!attachment)
		return hwpmc_process_is_target_of(process, pmc->owner) ? -EINVAL : -ESRCH;
	detach(pmc, attachment, tgid);
	return 0;
}

void hwpmc_detach_all(struct hwpmc_pmc *pmc)
{
	struct hwpmc_attachment *attachment, *next;

	list_for_each_entry_safe(attachment, next, &pmc->attachments, of_pmc)
		hwpmc_attachment_end(attachment);
}

/* Reads every event, which may wait for CPUs; exited ones too, for their times. */
static void take_snapshots(struct hwpmc_pmc *pmc, u64 *enabled, u64 *running)
{
	struct hwpmc_attachment *attachment;
	struct hwpmc_counter *counter;
	u64 on, ran;

	*enabled = pmc->detached_enabled;
	*running = pmc->detached_running;
	list_for_each_entry(attachment, &pmc->attachments, of_pmc)
		list_for_each_entry(counter, &attachment->counters, of_attachment) {
			hwpmc_counter_snapshot(counter, &on, &ran);
			*enabled += on;
			*running += ran;
		}
}

/*
 * A thread that exits meanwhile is counted once, by its snapshot or by all that it counted: no hook
 * is to wait while a family of any size is gone through.
 */
void hwpmc_process_value(struct hwpmc_pmc *pmc, u64 *value, u64 *enabled, u64 *running)
{
	struct hwpmc_attachment *attachment;
	struct hwpmc_counter *counter;
	u64 sum = 0;

	take_snapshots(pmc, enabled, running);
	*value = pmc->detached;
	if (pmc->meters)
		hwpmc_meters_value(pmc, value, enabled, running);
	hwpmc_roots_value(pmc, value, enabled, running);
	hwpmc_starve_look(pmc);
	list_for_each_entry(attachment, &pmc->attachments, of_pmc) {
		sum += attachment->freed;
		list_for_each_entry(counter, &attachment->counters, of_attachment)
			sum += hwpmc_counter_value(counter);
	}
	*value += sum;
}

/* Perf does not set times back: what they are now is subtracted from now on. */
void hwpmc_process_reset(struct hwpmc_pmc *pmc)
{
	struct hwpmc_attachment *attachment;
	struct hwpmc_counter *counter;
	u64 enabled, running, value = 0;
	unsigned long irq;

	take_snapshots(pmc, &enabled, &running);
	if (pmc->meters) {
		hwpmc_meters_value(pmc, &value, &enabled, &running);
		hwpmc_meters_reset(pmc);
	}
	pmc->detached_enabled -= enabled;
	pmc->detached_running -= running;
	pmc->detached = 0;
	list_for_each_entry(attachment, &pmc->attachments, of_pmc) {
		list_for_each_entry(counter, &attachment->counters, of_attachment)
			hwpmc_counter_reset(counter);
		raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
		WRITE_ONCE(attachment->exited, attachment->exited - attachment->freed);
		raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
		attachment->freed = 0;
	}
}

/* SIGIO, when its last target has gone and no child of one is about to become a target. */
void hwpmc_tell_if_idle(struct hwpmc_pmc *pmc)
{
	const struct hwpmc_owner *owner = pmc->owner;

	/* What an exec has made of the owner's process expects none. */
	if (owner && !READ_ONCE(owner->ends) && list_empty(&pmc->attachments) &&
	    !atomic_read(&pmc->forks))
		hwpmc_owner_signal(pmc->owner, SIGIO);
}

/* For the reaper.  hwpmc_hash_lock. */
void hwpmc_process_queue(struct hwpmc_process *process)
{
	if (!process->queued) {
		process->queued = true;
		llist_add(&process->of_queued, &queued_processes);
	}
}

/*
 * At the next tick: where processes exit one after another the worker is woken once for many.  Any
 * context but NMI and under runqueue locks.
 */
void hwpmc_targets_reap(void)
{
	schedule_delayed_work(&reap_work, 1);
}

/* What is to end of a process, by the workers of whose it is; one that nobody has goes. */
static void process_reap(struct hwpmc_process *process)
{
	struct hwpmc_attachment *attachment;
	bool finished, idle;
	unsigned long irq;

	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	process->queued = false; /* what hooks say from now on queues it anew */
	finished = hwpmc_process_is_finished(process);
	idle = list_empty(&process->attachments);
	if (idle)
		hlist_del_rcu(&process->node);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	list_for_each_entry(attachment, &process->attachments, of_process)
		if (finished || READ_ONCE(attachment->taken))
			hwpmc_attachment_ends(attachment);
	if (idle)
		hwpmc_process_free(process);
}

static void reap(struct work_struct *work)
{
	struct hwpmc_process *process, *next;
	struct llist_node *queued;

	mutex_lock(&hwpmc_lock);
	queued = llist_del_all(&queued_processes);
	llist_for_each_entry_safe(process, next, queued, of_queued)
		process_reap(process);
	hwpmc_counters_sort(NULL);
	mutex_unlock(&hwpmc_lock);
}

static bool is_finished(const struct hwpmc_process *process)
{
	unsigned long irq;
	bool is;

	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	is = hwpmc_process_is_finished(process);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	return is;
}

/* An exec has taken its process, or that has exited. */
static void attachment_reap(struct hwpmc_owner *owner, struct hwpmc_attachment *attachment)
{
	bool taken = READ_ONCE(attachment->taken) && !attachment->unsaid;
	struct pid *tgid = get_pid(attachment->process->tgid);
	struct hwpmc_pmc *pmc = attachment->pmc;
	const struct hwpmc_process *process;

	hwpmc_attachment_end(attachment);
	if (taken)
		hwpmc_attachment_log_end(pmc, tgid);
	/* Once a program, with its last PMC. */
	process = hwpmc_process_find(tgid);
	if (taken && owner->log && !(process && hwpmc_process_is_target_of(process, owner)))
		hwpmc_log_hidden(owner->log);
	put_pid(tgid);
	if (list_empty(&pmc->attachments))
		hwpmc_heirs_attach(pmc);
	hwpmc_tell_if_idle(pmc);
}

void hwpmc_targets_reap_of(struct work_struct *reap)
{
	struct hwpmc_owner *owner = container_of(reap, struct hwpmc_owner, reap);
	struct hwpmc_attachment *attachment;
	struct hwpmc_pmc *pmc;

	hwpmc_owner_lock(owner);
	hwpmc_counters_reap(owner);
	while ((attachment = list_first_entry_or_null(&owner->ending, struct hwpmc_attachment,
						      of_ending))) {
		if (READ_ONCE(attachment->taken) || is_finished(attachment->process))
			attachment_reap(owner, attachment);
		else /* a thread tells logs again that it exits, and then queues its process anew */
			list_del_init(&attachment->of_ending);
	}
	owner->alone = 0;
	list_for_each_entry(pmc, &owner->pmcs, of_owner)
		hwpmc_roots_thin(pmc);
	hwpmc_owner_unlock(owner);
	hwpmc_owner_put(owner);
}

/*
 * No hook runs, no child has a work to do, no owner is left.  All that was ever made here is given
 * back when this returns, processes and counters too.
 */
void hwpmc_targets_exit(void)
{
	flush_delayed_work(&reap_work);
	rcu_barrier();
	hwpmc_attachments_exit();
}
