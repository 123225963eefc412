// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pmc/perf/perf_queue.h"

enum { FIRST_SIZE = 64 << 10 };

struct perf_queue *perf_queue_new(int cpu)
{
	struct perf_queue *q = calloc(1, sizeof(*q));

	if (!q)
		return NULL;
	q->ring.cpu = cpu;
	q->ring.fd = -1;
	q->ring.ctl = &q->ctl;
	q->ring.size = FIRST_SIZE;
	q->ring.data = malloc(FIRST_SIZE);
	if (q->ring.data)
		return q;
	free(q);
	return NULL;
}

void perf_queue_free(struct perf_queue *q)
{
	if (!q)
		return;
	free(q->ring.data);
	free(q);
}

/* Doubles it; what it has begins at offset 0 then. */
static int grow(struct perf_queue *q)
{
	struct perf_ring *r = &q->ring;
	uint64_t used = q->ctl.data_head - q->ctl.data_tail, at = q->ctl.data_tail & (r->size - 1);
	uint64_t first = used < r->size - at ? used : r->size - at;
	unsigned char *data = r->size < PERF_QUEUE_MAX ? malloc(2 * r->size) : NULL;

	if (!data)
		return -1;
	memcpy(data, r->data + at, first);
	memcpy(data + first, r->data, used - first);
	free(r->data);
	r->data = data;
	r->size *= 2;
	q->ctl.data_tail = 0;
	q->ctl.data_head = used;
	return 0;
}

int perf_queue_push(struct perf_queue *q, const struct perf_event_header *record)
{
	struct perf_ring *r = &q->ring;
	uint64_t at, first;

	while (q->ctl.data_head - q->ctl.data_tail + record->size > r->size / 4 * 3)
		if (grow(q))
			return -1;
	at = q->ctl.data_head & (r->size - 1);
	first = record->size < r->size - at ? record->size : r->size - at;
	memcpy(r->data + at, record, first);
	memcpy(r->data, (const unsigned char *)record + first, record->size - first);
	q->ctl.data_head += record->size;
	return 0;
}
