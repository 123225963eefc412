// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "pmc/perf/unwind/perf_stitch.h"

void perf_stitch_fini(struct perf_stitch *st)
{
	size_t i;

	for (i = 0; i < PERF_STITCH_SLOTS; i++) {
		free(st->slot[i].last.frames);
		free(st->slot[i].deepest.frames);
	}
	memset(st, 0, sizeof(*st));
}

static bool is_of(const struct stitch_chain *c, const struct stitch_thread *t)
{
	return c->tid == t->tid && c->pid == t->pid && c->generation == t->generation;
}

/* Whether half of a later chain, from its root on, is of c: the thread is still about that. */
static bool goes_on(const struct stitch_chain *c, const struct unwind_frame *frames, size_t n)
{
	size_t i;

	for (i = 1; i <= n && i <= c->n; i++)
		if (c->frames[c->n - i].cfa != frames[n - i].cfa ||
		    c->frames[c->n - i].pc != frames[n - i].pc)
			break;
	return 2 * (i - 1) >= n;
}

void perf_stitch_keep(struct perf_stitch *st, const struct stitch_thread *t,
		      const struct unwind_frame *frames, size_t n)
{
	struct stitch_chain *c = &st->slot[t->tid % PERF_STITCH_SLOTS].last;
	struct stitch_chain *deepest = &st->slot[t->tid % PERF_STITCH_SLOTS].deepest, old = *c;
	struct stitch_frame *room;
	uint32_t i;

	if (is_of(deepest, t) && !goes_on(deepest, frames, n))
		deepest->n = 0;
	if (is_of(c, t) && n < c->n && (!is_of(deepest, t) || c->n >= deepest->n) &&
	    goes_on(c, frames, n)) {
		*c = *deepest;
		*deepest = old;
	}
	c->n = 0;
	if (n > c->cap && st->room + (n - c->cap) > PERF_STITCH_ROOM)
		perf_stitch_fini(st);
	if (n > c->cap) {
		room = realloc(c->frames, n * sizeof(*room));
		if (!room)
			return;
		st->room += n - c->cap;
		c->frames = room;
		c->cap = (uint32_t)n;
	}
	c->tid = t->tid;
	c->pid = t->pid;
	c->generation = t->generation;
	c->n = (uint32_t)n;
	for (i = 0; i < n; i++)
		c->frames[i] = (struct stitch_frame){frames[i].pc, frames[i].cfa, frames[i].exact};
}

/* Where c has the frame; c->n: nowhere. */
static uint32_t find(const struct stitch_chain *c, const struct stitch_thread *t,
		     const struct unwind_frame *frame)
{
	uint32_t i;

	for (i = 0; is_of(c, t) && i < c->n; i++)
		if (c->frames[i].cfa == frame->cfa && c->frames[i].pc == frame->pc)
			return i;
	return c->n;
}

size_t perf_stitch_append(const struct perf_stitch *st, const struct stitch_thread *t,
			  struct unwind_frame *frames, size_t n, size_t max, bool *whole)
{
	const struct stitch_chain *c = &st->slot[t->tid % PERF_STITCH_SLOTS].last;
	const struct unwind_frame *last = &frames[n - 1];
	uint32_t i;

	*whole = false;
	if (!last->cfa)
		return n;
	i = find(c, t, last);
	if (i == c->n) {
		c = &st->slot[t->tid % PERF_STITCH_SLOTS].deepest;
		i = find(c, t, last);
	}
	if (i == c->n)
		return n;
	while (++i < c->n && n < max)
		frames[n++] = (struct unwind_frame){.pc = c->frames[i].pc,
						    .cfa = c->frames[i].cfa,
						    .how = UNWIND_HOW_STITCHED,
						    .exact = c->frames[i].exact};
	*whole = i >= c->n;
	return n;
}

bool perf_stitch_holds(const struct unwind_frame *frames, size_t n, size_t all, unsigned int word,
		       const struct unwind_window *w)
{
	uint64_t at, value;
	size_t i;

	for (i = n; i < all; i++) {
		at = frames[i - 1].cfa - word - w->address;
		value = 0;
		if (frames[i].exact || at > w->length || w->length - at < word)
			return false;
		memcpy(&value, w->bytes + at, word);
		if (value != frames[i].pc)
			return false;
	}
	return true;
}
