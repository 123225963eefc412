/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ranges of addresses, in order and without overlap.
 *
 * They lie in blocks of a few, so that adding one to a hundred thousand moves few of them, and so
 * that copies have all blocks in common but those in which they differ.
 */
#ifndef CALLGRAPH_RANGES_H
#define CALLGRAPH_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/* The addresses [start, end) of a space, which a map has. */
struct cg_range {
	uint64_t start, end;
	uint32_t map;
	bool guessed; /* the end; yields to what is known to lie there */
};

struct cg_range_block {
	uint32_t refs; /* copies that have it; one alone changes it */
	uint32_t seen; /* by cg_ranges_change_all() */
	VEC(struct cg_range) ranges; /* never empty */
};

/* A zeroed one is empty. */
struct cg_ranges {
	VEC(struct cg_range_block *) blocks;
};

/* Where a range is, or would be. */
struct cg_range_place {
	size_t block, i;
};

void cg_ranges_free(struct cg_ranges *r);

/* Appends copies of all of from to an empty one.  0, or -1 when out of memory. */
int cg_ranges_copy(struct cg_ranges *to, const struct cg_ranges *from);

/* The place of the first range that ends behind address. */
struct cg_range_place cg_ranges_behind(const struct cg_ranges *r, uint64_t address);

/* The range at a place, NULL behind the last one; valid until one is inserted or removed. */
const struct cg_range *cg_ranges_at(const struct cg_ranges *r, struct cg_range_place at);

/* The same of a range that is there, to be changed.  NULL when out of memory. */
struct cg_range *cg_ranges_own(struct cg_ranges *r, struct cg_range_place at);

/*
 * Changes ranges that copies may have in common, each once: all copies must be given, one after
 * the other.  change returns 0, or -1, which ends it.
 */
int cg_ranges_change_all(struct cg_ranges *r, int (*change)(void *arg, struct cg_range *range),
			 void *arg);

/* The place behind that of a range. */
struct cg_range_place cg_ranges_next(const struct cg_ranges *r, struct cg_range_place at);

/* Puts a range before the one at a place.  0, or -1 when out of memory. */
int cg_ranges_insert(struct cg_ranges *r, struct cg_range_place at, struct cg_range range);

/* Takes the range at a place out; the place is then that of the next one.  0, or -1. */
int cg_ranges_remove(struct cg_ranges *r, struct cg_range_place at);

#endif
