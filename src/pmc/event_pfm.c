// SPDX-License-Identifier: BSD-2-Clause
/* The CPU's own event names, by libpfm4.  Its header brings its own perf_event.h: include no other.
 */
#include "pmc/events.h"

#ifdef HAVE_LIBPFM
#include <perfmon/pfmlib_perf_event.h>

static pthread_once_t pfm_once = PTHREAD_ONCE_INIT;
static bool pfm_ready;

static void start_pfm(void)
{
	pfm_ready = pfm_initialize() == PFM_SUCCESS;
}

int pmcint_event_pfm(const char *name, struct pmc_eventspec *event)
{
	struct perf_event_attr attr = {.size = sizeof(attr)};
	pfm_perf_encode_arg_t arg = {.attr = &attr, .size = sizeof(arg)};

	pthread_once(&pfm_once, start_pfm);
	if (!pfm_ready ||
	    pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg))
		return 0;
	event->type = attr.type;
	event->config = attr.config;
	event->config1 = attr.config1;
	event->config2 = attr.config2;
	event->exclude_kernel |= attr.exclude_kernel;
	event->exclude_user |= attr.exclude_user;
	event->class = attr.type == PERF_TYPE_SOFTWARE || attr.type == PERF_TYPE_TRACEPOINT
			       ? PMC_CLASS_SOFT
			       : PMC_CLASS_CPU;
	event->default_rate = EVENT_RATE_RAW;
	return 1;
}
#else
int pmcint_event_pfm(const char *name, struct pmc_eventspec *event)
{
	(void)name;
	(void)event;
	return 0;
}
#endif
