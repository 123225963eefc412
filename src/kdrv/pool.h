/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Memory of a log for records of hooks.  pool.c opens with how it works.  Both also compile in user
 * space, for tests/unit.
 */
#ifndef HWPMC_POOL_H
#define HWPMC_POOL_H

#include <linux/types.h>

/* What a block begins with. */
struct hwpmc_block {
	u32 room;   /* bytes, with this; never 0 in a pool */
	bool given; /* back */
};

struct hwpmc_pool {
	u8 *data;
	size_t size; /* a power of 2, at least twice the longest block */
	unsigned long head, tail;
};

/* A block of bytes, its head included; NULL: no room.  Not cleared. */
struct hwpmc_block *hwpmc_pool_take(struct hwpmc_pool *pool, u32 bytes);
void hwpmc_pool_give(struct hwpmc_pool *pool, struct hwpmc_block *block);

#endif
