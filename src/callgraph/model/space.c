// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/model/space.h"

int cg_spaces_init(struct cg_spaces *s)
{
	return cg_space_new(s) == UINT32_MAX ? -1 : 0;
}

static void clear(struct cg_space *space)
{
	cg_ranges_free(&space->ranges);
	vec_free(&space->unmapped);
}

void cg_spaces_fini(struct cg_spaces *s)
{
	struct cg_space *space;

	vec_each(space, &s->v)
		clear(space);
	vec_free(&s->v);
	vec_free(&s->unused);
	vec_free(&s->maps);
	table_clear(&s->map_of_key);
}

uint32_t cg_space_new(struct cg_spaces *s)
{
	struct cg_space space = {.refs = 1, .generation = s->generations};
	uint32_t i;

	/* There is room for all of them to be unused, so that giving one up cannot fail. */
	if (!s->unused.n && (vec_reserve(&s->unused, s->v.n + 1) || vec_push(&s->v, space)))
		return UINT32_MAX;
	i = s->unused.n ? s->unused.v[--s->unused.n] : (uint32_t)(s->v.n - 1);
	s->v.v[i] = space;
	s->generations++;
	return i;
}

void cg_space_ref(struct cg_spaces *s, uint32_t space)
{
	s->v.v[space].refs++;
}

void cg_space_unref(struct cg_spaces *s, uint32_t space)
{
	if (--s->v.v[space].refs)
		return;
	clear(&s->v.v[space]);
	s->unused.v[s->unused.n++] = space;
}

uint32_t cg_space_find_near(const struct cg_spaces *s, uint32_t index, uint64_t address,
			    const struct cg_range **near)
{
	const struct cg_ranges *ranges = &s->v.v[index].ranges;
	const struct cg_range *r = *near;

	if (!r || address < r->start || address >= r->end)
		r = *near = cg_ranges_at(ranges, cg_ranges_behind(ranges, address));
	return r && r->start <= address ? r->map : CG_NO_MAP;
}

uint32_t cg_space_find(const struct cg_spaces *s, uint32_t index, uint64_t address)
{
	const struct cg_range *near = NULL;

	return cg_space_find_near(s, index, address, &near);
}

bool cg_space_is_free(const struct cg_spaces *s, uint32_t index, uint64_t start, uint64_t end)
{
	const struct cg_ranges *ranges = &s->v.v[index].ranges;
	struct cg_range_place at = cg_ranges_behind(ranges, start);
	const struct cg_range *r;

	for (; (r = cg_ranges_at(ranges, at)) && r->start < end; at = cg_ranges_next(ranges, at))
		/* Only where it ends is guessed. */
		if (!r->guessed || r->start >= start)
			return false;
	return true;
}

/* No log has maps that share a page, and there are fewer pages than addresses. */
static uint64_t page_of(uint64_t address)
{
	return address >> 12;
}

/*
 * The noted pages lie in sorted runs, one for each bit of their number, the largest first: so
 * that both adding one and looking for one take few steps however many there are.
 */

