/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A table of functions by address.
 *
 * Symbols are added in any order, may overlap and may share addresses; symtab_build() makes of them
 * disjoint ranges, each of the innermost symbol, so that a look-up is one binary search.
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

/* A zeroed table is empty. */
struct symtab {
	VEC(struct symtab_sym) syms;
	VEC(uint64_t) from; /* where ranges begin */
	VEC(uint32_t) of;   /* the symbol of each range */
	const char *names;  /* NUL-terminated texts */
	char *own_names;    /* names, where they are the table's own */
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

/* The innermost symbol that covers address, NULL for none. */
struct symtab_sym *symtab_find(struct symtab *t, uint64_t address);

void symtab_fini(struct symtab *t);

#endif
