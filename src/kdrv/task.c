// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * What becomes of targets when tasks fork, exec and exit.
 *
 * The hooks here run in the task that forks, execs or exits, with preemption off; they never take
 * hwpmc_lock.  A child cannot get its counters in the hook, where nothing may sleep: the hook
 * hands it a work for each PMC (works.c), which the child does before its first instruction in user
 * mode.
 */
#include <linux/hash.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "hwpmc_int.h"

#define PATIENCE   (5 * HZ) /* of a child with owners who are kept waiting themselves */
#define ALONE_MOST 1024     /* attachments, which the owner's worker ends, without its lock */

/* ---- fork ---- */

static struct hwpmc_child_work *child_work_of(struct hwpmc_work *work)
{
	return container_of(work, struct hwpmc_child_work, work);
}

/*
 * The child's own attachment for one PMC, and its counter, unless it is counted already.  In the
 * child, under the locks of child_lock().
 */
static int count_child(const struct hwpmc_child_work *child, bool is_counted)
{
	struct hwpmc_process *process = hwpmc_process_find(task_tgid(current));
	struct hwpmc_attachment *attachment;
	struct hwpmc_pmc *pmc = child->pmc;
	int error;

	if (pmc->state == HWPMC_DELETED || child->refused || (current->flags & PF_EXITING))
		return 0;
	attachment = process ? hwpmc_attachment_find(process, pmc) : NULL;
	if (!attachment && !thread_group_leader(current))
		return 0; /* detached meanwhile */
	/* An attach to the child was faster than the fork hook. */
	if (!attachment && process && hwpmc_process_conflicts(process, pmc))
		return -EBUSY;
	if (!attachment)
		attachment =
			hwpmc_attachment_new(pmc, task_tgid(current), child->attach, child->told);
	if (!attachment)
		return -ENOMEM;
	/* It came while the child waited for the lock. */
	if (pmc->owner->log && hwpmc_log_number(pmc->owner->log) != child->heard)
		hwpmc_attachment_log(attachment, pmc->owner->log, false);
	if (is_counted || hwpmc_counter_exists(attachment, current))
		return 0;
	error = hwpmc_counter_new(attachment, current);
	/* Not here, where that may wait for what other tasks' events are locked for. */
	if (hwpmc_roots_are_many(pmc))
		hwpmc_owner_reap(pmc->maker);
	/* Its PMC runs with another log than it did at the fork, and that lacks the maps. */
	if (!error && pmc->state == HWPMC_RUNNING && !attachment->snapshot &&
	    !hwpmc_attachment_counts(attachment))
		error = -EDESTADDRREQ;
	return error;
}

/*
 * Of a process that was forked before the log had its parent's maps, or whose parent told them to
 * the log before this one: it is to have the child's before the first sample.
 */
static void child_tells_maps(struct hwpmc_child_work *child)
{
	if (hwpmc_pmc_needs_maps(child->pmc) && thread_group_leader(current))
		child->told = hwpmc_maps_log_current(child->pmc, child->told);
}

static LLIST_HEAD(left_works); /* of children that do not wait any more */
static void settle_left(struct work_struct *work);
static DECLARE_WORK(left_work, settle_left);

/* hwpmc_lock. */
static void child_settled(struct hwpmc_pmc *pmc)
{
	if (atomic_dec_and_test(&pmc->forks))
		hwpmc_tell_if_idle(pmc);
}

static void give_back(struct hwpmc_child_work *child)
{
	struct hwpmc_pmc *pmc = child->pmc;

	hwpmc_works_grow(&pmc->children);
	hwpmc_work_give(&pmc->children, &child->work);
	hwpmc_pmc_put(pmc);
}

/* For children that were killed, or waited too long, for the locks: they count nothing. */
static void settle_left(struct work_struct *unused)
{
	struct hwpmc_child_work *child, *next;
	struct llist_node *left;

	mutex_lock(&hwpmc_lock);
	left = llist_del_all(&left_works);
	llist_for_each_entry(child, left, of_left)
		child_settled(child->pmc);
	mutex_unlock(&hwpmc_lock);
	llist_for_each_entry_safe(child, next, left, of_left)
		give_back(child);
}

static bool inherits(const struct hwpmc_pmc *pmc)
{
	return pmc->inherits && hwpmc_root_covers(pmc, current);
}

