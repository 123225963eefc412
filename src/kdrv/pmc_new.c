// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * A PMC as it was asked for: nothing counts yet.  Process context, under the owner's lock and
 * hwpmc_lock.
 */
#include <linux/capability.h>
#include <linux/cpu.h>
#include <linux/cred.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "hwpmc_int.h"

#define CHILDREN 256 /* that a PMC's targets may have forked and that have not run yet, at first */

#define CALLCHAIN_FLAGS (PMC_F_CALLCHAIN | PMC_F_USERCALLCHAIN)
#define PROCESS_FLAGS                                                                       \
	(PMC_F_DESCENDANTS | PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT | PMC_F_LOG_ARGUMENTS | \
	 PMC_F_START_ON_EXEC)
#define KNOWN_FLAGS                                                                            \
	(CALLCHAIN_FLAGS | PROCESS_FLAGS | PMC_F_KGMON | PMC_F_FREQUENCY | HWPMC_F_EXCL_USER | \
	 HWPMC_F_EXCL_KERNEL)

static int check_flags(u32 mode, u32 flags)
{
	if (flags & ~KNOWN_FLAGS)
		return -EINVAL;
	if (PMC_IS_SYSTEM_MODE(mode) && (flags & PROCESS_FLAGS))
		return -EINVAL;
	if (PMC_IS_SAMPLING_MODE(mode) && (flags & (PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT)))
		return -EINVAL;
	if (!PMC_IS_SAMPLING_MODE(mode) && (flags & (PMC_F_FREQUENCY | CALLCHAIN_FLAGS)))
		return -EINVAL;
	if ((flags & PMC_F_USERCALLCHAIN) && !(flags & PMC_F_CALLCHAIN))
		return -EINVAL;
	if ((flags & PMC_F_KGMON) && (mode != PMC_MODE_SS || (flags & CALLCHAIN_FLAGS)))
		return -EINVAL;
	return 0;
}

static int check_cpu(u32 mode, int cpu)
{
	if (!PMC_IS_SYSTEM_MODE(mode))
		return cpu == PMC_CPU_ANY ? 0 : -EINVAL;
	if (cpu < 0 || cpu >= nr_cpu_ids)
		return -EINVAL;
	if (!cpu_online(cpu))
		return -ENXIO;
	return hwpmc_may_system();
}

static int check_arguments(const struct hwpmc_allocate *args)
{
	int err;

	if (args->mode > PMC_MODE_TC || args->pad || args->depth > HWPMC_DEPTH_MAX)
		return -EINVAL;
	if (!args->name[0] || strnlen(args->name, sizeof(args->name)) == sizeof(args->name) ||
	    strnlen(args->spec, sizeof(args->spec)) == sizeof(args->spec))
		return -EINVAL;
	err = check_flags(args->mode, args->flags);
	if (!err)
		err = check_cpu(args->mode, args->cpu);
	return err ? err : hwpmc_may_count();
}

struct hwpmc_pmc *hwpmc_pmc_new(struct hwpmc_owner *owner, const struct hwpmc_allocate *args)
{
	int err = check_arguments(args);
	struct hwpmc_pmc *pmc;

	if (err)
		return ERR_PTR(err);
	pmc = hwpmc_zalloc(sizeof(*pmc));
	if (!pmc)
		return ERR_PTR(-ENOMEM);
	kref_init(&pmc->refs);
	pmc->maker = hwpmc_owner_hold(owner);
	INIT_LIST_HEAD(&pmc->of_owner);
	INIT_LIST_HEAD(&pmc->attachments);
	INIT_LIST_HEAD(&pmc->roots);
	pmc->state = HWPMC_ALLOCATED;
	pmc->mode = args->mode;
	pmc->pm_class = args->pm_class;
	pmc->cpu = args->cpu;
	pmc->flags = args->flags;
	pmc->event_number = args->event;
	pmc->depth = min_t(u32, args->depth ? args->depth : HWPMC_DEPTH_MAX, hwpmc_callchaindepth);
	strscpy(pmc->name, args->name, sizeof(pmc->name));
	strscpy(pmc->spec, args->spec, sizeof(pmc->spec));
	if (!PMC_IS_SAMPLING_MODE(pmc->mode))
		pmc->base = args->count;
	pmc->cred = get_current_cred();
	pmc->privileged = perfmon_capable();
	err = hwpmc_event_attr(pmc, args);
	if (!err && !PMC_IS_SYSTEM_MODE(pmc->mode))
		err = hwpmc_works_init(&pmc->children, sizeof(struct hwpmc_child_work), CHILDREN);
	if (err) {
		hwpmc_pmc_put(pmc);
		return ERR_PTR(err);
	}
	return pmc;
}
