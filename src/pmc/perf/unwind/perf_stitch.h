/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chains that are deeper than the piece of the stack that was copied.
 *
 * Every thread's last whole chain is kept, and the deepest of those before it: recursion goes down
 * and up many times between two samples.  Where a later one ends at the window, in a frame that
 * a kept one has at the same place on the stack with the same return address, the callers may be
 * the same; they are not where the function has returned and was called by another way.  So it is
 * the stack that tells, as it is when the ring is read: where it has all return addresses of the
 * kept chain they were there before the sample and are behind it.
 * A deepest chain of which a later whole one has less than half its frames is forgotten: the thread
 * has gone elsewhere.
 */
#ifndef PMC_PERF_STITCH_H
#define PMC_PERF_STITCH_H

#include "unwind/unwind.h"

enum {
	PERF_STITCH_SLOTS = 1024,
	PERF_STITCH_ROOM = 1 << 20, /* frames in all, 24 MB: with more all is forgotten */
};

struct stitch_frame {
	uint64_t pc, cfa;
	bool exact;
};

/* A whole chain of a thread, the leaf first. */
struct stitch_chain {
	uint32_t tid, pid, generation; /* of the process: how often it called exec(2) */
	uint32_t n, cap;
	struct stitch_frame *frames;
};

/* A zeroed one is empty.  Threads share slots by their ids: the later one has it. */
struct perf_stitch {
	struct {
		struct stitch_chain last, deepest; /* the latter of those before the last */
	} slot[PERF_STITCH_SLOTS];
	size_t room; /* frames that there is room for in all of them */
};

struct stitch_thread {
	uint32_t pid, tid, generation;
};

void perf_stitch_fini(struct perf_stitch *st);

/* Keeps a whole chain. */
void perf_stitch_keep(struct perf_stitch *st, const struct stitch_thread *t,
		      const struct unwind_frame *frames, size_t n);

/*
 * Appends what is kept of the thread behind the last of n frames, up to max in all; the number that
 * there are then, n where nothing fits.  *whole: none were left out.
 */
size_t perf_stitch_append(const struct perf_stitch *st, const struct stitch_thread *t,
			  struct unwind_frame *frames, size_t n, size_t max, bool *whole);

/*
 * Whether the stack has the return addresses of the frames from n up to all, a word below where
 * the frame before each ends: so calls of x86 leave them.
 */
bool perf_stitch_holds(const struct unwind_frame *frames, size_t n, size_t all, unsigned int word,
		       const struct unwind_window *w);

#endif
