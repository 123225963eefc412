// SPDX-License-Identifier: BSD-2-Clause
/*
 * Rows: which there are, and what uses them, as far as libpmc knows without its collector.
 *
 * A row is one counter of every CPU.  One that a process-scope PMC has is for process scope on all
 * CPUs, and one that a system-scope PMC has on any CPU is for system scope: hwpmc(4).
 */
#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc_text.h"
#include "pmc/events/events.h"
#include "pmc/perf/perf_trial.h"
#include "pmc/pmcint.h"
#include "pmc/proc_list.h"

enum { CPU_PROCESS = 0xFFF, ROWS = 256 };

#define POSSIBLE "/sys/devices/system/cpu/possible"

/* One above the highest number of a CPU; 0: not known, errno says why. */
static uint32_t possible_cpus(void)
{
	struct proc_cpus cpus = {0};
	char text[4096];
	uint32_t n = 0;
	int *cpu;

	errno = 0;
	if (proc_read_text(POSSIBLE, text, sizeof(text)) > 0 && proc_parse_cpus(text, &cpus))
		vec_each(cpu, &cpus.cpus)
			n = (uint32_t)*cpu >= n ? (uint32_t)*cpu + 1 : n;
	vec_free(&cpus.cpus);
	return n;
}

int pmcint_cpuinfo(struct pmcint *s, const struct pmc_cpuinfo **info)
{
	struct pmc_collector *c = &s->collector;

	*info = &s->cpuinfo;
	if (s->has_cpuinfo)
		return 0;
	s->cpuinfo =
		(struct pmc_cpuinfo){.pm_cputype = PMC_CPU_GENERIC, .pm_ncpu = possible_cpus()};
	if (!s->cpuinfo.pm_ncpu)
		return pmcint_refuse(errno == EMFILE ? EMFILE : ENXIO,
				     POSSIBLE " does not tell which CPUs there are: %s",
				     errno ? strerror(errno) : "it is no list");
	if (c->ops->cpu_info && c->ops->cpu_info(c, &s->cpuinfo, pmcint_last()))
		return pmcint_last()->error;
	s->has_cpuinfo = true;
	return 0;
}

const struct pmc_classinfo *pmcint_class(const struct pmc_cpuinfo *info, enum pmc_class pm_class)
{
	uint32_t i;

	for (i = 0; i < info->pm_nclass; i++)
		if (info->pm_classes[i].pm_class == pm_class)
			return &info->pm_classes[i];
	return NULL;
}

/* The first row of a class. */
static uint32_t first_row(const struct pmc_cpuinfo *info, const struct pmc_classinfo *classinfo)
{
	const struct pmc_classinfo *c;
	uint32_t row = 0;

	for (c = info->pm_classes; c != classinfo; c++)
		row += c->pm_num;
	return row;
}

/* The PMC in a row: of any CPU, or of process scope.  One of this CPU is preferred. */
static const struct pmc *user_of(const struct pmcint *s, uint32_t row, int cpu)
{
	const struct pmc *user = NULL;
	size_t i;

	for (i = 0; i < s->pmcs.n; i++) {
		const struct pmc *p = &s->pmcs.v[i]->pmc;

		if (PMC_ID_TO_ROWINDEX(p->id) == row && (!user || p->cpu == cpu))
			user = p;
	}
	return user;
}

static bool is_free_for(const struct pmcint *s, uint32_t row, const struct pmc *pmc)
{
	const struct pmc *user = user_of(s, row, pmc->cpu);

	return !user || (PMC_IS_SYSTEM_MODE(pmc->mode) && PMC_IS_SYSTEM_MODE(user->mode) &&
			 user->cpu != pmc->cpu);
}

/*
 * Whether both are counted by counters of one PMU.  The kernel's general events and raw ones are
 * counted by whichever the CPU has; only PMUs of kinds of CPUs have types of their own.
 */
static bool is_of_one_pmu(const struct pmc *a, const struct pmc *b)
{
	return a->event.type == b->event.type || a->event.type < PERF_TYPE_MAX ||
	       b->event.type < PERF_TYPE_MAX;
}

