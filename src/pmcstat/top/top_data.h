/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which samples of a growing profile a view of top shows: those of one PMC, thread and object,
 * since the start or since the last refresh.
 */
#ifndef PMCSTAT_TOP_DATA_H
#define PMCSTAT_TOP_DATA_H

#include "pmcstat/top/top_state.h"

struct top_data {
	/*
	 * What views read: the profile (its arrays are borrowed) with one event, that of the chosen
	 * samples, whose stacks are those that have any.
	 */
	struct cg_profile view;
	struct cg_event event;
	VEC(uint32_t) stacks;	/* with chosen samples */
	VEC(uint64_t) counts;	/* chosen samples of every stack */
	VEC(uint64_t) marks[2]; /* samples of every stack at the last refresh, and before that */
	uint64_t samples;	/* chosen */
	uint64_t all;		/* of every PMC, in the same time */
	uint64_t unresolved;	/* of the chosen ones, leaves without a symbol */
	size_t pmcs;		/* how many PMCs there are to choose from */
	uint32_t cpu;		/* of the chosen PMC; CG_NONE: merged */
	VEC(uint64_t) found;	/* event << 32 | cpu of each PMC, ascending */
};

/* All of it; also where the profile has forgotten its stacks. */
void top_data_free(struct top_data *d);

/*
 * A refresh: from now on the samples are those up to now, of a resolved profile, and the delta is
 * what came since the refresh before.  0, or -1 when out of memory.
 */
int top_data_mark(struct top_data *d, const struct cg_profile *p);

/* Chooses as the state says from the samples of the last refresh.  0, or -1: out of memory. */
int top_data_choose(struct top_data *d, const struct cg_profile *p, const struct top_state *s);

#endif
