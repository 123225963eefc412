/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Address spaces: what was mapped where, for how long.
 *
 * A space is one generation of a process's maps.  It may gain maps where no sample saw that there
 * were none; as soon as anything changes that a sample in it depends on, a copy takes its place, so
 * that each sample is resolved by the maps of its own time.  A forked child shares its parent's
 * space until one of the two changes it.
 */
#ifndef CALLGRAPH_SPACE_H
#define CALLGRAPH_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct cg_map {
	uint64_t start, end; /* end is the first byte behind it */
	uint64_t file_offset;
	bool has_file_offset;
	bool open_end; /* end is only a guess: the log gives no length */
	uint32_t image;
};

struct cg_space {
	VEC(struct cg_map) maps; /* by start, without overlap */
	uint32_t refs;		 /* processes that use it; above 1 it never changes */
	bool sampled;		 /* only additions */
	VEC(uint64_t) unmapped; /* addresses that samples had and no map: none may be added there */
};

struct cg_spaces {
	VEC(struct cg_space) v;
};

/* Space 0 is the kernel's and always there after this.  All below: 0, or -1 when out of memory. */
int cg_spaces_init(struct cg_spaces *s);
void cg_spaces_fini(struct cg_spaces *s);

/* A new empty space with one reference; UINT32_MAX when out of memory. */
uint32_t cg_space_new(struct cg_spaces *s);

/* Puts map into *space, in place of what it overlaps; *space may become another one. */
int cg_space_map(struct cg_spaces *s, uint32_t *space, const struct cg_map *map);

/* Takes [start, end) out of *space; *space may become another one. */
int cg_space_unmap(struct cg_spaces *s, uint32_t *space, uint64_t start, uint64_t end);

/* The map that holds address, NULL for none. */
const struct cg_map *cg_space_find(const struct cg_spaces *s, uint32_t space, uint64_t address);

/* Notes that a sample has an address, which may be in no map.  0, or -1 when out of memory. */
int cg_space_note(struct cg_spaces *s, uint32_t space, uint64_t address);

/* Another process uses the space, or no longer does. */
static inline void cg_space_ref(struct cg_spaces *s, uint32_t space)
{
	s->v.v[space].refs++;
}

static inline void cg_space_unref(struct cg_spaces *s, uint32_t space)
{
	s->v.v[space].refs--;
}

#endif
