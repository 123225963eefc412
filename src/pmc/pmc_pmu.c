// SPDX-License-Identifier: BSD-2-Clause
/*
 * FreeBSD's pmc_pmu_*(): what its programs ask of the tables of events.
 *
 * Four of them print by their contract, on the caller's standard output: nothing else in a library
 * does.  The number of an event is that of the log.  A cpuid chooses a table there; here all CPUs
 * have the same.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pmc/events/events.h"
#include "pmc/pmcint.h"

/* What FreeBSD's library says of events that it does not know; its programs compare with it. */
enum { SAMPLE_RATE_UNKNOWN = 65536 };

int pmc_pmu_enabled(void)
{
	return 1;
}

struct match {
	const char *text;
	void (*print)(const struct pmc_event_info *info);
};

static int print_match(const struct pmc_event_info *info, void *arg)
{
	const struct match *m = arg;

	if (!m->text || strcasestr(info->name, m->text))
		m->print(info);
	return 0;
}

/* The events whose names hold text, in any case; NULL: all. */
static void each_match(const char *text, void (*print)(const struct pmc_event_info *info))
{
	struct match match = {.text = text, .print = print};

	pmc_each_event(false, print_match, &match);
}

static void print_name(const struct pmc_event_info *info)
{
	fprintf(stdout, "\t%s\n", info->name);
}

static void print_summary(const struct pmc_event_info *info)
{
	fprintf(stdout, "%s:\t%s\n", info->name, info->summary);
}

/* The first text of an event of libpfm4 is its own. */
static int keep_text(const char *name, const char *text, void *arg)
{
	(void)name;
	snprintf(arg, 1024, "%s", text);
	return 1;
}

/* A name with a unit mask has the text of the mask; that of the event goes before it. */
static void print_long(const struct pmc_event_info *info)
{
	char event[128], text[1024] = "";

	snprintf(event, sizeof(event), "%.*s", (int)strcspn(info->name, ":"), info->name);
	if (strcmp(event, info->name) != 0)
		pmcint_describe_pfm(event, keep_text, text);
	if (text[0])
		fprintf(stdout, "%s:\n%s: %s\n", info->name, text, info->summary);
	else
		print_summary(info);
}

static void print_full(const struct pmc_event_info *info)
{
	struct pmc_eventspec e;

	fprintf(stdout, "name: %s\ndesc: %s\n", info->name, info->summary);
	if (pmc_event_parse(info->name, &e, NULL))
		return;
	fprintf(stdout, "event: type=%u,config=0x%llx", e.type, (unsigned long long)e.config);
	if (e.config1)
		fprintf(stdout, ",config1=0x%llx", (unsigned long long)e.config1);
	if (e.config2)
		fprintf(stdout, ",config2=0x%llx", (unsigned long long)e.config2);
	fprintf(stdout, ",period=%llu\npmu: %s\n", (unsigned long long)e.default_rate,
		pmc_name_of_class(e.pm_class));
}

void pmc_pmu_print_counters(const char *text)
{
	each_match(text, print_name);
}

void pmc_pmu_print_counter_desc(const char *text)
{
	each_match(text, print_summary);
}

void pmc_pmu_print_counter_desc_long(const char *text)
{
	each_match(text, print_long);
}

void pmc_pmu_print_counter_full(const char *text)
{
	each_match(text, print_full);
}

uint64_t pmc_pmu_sample_rate_get(const char *event)
{
	struct pmc_eventspec e;

	return event && !pmc_event_parse(event, &e, pmcint_last()) ? e.default_rate
								   : SAMPLE_RATE_UNKNOWN;
}

int pmc_pmu_idx_get_by_event(const char *cpuid, const char *event)
{
	struct pmc_eventspec e;

	(void)cpuid;
	return event && !pmc_event_parse(event, &e, pmcint_last()) ? (int)e.number : -1;
}

const char *pmc_pmu_event_get_by_idx(const char *cpuid, int idx)
{
	(void)cpuid;
	return pmc_name_of_event((enum pmc_event)idx);
}

int pmc_pmu_pmcallocate(const char *event, struct pmc_op_pmcallocate *op)
{
	struct pmc_eventspec e;

	if (!event || !op)
		return pmcint_no_place(event ? "event's description" : "event");
	if (pmc_event_parse(event, &e, pmcint_last()))
		return pmcint_last()->code == EX_NOPERM ? EPERM : ENOENT;
	op->pm_caps |= PMC_CAP_READ;
	if (e.pm_class != PMC_CLASS_TSC)
		op->pm_caps |= PMC_CAP_WRITE;
	if (e.exclude_kernel)
		op->pm_caps |= PMC_CAP_USER;
	if (e.exclude_user)
		op->pm_caps |= PMC_CAP_SYSTEM;
	op->pm_class = e.pm_class;
	op->pm_ev = (enum pmc_event)e.number;
	op->pm_flags |= PMC_F_EV_PMU;
	op->pm_md = (union pmc_md_op_pmcallocate){.pm_perf = {.pm_perf_type = e.type,
							      .pm_perf_config = e.config,
							      .pm_perf_config1 = e.config1,
							      .pm_perf_config2 = e.config2}};
	return 0;
}

int pmc_pmu_stat_mode(const char ***events)
{
	static const char *const names[] = {"cycles",	     "instructions",	 "branches",
					    "branch-misses", "cache-references", "cache-misses"};
	struct pmc_eventspec e;

	if (!events)
		return pmcint_no_place("events");
	if (pmc_event_parse(names[0], &e, pmcint_last()) ||
	    !pmcint_event_works(&e, pmcint_try_event))
		return pmcint_refuse(EOPNOTSUPP, "this machine has no counters for %s", names[0]);
	*events = (const char **)(uintptr_t)names;
	return 0;
}
