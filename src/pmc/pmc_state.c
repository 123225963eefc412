// SPDX-License-Identifier: BSD-2-Clause
/* The state of the library, of which there is one a process, and its lock. */
#include <errno.h>

#include "pmc/pmcint.h"

static struct pmcint lib = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.collector.log_lock = PTHREAD_MUTEX_INITIALIZER,
	.max_depth = PMCINT_DEPTH_MAX,
};

struct pmcint *pmcint_begin(void)
{
	pthread_mutex_lock(&lib.lock);
	return &lib;
}

int pmcint_done(int error)
{
	lib.calls++;
	lib.failures += error != 0;
	pthread_mutex_unlock(&lib.lock);
	if (!error)
		return 0;
	errno = error;
	return -1;
}

int pmcint_ready(void)
{
	if (lib.collector.ops)
		return 0;
	return pmcint_refuse(ENXIO, "no collector is open: pmc_init() comes first");
}

int pmcint_find(pmc_id_t id, struct pmcint_pmc **found)
{
	struct pmcint_pmc **p;

	*found = NULL;
	if (pmcint_ready())
		return ENXIO;
	if (!lib.pmcs.n)
		return pmcint_refuse(ESRCH, "PMC 0x%x: this process has allocated no PMC", id);
	vec_each(p, &lib.pmcs)
		if ((*p)->pmc.id == id) {
			*found = *p;
			return 0;
		}
	return pmcint_refuse(EINVAL, "PMC 0x%x is not one that this process has allocated", id);
}
