// SPDX-License-Identifier: BSD-2-Clause
/* The functions of pmc(3) that ask about the machine, the collector and single PMCs. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "pmc/pmcint.h"

static int cpuinfo(struct pmcint *s, const struct pmc_cpuinfo **info)
{
	int error = pmcint_ready();

	return error ? error : pmcint_cpuinfo(s, info);
}

int pmc_cpuinfo(const struct pmc_cpuinfo **info)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(info ? cpuinfo(s, info) : pmcint_no_place("CPUs"));
}

int pmc_ncpu(void)
{
	const struct pmc_cpuinfo *info;
	int error = cpuinfo(pmcint_begin(), &info);
	int n = error ? -1 : (int)info->pm_ncpu;

	return pmcint_done(error) ? -1 : n;
}

static int npmc(struct pmcint *s, int cpu, int *n)
{
	const struct pmc_cpuinfo *info;
	int error = cpuinfo(s, &info);

	if (error)
		return error;
	if (cpu < 0 || (uint32_t)cpu >= info->pm_ncpu)
		return pmcint_refuse(EINVAL, "CPUs have numbers from 0 to %u, not %d",
				     info->pm_ncpu - 1, cpu);
	*n = (int)info->pm_npmc;
	return 0;
}

int pmc_npmc(int cpu)
{
	int n = -1;

	return pmcint_done(npmc(pmcint_begin(), cpu, &n)) ? -1 : n;
}

/* What is known of the class that a PMC is of. */
static int class_of(struct pmcint *s, pmc_id_t id, const struct pmc_classinfo **classinfo)
{
	const struct pmc_cpuinfo *info;
	struct pmcint_pmc *p;
	int error = pmcint_find(id, &p);

	if (!error)
		error = pmcint_cpuinfo(s, &info);
	if (error)
		return error;
	*classinfo = pmcint_class(info, p->pmc.event.pm_class);
	return *classinfo ? 0
			  : pmcint_refuse(EINVAL,
					  "PMC 0x%x: the collector %s knows nothing of its class",
					  id, s->collector.ops->name);
}

int pmc_capabilities(pmc_id_t pmcid, uint32_t *caps)
{
	const struct pmc_classinfo *classinfo;
	struct pmcint *s = pmcint_begin();
	int error = caps ? class_of(s, pmcid, &classinfo) : pmcint_no_place("capabilities");

	if (!error)
		*caps = classinfo->pm_caps;
	return pmcint_done(error);
}

int pmc_width(pmc_id_t pmcid, uint32_t *width)
{
	const struct pmc_classinfo *classinfo;
	struct pmcint *s = pmcint_begin();
	int error = width ? class_of(s, pmcid, &classinfo) : pmcint_no_place("width");

	if (!error)
		*width = classinfo->pm_width;
	return pmcint_done(error);
}

static int driver_stats(struct pmcint *s, struct pmc_driverstats *stats)
{
	struct pmc_collector *c = &s->collector;
	struct pmc_log_stats log;

	if (pmcint_ready())
		return ENXIO;
	memset(stats, 0, sizeof(*stats));
	if (c->ops->driver_stats)
		return c->ops->driver_stats(c, stats, pmcint_last()) ? pmcint_last()->error : 0;
	pmcint_log_stats(s, &log);
	stats->pm_intr_processed = (unsigned int)log.samples;
	stats->pm_intr_ignored = (unsigned int)log.drops[PMCLOG_DROP_UNREADABLE];
	stats->pm_intr_bufferfull = (unsigned int)log.drops[PMCLOG_DROP_RING];
	stats->pm_throttled = (unsigned int)log.drops[PMCLOG_DROP_THROTTLE];
	stats->pm_syscalls = s->calls;
	stats->pm_syscall_errors = s->failures;
	return 0;
}

int pmc_get_driver_stats(struct pmc_driverstats *stats)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(stats ? driver_stats(s, stats) : pmcint_no_place("statistics"));
}

static int get_msr(struct pmcint *s, pmc_id_t id, uint32_t *msr)
{
	struct pmc_collector *c = &s->collector;
	struct pmcint_pmc *p;
	int error = pmcint_find(id, &p);

	if (error)
		return error;
	if (p->pmc.mode != PMC_MODE_TC)
		return pmcint_refuse(EINVAL, "PMC 0x%x does not count in process scope", id);
	if (p->pmc.flags & PMC_F_DESCENDANTS)
		return pmcint_refuse(EINVAL, "PMC 0x%x counts descendants too", id);
	if (p->pmc.targets.n != 1 || p->pmc.targets.v[0] != getpid())
		return pmcint_refuse(EINVAL, "PMC 0x%x is not attached to its owner alone", id);
	if (!c->ops->get_msr)
		return pmcint_refuse(ENOSYS,
				     "PMC 0x%x: the collector %s gives no numbers for RDPMC", id,
				     c->ops->name);
	if (c->ops->get_msr(c, &p->pmc, msr, pmcint_last()))
		return pmcint_last()->error;
	p->msr_known = true;
	return 0;
}

int pmc_get_msr(pmc_id_t pmcid, uint32_t *msr)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(msr ? get_msr(s, pmcid, msr) : pmcint_no_place("register's number"));
}

static int get_kgmon(struct pmcint *s, pmc_id_t id, struct pmc_kgmon **histogram)
{
	struct pmcint_pmc *p;
	int error = pmcint_find(id, &p);

	if (error)
		return error;
	if (!(p->pmc.flags & PMC_F_KGMON))
		return pmcint_refuse(EINVAL, "PMC 0x%x was allocated without PMC_F_KGMON", id);
	return s->collector.ops->kgmon(&s->collector, &p->pmc, histogram, pmcint_last())
		       ? pmcint_last()->error
		       : 0;
}

int pmc_get_kgmon(pmc_id_t pmcid, struct pmc_kgmon **histogram)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(histogram ? get_kgmon(s, pmcid, histogram)
				     : pmcint_no_place("histogram"));
}
