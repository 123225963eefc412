// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/space.h"

int cg_spaces_init(struct cg_spaces *s)
{
	return cg_space_new(s) == UINT32_MAX ? -1 : 0;
}

void cg_spaces_fini(struct cg_spaces *s)
{
	struct cg_space *space;

	vec_each(space, &s->v) {
		vec_free(&space->maps);
		vec_free(&space->unmapped);
	}
	vec_free(&s->v);
}

uint32_t cg_space_new(struct cg_spaces *s)
{
	if (vec_push(&s->v, (struct cg_space){.refs = 1}))
		return UINT32_MAX;
	return (uint32_t)(s->v.n - 1);
}

/* The index of the first map that ends behind address. */
static size_t first_behind(const struct cg_space *space, uint64_t address)
{
	size_t lo = 0, hi = space->maps.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (space->maps.v[mid].end > address)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

const struct cg_map *cg_space_find(const struct cg_spaces *s, uint32_t index, uint64_t address)
{
	const struct cg_space *space = &s->v.v[index];
	size_t i = first_behind(space, address);

	if (i == space->maps.n || space->maps.v[i].start > address)
		return NULL;
	return &space->maps.v[i];
}

/* Puts a copy of the space into *index. */
static int copy_space(struct cg_spaces *s, uint32_t *index)
{
	uint32_t copy = cg_space_new(s);
	struct cg_space *old;

	if (copy == UINT32_MAX)
		return -1;
	old = &s->v.v[*index];
	if (vec_reserve(&s->v.v[copy].maps, old->maps.n))
		return -1;
	if (old->maps.n)
		memcpy(s->v.v[copy].maps.v, old->maps.v, old->maps.n * sizeof(struct cg_map));
	s->v.v[copy].maps.n = old->maps.n;
	old->refs--;
	*index = copy;
	return 0;
}

/* Makes *index a space that may lose maps. */
static int thaw(struct cg_spaces *s, uint32_t *index)
{
	const struct cg_space *space = &s->v.v[*index];

	return space->sampled || space->refs > 1 ? copy_space(s, index) : 0;
}

/* Cuts [start, end) out of a space that may lose maps. */
static int carve(struct cg_space *space, uint64_t start, uint64_t end)
{
	size_t i = first_behind(space, start);

	while (i < space->maps.n && space->maps.v[i].start < end) {
		struct cg_map *m = &space->maps.v[i], tail = *m;

		tail.file_offset += end - m->start;
		tail.start = end;
		if (m->start < start) {
			m->end = start;
			i++;
			if (tail.end > end)
				return vec_insert(&space->maps, i, tail);
		} else if (m->end > end) {
			*m = tail;
			return 0;
		} else {
			vec_remove(&space->maps, i, 1);
		}
	}
	return 0;
}

/* Whether the space has no map in [start, end). */
static bool is_free(const struct cg_space *space, uint64_t start, uint64_t end)
{
	size_t i = first_behind(space, start);

	return i == space->maps.n || space->maps.v[i].start >= end;
}

static bool same_map(const struct cg_map *a, const struct cg_map *b)
{
	return a && a->start == b->start && a->end == b->end && a->image == b->image &&
	       a->has_file_offset == b->has_file_offset && a->file_offset == b->file_offset;
}

/* Whether a sample found no map in [start, end). */
static bool was_seen_free(const struct cg_space *space, uint64_t start, uint64_t end)
{
	const uint64_t *address;

	vec_each(address, &space->unmapped) {
		if (start <= *address && *address < end)
			return true;
	}
	return false;
}

int cg_space_note(struct cg_spaces *s, uint32_t index, uint64_t address)
{
	struct cg_space *space = &s->v.v[index];

	if (cg_space_find(s, index, address) || was_seen_free(space, address, address + 1))
		return 0;
	return vec_push(&space->unmapped, address);
}

int cg_space_map(struct cg_spaces *s, uint32_t *index, const struct cg_map *map)
{
	struct cg_map add = *map;
	struct cg_space *space;
	size_t i;

	if (same_map(cg_space_find(s, *index, map->start), map))
		return 0;
	space = &s->v.v[*index];
	if ((space->refs > 1 || was_seen_free(space, add.start, add.end)) && copy_space(s, index))
		return -1;
	space = &s->v.v[*index];
	i = first_behind(space, add.start);
	/* A guessed end yields to what is known to lie there, and gives way when more is known. */
	if (add.open_end && i < space->maps.n && space->maps.v[i].start > add.start &&
	    space->maps.v[i].start < add.end)
		add.end = space->maps.v[i].start;
	if (i < space->maps.n && space->maps.v[i].open_end && space->maps.v[i].start < add.start)
		space->maps.v[i].end = add.start;
	if (!is_free(space, add.start, add.end)) {
		if (thaw(s, index))
			return -1;
		space = &s->v.v[*index];
		if (carve(space, add.start, add.end))
			return -1;
	}
	return vec_insert(&space->maps, first_behind(space, add.start), add);
}

int cg_space_unmap(struct cg_spaces *s, uint32_t *index, uint64_t start, uint64_t end)
{
	if (start >= end || is_free(&s->v.v[*index], start, end))
		return 0;
	if (thaw(s, index))
		return -1;
	return carve(&s->v.v[*index], start, end);
}
