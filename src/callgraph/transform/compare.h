/* SPDX-License-Identifier: BSD-2-Clause */
/* Two profiles as one: what was sampled, and what was sampled in the base. */
#ifndef CALLGRAPH_COMPARE_H
#define CALLGRAPH_COMPARE_H

#include "callgraph/model/view.h"

struct cg_comparison {
	const struct cg_profile *both; /* the union, with the samples of now */
	VEC(uint64_t) stacks, events; /* those of base */
	struct cg_base base;
};

/*
 * Compares two profiles.  Their union counts what is now, beside
 * which stand the counts of base.  What is the same in both:
 *
 *	events		by name and spec; by name where that leaves no choice
 *	images		by path; one that only the base has and one that only now has, by the last
 *			part of their paths where that leaves no choice
 *	functions	by name and image.  Addresses without a symbol are only comparable in the
 *			same file: where build-ids differ they become one function [no symbol]
 *	chains		by command name and functions
 *
 * The union's locations stand for whole functions.  Both must outlive the comparison, which has
 * their symbols and some of their texts.  With short_names the union is shown with those of
 * cg_profile_shorten().  NULL with err set when out of memory.
 */
struct cg_comparison *cg_compare(const struct cg_profile *base, const struct cg_profile *now,
				 bool short_names, struct err *err);
void cg_comparison_free(struct cg_comparison *c); /* NULL is legal */

/* What outputs read of it. */
struct cg_view cg_comparison_view(const struct cg_comparison *c);

#endif
