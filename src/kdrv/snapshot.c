// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * What a log must have before the samples of a PMC come: where the kernel, its modules and the
 * programs that run already are mapped.
 *
 * It is written outside hwpmc_lock, since that waits while the log's queue is full.  What is mapped
 * meanwhile is not lost: the hooks know of the log (and of the processes) before.
 */
#include <linux/pid.h>
#include <linux/slab.h>

#include "hwpmc_int.h"

static int take_targets(struct hwpmc_pmc *pmc, struct hwpmc_snapshot *snapshot)
{
	struct hwpmc_attachment *attachment;
	unsigned int n = 0;

	list_for_each_entry(attachment, &pmc->attachments, of_pmc)
		n += !attachment->logged;
	if (!n)
		return 0;
	snapshot->tgids = kvmalloc_array(n, sizeof(*snapshot->tgids), GFP_KERNEL);
	if (!snapshot->tgids)
		return -ENOMEM;
	list_for_each_entry(attachment, &pmc->attachments, of_pmc)
		if (!attachment->logged) {
			attachment->logged = true;
			snapshot->tgids[snapshot->ntgids++] = get_pid(attachment->process->tgid);
		}
	return 0;
}

int hwpmc_snapshot_take(struct hwpmc_pmc *pmc, struct hwpmc_snapshot *snapshot)
{
	struct hwpmc_owner *owner = pmc->owner;
	int err;

	*snapshot = (struct hwpmc_snapshot){};
	if (!PMC_IS_SAMPLING_MODE(pmc->mode) || !hwpmc_pmc_logs(pmc) || !owner->log)
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
		hwpmc_maps_log_process(snapshot->log, snapshot->tgids[i]);
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