/*
 * hwpmc_lock; and that of the PMC's owner, unless the child is counted: it has inherited an event.
 * Logs have to know of such a child, and all that it needs is an attachment, behind those that
 * there are: its owner, who may be waiting for perf, ends that with its attach, or gives it a new
 * event.  Where it waits so long that too many would be left to end, children wait with it.
 * -EINTR, for who is killed waits for nobody; -ETIMEDOUT.
 */
static int child_lock(struct hwpmc_pmc *pmc, unsigned long end, bool *is_counted)
{
	struct hwpmc_owner *owner = pmc->maker;

	*is_counted = false;
	if (inherits(pmc)) {
		if (mutex_lock_killable(&hwpmc_lock))
			return -EINTR;
		*is_counted = owner->alone < ALONE_MOST && inherits(pmc);
		if (*is_counted) {
			owner->alone++;
			return 0;
		}
		mutex_unlock(&hwpmc_lock);
	}
	if (!inherits(pmc))
		return hwpmc_owner_lock_until(owner, end);
	if (hwpmc_owner_lock_killable(owner))
		return -EINTR;
	owner->alone = 0; /* its worker has its turn now */
	return 0;
}

static void child_unlock(struct hwpmc_pmc *pmc, bool is_counted)
{
	if (is_counted)
		mutex_unlock(&hwpmc_lock);
	else
		hwpmc_owner_unlock(pmc->maker);
}

static void child_works_for(struct hwpmc_child_work *child, unsigned long end)
{
	struct hwpmc_pmc *pmc = child->pmc;
	bool is_counted;
	int error = child_lock(pmc, end, &is_counted);

	if (error) {
		hwpmc_child_del(child);
		if (error == -ETIMEDOUT)
			hwpmc_thread_missed(pmc);
		llist_add(&child->of_left, &left_works);
		schedule_work(&left_work);
		return;
	}
	hwpmc_child_del(child);
	if (count_child(child, is_counted))
		hwpmc_thread_missed(pmc);
	child_settled(pmc);
	child_unlock(pmc, is_counted);
	give_back(child);
}

/* In the child, before its first instruction in user mode. */
static void child_works(struct callback_head *head)
{
	struct hwpmc_work *first = container_of(head, struct hwpmc_work, head), *work, *next;
	unsigned long end;

	for (work = first; work; work = work->next)
		child_tells_maps(child_work_of(work));
	end = jiffies + PATIENCE;
	for (work = first; work; work = next) {
		next = work->next;
		child_works_for(child_work_of(work), end);
	}
	hwpmc_work_done();
}

/* All works are done. */
void hwpmc_task_exit(void)
{
	flush_work(&left_work);
}

enum new_target {
	NEW_PROCESS,
	NEW_THREAD,
	NEW_PROGRAM,
};

static bool is_heir(const struct hwpmc_pmc *pmc, const struct task_struct *child)
{
	/* Of hwpmc_heirs_allow(): the roots of what is inherited are there since. */
	return smp_load_acquire(&pmc->heirs) && hwpmc_root_covers(pmc, child);
}

/*
 * The child of a process that an exec has taken is nobody's target.  Threads and programs have no
 * attachment to make, so where they have inherited an event they have nothing to do; nor have
 * heirs.
 */
static bool is_to_work(const struct hwpmc_attachment *attachment, const struct task_struct *task,
		       enum new_target target)
{
	const struct hwpmc_pmc *pmc = attachment->pmc;

	if (READ_ONCE(attachment->taken))
		return false;
	if (target == NEW_PROCESS)
		return (pmc->flags & PMC_F_DESCENDANTS) && !is_heir(pmc, task);
	if (!pmc->inherits)
		return target == NEW_THREAD;
	return READ_ONCE(pmc->state) == HWPMC_RUNNING && !hwpmc_root_covers(pmc, task);
}

/*
 * RCU read side, which keeps the references of attachments to their PMCs: none that is put here is
 * the last.
 */
static void hand_works(const struct hwpmc_process *process, struct task_struct *child,
		       enum new_target target)
{
	struct hwpmc_work *first = NULL, *work;
	struct hwpmc_attachment *attachment;
	struct hwpmc_child_work *child_work;
	struct hwpmc_pmc *pmc;

