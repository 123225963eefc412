/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions by their own samples and by those of what they called. */
#ifndef CALLGRAPH_SAMPLED_FUNCTIONS_H
#define CALLGRAPH_SAMPLED_FUNCTIONS_H

#include "callgraph/model/view.h"

struct cg_sampled_function {
	uint32_t function; /* index of functions */
	uint64_t self;	   /* samples with the function as leaf */
	uint64_t total;	   /* samples with the function anywhere, counted once a sample */
	uint64_t base_self, base_total; /* the same in the base of a comparison */
};

typedef VEC(struct cg_sampled_function) cg_sampled_functions;

/* The order of two functions, given by index, by name and then object: as strcmp(3). */
int cg_function_compare(const struct cg_profile *p, uint32_t a, uint32_t b);

/*
 * Fills functions with those of a view, hottest first by self, total, name and object.
 * 0, or -1 when out of memory.
 */
int cg_sampled_functions_count(const struct cg_view *view, cg_sampled_functions *functions);

#endif
