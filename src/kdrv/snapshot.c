// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * What a log must have before the samples of a PMC come: where the kernel, its modules and the
 * programs that run already are mapped.
 *
 * It is written outside hwpmc_lock, since that waits while the log's queue is full.  What is mapped
 * meanwhile is not lost: the hooks know of the log (and of the processes) before.  Nothing of the
 * processes is sampled until it is written, though the PMC may run, or be started, meanwhile; nor
 * of children that they fork in that time, which tell the log themselves before (task.c).
 */
#include <linux/pid.h>
#include <linux/slab.h>

#include "hwpmc_int.h"

static u64 snapshots; /* their numbers; hwpmc_lock */

/* What an exec has taken is the owner's to know of no more. */
static bool is_to_be_told(const struct hwpmc_attachment *attachment, const struct hwpmc_log *log)
{
	return attachment->told != hwpmc_log_number(log) && !attachment->snapshot &&
	       !READ_ONCE(attachment->taken);
}

/* What another PMC has had told since the attach: told again, readers would forget it meanwhile. */
static int heed_told(struct hwpmc_pmc *pmc, const struct hwpmc_log *log)
{
	struct hwpmc_attachment *attachment;
	int err = 0;

	list_for_each_entry(attachment, &pmc->attachments, of_pmc)
		if (is_to_be_told(attachment, log) &&
		    hwpmc_process_told(attachment->process->tgid, log))
			err = hwpmc_attachment_told(attachment, hwpmc_log_number(log)) ?: err;
	return err;
}

static int take_targets(struct hwpmc_pmc *pmc, struct hwpmc_snapshot *snapshot)
{
	const struct hwpmc_log *log = pmc->owner->log;
	struct hwpmc_attachment *attachment;
	unsigned int n = 0;
	int err = heed_told(pmc, log);

	if (err)
		return err;
	list_for_each_entry(attachment, &pmc->attachments, of_pmc)
		n += is_to_be_told(attachment, log);
	if (!n)
		return 0;
	snapshot->tgids = kvmalloc_array(n, sizeof(*snapshot->tgids), GFP_KERNEL);
	if (!snapshot->tgids)
		return -ENOMEM;
	list_for_each_entry(attachment, &pmc->attachments, of_pmc)
		if (is_to_be_told(attachment, log)) {
			attachment->snapshot = snapshot->number;
			snapshot->tgids[snapshot->ntgids++] = get_pid(attachment->process->tgid);
		}
	return 0;
}

int hwpmc_snapshot_take(struct hwpmc_pmc *pmc, struct hwpmc_snapshot *snapshot)
{
	struct hwpmc_owner *owner = pmc->owner;
	int err;

	*snapshot = (struct hwpmc_snapshot){.number = ++snapshots};
	if (!hwpmc_pmc_needs_maps(pmc) || !owner->log)
		return 0;
	err = take_targets(pmc, snapshot);
	if (err)
		return err;
	if (PMC_IS_SYSTEM_MODE(pmc->mode)) {
		snapshot->all = hwpmc_owner_hear_all(owner);
		snapshot->hears = owner;
	}
	/* Where the kernel and its modules are is for those who may sample there. */
	snapshot->kernel = !owner->kernel_logged && !hwpmc_may_sample_kernel();
	if (snapshot->kernel)
		WRITE_ONCE(owner->kernel_logged, true);
	snapshot->log = hwpmc_log_get(owner->log);
	return 0;
}

void hwpmc_snapshot_write(struct hwpmc_snapshot *snapshot)
{
	unsigned int i;

	if (snapshot->kernel)
		hwpmc_maps_log_kernel(snapshot->log);
	if (snapshot->all)
		hwpmc_maps_log_all(snapshot->log);
	for (i = 0; i < snapshot->ntgids; i++)
		hwpmc_maps_log_process(snapshot->log, snapshot->tgids[i], false);
}

/* Where the log was changed meanwhile, none of what was told is left to start. */
int hwpmc_snapshot_end(struct hwpmc_pmc *pmc, const struct hwpmc_snapshot *snapshot)
{
	struct hwpmc_attachment *attachment;
	int err = 0;

	list_for_each_entry(attachment, &pmc->attachments, of_pmc) {
		if (attachment->snapshot != snapshot->number)
			continue;
		attachment->snapshot = 0;
		err = hwpmc_attachment_told(attachment, hwpmc_log_number(snapshot->log)) ?: err;
	}
	return err;
}

/* Where there is something to undo, also for a caller who was killed. */
void hwpmc_snapshot_free(struct hwpmc_snapshot *snapshot)
{
	while (snapshot->ntgids)
		put_pid(snapshot->tgids[--snapshot->ntgids]);
	kvfree(snapshot->tgids);
	if (snapshot->hears) {
		mutex_lock(&hwpmc_lock);
		hwpmc_owner_unhear_all(snapshot->hears);
		mutex_unlock(&hwpmc_lock);
	}
	if (snapshot->log)
		hwpmc_log_put(snapshot->log);
}
