// SPDX-License-Identifier: BSD-2-Clause
/* From program counters to locations and functions, once for each distinct address. */
#include <inttypes.h>
#include <stdio.h>

#include "base/numbers.h"
#include "callgraph/model/state.h"
#include "callgraph/model/times.h"

/*
 * The index of the function, made if it is new; CG_NONE when out of memory.  A JIT compiler makes
 * one many times, here and there and in several processes: to who wrote it it is one.
 */
static uint32_t intern_function(struct cg_builder *b, const struct cg_function *f, bool jit)
{
	struct table *t = &b->function_of_start;
	uint64_t start = jit ? (uintptr_t)f->name : f->start;
	uint32_t hash = hash_u64(start ^ (uint64_t)f->image << 40 ^ (uint64_t)f->resolved << 32), i;
	struct table_iter it;

	for (i = table_first(t, hash, &it); i != TABLE_NONE; i = table_next(t, &it)) {
		struct cg_function *o = &b->p.functions.v[i];

		if (o->name != f->name || o->image != f->image || o->resolved != f->resolved ||
		    (!jit && o->start != f->start))
			continue;
		if (jit) {
			o->start = f->start < o->start ? f->start : o->start;
			o->end = f->end > o->end ? f->end : o->end;
		}
		return i;
	}
	if (vec_push(&b->p.functions, *f) ||
	    table_insert(t, hash, (uint32_t)(b->p.functions.n - 1)))
		return CG_NONE;
	return (uint32_t)(b->p.functions.n - 1);
}

/* Sets the function at a location, and where its code is.  0, or -1 when out of memory. */
static int name_location(struct cg_builder *b, struct cg_location *l)
{
	struct cg_function f = {.image = l->image, .name = "[unknown]"};
	uint64_t address = l->address - l->is_return;
	struct symbol_image *symbols;
	struct symbol symbol;
	char text[20];
	int found;

	found = l->image == CG_NONE ? 0 : cg_jit_find(b, l->image, address, &f);
	if (found < 0)
		return -1;
	if (!found && l->image != CG_NONE) {
		symbols = cg_image_symbols(b, &b->p.images.v[l->image]);
		if (!symbols)
			return -1;
		f.resolved = symbol_find(symbols, address, &symbol);
		if (f.resolved || symbol_find_unnamed(symbols, address, &symbol)) {
			f.name = symbol.name;
			f.start = symbol.start;
			f.end = symbol.end;
		} else {
			f.start = l->address;
			snprintf(text, sizeof(text), "0x%" PRIx64, l->address);
			f.name = strpool_intern(b->p.pool, text);
		}
	}
	l->start = f.start;
	l->end = f.end;
	l->function = f.name ? intern_function(b, &f, found > 0) : CG_NONE;
	return l->function == CG_NONE ? -1 : 0;
}

static uint32_t intern_location(struct cg_builder *b, struct cg_location *l)
{
	struct table *t = &b->location_of_address;
	uint32_t hash =
		hash_u64(l->address ^ (uint64_t)l->image << 40 ^ (uint64_t)l->is_return << 63);
	struct table_iter it;
	uint32_t i;

	for (i = table_first(t, hash, &it); i != TABLE_NONE; i = table_next(t, &it)) {
		const struct cg_location *o = &b->p.locations.v[i];

		if (o->address == l->address && o->image == l->image &&
		    o->is_return == l->is_return)
			return i;
	}
	if (name_location(b, l) || vec_push(&b->p.locations, *l) ||
	    table_insert(t, hash, (uint32_t)(b->p.locations.n - 1)))
		return CG_NONE;
	return (uint32_t)(b->p.locations.n - 1);
}

static uint32_t locate(struct cg_builder *b, const struct cg_location_cache *key)
{
	struct cg_location l = {.address = key->pc, .image = CG_NONE, .is_return = key->is_return};
	const struct cg_map *map;
	struct symbol_image *symbols;

	if (key->map == CG_NO_MAP)
		return intern_location(b, &l);
	map = &b->spaces.maps.v[key->map];
	symbols = cg_image_symbols(b, &b->p.images.v[map->image]);
	if (!symbols)
		return CG_NONE;
	l.image = map->image;
	l.address = symbol_image_address(symbols, map->start, map->length, map->has_file_offset,
					 map->file_offset, key->pc);
	return intern_location(b, &l);
}