/* PMCs that may have a counter of a CPU at once with the new one. */
static unsigned int count_beside(const struct pmcint *s, const struct pmc *pmc)
{
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < s->pmcs.n; i++) {
		const struct pmc *p = &s->pmcs.v[i]->pmc;

		n += pmcint_is_of_cpus("", p->event.type) && is_of_one_pmu(p, pmc) &&
		     (PMC_IS_VIRTUAL_MODE(p->mode) || PMC_IS_VIRTUAL_MODE(pmc->mode) ||
		      p->cpu == pmc->cpu);
	}
	return n;
}

static bool any_runs(const struct pmcint *s)
{
	size_t i;

	for (i = 0; i < s->pmcs.n; i++)
		if (s->pmcs.v[i]->pmc.running)
			return true;
	return false;
}

/*
 * What is known, or can be tried: not while PMCs of ours may have the counters.  beside: there are
 * others, and it matters that nothing is known.
 */
static void learn_counters(struct pmcint *s, bool beside)
{
	char path[PATH_MAX];

	if (!s->has_counters)
		s->counters = counters_known();
	s->has_counters = true;
	if (s->counters.tried || s->tried_counters || !beside || any_runs(s))
		return;
	s->tried_counters = true;
	s->counters = counters_learn("", counters_path(path, sizeof(path)) ? path : NULL,
				     &perf_trial, perf_trial_max());
}

/* Refuses a PMC that would have a counter that counts nothing: counters.h. */
static int check_counters(struct pmcint *s, const struct pmc *pmc)
{
	const struct counters *c = &s->counters;
	unsigned int beside;

	/* A collector that knows no counters plays them. */
	if (!s->collector.ops->cpu_info || !pmcint_is_of_cpus("", pmc->event.type))
		return 0;
	beside = count_beside(s, pmc);
	learn_counters(s, beside);
	if (c->good == c->tried || beside < c->good)
		return 0;
	err_set(pmcint_last(), EX_UNAVAILABLE,
		"%s: of %u counters of this machine %u count nothing: %u PMCs at once count right, "
		"and not more",
		pmc->event.name, c->tried, c->dead, c->good);
	err_hint(pmcint_last(), "use fewer events at once; pmccontrol doctor looks again");
	return EINVAL;
}

int pmcint_choose_row(struct pmcint *s, struct pmc *pmc)
{
	const struct pmc_classinfo *classinfo;
	const struct pmc_cpuinfo *info;
	uint32_t row = 0, end = 0;
	int error = pmcint_cpuinfo(s, &info);

	if (!error)
		error = check_counters(s, pmc);
	if (error)
		return error;
	classinfo = pmcint_class(info, pmc->event.pm_class);
	if (classinfo) {
		row = first_row(info, classinfo);
		end = row + classinfo->pm_num;
	}
	while (row < end && !is_free_for(s, row, pmc))
		row++;
	if (row == end)
		for (row = info->pm_npmc; row < ROWS && !is_free_for(s, row, pmc); row++)
			;
	if (row >= ROWS)
		return pmcint_refuse(EINVAL, "all %d rows of a CPU are in use", ROWS);
	pmc->id = PMC_ID_MAKE_ID(pmc->cpu == PMC_CPU_ANY ? CPU_PROCESS : pmc->cpu, pmc->mode,
				 pmc->event.pm_class, row);
	return 0;
}

/* What this process has in a row of a CPU. */
static void describe_row(const struct pmcint *s, const struct pmc_classinfo *classinfo,
			 uint32_t index, uint32_t row, int cpu, struct pmc_info *info)
{
	const struct pmc *user = user_of(s, row, cpu);

	*info = (struct pmc_info){.pm_class = classinfo->pm_class,
				  .pm_enabled = 1,
				  .pm_rowdisp = PMC_DISP_FREE,
				  .pm_ownerpid = -1,
				  .pm_mode = PMC_MODE_INVALID};
	snprintf(info->pm_name, sizeof(info->pm_name), "%s-%u",
		 pmc_name_of_class(classinfo->pm_class), index);
	if (!user)
		return;
	info->pm_rowdisp = PMC_IS_SYSTEM_MODE(user->mode) ? PMC_DISP_STANDALONE : PMC_DISP_THREAD;
	if (PMC_IS_SYSTEM_MODE(user->mode) && user->cpu != cpu)
		return;
	info->pm_ownerpid = getpid();
	info->pm_mode = user->mode;
	info->pm_event = (enum pmc_event)user->event.number;
	info->pm_flags = user->flags;
	info->pm_reloadcount = PMC_IS_SAMPLING_MODE(user->mode) ? user->rate : 0;
}

