/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stacks beyond the piece that was copied with a sample: read from the process itself, when its
 * ring is read, if it may be read.  What buffers hold may have changed since; the last return
 * address within the piece is read again, and must be the same.
 */
#ifndef PMC_PERF_REST_H
#define PMC_PERF_REST_H

#include "pmc/perf/unwind/perf_spaces.h"

/* Room for them; a zeroed one has none yet. */
struct perf_rest {
	uint8_t *stack, *interrupted;
};

void perf_rest_fini(struct perf_rest *r);

/*
 * Whether more was read for n frames that end at the job's window: it is longer then, and has the
 * last two frames as they are now; or the job has the stack that a signal interrupted whose handler
 * has one of its own.  Of the former no more is read than up to an address.  Both last until the
 * next call.
 */
bool perf_rest_read(struct perf_rest *r, struct space_process *process, struct unwind_job *job,
		    size_t n, uint64_t to);

#endif
