// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/* The end of a PMC, when nobody has a reference any more.  Any context but NMI. */
#include <linux/cred.h>
#include <linux/slab.h>

#include "hwpmc_int.h"

static void pmc_free(struct rcu_head *rcu)
{
	struct hwpmc_pmc *pmc = container_of(rcu, struct hwpmc_pmc, rcu);

	hwpmc_works_fini(&pmc->children);
	hwpmc_kgmon_free(pmc);
	hwpmc_charge_free(pmc->charge);
	put_cred(pmc->cred);
	hwpmc_owner_put(pmc->maker);
	kfree(pmc);
}

/* Handlers of software events may still be at it, with preemption off. */
static void pmc_end(struct kref *refs)
{
	call_rcu(&container_of(refs, struct hwpmc_pmc, refs)->rcu, pmc_free);
}

void hwpmc_pmc_put(struct hwpmc_pmc *pmc)
{
	kref_put(&pmc->refs, pmc_end);
}
