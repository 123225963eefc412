/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Numbers of a page as text for its scripts, in digits of 5 bits, the lowest first and 32 added to
 * all but a number's last.  Samples in order of time are steps:
 *
 *	step = 2 * how many steps of time later + is many, if many: samples - 2
 */
#ifndef CALLGRAPH_HTML_DIGITS_H
#define CALLGRAPH_HTML_DIGITS_H

#include "base/sink.h"

struct cg_digits {
	struct sink *sink; /* NULL: digits are only counted */
	size_t used;
};

void cg_digits_put(struct cg_digits *d, uint64_t number);

/* Slots of time in ascending order; a step has so many slots, as a power of 2. */
uint64_t cg_digits_count_steps(const uint16_t *slots, size_t n, unsigned int shift);
void cg_digits_put_steps(struct cg_digits *d, const uint16_t *slots, size_t n, unsigned int shift);

/* A comparison of slots for qsort(3). */
int cg_digits_by_time(const void *a, const void *b);

#endif
