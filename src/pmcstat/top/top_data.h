/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which samples of a growing profile a view of top shows: those of one PMC, thread and object, of
 * the last seconds, since the last refresh or since the start.
 */
#ifndef PMCSTAT_TOP_DATA_H
#define PMCSTAT_TOP_DATA_H

#include "callgraph/model/view.h"
#include "pmcstat/top/top_state.h"

/* What counts as now, in seconds; more where refreshes are further apart. */
enum { TOP_RECENTLY = 5 };

struct top_change {
	uint32_t stack;
	uint64_t count;
};

/* Samples that came between two refreshes. */
struct top_slice {
	double from, to; /* seconds */
	double seconds;	 /* of the log */
	VEC(struct top_change) changes;
};

struct top_data {
	struct cg_view view;	      /* what views read: the stacks with chosen samples */
	struct cg_event event;	      /* that of the chosen PMC */
	VEC(uint32_t) stacks;	      /* with chosen samples */
	VEC(uint64_t) counts;	      /* chosen samples of every stack */
	VEC(uint64_t) marks;	      /* samples of every stack at the last refresh */
	VEC(uint64_t) recent;	      /* of them, those of the slices */
	VEC(struct top_slice) slices; /* the last one ends at the last refresh */
	double marked;		      /* when that was; 0: never */
	double reached;		      /* seconds of the log then, from the first sample on */
	bool anew;		      /* the profile has forgotten what came before the slices */
	uint64_t samples;	      /* chosen */
	uint64_t all;		      /* of every PMC, in the same time, but for idle CPUs */
	uint64_t unit;		      /* nanoseconds of a chosen sample; 0: the event is no clock */
	uint64_t idle, of_pmc;	      /* of the chosen PMC: a clock's on idle CPUs, and all */
	uint32_t cpus;		      /* that the chosen PMC samples; 0: not CPUs, or not known */
	double seconds;		      /* of the log, that the chosen samples are of */
	uint64_t unresolved;	      /* of the chosen ones, leaves without a symbol */
	size_t pmcs;		      /* how many PMCs there are to choose from */
	uint32_t cpu;		      /* of the chosen PMC; CG_NONE: merged */
	VEC(uint64_t) found;	      /* event << 32 | cpu of each PMC, ascending */
};

void top_data_free(struct top_data *d);

/* The profile has forgotten its stacks. */
void top_data_forget(struct top_data *d);

/*
 * A refresh: from now on the samples are those up to now, in seconds from any time on, of a
 * resolved profile.  0, or -1 when out of memory.
 */
int top_data_mark(struct top_data *d, const struct cg_profile *p, double now);

/* The seconds that recent samples are of. */
double top_data_recently(const struct top_data *d);

/* Chooses as the state says from the samples of the last refresh.  0, or -1: out of memory. */
int top_data_choose(struct top_data *d, const struct cg_profile *p, const struct top_state *s);

#endif
