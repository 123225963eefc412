// SPDX-License-Identifier: BSD-2-Clause
#include <stdbool.h>
#include <string.h>

#include "pmc/perf/perf_ring.h"

_Static_assert(sizeof(struct perf_ring_sample) == 48, "as the kernel lays out the sample type");
_Static_assert(sizeof(struct perf_ring_trailer) == 32, "as the kernel lays out the sample type");

/* Records are multiples of 8 bytes, so that neither a header nor a time ever wraps. */
static uint64_t ring_u64(const struct perf_ring *ring, uint64_t pos)
{
	uint64_t v;

	memcpy(&v, ring->data + (pos & (ring->size - 1)), sizeof(v));
	return v;
}

static struct perf_event_header ring_header(const struct perf_ring *ring, uint64_t pos)
{
	struct perf_event_header h;

	memcpy(&h, ring->data + (pos & (ring->size - 1)), sizeof(h));
	return h;
}

static uint64_t record_time(const struct perf_ring *ring, const struct perf_event_header *h)
{
	uint64_t at;

	if (h->type == PERF_RECORD_SAMPLE)
		at = offsetof(struct perf_ring_sample, time);
	else if (h->size >= sizeof(*h) + sizeof(struct perf_ring_trailer))
		at = h->size - sizeof(struct perf_ring_trailer) +
		     offsetof(struct perf_ring_trailer, time);
	else
		return 0;
	return at + sizeof(uint64_t) <= h->size ? ring_u64(ring, ring->tail + at) : 0;
}

/* Looks at the record at tail; false: none.  Skips all where a size cannot be right. */
static bool ring_look(struct perf_ring *ring)
{
	uint64_t left = ring->head - ring->tail;
	struct perf_event_header h;

	if (!left)
		return false;
	h = ring_header(ring, ring->tail);
	if (left > ring->size || h.size < sizeof(h) || h.size % 8 || h.size > left) {
		/* There is no more to a ring than its size, whatever its head says. */
		ring->broken += left < ring->size ? left : ring->size;
		ring->tail = ring->head;
		return false;
	}
	ring->time = record_time(ring, &h);
	return true;
}

/* Tells the kernel what was read; it may overwrite that at once. */
static void ring_give_back(struct perf_ring *ring)
{
	if (ring->given_back == ring->tail)
		return;
	__atomic_store_n(&ring->ctl->data_tail, ring->tail, __ATOMIC_RELEASE);
	ring->given_back = ring->tail;
}

static void ring_consume(struct perf_merge *m, struct perf_ring *ring, perf_ring_emit_fn emit,
			 void *arg)
{
	uint64_t at = ring->tail & (ring->size - 1);
	struct perf_event_header h = ring_header(ring, ring->tail);
	const void *record = ring->data + at;

	if (at + h.size > ring->size) {
		size_t first = (size_t)(ring->size - at);

		memcpy(m->scratch, ring->data + at, first);
		memcpy((char *)m->scratch + first, ring->data, h.size - first);
		record = m->scratch;
	}
	emit(arg, ring, record);
	ring->tail += h.size;
	if (ring->tail - ring->given_back > ring->size / 8)
		ring_give_back(ring);
}

/* Puts the ring at index i of the heap, whose time may have grown, in its place below. */
static void heap_down(struct perf_ring **heap, size_t n, size_t i)
{
	struct perf_ring *ring = heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= n)
			break;
		if (child + 1 < n && heap[child + 1]->time < heap[child]->time)
			child++;
		if (heap[child]->time >= ring->time)
			break;
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = ring;
}

uint64_t perf_ring_pending(const struct perf_ring *ring)
{
	return __atomic_load_n(&ring->ctl->data_head, __ATOMIC_ACQUIRE) - ring->ctl->data_tail;
}

uint64_t perf_ring_drain(struct perf_merge *m, struct perf_ring *const *rings, size_t n,
			 uint64_t bound, uint64_t now, perf_ring_emit_fn emit, void *arg)
{
	struct perf_ring **heap = m->heap;
	uint64_t count = 0;
	size_t i, used = 0;

	for (i = 0; i < n; i++) {
		struct perf_ring *ring = rings[i];

		ring->head = __atomic_load_n(&ring->ctl->data_head, __ATOMIC_ACQUIRE);
		ring->tail = ring->given_back = ring->ctl->data_tail;
		if (ring->head - ring->tail > ring->size / 4 * 3)
			bound = now > bound ? now : bound;
		if (ring_look(ring))
			heap[used++] = ring;
		else
			ring_give_back(ring);
	}
	for (i = used / 2; i-- > 0;)
		heap_down(heap, used, i);
	while (used && heap[0]->time <= bound) {
		ring_consume(m, heap[0], emit, arg);
		count++;
		if (!ring_look(heap[0])) {
			ring_give_back(heap[0]);
			heap[0] = heap[--used];
		}
		if (used)
			heap_down(heap, used, 0);
	}
	for (i = 0; i < used; i++)
		ring_give_back(heap[i]);
	return count;
}
