/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Address spaces: what is mapped where, now.
 *
 * A sample's addresses are looked up in the maps of its own time, so a space holds only what is
 * mapped now.  Equal chains are the same chain as long as none of their addresses has changed its
 * meaning: until then the space is of the same generation.  A forked child shares its parent's
 * space until one of the two changes it.
 */
#ifndef CALLGRAPH_SPACE_H
#define CALLGRAPH_SPACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "callgraph/model/ranges.h"

#define CG_NO_MAP UINT32_MAX

/* A map as the log has it. */
struct cg_map {
	uint64_t start;
	uint64_t length; /* bytes; 0: not said */
	uint64_t file_offset;
	bool has_file_offset;
	uint32_t image;
};

struct cg_space {
	struct cg_ranges ranges; /* what is mapped */
	VEC(uint64_t) unmapped;	 /* pages; see cg_space_note() */
	uint32_t generation;	 /* of no other space */
	uint32_t refs;		 /* processes that use it; 0: unused */
	bool sampled;		 /* in this generation */
};

struct cg_spaces {
	VEC(struct cg_space) v;
	VEC(uint32_t) unused; /* spaces without refs */
	VEC(struct cg_map) maps;
	struct table map_of_key;
	uint32_t generations;
};

/* Space 0 is the kernel's and always there after this.  All below: 0, or -1 when out of memory. */
int cg_spaces_init(struct cg_spaces *s);
void cg_spaces_fini(struct cg_spaces *s);

/* A new empty space with one reference; UINT32_MAX when out of memory. */
uint32_t cg_space_new(struct cg_spaces *s);

/* Another process uses the space, or no longer does: without any, it is gone. */
void cg_space_ref(struct cg_spaces *s, uint32_t space);
void cg_space_unref(struct cg_spaces *s, uint32_t space);

/*
 * Puts map, up to end, into *space, in place of what it overlaps; *space becomes another one where
 * it was shared.  guessed: end is only what it may be at most.
 */
int cg_space_map(struct cg_spaces *s, uint32_t *space, const struct cg_map *map, uint64_t end,
		 bool guessed);

/* Takes [start, end) out of *space; as above. */
int cg_space_unmap(struct cg_spaces *s, uint32_t *space, uint64_t start, uint64_t end);

/*
 * Has rewrite() look at every map of *space, which becomes one that is not shared: 1 where it made
 * another map of it, 0 where it did not, -1 when out of memory.
 */
int cg_space_rewrite(struct cg_spaces *s, uint32_t *space,
		     int (*rewrite)(void *arg, struct cg_map *map), void *arg);

/* Drops the maps that no space has any more; the others get new indices. */
int cg_spaces_compact(struct cg_spaces *s);

/* The map that has address, an index of maps; CG_NO_MAP for none. */
uint32_t cg_space_find(const struct cg_spaces *s, uint32_t space, uint64_t address);

/* The same, of addresses that often share a map: *near keeps the last, NULL before the first. */
uint32_t cg_space_find_near(const struct cg_spaces *s, uint32_t space, uint64_t address,
			    const struct cg_range **near);

/* Whether nothing is known to be mapped in [start, end). */
bool cg_space_is_free(const struct cg_spaces *s, uint32_t space, uint64_t start, uint64_t end);

/* Notes that a sample had an address that no map has: one that comes later opens a generation. */
int cg_space_note(struct cg_spaces *s, uint32_t space, uint64_t address);

#endif
