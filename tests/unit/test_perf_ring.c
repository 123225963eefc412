// SPDX-License-Identifier: BSD-2-Clause
/* The merge of the kernel's rings, over rings in plain memory that a test plays the kernel for. */
#include "pmc/perf/perf_ring.h"
#include "unit.h"

enum { RING_SIZE = 4096, RINGS_MAX = 4, SEEN_MAX = 4096 };

struct fake_ring {
	struct perf_ring ring;
	struct perf_event_mmap_page ctl;
	unsigned char data[RING_SIZE] __attribute__((aligned(8)));
};

/* What was emitted, in order. */
struct seen {
	size_t n;
	struct {
		int cpu;
		uint64_t time, ip;
		uint16_t size;
	} v[SEEN_MAX];
};

struct rings {
	struct fake_ring fake[RINGS_MAX];
	struct perf_ring *list[RINGS_MAX];
	struct perf_ring *heap[RINGS_MAX];
	struct perf_merge merge;
	struct seen seen;
	size_t n;
};

static struct rings *rings_new(size_t n)
{
	struct rings *r = calloc(1, sizeof(*r));
	size_t i;

	for (i = 0; i < n; i++) {
		r->list[i] = &r->fake[i].ring;
		*r->list[i] = (struct perf_ring){.cpu = (int)i,
						 .ctl = &r->fake[i].ctl,
						 .data = r->fake[i].data,
						 .size = RING_SIZE};
	}
	r->merge.heap = r->heap;
	r->n = n;
	return r;
}

static void put(struct fake_ring *f, const void *data, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		f->data[(f->ctl.data_head + i) % RING_SIZE] = ((const unsigned char *)data)[i];
	f->ctl.data_head += len;
}

/* A sample with extra bytes of call chain behind it. */
static void put_sample(struct fake_ring *f, uint64_t time, uint64_t ip, size_t extra)
{
	struct perf_ring_sample s = {
		.header = {.type = PERF_RECORD_SAMPLE, .size = (uint16_t)(sizeof(s) + extra)},
		.ip = ip,
		.time = time};
	uint64_t pc = ip;

	put(f, &s, sizeof(s));
	for (; extra; extra -= 8)
		put(f, &pc, 8);
}

static void put_side_record(struct fake_ring *f, uint64_t time)
{
	struct {
		struct perf_event_header header;
		uint64_t payload;
		struct perf_ring_trailer trailer;
	} rec = {.header = {.type = PERF_RECORD_COMM, .size = sizeof(rec)}, .trailer.time = time};

	put(f, &rec, sizeof(rec));
}

static void emit(void *arg, struct perf_ring *ring, const struct perf_event_header *record)
{
	struct seen *seen = arg;
	const struct perf_ring_sample *s = (const void *)record;
	const uint64_t *pc = (const void *)(s + 1);
	size_t i;

	CHECK_U64((uintptr_t)record % 8, 0);
	seen->v[seen->n].cpu = ring->cpu;
	seen->v[seen->n].time = ring->time;
	seen->v[seen->n].size = record->size;
	if (record->type == PERF_RECORD_SAMPLE && record->size >= sizeof(*s)) {
		seen->v[seen->n].ip = s->ip;
		for (i = 0; i < (record->size - sizeof(*s)) / 8; i++)
			CHECK_U64(pc[i], s->ip);
	}
	seen->n++;
}

static uint64_t drain(struct rings *r, uint64_t bound, uint64_t now)
{
	return perf_ring_drain(&r->merge, r->list, r->n, bound, now, emit, &r->seen);
}

UNIT(records_of_three_cpus_come_out_in_order_of_time)
{
	struct rings *r = rings_new(3);
	size_t i;

	put_sample(&r->fake[0], 10, 1, 0);
	put_sample(&r->fake[0], 40, 4, 16);
	put_sample(&r->fake[1], 20, 2, 8);
	put_side_record(&r->fake[2], 30);
	put_sample(&r->fake[2], 50, 5, 0);
	CHECK_U64(drain(r, 100, 100), 5);
	for (i = 0; i < 5; i++)
		CHECK_U64(r->seen.v[i].time, 10 * (i + 1));
	CHECK_U64(r->seen.v[2].cpu, 2);
	for (i = 0; i < 3; i++)
		CHECK_U64(r->fake[i].ctl.data_tail, r->fake[i].ctl.data_head);
	free(r);
}

