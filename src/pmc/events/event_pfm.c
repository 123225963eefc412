// SPDX-License-Identifier: BSD-2-Clause
/* The CPU's own event names, by libpfm4.  Its header brings its own perf_event.h: include no other.
 */
#include <stdio.h>
#include <string.h>

#include "pmc/events/events.h"

#ifdef HAVE_LIBPFM
#include <perfmon/pfmlib_perf_event.h>

static pthread_once_t pfm_once = PTHREAD_ONCE_INIT;
static bool pfm_ready;

static void start_pfm(void)
{
	pfm_ready = pfm_initialize() == PFM_SUCCESS;
}

static bool is_ready(void)
{
	pthread_once(&pfm_once, start_pfm);
	return pfm_ready;
}

static bool encode(const char *name, struct perf_event_attr *attr)
{
	pfm_perf_encode_arg_t arg = {.attr = attr, .size = sizeof(arg)};

	return pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg) ==
	       PFM_SUCCESS;
}

/* The makers, and FreeBSD, write INST_RETIRED.ANY_P what libpfm4 calls INST_RETIRED:ANY_P. */
static bool encode_dotted(const char *name, struct perf_event_attr *attr)
{
	char copy[256], *p;
	int n = snprintf(copy, sizeof(copy), "%s", name);

	if (!strchr(name, '.') || n >= (int)sizeof(copy))
		return false;
	for (p = copy; *p; p++)
		*p = *p == '.' ? ':' : *p;
	return encode(copy, attr);
}

int pmcint_event_pfm(const char *name, struct pmc_eventspec *event)
{
	struct perf_event_attr attr = {.size = sizeof(attr)};

	if (!is_ready() || (!encode(name, &attr) && !encode_dotted(name, &attr)))
		return 0;
	event->type = attr.type;
	event->config = attr.config;
	event->config1 = attr.config1;
	event->config2 = attr.config2;
	event->exclude_kernel |= attr.exclude_kernel;
	event->exclude_user |= attr.exclude_user;
	event->pm_class = attr.type == PERF_TYPE_SOFTWARE || attr.type == PERF_TYPE_TRACEPOINT
				  ? PMC_CLASS_SOFT
				  : PMC_CLASS_CPU;
	event->default_rate = EVENT_RATE_RAW;
	return 1;
}

/* Whether a PMU is of this machine and its CPU's: those of perf are the kernel's names. */
static bool is_of_machine(int id, pfm_pmu_info_t *pmu)
{
	return id != PFM_PMU_PERF_EVENT && id != PFM_PMU_PERF_EVENT_RAW &&
	       pfm_get_pmu_info((pfm_pmu_t)id, pmu) == PFM_SUCCESS && pmu->is_present;
}

enum pfm_state pmcint_pfm_pmus(char *names, size_t size)
{
	pfm_pmu_info_t pmu = {.size = sizeof(pmu)};
	enum pfm_state state = PFM_UNKNOWN_CPU;
	size_t n = 0;
	int id;

	names[0] = '\0';
	for (id = 0; is_ready() && id < PFM_PMU_MAX; id++) {
		if (!is_of_machine(id, &pmu))
			continue;
		if (pmu.type == PFM_PMU_TYPE_CORE)
			state = PFM_KNOWN_CPU;
		if (n < size)
			n += (size_t)snprintf(names + n, size - n, "%s%s", n ? ", " : "", pmu.name);
	}
	return state;
}

/* One name for each unit mask, or the event's where it has none. */
static int list_event(const pfm_event_info_t *event,
		      int (*each)(const char *name, const char *text, void *arg), void *arg)
{
	pfm_event_attr_info_t attr = {.size = sizeof(attr)};
	bool has_umask = false;
	char name[128];
	int i, stop = 0;

	for (i = 0; i < event->nattrs && !stop; i++) {
		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_PERF_EVENT, &attr) ||
		    attr.type != PFM_ATTR_UMASK)
			continue;
		has_umask = true;
		snprintf(name, sizeof(name), "%s:%s", event->name, attr.name);
		stop = each(name, attr.desc, arg);
	}
	return has_umask ? stop : each(event->name, event->desc, arg);
}

int pmcint_each_pfm(int (*each)(const char *name, const char *text, void *arg), void *arg)
{
	pfm_event_info_t event = {.size = sizeof(event)};
	pfm_pmu_info_t pmu = {.size = sizeof(pmu)};
	int i, id, stop = 0;

	for (id = 0; is_ready() && id < PFM_PMU_MAX && !stop; id++) {
		if (!is_of_machine(id, &pmu))
			continue;
		for (i = pmu.first_event; i != -1 && !stop; i = pfm_get_event_next(i))
			if (!pfm_get_event_info(i, PFM_OS_PERF_EVENT, &event))
				stop = list_event(&event, each, arg);
	}
	return stop;
}

int pmcint_describe_pfm(const char *name,
			int (*each)(const char *name, const char *text, void *arg), void *arg)
{
	pfm_event_attr_info_t attr = {.size = sizeof(attr)};
	pfm_event_info_t event = {.size = sizeof(event)};
	int index = is_ready() ? pfm_find_event(name) : -1, i, stop;
	char text[128];

	if (index < 0 || pfm_get_event_info(index, PFM_OS_PERF_EVENT, &event))
		return 0;
	stop = each(event.name, event.desc, arg);
	for (i = 0; i < event.nattrs && !stop; i++) {
		if (pfm_get_event_attr_info(index, i, PFM_OS_PERF_EVENT, &attr))
			continue;
		snprintf(text, sizeof(text), ":%s%s", attr.name,
			 attr.type == PFM_ATTR_UMASK ? "" : "=");
		stop = each(text, attr.desc, arg);
	}
	return stop;
}
#else
enum pfm_state pmcint_pfm_pmus(char *names, size_t size)
{
	(void)size;
	names[0] = '\0';
	return PFM_ABSENT;
}

int pmcint_each_pfm(int (*each)(const char *name, const char *text, void *arg), void *arg)
{
	(void)each;
	(void)arg;
	return 0;
}

int pmcint_describe_pfm(const char *name,
			int (*each)(const char *name, const char *text, void *arg), void *arg)
{
	(void)name;
	return pmcint_each_pfm(each, arg);
}

int pmcint_event_pfm(const char *name, struct pmc_eventspec *event)
{
	(void)name;
	(void)event;
	return 0;
}
#endif
