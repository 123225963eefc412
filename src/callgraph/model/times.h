/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How much of its time a PMC sampled: with more PMCs than counters the kernel has them take turns,
 * and one whose samples come too fast is paused.
 */
#ifndef CALLGRAPH_TIMES_H
#define CALLGRAPH_TIMES_H

#include "callgraph/model/profile.h"

/* A share of all of a PMC's time; others are below it. */
enum { CG_WHOLE_TIME = 10000 };

/* The share of its time that something had a counter, rounded down; all where it is not known. */
unsigned int cg_time_share(const struct cg_times *t);

/* Roughly how many more samples there were, but for pauses; 0: none, or nobody knows. */
uint64_t cg_samples_missed(const struct cg_event *e);

/*
 * Of CPUs that a clock sampled for so many seconds, those that none of its samples stands for; 0:
 * no more than chance makes, or not known.  On some kernels and hosts that is most of the time that
 * a CPU sleeps: samples that come late count once.
 */
double cg_seconds_unsampled(const struct cg_event *e, uint64_t samples, uint32_t cpus,
			    double seconds);

/*
 * Of the time on CPUs that a clock was to sample, how much its samples stand for, in seconds; all 0
 * where that is no less than chance makes it, or not known.
 */
struct cg_sampled_time {
	double sampled, all;
};

struct cg_sampled_time cg_sampled_time_of(const struct cg_profile *p, const struct cg_event *e);

/* Those of a PMC of the log; all 0 where it says nothing of it. */
struct cg_pmc_times cg_pmc_times_of(const struct cg_profile *p, uint32_t pmcid);

#endif