UNIT(what_is_newer_than_the_bound_stays_in_the_ring)
{
	struct rings *r = rings_new(2);

	put_sample(&r->fake[0], 10, 1, 0);
	put_sample(&r->fake[0], 30, 3, 0);
	put_sample(&r->fake[1], 31, 4, 0);
	CHECK_U64(drain(r, 20, 35), 1);
	CHECK_U64(perf_ring_pending(r->list[0]), 48);
	/* A record of CPU 1 that became visible late still finds its place. */
	put_sample(&r->fake[1], 32, 5, 0);
	CHECK_U64(drain(r, 35, 60), 3);
	CHECK_U64(r->seen.v[1].ip, 3);
	CHECK_U64(r->seen.v[2].ip, 4);
	CHECK_U64(r->seen.v[3].ip, 5);
	CHECK_U64(perf_ring_pending(r->list[1]), 0);
	free(r);
}

UNIT(records_that_wrap_around_the_end_come_out_whole)
{
	struct rings *r = rings_new(1);
	uint64_t i, time = 0;

	/* 168 does not divide 4096: every round wraps at another place. */
	for (i = 0; i < 500; i++) {
		put_sample(&r->fake[0], ++time, i, 120);
		put_sample(&r->fake[0], ++time, i, 0);
		CHECK_U64(drain(r, UINT64_MAX, time), 2);
	}
	CHECK_U64(r->seen.n, 1000);
	for (i = 0; i < 1000; i++) {
		CHECK_U64(r->seen.v[i].time, i + 1);
		CHECK_U64(r->seen.v[i].ip, i / 2);
		CHECK_U64(r->seen.v[i].size, i % 2 ? 48 : 168);
	}
	free(r);
}

UNIT(a_ring_that_is_almost_full_is_emptied_up_to_now)
{
	struct rings *r = rings_new(2);
	uint64_t i;

	for (i = 0; i < 70; i++)
		put_sample(&r->fake[0], 100 + i, i, 0);
	put_sample(&r->fake[1], 500, 7, 0);
	/* 70 * 48 = 3360 of 4096 bytes: all are newer than the bound, and all but the last go. */
	CHECK_U64(drain(r, 50, 168), 69);
	CHECK_U64(perf_ring_pending(r->list[0]), 48);
	CHECK_U64(perf_ring_pending(r->list[1]), 48);
	free(r);
}

UNIT(a_full_ring_takes_room_back_while_it_is_read)
{
	struct rings *r = rings_new(1);
	uint64_t i;

	for (i = 0; i < 64; i++)
		put_sample(&r->fake[0], i, i, 16);
	CHECK_U64(perf_ring_pending(r->list[0]), RING_SIZE);
	CHECK_U64(drain(r, UINT64_MAX, 0), 64);
	CHECK_U64(r->fake[0].ctl.data_tail, RING_SIZE);
	free(r);
}

UNIT(a_size_that_cannot_be_right_ends_the_ring_and_is_counted)
{
	static const uint16_t sizes[] = {0, 4, 13, 4000};
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		struct rings *r = rings_new(1);
		struct perf_event_header h = {.type = PERF_RECORD_SAMPLE, .size = sizes[i]};

		put_sample(&r->fake[0], 1, 1, 0);
		put(&r->fake[0], &h, sizeof(h));
		put_sample(&r->fake[0], 2, 2, 0);
		CHECK_U64(drain(r, UINT64_MAX, 9), 1);
		CHECK_U64(r->list[0]->broken, 56);
		CHECK_U64(perf_ring_pending(r->list[0]), 0);
		/* The ring goes on with what the kernel writes next. */
		put_sample(&r->fake[0], 3, 3, 0);
		CHECK_U64(drain(r, UINT64_MAX, 9), 1);
		free(r);
	}
}

UNIT(records_too_short_for_a_time_are_emitted_at_once)
{
	struct rings *r = rings_new(1);
	struct perf_event_header h = {.type = PERF_RECORD_EXIT, .size = sizeof(h)};

	put(&r->fake[0], &h, sizeof(h));
	h.type = PERF_RECORD_SAMPLE;
	put(&r->fake[0], &h, sizeof(h));
	CHECK_U64(drain(r, 0, 0), 2);
	free(r);
}

UNIT_MAIN(UNIT_ENTRY(records_of_three_cpus_come_out_in_order_of_time),
	  UNIT_ENTRY(what_is_newer_than_the_bound_stays_in_the_ring),
	  UNIT_ENTRY(records_that_wrap_around_the_end_come_out_whole),
	  UNIT_ENTRY(a_ring_that_is_almost_full_is_emptied_up_to_now),
	  UNIT_ENTRY(a_full_ring_takes_room_back_while_it_is_read),
	  UNIT_ENTRY(a_size_that_cannot_be_right_ends_the_ring_and_is_counted),
	  UNIT_ENTRY(records_too_short_for_a_time_are_emitted_at_once))
