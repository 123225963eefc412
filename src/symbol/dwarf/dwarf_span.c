// SPDX-License-Identifier: BSD-2-Clause
#include "symbol/dwarf/dwarf_span.h"

static int by_low(const void *pa, const void *pb)
{
	const struct dwarf_span *a = pa, *b = pb;

	if (a->low != b->low)
		return a->low < b->low ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

static void swap(struct dwarf_span *a, struct dwarf_span *b)
{
	struct dwarf_span t = *a;

	*a = *b;
	*b = t;
}

/* A heap with the highest rank first. */
static int heap_push(dwarf_spans *heap, struct dwarf_span s)
{
	size_t i = heap->n;

	if (vec_push(heap, s))
		return -1;
	for (; i && heap->v[(i - 1) / 2].rank < heap->v[i].rank; i = (i - 1) / 2)
		swap(&heap->v[i], &heap->v[(i - 1) / 2]);
	return 0;
}

static void heap_pop(dwarf_spans *heap)
{
	size_t i = 0, child;

	heap->v[0] = heap->v[--heap->n];
	while ((child = 2 * i + 1) < heap->n) {
		if (child + 1 < heap->n && heap->v[child].rank < heap->v[child + 1].rank)
			child++;
		if (heap->v[i].rank >= heap->v[child].rank)
			return;
		swap(&heap->v[i], &heap->v[child]);
		i = child;
	}
}

static int add(dwarf_spans *out, uint64_t low, uint64_t high, const struct dwarf_span *of)
{
	struct dwarf_span *last = out->n ? &out->v[out->n - 1] : NULL;

	if (last && last->id == of->id && last->high == low) {
		last->high = high;
		return 0;
	}
	return vec_push(out, (struct dwarf_span){low, high, of->id, of->rank});
}

/* From address to address; heap holds what began and may not have ended. */
static int sweep(const dwarf_spans *in, dwarf_spans *heap, dwarf_spans *out)
{
	uint64_t at = 0, next;
	size_t i = 0;

	while (i < in->n || heap->n) {
		if (!heap->n && in->v[i].low > at)
			at = in->v[i].low;
		for (; i < in->n && in->v[i].low <= at; i++)
			if (heap_push(heap, in->v[i]))
				return -1;
		while (heap->n && heap->v[0].high <= at)
			heap_pop(heap);
		if (!heap->n)
			continue;
		next = heap->v[0].high;
		if (i < in->n && in->v[i].low < next)
			next = in->v[i].low;
		if (add(out, at, next, &heap->v[0]))
			return -1;
		at = next;
	}
	return 0;
}

int dwarf_spans_settle(dwarf_spans *spans)
{
	dwarf_spans heap = {0}, out = {0};
	int ret;

	if (spans->n)
		qsort(spans->v, spans->n, sizeof(*spans->v), by_low);
	ret = sweep(spans, &heap, &out);
	vec_free(&heap);
	vec_free(spans);
	*spans = out;
	return ret;
}

const struct dwarf_span *dwarf_spans_find(const dwarf_spans *spans, uint64_t address)
{
	size_t low = 0, high = spans->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (spans->v[mid].low <= address)
			low = mid + 1;
		else
			high = mid;
	}
	return low && address < spans->v[low - 1].high ? &spans->v[low - 1] : NULL;
}
