// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The end of perf events.  PREEMPT_RT waits for a grace period before it frees one, some 16 ms: a
 * process of 8000 threads would keep its owner, and targets that fork, waiting for two minutes, and
 * everybody where hwpmc_lock is held.  Every kernel waits for some before it frees the last event
 * of a tracepoint, which whoever may allocate PMCs can make and free in a loop.  So such events are
 * only disabled there, from when on they take no counter of the hardware and call no handler, and
 * workers release them (releasers.c), as many at once as share a grace period.  All others are
 * released at once.
 */
#include <linux/slab.h>

#include "hwpmc_int.h"

struct released {
	struct work_struct work;
	struct perf_event *event;
	struct hwpmc_pmc *pmc; /* held, or NULL: the kernel's */
};

static struct hwpmc_releasers *releasers_of(const struct hwpmc_pmc *pmc)
{
	return pmc ? pmc->releasers : hwpmc_kernel_releasers;
}

static void release(struct work_struct *work)
{
	struct released *released = container_of(work, struct released, work);

	perf_event_release_kernel(released->event);
	atomic_inc(&releasers_of(released->pmc)->room);
	if (released->pmc)
		hwpmc_pmc_put(released->pmc);
	kfree(released);
}

bool hwpmc_releases_wait(const struct perf_event_attr *attr)
{
	return IS_ENABLED(CONFIG_PREEMPT_RT) || attr->type == PERF_TYPE_TRACEPOINT;
}

/*
 * Never waits for a worker: that may wait for the lock of CPU hotplug, a callback of which for a
 * lock of who releases; or for whoever has the task's events locked.  Until then hooks find the
 * event among these, and with it the PMC.
 */
static bool hand_over(struct perf_event *event, struct hwpmc_pmc *pmc)
{
	struct hwpmc_releasers *releasers = releasers_of(pmc);
	struct released *released;

	if (!hwpmc_releases_wait(&event->attr) || !atomic_add_unless(&releasers->room, -1, 0))
		return false;
	released = kmalloc(sizeof(*released), GFP_KERNEL);
	if (!released) {
		atomic_inc(&releasers->room);
		return false;
	}
	/* An exec meanwhile is not to begin what ends. */
	event->attr.enable_on_exec = 0;
	perf_event_disable(event);
	released->event = event;
	released->pmc = pmc;
	if (pmc)
		kref_get(&pmc->refs);
	INIT_WORK(&released->work, release);
	queue_work(releasers->workers, &released->work);
	return true;
}

void hwpmc_event_release(struct perf_event *event, struct hwpmc_pmc *pmc)
{
	if (!hand_over(event, pmc))
		perf_event_release_kernel(event);
}