static uint32_t location_of(struct cg_builder *b, const struct cg_location_cache *key)
{
	uint32_t hash =
		hash_u64(key->pc ^ (uint64_t)key->map << 44 ^ (uint64_t)key->is_return << 63);
	struct cg_location_cache *c = &b->cache[hash % CG_LOCATION_CACHE];

	if (c->pc == key->pc && c->map == key->map && c->is_return == key->is_return && c->filled)
		return c->location;
	*c = *key;
	c->location = locate(b, key);
	c->filled = c->location != CG_NONE;
	return c->location;
}

/*
 * Whether frame i is a return address: not the leaf, nor where the kernel was entered from, nor
 * what a signal's handler returns to.
 */
static bool is_return(const struct cg_builder *b, const struct cg_stack *s, uint32_t i)
{
	const uint64_t *pc = b->p.words.v + s->first;
	const uint8_t *marks = (const uint8_t *)(pc + s->npcs);

	return i && !(s->kernel != CG_NONE && pc[i - 1] >> 63 && !(pc[i] >> 63)) &&
	       !(i / 64 < s->marks && marks[i / 8] >> i % 8 & 1);
}

static int resolve_stack(struct cg_builder *b, const struct cg_stack *s)
{
	uint32_t i;

	for (i = 0; i < s->npcs; i++) {
		struct cg_location_cache key = {.pc = b->p.words.v[s->first + i],
						.map = b->p.locations_of.v[s->first + i],
						.is_return = is_return(b, s, i)};
		uint32_t location = location_of(b, &key);

		if (location == CG_NONE)
			return -1;
		b->p.locations_of.v[s->first + i] = location;
	}
	return 0;
}

/* What is known of the samples only when their leaves have names. */
static void assess(struct cg_profile *p)
{
	struct cg_quality *q = &p->quality;
	const struct cg_event *e;
	const struct cg_stack *s;
	struct cg_image *image;

	q->selected = q->unresolved = q->unmapped = q->truncated = q->unannounced = 0;
	q->missed = q->shared = 0;
	vec_each(image, &p->images)
		image->samples = image->unresolved = 0;
	vec_each(e, &p->events) {
		q->truncated += e->truncated;
		q->unannounced += e->unannounced ? e->samples : 0;
		q->missed = numbers_sum(q->missed, cg_samples_missed(e));
		q->shared += cg_time_share(&e->times) < CG_WHOLE_TIME;
	}
	vec_each(s, &p->stacks) {
		const struct cg_function *f = &p->functions.v[cg_function_of(p, s, 0)];

		q->selected += s->count;
		if (!f->resolved)
			q->unresolved += s->count;
		if (f->image == CG_NONE) {
			q->unmapped += s->count;
			continue;
		}
		image = &p->images.v[f->image];
		image->samples += s->count;
		image->unresolved += f->resolved ? 0 : s->count;
	}
	/* The pauses are those of all samples. */
	if (q->selected != q->samples)
		q->missed = 0;
}

/* Names anew what lies in memory without a file. */
static int rename_locations(struct cg_builder *b)
{
	struct cg_location *l;

	if (!b->renamed)
		return 0;
	b->renamed = false;
	vec_each(l, &b->p.locations) {
		if (l->image == CG_NONE || !b->p.images.v[l->image].jit_space)
			continue;
		if (name_location(b, l))
			return -1;
	}
	return 0;
}

int cg_resolve(struct cg_builder *b)
{
	if (cg_jit_complete(b) || rename_locations(b))
		return -1;
	for (; b->resolved < b->p.stacks.n; b->resolved++) {
		cg_tell_progress(&b->p.progress, "naming functions", b->resolved, b->p.stacks.n);
		if (resolve_stack(b, &b->p.stacks.v[b->resolved]))
			return -1;
	}
	if (cg_profile_sort(&b->p))
		return -1;
	cg_timeline_measure(b);
	cg_ran_measure(b);
	cg_ran_count_cpus(b);
	cg_threads_resolve(b);
	assess(&b->p);
	cg_ends_assess(&b->p);
	return 0;
}
