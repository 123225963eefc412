// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Heirs: processes that are targets since they have inherited an event, and that have no
 * attachment.  A PMC has some while it runs, counts, and no log is to hear of its targets: what
 * such a child costs at its fork, its exec and its exit is what perf does.  Perf's lists say who is
 * one.  Where an heir loses its counter its children inherit none that counts; the PMC's value is
 * known to lack something from then on (starve.c).
 *
 * An heir gets its attachment before it makes a difference that it had none: before its PMC stops
 * or lets a target go, since what starts anew starts on attachments; before a log comes, which is
 * to hear of it; before it is attached to, or let go; and when the last attachment of its PMC has
 * gone, so that the owner is told when the last target has.
 *
 * Process context, under hwpmc_lock, and the lock of the owner whose they are, unless it says
 * otherwise.
 */
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>

#include "hwpmc_int.h"

#define SCANS_MAX 32 /* of a family that forks all the time */

/* What a process has inherited of a PMC. */
struct heritage {
	struct task_struct *leader;
	const struct hwpmc_pmc *of;	     /* NULL: of any that has heirs */
	const struct hwpmc_owner *owner;     /* and is his; NULL: anybody's */
	const struct hwpmc_process *process; /* of what is attached it is no heir; NULL: nothing */
	struct hwpmc_pmc *pmc;		     /* NULL: nothing */
	u64 attach;
};

/* It is as closed as its user asked for, or as what it runs: then to who has the PMC, perhaps. */
static bool is_open(struct task_struct *leader, const struct hwpmc_pmc *pmc)
{
	const struct cred *own;
	int error;

	if (hwpmc_may_users_see(leader))
		return true;
	own = override_creds(pmc->cred);
	error = hwpmc_may_attach(leader);
	revert_creds(own);
	return !error;
}

static void inherits(struct hwpmc_pmc *pmc, struct perf_event *event, void *arg)
{
	struct heritage *heritage = arg;

	if (heritage->pmc || (heritage->of ? pmc != heritage->of : !pmc->heirs) ||
	    (heritage->owner && pmc->owner != heritage->owner) ||
	    (heritage->process && hwpmc_attachment_find(heritage->process, pmc)) ||
	    hwpmc_child_waits(pmc, heritage->leader) == -EEXIST || !is_open(heritage->leader, pmc))
		return;
	heritage->pmc = pmc;
	heritage->attach = hwpmc_root_attach(event);
}

static void look(struct heritage *heritage)
{
	struct task_struct *task;

	rcu_read_lock();
	for_each_thread(heritage->leader, task)
		if (!(READ_ONCE(task->flags) & PF_EXITING))
			hwpmc_roots_each(task, inherits, heritage);
	rcu_read_unlock();
	/* What a thread that exits has begotten was in the list of processes before. */
	smp_rmb();
}

/* The first that is found of what it is an heir of. */
static struct heritage heritage_of(struct task_struct *leader, const struct hwpmc_pmc *of,
				   const struct hwpmc_owner *owner)
{
	struct heritage heritage = {.leader = leader,
				    .of = of,
				    .owner = owner,
				    .process = hwpmc_process_find(task_tgid(leader))};

	look(&heritage);
	return heritage;
}

static bool is_heir(struct task_struct *leader, void *pmc)
{
	return heritage_of(leader, pmc, NULL).pmc;
}

/* Whether its attachment is in time: it has not exited, nor become what it is to be taken from. */
static bool inherits_still(struct task_struct *leader, const struct hwpmc_pmc *pmc)
{
	struct heritage heritage = {.leader = leader, .of = pmc};

	look(&heritage);
	return atomic_read(&leader->signal->live) && heritage.pmc;
}

static int attach_one(struct pid *tgid, const struct heritage *heritage, bool own)
{
	struct hwpmc_attachment *attachment;

	attachment = hwpmc_attachment_new(heritage->pmc, tgid, heritage->attach, 0);
	if (!attachment)
		return -ENOMEM;
	/*
	 * With those of hwpmc_counters_may_be() and hwpmc_task_execs(): the hook of the last exit,
	 * or of an exec before which perf takes its events, sees the attachment, or it has begun.
	 */
	smp_mb();
	if (inherits_still(heritage->leader, heritage->pmc))
		return 0;
	if (own)
		hwpmc_attachment_undo(attachment);
	else
		hwpmc_attachment_leave(attachment);
	return 0;
}

/*
 * Those of the caller are locked.  Others' PMCs get one attachment more meanwhile, behind all they
 * have: whatever their owners are at, while they wait for perf, takes that as it takes a child's.
 */
static int attach(struct pid *tgid, const struct hwpmc_pmc *of, const struct hwpmc_owner *owner)
{
	struct task_struct *leader = get_pid_task(tgid, PIDTYPE_TGID);
	struct heritage heritage;
	int error = 0;

	if (!leader)
		return 0;
	for (;;) {
		heritage = heritage_of(leader, of, owner);
		if (!heritage.pmc || error)
			break;
		error = attach_one(tgid, &heritage, of || owner);
	}
	put_task_struct(leader);
	return error;
}

/* All that are there.  How many there were; -ENOMEM, -EINTR. */
static int attach_all(struct hwpmc_pmc *pmc, struct hwpmc_tgids *tgids)
{
	int error;
	u32 i;

	/* Pairs with hwpmc_task_forks(): a child is seen, or sees what its parent is by now. */
	smp_mb();
	error = hwpmc_tgids_find(tgids, is_heir, pmc);
	for (i = 0; i < tgids->n && !error; i++)
		error = fatal_signal_pending(current) ? -EINTR : attach(tgids->tgids[i], pmc, NULL);
	return error ?: tgids->n;
}

void hwpmc_heirs_allow(struct hwpmc_pmc *pmc)
{
	bool may = pmc->inherits && (pmc->flags & PMC_F_DESCENDANTS) &&
		   !PMC_IS_SAMPLING_MODE(pmc->mode) && pmc->state == HWPMC_RUNNING &&
		   !pmc->owner->log;

	smp_store_release(&pmc->heirs, may); /* for is_to_work() in task.c */
}

/*
 * A scan finds all but the children that heirs have forked since it began, as long as they had no
 * attachments: so it is through when a scan has found none.
 */
void hwpmc_heirs_attach(struct hwpmc_pmc *pmc)
{
	struct hwpmc_tgids tgids = {0};
	int found, scans = 0;

	if (!pmc->heirs)
		return;
	WRITE_ONCE(pmc->heirs, false);
	do {
		found = scans++ < SCANS_MAX ? attach_all(pmc, &tgids) : -EAGAIN;
	} while (found > 0);
	hwpmc_tgids_free(&tgids);
	if (found < 0)
		hwpmc_thread_missed(pmc);
}

int hwpmc_heirs_know(struct pid *tgid, const struct hwpmc_owner *owner)
{
	return attach(tgid, NULL, owner);
}
