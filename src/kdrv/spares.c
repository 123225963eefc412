// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Memory of objects that come and go with processes.  To ask the kernel for it, on the account of a
 * cgroup, and to give it back took most of what a child of a target cost.  So some of each kind
 * that have ended are kept for those that begin.
 *
 * They stay on the account of whom they were made for: a few, and no more than HWPMC_SPARES of a
 * kind.  KASAN is to see what is used after its end: none is kept there.
 */
#include <linux/mm.h>
#include <linux/string.h>

#include "hwpmc_int.h"

#define MOST (IS_ENABLED(CONFIG_KASAN) ? 0 : HWPMC_SPARES)

void *hwpmc_spare_take(struct hwpmc_spares *spares)
{
	struct llist_node *spare;

	if (!spares->mine)
		spares->mine = llist_del_all(&spares->given);
	spare = spares->mine;
	if (!spare)
		return hwpmc_zalloc(spares->size);
	spares->mine = spare->next;
	atomic_dec(&spares->n);
	return memset(spare, 0, spares->size);
}

void hwpmc_spare_give(struct hwpmc_spares *spares, void *object)
{
	if (atomic_add_unless(&spares->n, 1, MOST))
		llist_add(object, &spares->given);
	else
		kvfree(object);
}

/* Nobody gives or takes any more. */
void hwpmc_spares_free(struct hwpmc_spares *spares)
{
	struct llist_node *spare;

	while (spares->mine || (spares->mine = llist_del_all(&spares->given))) {
		spare = spares->mine;
		spares->mine = spare->next;
		kvfree(spare);
	}
}
