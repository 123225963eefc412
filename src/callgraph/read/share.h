/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whether a share of the samples changed from one profile to another, or only by chance.
 *
 * Chance is that of sampling: of all samples of both profiles together those with a function are
 * taken as dealt out to the two at random (the hypergeometric distribution, Fisher's exact test).
 * That holds for any count and for totals that differ, where a normal approximation fails for few
 * samples.  What changes from run to run in the program itself is not chance of this kind.
 */
#ifndef CALLGRAPH_SHARE_H
#define CALLGRAPH_SHARE_H

#include <stddef.h>
#include <stdint.h>

/* Samples of one thing in the base and now. */
struct cg_counts {
	uint64_t base, now;
};

enum cg_verdict {
	CG_NOISE,
	CG_MAYBE, /* beyond 3 standard errors, but among so many comparisons some are by chance */
	CG_REAL,  /* beyond them for as many comparisons as were made */
};

struct cg_share {
	double change; /* percentage points */
	double error;  /* its standard error, by Agresti and Caffo's estimate: never 0 */
	double chance; /* the probability of counts at least as unequal if nothing changed */
};

/* all: what both counts are parts of. */
struct cg_share cg_share_change(struct cg_counts counts, struct cg_counts all);

/* The least chance that any split of as many samples could have. */
double cg_share_least_chance(struct cg_counts counts, struct cg_counts all);

/*
 * By how many comparisons the limit of one is to be divided so that all n that are made together
 * keep it: Bonferroni's n without those that could not pass anyway, by Tarone's rule.  least are
 * their least chances, which it sorts.
 */
size_t cg_share_comparisons(double *least, size_t n);

enum cg_verdict cg_share_verdict(double chance, size_t comparisons);

#endif
