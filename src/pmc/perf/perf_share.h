/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How long PMCs had counters, told to the log.
 *
 * Where there are more events than counters the kernel has them take turns.  It tells only when
 * asked, event by event, so it is asked now and then: seldom where there are many events, for a
 * hundredth of the time at most.
 */
#ifndef PMC_PERF_SHARE_H
#define PMC_PERF_SHARE_H

#include "pmc/perf/perf_attr.h"
#include "pmc/perf/perf_pmc.h"
#include "pmc/perf/perf_record.h"

struct perf_share {
	/* Borrowed. */
	const struct perf_machine *machine;
	const struct perf_pmcs *pmcs;
	struct perf_record_reader *records; /* its writer is the log's */
	uint64_t next;			    /* time when it is to ask again */
};

/* Whether the events of a PMC need hardware, which others may have. */
bool perf_can_share(const struct pmc *pmc);
/*
 * How much of the time enabled (ns) it had a counter, by times of events that are not read at one
 * moment: all of it, unless one was missing for a turn of the kernel's, or for much of the time.
 * Software always has what it counts with.
 */
uint64_t perf_share_running(const struct pmc *pmc, uint64_t enabled, uint64_t running);

/* From the beginning of a log to its end. */
void perf_share_begin(struct perf_share *s);
void perf_share_round(struct perf_share *s, uint64_t now);
void perf_share_end(struct perf_share *s);
/* The end of a file of the log, and the beginning of the next one. */
void perf_share_turn(struct perf_share *s);
/* The same of one PMC, before its events go (last), or in between. */
void perf_share_tell(struct perf_share *s, struct perf_pmc *p, bool last);

/*
 * For a PMC of PMC_F_NO_SHARING: whether there is a counter for it beside those of the others that
 * are allocated.  0, or -1 with err set.
 */
int perf_share_check(const struct perf_share *s, const struct perf_pmc *p, struct err *err);
/*
 * For a PMC that is to be a member of a group: whether all of it can have counters at once.  0, or
 * -1 with err set.
 */
int perf_share_check_group(const struct perf_share *s, const struct perf_pmc *p, struct err *err);

#endif