/* The checks of functions that name a CPU, in hwpmc(4)'s order. */
static int check_cpu(int cpu, const struct pmc_cpuinfo *info)
{
	if (cpu < 0 || (uint32_t)cpu >= info->pm_ncpu)
		return pmcint_refuse(EINVAL, "CPUs have numbers from 0 to %u, not %d",
				     info->pm_ncpu - 1, cpu);
	if (pmc_cpu_is_online(cpu))
		return 0;
	return pmcint_refuse(ENXIO, "CPU %d is not online", cpu);
}

static int describe_rows(struct pmcint *s, int cpu, const struct pmc_cpuinfo *cpuinfo,
			 struct pmc_info *rows)
{
	const struct pmc_classinfo *classinfo = cpuinfo->pm_classes;
	struct pmc_collector *c = &s->collector;
	uint32_t row, base = 0;

	if (c->ops->pmc_info)
		return c->ops->pmc_info(c, cpu, rows, cpuinfo->pm_npmc, pmcint_last())
			       ? pmcint_last()->error
			       : 0;
	for (row = 0; row < cpuinfo->pm_npmc; row++) {
		for (; row == base + classinfo->pm_num; classinfo++)
			base += classinfo->pm_num;
		describe_row(s, classinfo, row - base, row, cpu, &rows[row]);
	}
	return 0;
}

static int pmcinfo(struct pmcint *s, int cpu, struct pmc_pmcinfo **result)
{
	const struct pmc_cpuinfo *cpuinfo;
	struct pmc_pmcinfo *info;
	int error = pmcint_ready();

	if (!error)
		error = pmcint_cpuinfo(s, &cpuinfo);
	if (!error)
		error = check_cpu(cpu, cpuinfo);
	if (error)
		return error;
	info = calloc(1, sizeof(*info) + cpuinfo->pm_npmc * sizeof(info->pm_pmcs[0]));
	if (!info) {
		err_nomem(pmcint_last());
		return ENOMEM;
	}
	info->pm_cpu = cpu;
	error = describe_rows(s, cpu, cpuinfo, info->pm_pmcs);
	if (error)
		free(info);
	else
		*result = info;
	return error;
}

int pmc_pmcinfo(int cpu, struct pmc_pmcinfo **info)
{
	struct pmcint *s = pmcint_begin();

	return pmcint_done(info ? pmcinfo(s, cpu, info) : pmcint_no_place("rows"));
}

/* Without a switch, rows are on. */
static int administer_nothing(const struct pmcint *s, int cpu, uint32_t row, bool enable)
{
	const struct pmc *user = user_of(s, row, cpu);

	if (enable)
		return 0;
	if (user && (PMC_IS_VIRTUAL_MODE(user->mode) || user->cpu == cpu))
		return pmcint_refuse(EBUSY, "row %u is used by PMC 0x%x", row, user->id);
	return pmcint_refuse(EOPNOTSUPP,
			     "row %u of CPU %d: the collector %s has no switch for single counters",
			     row, cpu, s->collector.ops->name);
}

static int administer(struct pmcint *s, int cpu, int row, bool enable)
{
	struct pmc_collector *c = &s->collector;
	const struct pmc_cpuinfo *info;
	int error = pmcint_ready();

	if (!error)
		error = pmcint_cpuinfo(s, &info);
	if (!error)
		error = check_cpu(cpu, info);
	if (error)
		return error;
	if (row < 0 || (uint32_t)row >= info->pm_npmc)
		return pmcint_refuse(EINVAL, "CPU %d has %u rows, numbered from 0, and no row %d",
				     cpu, info->pm_npmc, row);
	if (!c->ops->admin)
		return administer_nothing(s, cpu, (uint32_t)row, enable);
	return c->ops->admin(c, cpu, (uint32_t)row, enable, pmcint_last()) ? pmcint_last()->error
									   : 0;
}

int pmc_enable(int cpu, int row)
{
	return pmcint_done(administer(pmcint_begin(), cpu, row, true));
}

int pmc_disable(int cpu, int row)
{
	return pmcint_done(administer(pmcint_begin(), cpu, row, false));
}
