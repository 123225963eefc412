// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The ring of a log and a CPU.
 *
 * Producers run on the ring's CPU with preemption off: task code, above it interrupts, above those
 * NMIs.  So they nest like calls: whoever interrupts a producer is through before that goes on.
 * The consumer is the log's writer, on any CPU.  Positions count bytes since the beginning and
 * never wrap; a position modulo size is an offset in data.
 * tail <= published <= head <= tail + size.
 *
 * Reserving.  A producer raises nest, then takes [head, head + n) by a compare-and-exchange that
 * fails when somebody who interrupted it has moved head meanwhile; it then tries again with a new
 * time.  So reservations are disjoint and, on this CPU, in order of their times.  (local_cmpxchg is
 * atomic against interrupts of this CPU, which is all that there is: nobody else writes head.)
 * What would run over the end of data takes the rest as padding, a record of type 0, and begins at
 * offset 0: a record is contiguous.
 *
 * Room.  tail + size / 2, for a tail that some producer has seen, is kept in limit: up to there a
 * reservation need not look at tail.  Behind it tail is read again, with acquire, and limit
 * follows; the bytes are written later, by this CPU: the consumer's reads of what was there before
 * came before its release of tail.  A producer that was interrupted may write an older limit than
 * the one above it did, which is right as well.  Who finds the ring half full wakes the consumer.
 *
 * Giving back.  A chain is walked right into its reservation, which is for the deepest one.  The
 * commit moves head from the end of the reservation back to the end of the record.  Where head has
 * moved, somebody has reserved behind us, and the rest becomes padding.  Head cannot have moved and
 * be the same again: whoever reserved behind us was through before we went on, and has left at
 * least one record there.  Nothing behind a reservation is published before its commit, so head
 * never falls below published.
 *
 * Publishing.  An inner producer must not publish: below its record there are those of the
 * interrupted ones, not yet written.  nest tells: it is raised before a reservation and lowered
 * after the commit, so who finds 1 is the outermost, and all that is reserved is complete (inner
 * ones are through).  It reads head, publishes that with release, lowers nest to 0.  An interrupt
 *   - before it reads head: that head includes the inner record;
 *   - between reading head and nest = 0: the inner one saw nest > 1 and did not publish, and head
 *     has moved.  After nest = 0 the outer one reads head again, sees it, and publishes once more;
 *   - between nest = 0 and that second reading: the inner one is itself the outermost and publishes
 *     its own and ours, which is complete.  The outer one then sees that head has moved and
 *     publishes again, what is there already or more: it reads head anew at nest 1.
 * published never falls: it is written at nest 1 from a head read at nest 1, and whoever comes
 * between the two does not publish.  nest needs no atomic instruction: an interrupt leaves it as it
 * was, so a read-modify-write around it is right.
 *
 * The quiet point.  The consumer takes a time T, some time later sees nest 0 (or a producer that
 * began after T, which it cannot tell and which it waits for as well), then reads published: all
 * records of times up to T are in it, since a producer raises nest before it takes its time.  The
 * "some time later" is for the processor's store buffer: there is no full barrier between nest and
 * the reading of the clock, which would cost more than all the rest.  Processors drain theirs in a
 * microsecond, and when they leave a guest or enter an interrupt; none promises a time.  One that
 * took longer than the consumer waits would not lose its record, but have it written a round late,
 * behind younger ones.  What promises it, an interrupt to each CPU four times a second, would wake
 * those that sleep and disturb those that were set apart.
 *
 * Loss.  A record that finds no room is counted by who wanted it, by local_inc, as interrupts may
 * count too.  Its producer lowers nest like any other, and publishes for those who interrupted it.
 */
#include "ring.h"

/*
 * Whether a reservation may end at end, behind limit; wakes the consumer when the ring is half
 * full.  Producers' contexts.
 */
noinline bool hwpmc_ring_room(struct hwpmc_ring *ring, unsigned long end)
{
	/* Pairs with the consumer's releases of tail: it is through with what was there. */
	unsigned long tail = smp_load_acquire(&ring->tail);

	if (end - tail >= ring->size / 2)
		irq_work_queue(&ring->wake);
	if (end - tail > ring->size)
		return false;
	WRITE_ONCE(ring->limit, tail + ring->size / 2);
	return true;
}

/* Producers' contexts. */
noinline void hwpmc_ring_refuse(struct hwpmc_ring *ring)
{
	hwpmc_ring_leave(ring);
}

/* The last rest bytes of the reservation that ends at end.  Producers' contexts. */
noinline void hwpmc_ring_give_back(struct hwpmc_ring *ring, unsigned long end, u32 rest)
{
	if ((unsigned long)local_cmpxchg(&ring->head, end, end - rest) != end)
		*hwpmc_ring_at(ring, end - rest) = PMCLOG_WIRE_HEADER(HWPMC_RING_PADDING, rest);
}

const struct pmclog_wire_header *hwpmc_ring_peek(struct hwpmc_ring *ring)
{
	/* Pairs with leave(). */
	unsigned long published = smp_load_acquire(&ring->published);

	while (ring->tail != published) {
		const struct pmclog_wire_header *record =
			(const void *)hwpmc_ring_at(ring, ring->tail);

		if (hwpmc_record_type(record) != HWPMC_RING_PADDING)
			return record;
		/* Pairs with hwpmc_ring_reserve(). */
		smp_store_release(&ring->tail, ring->tail + hwpmc_record_length(record));
	}
	return NULL;
}

void hwpmc_ring_advance(struct hwpmc_ring *ring)
{
	u32 length = hwpmc_record_length((const void *)hwpmc_ring_at(ring, ring->tail));

	/* Pairs with hwpmc_ring_reserve(). */
	smp_store_release(&ring->tail, ring->tail + length);
}
