/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A table of functions by address.
 *
 * Symbols are added in any order, may overlap and may share addresses; symtab_build() makes of them
 * disjoint ranges, each of the innermost symbol, so that a look-up is one short binary search.
 */
#ifndef SYMBOL_SYMTAB_H
#define SYMBOL_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* Of two names for one address the one of higher rank is used. */
enum symtab_rank { RANK_PLT, RANK_LOCAL, RANK_WEAK, RANK_GLOBAL, RANK_FUNC = 4 };

struct symtab_sym {
	uint64_t start;
	const char *shown; /* the name for users; NULL until it is looked up */
	uint32_t size;
	uint32_t name; /* where it begins in the table's names */
	uint8_t rank;  /* RANK_FUNC may be added to the others */
	bool open;     /* size is only a limit: the next symbol ends it */
};

/* From an address up to the next range or the end of the symbol. */
struct symtab_range {
	uint64_t from;
	uint32_t sym; /* index of syms */
};

/* A zeroed table is empty. */
struct symtab {
	VEC(struct symtab_sym) syms;
	VEC(struct symtab_range) ranges; /* by address */
	/*
	 * The address space in equal parts of 1 << part_bits: index[i] is the first range that
	 * begins in part i or behind it; one more than there are parts.
	 */
	VEC(uint32_t) index;
	unsigned int part_bits;
	const char *names; /* NUL-terminated texts */
	char *own_names;   /* names, where they are the table's own */
	size_t names_len;
};

/*
 * Adds the symbol [start, limit) or, with a size that is not 0 and ends below limit,
 * [start, start + size).  0, or -1 when out of memory.
 */
int symtab_add(struct symtab *t, uint64_t start, uint64_t size, uint64_t limit, uint32_t name,
	       unsigned int rank);

/* Makes what was added findable; may be called again after more was added.  0, or -1. */
int symtab_build(struct symtab *t);

/* The same where syms and ranges are as symtab_build() had made them.  0, or -1. */
int symtab_index(struct symtab *t);

/* The innermost symbol that covers address, NULL for none. */
struct symtab_sym *symtab_find(struct symtab *t, uint64_t address);

size_t symtab_size(const struct symtab *t); /* the bytes that it takes */
void symtab_fini(struct symtab *t);

#endif
