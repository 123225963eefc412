/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What an event has that this machine lacks: precise sampling, an interrupt, a mode, the event.
 */
#ifndef PMC_EVENT_MISSING_H
#define PMC_EVENT_MISSING_H

#include <linux/perf_event.h>

#include "pmc/events/events.h"

/* An event that perf_event_open(2) refused. */
struct event_refusal {
	const char *root; /* its /sys is below */
	pmcint_try try;
	const struct pmc_eventspec *event;
	const struct perf_event_attr *attr;
	int error;
};

/*
 * Tries the event with one part after the other, in the user mode of this process, which takes no
 * rights.  True: the machine refuses a part, and err says which; false: it could have all that can
 * be tried with this user's rights.
 */
bool pmcint_event_missing(const struct event_refusal *r, struct err *err);

#endif
