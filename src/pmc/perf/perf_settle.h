/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What becomes of a PMC on this kernel, before it is opened: what perf would take and not do is
 * refused, and what only a try can tell is tried.  All return 0, or -1 with err set.
 */
#ifndef PMC_PERF_SETTLE_H
#define PMC_PERF_SETTLE_H

#include "pmc/perf/perf_attr.h"

/* Scope, modes, CPU and rate. */
int perf_settle_request(const struct perf_machine *m, const struct pmc *pmc, struct err *err);
/* The rate alone, which may be set again later. */
int perf_settle_rate(const struct pmc *pmc, struct err *err);

/*
 * Finds the attributes that this kernel accepts.  Where the user may not look into the kernel, user
 * code alone is profiled, and the event's name says so.
 */
int perf_settle_event(const struct perf_machine *m, const struct perf_pmcs *pmcs,
		      struct perf_pmc *p, struct err *err);
/* For a PMC that logs its counts: finds out whether there is what tells them. */
int perf_settle_counts(struct perf_machine *m, const struct perf_pmcs *pmcs, struct perf_pmc *p,
		       struct err *err);

#endif
