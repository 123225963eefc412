/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * A ring of wire records from the producers of one CPU, an interrupt above each other, to one
 * consumer.  ring.c opens with why it works.  Both also compile in user space, for tests/unit.
 */
#ifndef HWPMC_RING_H
#define HWPMC_RING_H

#include <asm/barrier.h>
#include <asm/local.h>
#include <linux/compiler.h>
#include <linux/irq_work.h>
#include <linux/timekeeping.h>
#include <linux/types.h>

#include "pmclog/pmclog_wire.h"

struct hwpmc_log;

struct hwpmc_ring {
	u8 *data;		 /* size bytes, a power of 2 */
	unsigned long size;	 /* at least four times the longest record */
	local_t head;		 /* bytes reserved since the beginning; this CPU's producers */
	unsigned int nest;	 /* producers under way; likewise */
	local_t lost;		 /* samples that found no room; likewise */
	local_t records;	 /* other records that found none, here or in the log's queue */
	local_t truncated;	 /* samples whose chain was cut */
	local_t untold;		 /* throttlings whose record found no room */
	unsigned long published; /* what the consumer may read up to; the outermost producer's */
	struct irq_work wake;	 /* wakes the consumer when the ring is half full */
	struct hwpmc_log *log;
	unsigned long tail; /* what has been read; the consumer's */
};

/* A record under construction. */
struct hwpmc_slot {
	struct pmclog_wire_header *record;
	unsigned long end; /* of the reservation */
};

/*
 * Room for length bytes, a multiple of 8; the record has its time.  False when there is none: the
 * caller counts what it was.  True is followed by _commit in the same context.  Preemption off; any
 * context, NMI too.
 */
bool hwpmc_ring_reserve(struct hwpmc_ring *ring, u32 length, struct hwpmc_slot *slot);
/* Gives the record its type and length, 16 bytes at least, and what is not used of it back. */
void hwpmc_ring_commit(struct hwpmc_ring *ring, const struct hwpmc_slot *slot,
		       enum pmclog_wire_type type, u32 length);

/* The consumer's: the next record, whole and contiguous, or NULL; then past it. */
const struct pmclog_wire_header *hwpmc_ring_peek(struct hwpmc_ring *ring);
void hwpmc_ring_advance(struct hwpmc_ring *ring);

static inline u32 hwpmc_record_length(const struct pmclog_wire_header *record)
{
	return record->header & 0xffff;
}

static inline u32 hwpmc_record_type(const struct pmclog_wire_header *record)
{
	return record->header >> 16 & 0xff;
}

/* ns of CLOCK_MONOTONIC, in any context. */
static inline u64 hwpmc_now(void)
{
	return ktime_get_mono_fast_ns();
}

#endif
