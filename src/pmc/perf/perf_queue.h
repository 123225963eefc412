/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A queue of records in memory, laid out like a ring, so that perf_ring_drain() reads it.
 *
 * It grows as it fills, up to a bound, and never so full that a drain would hurry.
 */
#ifndef PMC_PERF_QUEUE_H
#define PMC_PERF_QUEUE_H

#include "pmc/perf/perf_ring.h"

enum { PERF_QUEUE_MAX = 16 << 20 }; /* bytes */

struct perf_queue {
	struct perf_ring ring; /* its ctl is the next */
	struct perf_event_mmap_page ctl;
};

struct perf_queue *perf_queue_new(int cpu); /* NULL when out of memory */
void perf_queue_free(struct perf_queue *q); /* NULL is legal */

/* Appends a copy of a record, whose size is a multiple of 8.  -1: there is no room. */
int perf_queue_push(struct perf_queue *q, const struct perf_event_header *record);

#endif
