// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The locks of owners, and their workers.
 *
 * Perf has the lock of a task's events while it copies to and from who reads or sets one, whose
 * pages may come when they like: so what hwpmc asks perf of a task's event may wait for whoever may
 * open one on that task, and cannot be killed.  The owner whose target it is waits then, and no
 * other: his lock is held, hwpmc_lock is not, and what his worker waits for no other's waits
 * behind.  Nor do his other targets for long, where they fork (task.c).
 */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/wait.h>

#include "hwpmc_int.h"

static struct workqueue_struct *burials;

struct hwpmc_owner *hwpmc_owner_hold(struct hwpmc_owner *owner)
{
	kref_get(&owner->refs);
	return owner;
}

/* Hooks may still look at it. */
static void owner_end(struct kref *refs)
{
	struct hwpmc_owner *owner = container_of(refs, struct hwpmc_owner, refs);

	put_pid(owner->tgid);
	put_pid(owner->busy);
	put_cred(owner->cred);
	kfree_rcu(owner, rcu);
}

void hwpmc_owner_put(struct hwpmc_owner *owner)
{
	kref_put(&owner->refs, owner_end);
}

void hwpmc_owner_lock(struct hwpmc_owner *owner)
{
	mutex_lock(&owner->lock);
	mutex_lock(&hwpmc_lock);
}

static void unlock(struct hwpmc_owner *owner)
{
	mutex_unlock(&owner->lock);
	if (wq_has_sleeper(&owner->waits))
		wake_up(&owner->waits);
}

/* The owner's is held, or given up again. */
static int shared_lock(struct hwpmc_owner *owner)
{
	if (!mutex_lock_killable(&hwpmc_lock))
		return 0;
	unlock(owner);
	return -EINTR;
}

int hwpmc_owner_lock_killable(struct hwpmc_owner *owner)
{
	return mutex_lock_killable(&owner->lock) ? -EINTR : shared_lock(owner);
}

/* Who has the owner's lock wakes one of those that wait here, when he gives it up. */
int hwpmc_owner_lock_until(struct hwpmc_owner *owner, unsigned long end)
{
	long left = max_t(long, end - jiffies, 1);

	if (!mutex_trylock(&owner->lock)) {
		left = ___wait_event(owner->waits,
				     ___wait_cond_timeout(mutex_trylock(&owner->lock)),
				     TASK_KILLABLE, 1, left, __ret = schedule_timeout(__ret));
		if (left <= 0)
			return left ? -EINTR : -ETIMEDOUT;
	}
	return shared_lock(owner);
}

void hwpmc_owner_unlock(struct hwpmc_owner *owner)
{
	mutex_unlock(&hwpmc_lock);
	unlock(owner);
}

void hwpmc_perf_begin(const struct hwpmc_pmc *pmc)
{
	lockdep_assert_held(&pmc->maker->lock);
	mutex_unlock(&hwpmc_lock);
}

void hwpmc_perf_end(void)
{
	mutex_lock(&hwpmc_lock);
}

void hwpmc_owner_reap(struct hwpmc_owner *owner)
{
	hwpmc_owner_hold(owner);
	if (!queue_work(owner->workers, &owner->reap))
		hwpmc_owner_put(owner);
}

/* A worker cannot end its own queue. */
static void bury(struct work_struct *work)
{
	struct hwpmc_owner *owner = container_of(work, struct hwpmc_owner, bury);

	destroy_workqueue(owner->workers);
	hwpmc_owner_put(owner);
}

int hwpmc_owner_hire(struct hwpmc_owner *owner)
{
	INIT_WORK(&owner->bury, bury);
	owner->workers = alloc_ordered_workqueue("hwpmc_owner/%d", 0, pid_nr(owner->tgid));
	return owner->workers ? 0 : -ENOMEM;
}

void hwpmc_owner_bury(struct hwpmc_owner *owner)
{
	queue_work(burials, &owner->bury);
}

int hwpmc_burials_init(void)
{
	burials = alloc_workqueue("hwpmc_owners", WQ_UNBOUND, 0);
	return burials ? 0 : -ENOMEM;
}

/* No owner is left. */
void hwpmc_burials_exit(void)
{
	destroy_workqueue(burials);
}