	list_for_each_entry_rcu(attachment, &process->attachments, of_process) {
		if (!is_to_work(attachment, child, target))
			continue;
		pmc = attachment->pmc;
		work = hwpmc_work_take(&pmc->children);
		if (!work) {
			hwpmc_thread_missed(pmc);
			continue;
		}
		child_work = child_work_of(work);
		child_work->pmc = pmc;
		child_work->task = child;
		child_work->attach = attachment->attach;
		/* Of hwpmc_attachment_told(): what the log has now it has before the fork. */
		child_work->told = smp_load_acquire(&attachment->told);
		child_work->refused = false;
		child_work->heard = hwpmc_pmc_log_number(pmc);
		if (!hwpmc_child_add(child_work, attachment)) {
			hwpmc_work_give(&pmc->children, work);
			continue;
		}
		kref_get(&pmc->refs);
		atomic_inc(&pmc->forks);
		work->next = first;
		first = work;
	}
	if (!first || hwpmc_work_hand(first, child, child_works))
		return;
	for (work = first; work; work = first) {
		first = work->next;
		pmc = child_work_of(work)->pmc;
		hwpmc_child_del(child_work_of(work));
		atomic_dec(&pmc->forks);
		hwpmc_work_give(&pmc->children, work);
		hwpmc_pmc_put(pmc);
	}
}

struct fork_note {
	struct task_struct *parent, *child;
};

static void log_thread(struct hwpmc_log *log, void *arg)
{
	const struct task_struct *child = arg;

	hwpmc_log_thr_create(log, child->pid, child->tgid, child->comm, GFP_ATOMIC);
}

static void log_fork(struct hwpmc_log *log, void *arg)
{
	const struct fork_note *note = arg;

	hwpmc_log_procfork(log, note->parent->tgid, note->child->tgid);
	hwpmc_log_proc_create(log, note->child->tgid, note->child->comm, GFP_ATOMIC);
}

/* A child that is to stay in the kernel never does task work. */
void hwpmc_task_forks(struct task_struct *parent, struct task_struct *child)
{
	struct fork_note note = {.parent = parent, .child = child};
	bool is_thread = same_thread_group(parent, child);
	struct hwpmc_process *process;

	rcu_read_lock();
	/* Pairs with count_threads(), and with attach_all() in heirs.c. */
	smp_mb();
	process = hwpmc_process_find(task_tgid(parent));
	if (process && !(child->flags & PF_KTHREAD))
		hand_works(process, child, is_thread ? NEW_THREAD : NEW_PROCESS);
	if (is_thread)
		hwpmc_each_log(task_tgid(parent), 0, log_thread, child);
	else
		hwpmc_each_log(task_tgid(parent), PMC_F_DESCENDANTS, log_fork, &note);
	rcu_read_unlock();
}

/* ---- exit ---- */

static void log_thread_exit(struct hwpmc_log *log, void *arg)
{
	const struct task_struct *task = arg;

	hwpmc_log_thr_exit(log, task->pid);
}

static void log_process_exit(struct hwpmc_log *log, void *arg)
{
	const struct task_struct *task = arg;

	hwpmc_log_sysexit(log, task->tgid);
}

/*
 * Every thread that exits after the last has begun to sees that the process exits; the logs are to
 * hear it once.  Of a target, struct hwpmc_process remembers; of others, this table of the latest:
 * two threads of one process are here at the same time, or one has been and is gone.
 * hwpmc_hash_lock.
 */
#define EXITS_BITS 6

static bool exits_first(const struct task_struct *task)
{
	static u64 born[1 << EXITS_BITS];
	const struct task_struct *leader = task->group_leader;
	u64 *latest = &born[hash_32(task->tgid, EXITS_BITS)];
	u64 key = leader->start_boottime ^ (u64)task->tgid << 40;

	if (*latest == key)
		return false;
	*latest = key;
	return true;
}

/* The last of its counted threads has gone: who is told so tells the logs.  hwpmc_hash_lock. */
static bool process_ends(struct hwpmc_process *process)
{
	struct hwpmc_attachment *attachment;

	if (!process->exited || process->told)
		return false;
	list_for_each_entry(attachment, &process->attachments, of_process)
		if (attachment->live)
			return false;
	process->told = true;
	return true;
}

