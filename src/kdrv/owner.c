// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Owners: processes that have PMCs or a log.  Process context and under hwpmc_lock, and the owner's
 * where what it has is changed, but for hwpmc_owner_process_ends(), which the hooks of exit and
 * exec call, the waits for the reclaim, and what locks.
 *
 * The process is the owner, not the open file: forked children share the file, and keep it open
 * when the owner is killed.  So the exit of its last thread queues a work item, which gives
 * everything back; so does an exec, since the new program may be more than who owned.
 */
#include <linux/cred.h>
#include <linux/hash.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "hwpmc_int.h"

#define EXIT_PATIENCE (10 * HZ) /* what an exit waits for the reclaim, from its beginning on */

static struct hlist_head *owners_by_tgid; /* 1 << hash_bits rows; hwpmc_hash_lock */
static unsigned int hash_bits;
static DECLARE_WAIT_QUEUE_HEAD(reclaimed);

static struct hlist_head *row_of(const struct pid *tgid)
{
	return &owners_by_tgid[hash_ptr(tgid, hash_bits)];
}

/* Under hwpmc_hash_lock. */
static struct hwpmc_owner *find_hashed(const struct pid *tgid)
{
	struct hwpmc_owner *owner;

	hlist_for_each_entry(owner, row_of(tgid), node)
		if (owner->tgid == tgid)
			return owner;
	return NULL;
}

struct hwpmc_owner *hwpmc_owner_find(struct pid *tgid)
{
	struct hwpmc_owner *owner;
	unsigned long flags;

	raw_spin_lock_irqsave(&hwpmc_hash_lock, flags);
	owner = find_hashed(tgid);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, flags);
	return owner;
}

static void owner_free(struct hwpmc_owner *owner)
{
	unsigned long flags;

	WRITE_ONCE(owner->gone, true);
	list_del_rcu(&owner->of_owners);
	raw_spin_lock_irqsave(&hwpmc_hash_lock, flags);
	hlist_del(&owner->node);
	if (!list_empty(&owner->of_system))
		list_del_rcu(&owner->of_system);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, flags);
	hwpmc_owner_bury(owner);
	wake_up_all(&reclaimed);
	module_put(THIS_MODULE);
}

/* Whether the caller is the one that ends the owner. */
static bool ends_now(struct hwpmc_owner *owner)
{
	unsigned long flags;
	bool first;

	raw_spin_lock_irqsave(&hwpmc_hash_lock, flags);
	first = !owner->ends;
	owner->ends = true;
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, flags);
	return first;
}

/* Everything that the owner has; its process is no more, so no operation comes to it. */
static void owner_end(struct hwpmc_owner *owner)
{
	struct hwpmc_pmc *pmc, *next;
	struct hwpmc_log *log;

	hwpmc_owner_lock(owner);
	list_for_each_entry_safe(pmc, next, &owner->pmcs, of_owner)
		hwpmc_pmc_release(pmc);
	log = hwpmc_owner_drop_log(owner);
	hwpmc_owner_unlock(owner);
	if (log) {
		hwpmc_log_close(log, true);
		hwpmc_log_put(log);
	}
	mutex_lock(&hwpmc_lock);
	owner_free(owner);
	mutex_unlock(&hwpmc_lock);
}

static void reclaim(struct work_struct *work)
{
	owner_end(container_of(work, struct hwpmc_owner, reclaim));
}

/* The caller's; locked, before anybody can see it. */
static struct hwpmc_owner *owner_new(void)
{
	struct hwpmc_owner *owner = hwpmc_zalloc(sizeof(*owner));
	unsigned long flags;

	if (!owner)
		return NULL;
	kref_init(&owner->refs);
	mutex_init(&owner->lock);
	init_waitqueue_head(&owner->waits);
	owner->tgid = get_pid(task_tgid(current));
	if (hwpmc_owner_hire(owner)) {
		put_pid(owner->tgid);
		kfree(owner);
		return NULL;
	}
	mutex_trylock(&owner->lock);
	owner->cred = get_current_cred();
	INIT_LIST_HEAD(&owner->pmcs);
	owner->cpus = UINT_MAX;
	INIT_LIST_HEAD(&owner->of_system);
	INIT_WORK(&owner->reclaim, reclaim);
	INIT_LIST_HEAD(&owner->dead);
	INIT_LIST_HEAD(&owner->ending);
	INIT_WORK(&owner->reap, hwpmc_targets_reap_of);
	__module_get(THIS_MODULE); /* there is one already: the caller's file */
	list_add_tail_rcu(&owner->of_owners, &hwpmc_owners);
	raw_spin_lock_irqsave(&hwpmc_hash_lock, flags);
	hlist_add_head(&owner->node, row_of(owner->tgid));
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, flags);
	return owner;
}

