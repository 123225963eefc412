/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Software events that happen once for all perf events of their kind, such as page faults.  Kernels
 * (6.18 still) give each of the samples then the id of the event that came first, be it another
 * recorder's: two PMCs of one session could not be told apart.
 */
#ifndef PMC_PERF_SOFT_H
#define PMC_PERF_SOFT_H

#include "pmc/perf/perf_attr.h"

/* Whether an event is of that kind; clocks tick for each perf event by itself. */
bool perf_soft_is(const struct pmc_eventspec *e);

/*
 * Refuses a PMC that samples what one of the others samples on the same CPU, unless a trial shows
 * that this kernel tells them apart.  0, or -1 with err set.
 */
int perf_soft_check(const struct perf_machine *m, const struct perf_pmc *p,
		    const struct perf_pmcs *others, struct err *err);

#endif
