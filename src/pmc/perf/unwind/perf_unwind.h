/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stage 1 of the pump: samples with registers and a piece of the stack become call chains.
 *
 * Such samples are large: seven of 64 KB fill a ring of an ordinary user.  So the kernel's rings
 * are emptied at every wake-up, in order of time, and what is read goes at once to queues laid out
 * like rings, one for each: records of maps, forks, execs and exits change the unwinder's address
 * spaces on the way, samples are unwound and go on without their stack.  Stage 2 is what it would
 * be without stage 1: perf_ring_drain() over the queues, up to a time at which all have arrived.
 */
#ifndef PMC_PERF_UNWIND_H
#define PMC_PERF_UNWIND_H

#include "pmc/perf/perf_queue.h"
#include "pmc/perf/perf_record.h"
#include "pmc/perf/unwind/perf_spaces.h"
#include "pmc/perf/unwind/perf_stitch.h"
#include "pmc/perf/unwind/perf_unwound.h"

/* Frames of a chain at most. */
enum { PERF_UNWIND_DEPTH = PMCLOG_MAX_FRAMES };

struct perf_unwind;

/* records tells whose events are sampled how; borrowed.  NULL when out of memory. */
struct perf_unwind *perf_unwind_new(const struct perf_record_reader *records);
void perf_unwind_free(struct perf_unwind *u); /* NULL is legal */

/*
 * The processes are not those that run here now: their files are opened by path, what their stacks
 * have beside the window is not known.  foreign: they ran on another kernel.
 */
void perf_unwind_past(struct perf_unwind *u, bool foreign);

/* Of the past: how often a file was not here, or was another, and the first of them. */
size_t perf_unwind_missing(const struct perf_unwind *u, const char **path);

/*
 * A record as it goes on from here: a sample that has registers and stack is unwound and valid
 * until the next call.  To be called for all records, in order of time.
 */
const struct perf_event_header *perf_unwind_record(struct perf_unwind *u,
						   const struct perf_event_header *record);

/* What runs now is looked at anew: one process at once, or all when they are sampled. */
void perf_unwind_renew(struct perf_unwind *u, uint32_t pid);
void perf_unwind_forget_all(struct perf_unwind *u);

/* Who gets the records that perf_unwind_drain() finds. */
void perf_unwind_emit_to(struct perf_unwind *u, perf_ring_emit_fn emit, void *arg);
/*
 * As perf_ring_drain(), through the queues: rings that are full do not move the bound.  The ring
 * that emit gets is a queue, whose cpu is that of the ring.
 */
void perf_unwind_drain(struct perf_unwind *u, struct perf_merge *m, struct perf_ring *const *rings,
		       size_t n, uint64_t bound, uint64_t now);

/*
 * Whether rings are to be read at short intervals: stacks are deeper than what is copied of them,
 * and the rest is read from the processes, which do not wait.
 */
bool perf_unwind_hurries(const struct perf_unwind *u);

#endif