/* The caller's, held; NULL. */
static struct hwpmc_owner *hold_own(void)
{
	struct hwpmc_owner *owner;
	unsigned long flags;

	raw_spin_lock_irqsave(&hwpmc_hash_lock, flags);
	owner = find_hashed(task_tgid(current));
	if (owner)
		hwpmc_owner_hold(owner);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, flags);
	return owner;
}

/* That which was held: the caller has it now, or still has none. */
static bool is_own(const struct hwpmc_owner *owner)
{
	return owner ? !owner->gone : !hwpmc_owner_find(task_tgid(current));
}

static void unlock(struct hwpmc_owner *owner)
{
	if (!owner) {
		mutex_unlock(&hwpmc_lock);
		return;
	}
	hwpmc_owner_unlock(owner);
	hwpmc_owner_put(owner);
}

static int lock_own(struct hwpmc_owner **owner)
{
	int err;

	for (;;) {
		*owner = hold_own();
		err = *owner ? hwpmc_owner_lock_killable(*owner)
			     : mutex_lock_killable(&hwpmc_lock);
		if (err && *owner)
			hwpmc_owner_put(*owner);
		if (err)
			return -EINTR;
		if (is_own(*owner))
			return 0;
		unlock(*owner); /* another thread was faster */
	}
}

int hwpmc_owner_enter(bool make, struct hwpmc_owner **owner)
{
	int err = hwpmc_owner_wait_reclaimed_killable();

	if (!err)
		err = lock_own(owner);
	if (err || *owner || !make)
		return err;
	*owner = owner_new();
	if (*owner) {
		hwpmc_owner_hold(*owner);
		return 0;
	}
	unlock(NULL);
	return -ENOMEM;
}

void hwpmc_owner_leave(struct hwpmc_owner *owner)
{
	if (owner && list_empty(&owner->pmcs) && !owner->log && !owner->system_sampling)
		owner_free(owner);
	unlock(owner);
}

struct hwpmc_pmc *hwpmc_owner_pmc(struct hwpmc_owner *owner, u32 id)
{
	struct hwpmc_pmc *pmc;

	if (!owner || list_empty(&owner->pmcs))
		return ERR_PTR(-ESRCH);
	list_for_each_entry(pmc, &owner->pmcs, of_owner)
		if (pmc->id == id)
			return pmc;
	return ERR_PTR(-EINVAL);
}

/*
 * The work is queued outside hwpmc_hash_lock, which nests inside the lock of a runqueue, because
 * that wakes a worker.
 */
void hwpmc_owner_process_ends(struct task_struct *task)
{
	struct pid *tgid = task_tgid(task);
	struct hwpmc_owner *owner;
	unsigned long flags;

	if (hlist_empty(row_of(tgid)))
		return;
	raw_spin_lock_irqsave(&hwpmc_hash_lock, flags);
	owner = find_hashed(tgid);
	if (owner && owner->ends)
		owner = NULL;
	else if (owner)
		owner->ends = true;
	if (owner)
		owner->ended = jiffies;
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, flags);
	if (owner)
		queue_work(owner->workers, &owner->reclaim);
}

