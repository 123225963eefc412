// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Attachments: made, told and ended.  Process context, under the lock of the PMC's owner and
 * hwpmc_lock, unless said otherwise.
 */
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/task.h>

#include "hwpmc_int.h"

static struct hwpmc_spares attachments = {.size = sizeof(struct hwpmc_attachment)};

static void attachment_free(struct rcu_head *rcu)
{
	struct hwpmc_attachment *attachment = container_of(rcu, struct hwpmc_attachment, rcu);

	hwpmc_pmc_put(attachment->pmc);
	hwpmc_spare_give(&attachments, attachment);
}

/* The attachment holds a reference to its PMC until no hook can see it any more. */
struct hwpmc_attachment *hwpmc_attachment_new(struct hwpmc_pmc *pmc, struct pid *tgid, u64 attach,
					      u64 told)
{
	struct hwpmc_attachment *attachment = hwpmc_spare_take(&attachments);
	struct hwpmc_process *process = hwpmc_process_find(tgid);
	bool is_new = !process;
	unsigned long irq;

	if (is_new && attachment)
		process = hwpmc_process_new(tgid);
	if (attachment && !process)
		hwpmc_spare_give(&attachments, attachment);
	if (!attachment || !process)
		return NULL;
	kref_get(&pmc->refs);
	attachment->pmc = pmc;
	attachment->process = process;
	attachment->attach = attach;
	attachment->told = told;
	INIT_LIST_HEAD(&attachment->counters);
	INIT_LIST_HEAD(&attachment->of_ending);
	list_add_tail(&attachment->of_pmc, &pmc->attachments);
	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	list_add_tail_rcu(&attachment->of_process, &process->attachments);
	if (is_new)
		hwpmc_process_add(process);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	return attachment;
}

/* Those that have exited look after themselves. */
bool hwpmc_attachment_unmeter(struct hwpmc_attachment *attachment)
{
	struct hwpmc_counter *counter;
	bool any = false;

	list_for_each_entry(counter, &attachment->counters, of_attachment)
		if (!READ_ONCE(counter->dead)) {
			hwpmc_counter_unmeter(counter);
			any = true;
		}
	return any;
}

/* Its counts go to the PMC; its process goes when this was its last. */
void hwpmc_attachment_end(struct hwpmc_attachment *attachment)
{
	struct hwpmc_process *process = attachment->process;
	struct hwpmc_counter *counter, *next;
	unsigned long irq;
	bool idle;

	if (attachment->pmc->meters && hwpmc_attachment_unmeter(attachment))
		hwpmc_counters_look();
	list_for_each_entry_safe(counter, next, &attachment->counters, of_attachment)
		hwpmc_counter_end(counter);
	hwpmc_counters_reap_of(attachment); /* what exit hooks were faster with */
	list_del(&attachment->of_pmc);
	list_del(&attachment->of_ending);
	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	attachment->pmc->detached += attachment->exited;
	list_del_rcu(&attachment->of_process);
	idle = list_empty(&process->attachments) && !process->queued;
	if (idle)
		hlist_del_rcu(&process->node);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	call_rcu(&attachment->rcu, attachment_free);
	if (idle)
		hwpmc_process_free(process);
}

static void refuse(struct hwpmc_attachment *attachment)
{
	unsigned long irq;

	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	WRITE_ONCE(attachment->taken, true);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
}

void hwpmc_attachment_undo(struct hwpmc_attachment *attachment)
{
	refuse(attachment);
	hwpmc_attachment_end(attachment);
}

void hwpmc_attachment_leave(struct hwpmc_attachment *attachment)
{
	refuse(attachment);
	attachment->unsaid = true;
	hwpmc_attachment_ends(attachment);
}

void hwpmc_attachment_ends(struct hwpmc_attachment *attachment)
{
	struct hwpmc_owner *owner = attachment->pmc->maker;

	if (list_empty(&attachment->of_ending))
		list_add_tail(&attachment->of_ending, &owner->ending);
	hwpmc_owner_reap(owner);
}

/* To a log, which may be younger. */
void hwpmc_attachment_log(struct hwpmc_attachment *attachment, struct hwpmc_log *log, bool asked)
{
	struct task_struct *leader = get_pid_task(attachment->process->tgid, PIDTYPE_TGID);
	u64 program;

	if (!leader)
		return;
	program = READ_ONCE(leader->self_exec_id);
	attachment->named =
		hwpmc_maps_log_attach(log, attachment, leader, asked) ? program : U64_MAX;
	put_task_struct(leader);
}

void hwpmc_attachment_log_again(struct hwpmc_attachment *attachment, struct hwpmc_log *log)
{
	const struct task_struct *leader;
	bool is_other;

	rcu_read_lock();
	leader = pid_task(attachment->process->tgid, PIDTYPE_TGID);
	is_other = leader && READ_ONCE(leader->self_exec_id) != attachment->named;
	rcu_read_unlock();
	if (is_other)
		hwpmc_attachment_log(attachment, log, false);
}

/* By its owner; or by exec, which has made the target more than its user. */
void hwpmc_attachment_log_end(const struct hwpmc_pmc *pmc, struct pid *tgid)
{
	if (pmc->owner && pmc->owner->log)
		hwpmc_log_detach(pmc->owner->log, pmc, pid_nr(tgid));
}

/*
 * A child of a target that gets no counter, or none that runs: its log hears of it, and its PMC's
 * value is known to lack something.  Hooks', or under hwpmc_lock.
 */
void hwpmc_thread_missed(struct hwpmc_pmc *pmc)
{
	struct hwpmc_log *log;

	atomic64_inc(&hwpmc_counts.threads_missed);
	WRITE_ONCE(pmc->starved, true);
	rcu_read_lock();
	log = hwpmc_pmc_log(pmc);
	if (log)
		hwpmc_log_missed(log);
	rcu_read_unlock();
}

/* All that were ever made have been given back. */
void hwpmc_attachments_exit(void)
{
	hwpmc_spares_free(&attachments);
}
