// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The processes of the machine that are what is looked for, in the order in which they were made:
 * one that is forked meanwhile comes behind its parent.
 */
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "hwpmc_int.h"

/* Those without room are only counted.  How many there are. */
static u32 scan(struct hwpmc_tgids *tgids, bool (*is)(struct task_struct *leader, void *arg),
		void *arg)
{
	struct task_struct *task;
	struct pid *tgid;
	u32 found = 0;

	rcu_read_lock();
	for_each_process(task) {
		tgid = task_tgid(task);
		if (!tgid || !is(task, arg))
			continue;
		if (found++ < tgids->room)
			tgids->tgids[tgids->n++] = get_pid(tgid);
	}
	rcu_read_unlock();
	return found;
}

static void put(struct hwpmc_tgids *tgids)
{
	while (tgids->n)
		put_pid(tgids->tgids[--tgids->n]);
}

void hwpmc_tgids_free(struct hwpmc_tgids *tgids)
{
	put(tgids);
	kvfree(tgids->tgids);
	*tgids = (struct hwpmc_tgids){0};
}

int hwpmc_tgids_find(struct hwpmc_tgids *tgids, bool (*is)(struct task_struct *leader, void *arg),
		     void *arg)
{
	u32 found;

	put(tgids);
	while ((found = scan(tgids, is, arg)) > tgids->room) {
		hwpmc_tgids_free(tgids);
		tgids->tgids = kvmalloc_array(2 * found, sizeof(*tgids->tgids), GFP_KERNEL);
		if (!tgids->tgids)
			return -ENOMEM;
		tgids->room = 2 * found;
	}
	return 0;
}
