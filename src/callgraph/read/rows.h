/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions by their own samples and by those of what they called. */
#ifndef CALLGRAPH_ROWS_H
#define CALLGRAPH_ROWS_H

#include "callgraph/model/view.h"

struct cg_row {
	uint32_t function; /* index of functions */
	uint64_t self;	   /* samples with the function as leaf */
	uint64_t total;	   /* samples with the function anywhere, counted once a sample */
	uint64_t base_self, base_total; /* the same in the base of a comparison */
};

typedef VEC(struct cg_row) cg_rows;

/* The order of two functions, given by index, by name and then object: as strcmp(3). */
int cg_function_compare(const struct cg_profile *p, uint32_t a, uint32_t b);

/*
 * Fills rows with the functions of a view, hottest first by self, total, name and object.
 * 0, or -1 when out of memory.
 */
int cg_rows_count(const struct cg_view *view, cg_rows *rows);

#endif
