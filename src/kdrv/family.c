// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * An attach: of one process, or of it and all below it.  Process context, under hwpmc_lock.
 */
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "hwpmc_int.h"

/* Generations below a target, and those that fork on while they are attached to. */
#define SCANS_MAX 256

/* What one call attaches to: processes, by number, and children of theirs; a reference to each. */
struct family {
	u64 attach; /* the call's number */
	struct xarray members;
	struct pid **children;
	u32 nchildren, room;
};

static void family_free(struct family *family)
{
	unsigned long nr;
	struct pid *tgid;

	xa_for_each(&family->members, nr, tgid)
		put_pid(tgid);
	xa_destroy(&family->members);
	kvfree(family->children);
}

/* A number may have gone to another process since. */
static bool is_member(struct family *family, struct task_struct *task)
{
	struct pid *tgid = task_tgid(task);

	return tgid && xa_load(&family->members, pid_nr(tgid)) == tgid;
}

/*
 * Children that are no members yet and do not look after themselves; those without room are only
 * counted.  How many there are.
 */
static u32 children_scan(const struct hwpmc_pmc *pmc, struct family *family)
{
	struct task_struct *task;
	struct pid *tgid;
	u32 found = 0;

	rcu_read_lock();
	for_each_process(task) {
		if (!is_member(family, rcu_dereference(task->real_parent)) ||
		    is_member(family, task) || hwpmc_child_waits(pmc, task) == -EEXIST)
			continue;
		tgid = task_tgid(task);
		if (!tgid)
			continue;
		if (found++ < family->room)
			family->children[family->nchildren++] = get_pid(tgid);
	}
	rcu_read_unlock();
	return found;
}

static void children_put(struct family *family)
{
	while (family->nchildren)
		put_pid(family->children[--family->nchildren]);
}

static int children_find(const struct hwpmc_pmc *pmc, struct family *family)
{
	u32 found;

	while ((found = children_scan(pmc, family)) > family->room) {
		children_put(family);
		kvfree(family->children);
		family->room = 0;
		family->children = kvmalloc_array(2 * found, sizeof(*family->children), GFP_KERNEL);
		if (!family->children)
			return -ENOMEM;
		family->room = 2 * found;
	}
	return 0;
}

/* 1: it is a member now. */
static int attach_member(struct hwpmc_pmc *pmc, struct family *family, struct pid *tgid)
{
	struct task_struct *leader = get_pid_task(tgid, PIDTYPE_TGID);
	struct pid *before;
	int error;

	if (!leader)
		return -ESRCH;
	if (fatal_signal_pending(current)) {
		put_task_struct(leader);
		return -EINTR;
	}
	/* One that is gone had the number before. */
	before = xa_store(&family->members, pid_nr(tgid), get_pid(tgid), GFP_KERNEL);
	error = xa_err(before);
	if (error) { /* what was there still is */
		put_pid(tgid);
	} else {
		put_pid(before);
		error = hwpmc_attach_one(pmc, tgid, leader, family->attach);
		if (error)
			put_pid(xa_erase(&family->members, pid_nr(tgid)));
	}
	put_task_struct(leader);
	return error ?: 1;
}

/*
 * All processes below those of the family.  A scan finds all children of members that were attached
 * before it; children that they make from then on are the fork hook's.  So it is through when a
 * scan has found nothing to attach.  Others wait meanwhile: a family that new ones are found of for
 * ever, as of children that fork and exit before they are attached to, is given up.
 */
static int attach_descendants(struct hwpmc_pmc *pmc, struct family *family)
{
	u32 i, attached, scans = 0;
	int error;

	do {
		attached = 0;
		error = scans++ < SCANS_MAX ? children_find(pmc, family) : -EAGAIN;
		for (i = 0; i < family->nchildren && error >= 0; i++) {
			error = attach_member(pmc, family, family->children[i]);
			attached += error == 1;
			/* One exits, or is a target already, and so are those below it. */
			if (error == -ESRCH || error == -EEXIST)
				error = 0;
		}
		children_put(family);
	} while (attached && error >= 0);
	return min(error, 0);
}

/* Of the call's descendants too that were born since. */
void hwpmc_attach_undo(struct hwpmc_pmc *pmc, u64 attach)
{
	struct hwpmc_attachment *attachment, *next;
	struct pid *tgid;

	hwpmc_roots_end(pmc, attach);
	list_for_each_entry_safe(attachment, next, &pmc->attachments, of_pmc) {
		if (attachment->attach != attach)
			continue;
		tgid = get_pid(attachment->process->tgid);
		hwpmc_attachment_undo(attachment);
		hwpmc_attachment_log_end(pmc, tgid);
		put_pid(tgid);
	}
	hwpmc_children_refuse(pmc, attach);
	pmc->attaches--;
}

/*
 * With PMC_F_DESCENDANTS to all processes below as well, or, where one of them is refused, to none:
 * an attach that left some out would say that it counts what it does not.
 */
int hwpmc_attach(struct hwpmc_pmc *pmc, struct pid *tgid, u64 *attach)
{
	static u64 attaches; /* of all PMCs; hwpmc_lock */
	struct family family = {.attach = ++attaches};
	int error;

	*attach = family.attach;
	pmc->attaches++;
	xa_init(&family.members);
	error = min(attach_member(pmc, &family, tgid), 0);
	if (!error && pmc->flags & PMC_F_DESCENDANTS)
		error = attach_descendants(pmc, &family);
	family_free(&family);
	if (error)
		hwpmc_attach_undo(pmc, family.attach);
	else
		pmc->orphaned = false;
	return error;
}
