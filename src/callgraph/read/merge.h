/* SPDX-License-Identifier: BSD-2-Clause */
/* Stacks that differ only in what most outputs do not show, as one. */
#ifndef CALLGRAPH_MERGE_H
#define CALLGRAPH_MERGE_H

#include "callgraph/model/view.h"

/* The stacks of one command with the same functions. */
struct cg_merged {
	const struct cg_stack *stack; /* one of them */
	uint64_t count;		      /* samples of all of them */
	uint64_t base;		      /* in the base of a comparison */
};

typedef VEC(struct cg_merged) cg_merged_stacks;

/*
 * Fills merged with all stacks of a view, sorted by command, then function by function from the
 * root.  0, or -1 when out of memory.
 */
int cg_merge_stacks(const struct cg_view *view, cg_merged_stacks *merged);

#endif