int hwpmc_owner_set_log(struct hwpmc_owner *owner, struct hwpmc_log *log)
{
	struct hwpmc_attachment *attachment;
	struct hwpmc_pmc *pmc;
	int err = hwpmc_hooks_want_names();

	if (err)
		return err;
	list_for_each_entry(pmc, &owner->pmcs, of_owner) {
		hwpmc_pmc_log_maps(pmc);
		hwpmc_heirs_attach(pmc);
		hwpmc_log_allocate(log, pmc);
		list_for_each_entry(attachment, &pmc->attachments, of_pmc)
			if (!attachment->unsaid)
				hwpmc_attachment_log(attachment, log, false);
	}
	/* Hooks that see it see it whole. */
	smp_store_release(&owner->log, log);
	/* The hook of an exec that is not seen below sees the log. */
	smp_mb();
	list_for_each_entry(pmc, &owner->pmcs, of_owner)
		list_for_each_entry(attachment, &pmc->attachments, of_pmc)
			if (!attachment->unsaid)
				hwpmc_attachment_log_again(attachment, log);
	return 0;
}

/* What a snapshot tells that log just now, the next one has to hear anew. */
static void forget_logged(struct hwpmc_owner *owner)
{
	struct hwpmc_attachment *attachment;
	struct hwpmc_pmc *pmc;

	WRITE_ONCE(owner->kernel_logged, false);
	list_for_each_entry(pmc, &owner->pmcs, of_owner)
		list_for_each_entry(attachment, &pmc->attachments, of_pmc)
			attachment->snapshot = 0;
}

struct hwpmc_log *hwpmc_owner_drop_log(struct hwpmc_owner *owner)
{
	struct hwpmc_log *log = owner->log;
	struct hwpmc_pmc *pmc;

	if (!log)
		return NULL;
	list_for_each_entry(pmc, &owner->pmcs, of_owner)
		if (pmc->log)
			hwpmc_pmc_halt(pmc);
	WRITE_ONCE(owner->log, NULL);
	forget_logged(owner);
	hwpmc_hooks_unwant_names();
	if (owner->maps_logged)
		hwpmc_hooks_unwant_maps();
	owner->maps_logged = false;
	return log;
}

/* Since when, in *since, which may be NULL. */
static bool is_ending(const struct pid *tgid, unsigned long *since)
{
	struct hwpmc_owner *owner;
	unsigned long flags;
	bool is;

	raw_spin_lock_irqsave(&hwpmc_hash_lock, flags);
	owner = find_hashed(tgid);
	is = owner && owner->ends;
	if (is && since)
		*since = owner->ended;
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, flags);
	return is;
}

/*
 * For nobody else's: what another owner's log waits for is no matter of the caller.  Nothing kills
 * a process that exits: this has an end of its own, which all its descriptors share.
 */
void hwpmc_owner_wait_reclaimed(void)
{
	unsigned long since, spent;

	if (!is_ending(task_tgid(current), &since))
		return;
	spent = jiffies - since;
	if (spent < EXIT_PATIENCE)
		wait_event_timeout(reclaimed, !is_ending(task_tgid(current), NULL),
				   EXIT_PATIENCE - spent);
}

/* What it owned before an exec is not its any more. */
int hwpmc_owner_wait_reclaimed_killable(void)
{
	return wait_event_killable(reclaimed, !is_ending(task_tgid(current), NULL)) ? -EINTR : 0;
}

int hwpmc_owner_init(void)
{
	hash_bits = ilog2(roundup_pow_of_two(max(hwpmc_hashsize, 2)));
	owners_by_tgid = kvcalloc(1u << hash_bits, sizeof(*owners_by_tgid), GFP_KERNEL);
	return owners_by_tgid ? 0 : -ENOMEM;
}

/* Held. */
static struct hwpmc_owner *first_owner(void)
{
	struct hwpmc_owner *owner;

	mutex_lock(&hwpmc_lock);
	owner = list_first_entry_or_null(&hwpmc_owners, struct hwpmc_owner, of_owners);
	if (owner)
		hwpmc_owner_hold(owner);
	mutex_unlock(&hwpmc_lock);
	return owner;
}

/*
 * Owners whose processes have exited end by their work; there are others only when the unload is
 * forced.
 */
void hwpmc_owner_exit(void)
{
	struct hwpmc_owner *owner;

	while ((owner = first_owner())) {
		if (ends_now(owner)) {
			hwpmc_owner_signal(owner, SIGBUS);
			owner_end(owner);
		} else {
			wait_event(reclaimed, READ_ONCE(owner->gone));
		}
		hwpmc_owner_put(owner);
	}
	kvfree(owners_by_tgid);
}
