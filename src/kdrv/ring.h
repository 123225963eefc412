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
#include <linux/types.h>

#include "clock.h"
#include "pmclog/pmclog_wire.h"

struct hwpmc_log;

struct hwpmc_ring {
	u8 *data;		 /* size bytes, a power of 2 */
	unsigned long size;	 /* at least four times the longest record */
	local_t head;		 /* bytes reserved since the beginning; this CPU's producers */
	unsigned int nest;	 /* producers under way; likewise */
	u32 cpu;		 /* whose ring it is */
	unsigned long limit;	 /* up to here there is room, and no need to wake; likewise */
	unsigned long published; /* what the consumer may read up to; the outermost producer's */
	local_t lost;		 /* samples that found no room; this CPU's producers */
	local_t records;	 /* other records that found none, here or in the log's queue */
	local_t missed;		 /* threads that got no counter */
	local_t truncated;	 /* samples whose chain was cut */
	local_t untold;		 /* throttlings whose record found no room */
	struct irq_work wake;	 /* wakes the consumer when the ring is half full */
	struct hwpmc_log *log;
	unsigned long tail; /* what has been read; the consumer's */
};

/* A record under construction. */
struct hwpmc_slot {
	struct pmclog_wire_header *record;
	unsigned long end; /* of the reservation */
	u32 length;	   /* of the reservation, without padding before it */
};

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

enum { HWPMC_RING_PADDING = 0 }; /* type of a record that is none; a length follows from 8 on */

static inline u32 *hwpmc_ring_at(const struct hwpmc_ring *ring, unsigned long position)
{
	return (u32 *)(ring->data + (position & (ring->size - 1)));
}

/* What producers seldom need: ring.c. */
bool hwpmc_ring_room(struct hwpmc_ring *ring, unsigned long end);
void hwpmc_ring_refuse(struct hwpmc_ring *ring);
void hwpmc_ring_give_back(struct hwpmc_ring *ring, unsigned long end, u32 rest);

/* Leaves the ring, the outermost publishing for all. */
static __always_inline void hwpmc_ring_leave(struct hwpmc_ring *ring)
{
	unsigned long head;

	do {
		unsigned int nest = READ_ONCE(ring->nest);

		if (unlikely(nest != 1)) {
			WRITE_ONCE(ring->nest, nest - 1);
			return;
		}
		head = local_read(&ring->head);
		/* Pairs with hwpmc_ring_peek(): the records before it. */
		smp_store_release(&ring->published, head);
		/* Pairs with settle() of writer.c: who sees it sees published. */
		smp_store_release(&ring->nest, 0);
		barrier();
		if (likely((unsigned long)local_read(&ring->head) == head))
			return;
		WRITE_ONCE(ring->nest, READ_ONCE(ring->nest) + 1);
		barrier();
	} while (true);
}

/*
 * Room for length bytes, a multiple of 8; the record has its stamp.  False when there is none: the
 * caller counts what it was.  True is followed by _commit in the same context.  Preemption off; any
 * context, NMI too.
 */
static __always_inline bool hwpmc_ring_reserve(struct hwpmc_ring *ring, u32 length,
					       struct hwpmc_slot *slot)
{
	unsigned long head, start;
	u64 stamp;

	WRITE_ONCE(ring->nest, READ_ONCE(ring->nest) + 1);
	barrier();
	do {
		head = local_read(&ring->head);
		stamp = hwpmc_stamp();
		start = head;
		if (unlikely((head & (ring->size - 1)) + length > ring->size))
			start = (head | (ring->size - 1)) + 1;
		if (unlikely(start + length > READ_ONCE(ring->limit)) &&
		    !hwpmc_ring_room(ring, start + length)) {
			hwpmc_ring_refuse(ring);
			return false;
		}
	} while ((unsigned long)local_cmpxchg(&ring->head, head, start + length) != head);
	if (unlikely(start != head))
		*hwpmc_ring_at(ring, head) = PMCLOG_WIRE_HEADER(HWPMC_RING_PADDING, start - head);
	slot->end = start + length;
	slot->length = length;
	slot->record = (void *)hwpmc_ring_at(ring, start);
	slot->record->spare = 0;
	slot->record->tsc = stamp;
	return true;
}

/* Gives the record its type and length, 16 bytes at least, and what is not used of it back. */
static __always_inline void hwpmc_ring_commit(struct hwpmc_ring *ring,
					      const struct hwpmc_slot *slot,
					      enum pmclog_wire_type type, u32 length)
{
	slot->record->header = PMCLOG_WIRE_HEADER(type, length);
	if (length != slot->length)
		hwpmc_ring_give_back(ring, slot->end, slot->length - length);
	barrier();
	hwpmc_ring_leave(ring);
}

#endif
