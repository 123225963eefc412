// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * An attach: of one process, or of it and all below it.  Process context, under the lock of the
 * PMC's owner and hwpmc_lock.
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

/* What one call attaches to: processes, by number, a reference to each; and children of theirs. */
struct family {
	const struct hwpmc_pmc *pmc;
	u64 attach; /* the call's number */
	struct xarray members;
	struct hwpmc_tgids children;
};

static void family_free(struct family *family)
{
	unsigned long nr;
	struct pid *tgid;

	xa_for_each(&family->members, nr, tgid)
		put_pid(tgid);
	xa_destroy(&family->members);
	hwpmc_tgids_free(&family->children);
}

/* A number may have gone to another process since. */
static bool is_member(struct family *family, struct task_struct *task)
{
	struct pid *tgid = task_tgid(task);

	return tgid && xa_load(&family->members, pid_nr(tgid)) == tgid;
}

/* Of a member, is none yet, and does not look after itself. */
static bool is_child(struct task_struct *leader, void *arg)
{
	struct family *family = arg;

	return is_member(family, rcu_dereference(leader->real_parent)) &&
	       !is_member(family, leader) && hwpmc_child_waits(family->pmc, leader) != -EEXIST;
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
 * scan has found nothing to attach.  Other targets that fork wait meanwhile: a family that new ones
 * are found of for ever, as of children that fork and exit before they are attached to, is given
 * up.
 */
static int attach_descendants(struct hwpmc_pmc *pmc, struct family *family)
{
	u32 i, attached, scans = 0;
	int error;

	do {
		attached = 0;
		error = scans++ < SCANS_MAX
				? hwpmc_tgids_find(&family->children, is_child, family)
				: -EAGAIN;
		for (i = 0; i < family->children.n && error >= 0; i++) {
			error = attach_member(pmc, family, family->children.tgids[i]);
			attached += error == 1;
			/* One exits, or is a target already, and so are those below it. */
			if (error == -ESRCH || error == -EEXIST)
				error = 0;
		}
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
	struct family family = {.pmc = pmc, .attach = ++attaches};
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
