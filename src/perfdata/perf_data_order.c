// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf writes what each CPU has gathered, one after the other, and says where such a round ends.
 * What a round has is not older than the newest of the round before the last one.
 */
#include "perfdata/perf_data_int.h"

void perf_data_order_fini(struct perf_data_order *o)
{
	vec_free(&o->v);
	vec_free(&o->bytes);
}

int perf_data_order_push(struct perf_data_order *o, uint64_t time,
			 const struct perf_event_header *record, struct err *err)
{
	size_t len = (record->size + 7u) & ~7u;

	if (vec_reserve(&o->bytes, o->bytes.n + len) ||
	    vec_push(&o->v, (struct perf_data_queued){time, o->bytes.n}))
		return err_nomem(err);
	memcpy(o->bytes.v + o->bytes.n, record, record->size);
	o->bytes.n += len;
	o->late += time && time < o->told;
	if (time > o->latest)
		o->latest = time;
	return 0;
}

/* What has no time comes first; at one time the file's order counts. */
static int by_time(const void *a, const void *b)
{
	const struct perf_data_queued *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static int by_place(const void *a, const void *b)
{
	const struct perf_data_queued *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

static const struct perf_event_header *record_at(const struct perf_data_order *o, uint64_t at)
{
	return (const void *)(o->bytes.v + at);
}

/* Moves up what is left of n that were given out. */
static void forget(struct perf_data_order *o, size_t n)
{
	struct perf_data_queued *q;
	uint64_t to = 0;

	vec_remove(&o->v, 0, n);
	if (o->v.n)
		qsort(o->v.v, o->v.n, sizeof(*o->v.v), by_place);
	vec_each(q, &o->v) {
		size_t len = (record_at(o, q->at)->size + 7u) & ~7u;

		memmove(o->bytes.v + to, o->bytes.v + q->at, len);
		q->at = to;
		to += len;
	}
	o->bytes.n = to;
}

/* Gives out what is not later than bound, and no more than max records. */
static void give_out(struct perf_data_order *o, uint64_t bound, size_t max, perf_data_emit_fn *emit,
		     void *arg)
{
	size_t n;

	if (!o->v.n)
		return;
	qsort(o->v.v, o->v.n, sizeof(*o->v.v), by_time);
	for (n = 0; n < o->v.n && n < max && o->v.v[n].time <= bound; n++) {
		emit(arg, o->v.v[n].time, record_at(o, o->v.v[n].at));
		if (o->v.v[n].time > o->told)
			o->told = o->v.v[n].time;
	}
	forget(o, n);
}

void perf_data_order_round(struct perf_data_order *o, perf_data_emit_fn *emit, void *arg)
{
	/* Before anything has a time it is not known when the log begins. */
	if (o->round)
		give_out(o, o->round, SIZE_MAX, emit, arg);
	o->round = o->latest;
}

void perf_data_order_half(struct perf_data_order *o, perf_data_emit_fn *emit, void *arg)
{
	give_out(o, UINT64_MAX, o->v.n / 2 + 1, emit, arg);
}

void perf_data_order_all(struct perf_data_order *o, perf_data_emit_fn *emit, void *arg)
{
	give_out(o, UINT64_MAX, SIZE_MAX, emit, arg);
}
