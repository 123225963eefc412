/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernel's ring buffers, one per CPU, and their merge into one stream in order of time.
 *
 * Records are used where they lie in the ring; only one that wraps around its end is copied.  All
 * of this works on any memory laid out like a ring, so that it can be tested without a kernel.
 */
#ifndef PMC_PERF_RING_H
#define PMC_PERF_RING_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

#include "pmc/perf/perf_event.h"

/* What every event of this collector samples: see perf_attr.c.  A call chain may follow. */
#define PERF_RING_SAMPLE_TYPE                                                           \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	 PERF_SAMPLE_CPU)

/* The head of a PERF_RECORD_SAMPLE of that type. */
struct perf_ring_sample {
	struct perf_event_header header;
	uint64_t id;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, pad;
};

/* The end of every other record (attr.sample_id_all). */
struct perf_ring_trailer {
	uint32_t pid, tid;
	uint64_t time;
	uint32_t cpu, pad;
	uint64_t id;
};

struct perf_ring {
	int cpu;
	int fd;	  /* of the event that owns the ring */
	int heir; /* of one that writes to it since its CPU was off, which ended that; -1: none */
	struct perf_seen seen; /* of execs: by whichever of them */
	struct perf_event_mmap_page *ctl;
	unsigned char *data;
	uint64_t size;	 /* bytes of data, a power of two */
	size_t map_size; /* bytes mapped at ctl */
	uint64_t told;	 /* records that LOST records accounted for */
	uint64_t lost;	 /* records lost by events that are closed by now (PERF_FORMAT_LOST) */
	uint64_t asked;	 /* by open ones, which were asked; reset when told */
	uint64_t broken; /* bytes that held no record and were skipped; reset when told */
	/* One drain's: */
	uint64_t head, tail, given_back;
	uint64_t time; /* of the record at tail */
};

/* record is whole, aligned to 8 and valid during the call. */
typedef void (*perf_ring_emit_fn)(void *arg, struct perf_ring *ring,
				  const struct perf_event_header *record);

struct perf_merge {
	struct perf_ring **heap; /* room for as many as there are rings */
	uint64_t scratch[65536 / sizeof(uint64_t)];
};

/*
 * Emits the records of all rings up to the time bound, oldest first, and gives their room back to
 * the kernel.  Where a ring is more than three quarters full the bound is now instead: a possible
 * disorder is better than a loss.  Returns the number of records.
 */
uint64_t perf_ring_drain(struct perf_merge *m, struct perf_ring *const *rings, size_t n,
			 uint64_t bound, uint64_t now, perf_ring_emit_fn emit, void *arg);

/* The bytes of a ring that await reading. */
uint64_t perf_ring_pending(const struct perf_ring *ring);

#endif
