// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Workers of release.c: some for each user, since whoever has a task's events locked may keep them
 * waiting, and some for the kernel.  Process context, unless it says otherwise.
 */
#include <linux/slab.h>
#include <linux/wait.h>

#include "hwpmc_int.h"

#define AT_ONCE 128
#define MOST	4096 /* events that wait for workers; who releases more does so itself */

struct hwpmc_releasers *hwpmc_kernel_releasers;
static atomic_t hired = ATOMIC_INIT(0); /* users' */
static DECLARE_WAIT_QUEUE_HEAD(all_ended);

/* A worker cannot end its own queue: this is one of the kernel's. */
static void end(struct work_struct *work)
{
	struct hwpmc_releasers *releasers = container_of(work, struct hwpmc_releasers, end);

	destroy_workqueue(releasers->workers);
	kfree(releasers);
	if (atomic_dec_and_test(&hired))
		wake_up(&all_ended);
}

static struct hwpmc_releasers *releasers_new(void)
{
	struct hwpmc_releasers *releasers = hwpmc_zalloc(sizeof(*releasers));

	if (!releasers)
		return NULL;
	releasers->workers = alloc_workqueue("hwpmc_release", WQ_UNBOUND, AT_ONCE);
	if (!releasers->workers) {
		kfree(releasers);
		return NULL;
	}
	atomic_set(&releasers->room, MOST);
	INIT_WORK(&releasers->end, end);
	return releasers;
}

struct hwpmc_releasers *hwpmc_releasers_hire(void)
{
	struct hwpmc_releasers *releasers = releasers_new();

	if (releasers)
		atomic_inc(&hired);
	return releasers;
}

void hwpmc_releasers_dismiss(struct hwpmc_releasers *releasers)
{
	if (releasers)
		queue_work(hwpmc_kernel_releasers->workers, &releasers->end);
}

int hwpmc_releasers_init(void)
{
	hwpmc_kernel_releasers = releasers_new();
	return hwpmc_kernel_releasers ? 0 : -ENOMEM;
}

void hwpmc_releasers_exit(void)
{
	rcu_barrier(); /* of PMCs */
	wait_event(all_ended, !atomic_read(&hired));
	destroy_workqueue(hwpmc_kernel_releasers->workers);
	kfree(hwpmc_kernel_releasers);
}