/*
 * A thread has told the logs that it exits.  The reaper takes away by what they are found, so the
 * process is its own only when no thread is telling any more.  True: it is.  RCU read side.
 */
static bool process_left(struct hwpmc_process *process, const struct pid *tgid)
{
	bool finished = false;
	unsigned long irq;

	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	if (hwpmc_process_find(tgid) == process) { /* else its PMCs were released meanwhile */
		process->leaving--;
		finished = hwpmc_process_is_finished(process);
	}
	if (finished)
		hwpmc_process_queue(process);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	return finished;
}

/* RCU read side; told, so that totals stay. */
static void log_totals(const struct hwpmc_process *process, u32 pid)
{
	struct hwpmc_attachment *attachment;
	struct hwpmc_log *log;

	list_for_each_entry_rcu(attachment, &process->attachments, of_process) {
		log = hwpmc_pmc_log(attachment->pmc);
		if (log && hwpmc_attachment_hears(attachment, PMC_F_LOG_PROCEXIT))
			hwpmc_log_procexit(log, attachment->pmc, pid,
					   READ_ONCE(attachment->exited));
	}
}

/*
 * Otherwise no count and no log is any different for it, and hwpmc_hash_lock, for which all CPUs
 * wait, is not taken.  RCU read side.
 */
static bool exit_matters(struct task_struct *task)
{
	return hwpmc_counters_may_be(task) || hwpmc_process_find(task_tgid(task)) ||
	       hwpmc_all_are_heard();
}

void hwpmc_task_exits(struct task_struct *task)
{
	bool last = !atomic_read(&task->signal->live), counted, totals, ends;
	struct pid *tgid = task_tgid(task);
	struct hwpmc_process *process;
	unsigned long irq;

	rcu_read_lock();
	if (!exit_matters(task)) {
		rcu_read_unlock();
		return;
	}
	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	counted = hwpmc_counters_exit(task, false);
	process = hwpmc_process_find(tgid);
	if (process)
		process->leaving++;
	if (process && last)
		WRITE_ONCE(process->exited, true);
	totals = process && process_ends(process);
	ends = (totals || (last && !process)) && exits_first(task);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	hwpmc_each_log(tgid, 0, log_thread_exit, task);
	if (totals)
		log_totals(process, task->tgid);
	if (ends)
		hwpmc_each_log(tgid, 0, log_process_exit, task);
	if ((process && process_left(process, tgid)) || counted)
		hwpmc_targets_reap();
	rcu_read_unlock();
}

/* ---- exec ---- */

/*
 * Perf has closed the events of a program that its user may not watch.  What was attached before
 * has none that lives any more, or never had one; what was attached since, by who may, has.
 */
static bool attachments_take(struct task_struct *task)
{
	struct hwpmc_process *process = hwpmc_process_find(task_tgid(task));
	struct hwpmc_attachment *attachment;
	bool any = false;
	unsigned long irq;

	if (!process)
		return false;
	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	hwpmc_counters_exit(task, true);
	list_for_each_entry(attachment, &process->attachments, of_process)
		if (!hwpmc_counter_exists(attachment, task)) {
			WRITE_ONCE(attachment->taken, true);
			any = true;
		}
	if (any)
		hwpmc_process_queue(process);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	return any;
}

/* Where a PMC was started in the middle of the exec, the program has no event yet. */
static void program_is_target(struct task_struct *task)
{
	struct hwpmc_process *process = hwpmc_process_find(task_tgid(task));
	struct hwpmc_attachment *attachment;

	if (!process)
		return;
	list_for_each_entry_rcu(attachment, &process->attachments, of_process)
		if (attachment->pmc->inherits && hwpmc_root_execs(attachment->pmc, task))
			WRITE_ONCE(attachment->pmc->exec_seen, true);
	hand_works(process, task, NEW_PROGRAM);
}

void hwpmc_task_execs(struct task_struct *task)
{
	bool taken;

	rcu_read_lock();
	/* Behind what perf has taken of it: pairs with attach_one() in heirs.c. */
	smp_mb();
	taken = hwpmc_counters_exec(task) || !hwpmc_may_user_see(task);
	taken = taken && attachments_take(task);
	program_is_target(task);
	rcu_read_unlock();
	if (taken)
		hwpmc_targets_reap();
}
