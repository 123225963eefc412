// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Which children of targets have works to do for which PMCs: they look after themselves, before
 * their first instruction in user mode, and so have no children or threads of their own yet.  An
 * attach need not wait for them, which a target that forks all the time would have it do for ever.
 */
#include <linux/hash.h>

#include "hwpmc_int.h"

#define CHILD_ROWS_BITS 8

static struct hlist_head child_rows[1 << CHILD_ROWS_BITS];

static struct hlist_head *row_of(const struct task_struct *task)
{
	return &child_rows[hash_ptr(task, CHILD_ROWS_BITS)];
}

bool hwpmc_child_add(struct hwpmc_child_work *child, const struct hwpmc_attachment *from)
{
	unsigned long irq;
	bool added;

	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	added = !from->taken;
	if (added)
		hlist_add_head(&child->node, row_of(child->task));
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	return added;
}

void hwpmc_child_del(struct hwpmc_child_work *child)
{
	unsigned long irq;

	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	hlist_del(&child->node);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
}

int hwpmc_child_waits(const struct hwpmc_pmc *pmc, const struct task_struct *task)
{
	const struct hwpmc_child_work *child;
	unsigned long irq;
	int found = 0;

	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	hlist_for_each_entry(child, row_of(task), node) {
		if (child->task != task || child->refused)
			continue;
		if (child->pmc == pmc)
			found = -EEXIST;
		else if (hwpmc_pmcs_conflict(pmc, child->pmc) &&
			 child->pmc->state != HWPMC_DELETED)
			found = -EBUSY;
	}
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	return found;
}

void hwpmc_children_refuse(const struct hwpmc_pmc *pmc, u64 attach)
{
	struct hwpmc_child_work *child;
	unsigned long irq;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(child_rows); i++) {
		raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
		hlist_for_each_entry(child, &child_rows[i], node)
			if (child->pmc == pmc && child->attach == attach)
				child->refused = true;
		raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	}
}
