// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Target processes, in a hash that hooks read: made and found.  What becomes of them is target.c's
 * and task.c's.
 */
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/slab.h>

#include "hwpmc_int.h"

static struct hlist_head *process_rows;
static struct hwpmc_spares processes = {.size = sizeof(struct hwpmc_process)};

static struct hlist_head *row_of(const struct pid *tgid)
{
	return &process_rows[hash_ptr(tgid, 32) % (u32)hwpmc_hashsize];
}

struct hwpmc_process *hwpmc_process_find(const struct pid *tgid)
{
	struct hwpmc_process *process;

	hlist_for_each_entry_rcu(process, row_of(tgid), node, true)
		if (process->tgid == tgid)
			return process;
	return NULL;
}

struct hwpmc_attachment *hwpmc_attachment_find(const struct hwpmc_process *process,
					       const struct hwpmc_pmc *pmc)
{
	struct hwpmc_attachment *attachment;

	list_for_each_entry(attachment, &process->attachments, of_process)
		if (attachment->pmc == pmc)
			return attachment;
	return NULL;
}

bool hwpmc_attachment_counts(const struct hwpmc_attachment *attachment)
{
	const struct hwpmc_pmc *pmc = attachment->pmc;

	return pmc->state == HWPMC_RUNNING &&
	       (!hwpmc_pmc_needs_maps(pmc) || attachment->told == hwpmc_log_number(pmc->log));
}

bool hwpmc_attachment_hears(const struct hwpmc_attachment *attachment, u32 flags)
{
	const struct hwpmc_pmc *pmc = attachment->pmc;
	u32 has = pmc->flags | (hwpmc_pmc_needs_maps(pmc) ? HWPMC_HEARS_MAPS : 0);

	return (has & flags) == flags && !READ_ONCE(attachment->taken);
}

u64 hwpmc_process_told(const struct pid *tgid, const struct hwpmc_log *log)
{
	const struct hwpmc_process *process = hwpmc_process_find(tgid);
	const struct hwpmc_attachment *attachment;

	if (!process || !log)
		return 0;
	list_for_each_entry_rcu(attachment, &process->attachments, of_process, true)
		if (READ_ONCE(attachment->told) == hwpmc_log_number(log) &&
		    hwpmc_attachment_hears(attachment, HWPMC_HEARS_MAPS))
			return hwpmc_log_number(log);
	return 0;
}

bool hwpmc_process_is_target_of(const struct hwpmc_process *process,
				const struct hwpmc_owner *owner)
{
	const struct hwpmc_attachment *attachment;

	list_for_each_entry(attachment, &process->attachments, of_process)
		if (attachment->pmc->owner == owner)
			return true;
	return false;
}

/* Else who owns a process could keep it from who may attach to all, by PMCs of its own. */
bool hwpmc_pmcs_conflict(const struct hwpmc_pmc *pmc, const struct hwpmc_pmc *before)
{
	return before->row == pmc->row && (before->privileged || !pmc->privileged);
}

bool hwpmc_process_conflicts(const struct hwpmc_process *process, const struct hwpmc_pmc *pmc)
{
	const struct hwpmc_attachment *attachment;

	list_for_each_entry(attachment, &process->attachments, of_process)
		if (hwpmc_pmcs_conflict(pmc, attachment->pmc) && !READ_ONCE(attachment->taken))
			return true;
	return false;
}

struct hwpmc_process *hwpmc_process_new(struct pid *tgid)
{
	struct hwpmc_process *process = hwpmc_spare_take(&processes);

	if (!process)
		return NULL;
	process->tgid = get_pid(tgid);
	INIT_LIST_HEAD(&process->attachments);
	return process;
}

void hwpmc_process_add(struct hwpmc_process *process)
{
	hlist_add_head_rcu(&process->node, row_of(process->tgid));
}

static void process_free(struct rcu_head *rcu)
{
	struct hwpmc_process *process = container_of(rcu, struct hwpmc_process, rcu);

	put_pid(process->tgid);
	hwpmc_spare_give(&processes, process);
}

/* Hooks may still look at it. */
void hwpmc_process_free(struct hwpmc_process *process)
{
	call_rcu(&process->rcu, process_free);
}

int hwpmc_processes_init(void)
{
	process_rows = kvcalloc(hwpmc_hashsize, sizeof(*process_rows), GFP_KERNEL);
	return process_rows ? 0 : -ENOMEM;
}

void hwpmc_processes_exit(void)
{
	hwpmc_spares_free(&processes);
	kvfree(process_rows);
}