static int by_page(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Whether a sample found no map in the pages of [start, last]. */
static bool was_seen_free(const struct cg_space *space, uint64_t start, uint64_t last)
{
	size_t rest = space->unmapped.n, run;
	const uint64_t *v = space->unmapped.v;

	for (; rest; rest -= run, v += run) {
		size_t lo = 0, hi = run = (size_t)1 << (63 - __builtin_clzll(rest));

		while (lo < hi) {
			size_t mid = lo + (hi - lo) / 2;

			if (v[mid] >= page_of(start))
				hi = mid;
			else
				lo = mid + 1;
		}
		if (lo < run && v[lo] <= page_of(last))
			return true;
	}
	return false;
}

int cg_space_note(struct cg_spaces *s, uint32_t index, uint64_t address)
{
	struct cg_space *space = &s->v.v[index];
	uint64_t page = page_of(address);
	size_t run;

	if (was_seen_free(space, address, address))
		return 0;
	if (vec_push(&space->unmapped, page))
		return -1;
	run = space->unmapped.n & -space->unmapped.n;
	qsort(space->unmapped.v + space->unmapped.n - run, run, sizeof(page), by_page);
	return 0;
}

/* Makes *index a space of this process alone, before it is changed: fork(2) shares them. */
static int unshare(struct cg_spaces *s, uint32_t *index)
{
	struct cg_space *old, *copy;
	uint32_t i;

	if (s->v.v[*index].refs == 1)
		return 0;
	i = cg_space_new(s);
	if (i == UINT32_MAX)
		return -1;
	old = &s->v.v[*index];
	copy = &s->v.v[i];
	if (cg_ranges_copy(&copy->ranges, &old->ranges))
		return -1;
	old->refs--;
	*index = i;
	return 0;
}

/* An address that may have been sampled gets another meaning. */
static void change(struct cg_spaces *s, struct cg_space *space)
{
	if (!space->sampled)
		return;
	space->sampled = false;
	space->generation = s->generations++;
	space->unmapped.n = 0;
}

/* Cuts [start, end) out. */
static int cut_out(struct cg_ranges *ranges, uint64_t start, uint64_t end)
{
	struct cg_range_place at = cg_ranges_behind(ranges, start);
	const struct cg_range *r = cg_ranges_at(ranges, at);
	struct cg_range tail, *own;

	if (r && r->start < start) {
		tail = *r;
		tail.start = end;
		if (!(own = cg_ranges_own(ranges, at)))
			return -1;
		own->end = start;
		at = cg_ranges_next(ranges, at);
		if (tail.end > end)
			return cg_ranges_insert(ranges, at, tail);
	}
	while ((r = cg_ranges_at(ranges, at)) && r->end <= end)
		if (cg_ranges_remove(ranges, at))
			return -1;
	if (!r || r->start >= end)
		return 0;
	if (!(own = cg_ranges_own(ranges, at)))
		return -1;
	own->start = end;
	return 0;
}

static bool is_map(const struct cg_map *a, const struct cg_map *b)
{
	return a->start == b->start && a->length == b->length && a->image == b->image &&
	       a->has_file_offset == b->has_file_offset && a->file_offset == b->file_offset;
}

/* The index of the map among those of all spaces; CG_NO_MAP when out of memory. */
static uint32_t intern_map(struct cg_spaces *s, const struct cg_map *map)
{
	const uint64_t words[] = {map->start, map->length, map->file_offset, map->image};
	uint32_t hash = hash_words(words, 4, map->has_file_offset, hash_secret()), i;
	struct table_iter it;

	for (i = table_first(&s->map_of_key, hash, &it); i != TABLE_NONE;
	     i = table_next(&s->map_of_key, &it))
		if (is_map(&s->maps.v[i], map))
			return i;
	if (vec_reserve(&s->maps, s->maps.n + 1) ||
	    table_insert(&s->map_of_key, hash, (uint32_t)s->maps.n))
		return CG_NO_MAP;
	s->maps.v[s->maps.n] = *map;
	return (uint32_t)s->maps.n++;
}

/* Whether an address in both maps is the same one of the image, as where a map has grown. */
static bool means_the_same(const struct cg_map *a, const struct cg_map *b)
{
	return a->image == b->image && a->has_file_offset && b->has_file_offset &&
	       a->file_offset - a->start == b->file_offset - b->start;
}

/* Whether map, up to end, gives an address that may have been sampled another meaning. */
static bool changes(const struct cg_spaces *s, const struct cg_space *space,
		    const struct cg_map *map, uint64_t end)
{
	struct cg_range_place at = cg_ranges_behind(&space->ranges, map->start);
	const struct cg_range *r;

	for (; (r = cg_ranges_at(&space->ranges, at)) && r->start < end;
	     at = cg_ranges_next(&space->ranges, at))
		if (r->guessed || !means_the_same(&s->maps.v[r->map], map))
			return true;
	return was_seen_free(space, map->start, end - 1);
}

/* What of add is not known to be another map's: a guessed end reaches to the next range at most. */
static struct cg_range clip_to_next(const struct cg_ranges *ranges, struct cg_range_place at,
				    struct cg_range add)
{
	const struct cg_range *next = cg_ranges_at(ranges, at);

	if (next && next->start <= add.start)
		next = cg_ranges_at(ranges, cg_ranges_next(ranges, at));
	if (add.guessed && next && next->start < add.end)
		add.end = next->start;
	return add;
}

int cg_space_map(struct cg_spaces *s, uint32_t *index, const struct cg_map *map, uint64_t end,
		 bool guessed)
{
	struct cg_range add = {map->start, end, intern_map(s, map), guessed}, *own;
	const struct cg_range *r;
	struct cg_ranges *ranges = &s->v.v[*index].ranges;
	struct cg_range_place at = cg_ranges_behind(ranges, map->start);

	if (add.map == CG_NO_MAP)
		return -1;
	r = cg_ranges_at(ranges, at);
	if (add.start >= end || (r && r->start == add.start && r->map == add.map &&
				 (r->end == end || (guessed && r->guessed))))
		return 0;
	if (unshare(s, index))
		return -1;
	ranges = &s->v.v[*index].ranges;
	add = clip_to_next(ranges, at, add);
	if (changes(s, &s->v.v[*index], map, add.end))
		change(s, &s->v.v[*index]);
	r = cg_ranges_at(ranges, at);
	if (r && r->guessed && r->start < add.start) {
		if (!(own = cg_ranges_own(ranges, at)))
			return -1;
		own->end = add.start;
	}
	if (cut_out(ranges, add.start, add.end))
		return -1;
	return cg_ranges_insert(ranges, cg_ranges_behind(ranges, add.start), add);
}

int cg_space_unmap(struct cg_spaces *s, uint32_t *index, uint64_t start, uint64_t end)
{
	const struct cg_ranges *ranges = &s->v.v[*index].ranges;
	const struct cg_range *r = cg_ranges_at(ranges, cg_ranges_behind(ranges, start));

	if (start >= end || !r || r->start >= end)
		return 0;
	if (unshare(s, index))
		return -1;
	change(s, &s->v.v[*index]);
	return cut_out(&s->v.v[*index].ranges, start, end);
}

int cg_space_rewrite(struct cg_spaces *s, uint32_t *index,
		     int (*rewrite)(void *arg, struct cg_map *map), void *arg)
{
	struct cg_ranges *ranges;
	struct cg_range_place at = {0, 0};
	const struct cg_range *r;

	if (unshare(s, index))
		return -1;
	ranges = &s->v.v[*index].ranges;
	for (; (r = cg_ranges_at(ranges, at)); at = cg_ranges_next(ranges, at)) {
		struct cg_map map = s->maps.v[r->map];
		int changed = rewrite(arg, &map);
		uint32_t i = changed > 0 ? intern_map(s, &map) : r->map;
		struct cg_range *own;

		if (changed < 0 || i == CG_NO_MAP)
			return -1;
		if (i == r->map)
			continue;
		if (!(own = cg_ranges_own(ranges, at)))
			return -1;
		own->map = i;
	}
	return 0;
}

struct compacting {
	const struct cg_spaces *from;
	struct cg_spaces kept;
};

static int keep_map(void *arg, struct cg_range *r)
{
	struct compacting *c = arg;

	r->map = intern_map(&c->kept, &c->from->maps.v[r->map]);
	return r->map == CG_NO_MAP ? -1 : 0;
}

int cg_spaces_compact(struct cg_spaces *s)
{
	struct compacting c = {.from = s};
	struct cg_space *space;

	vec_each(space, &s->v)
		if (cg_ranges_change_all(&space->ranges, keep_map, &c)) {
			vec_free(&c.kept.maps);
			table_clear(&c.kept.map_of_key);
			return -1;
		}
	vec_free(&s->maps);
	table_clear(&s->map_of_key);
	vec_move(&s->maps, &c.kept.maps);
	s->map_of_key = c.kept.map_of_key;
	return 0;
}
