// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The memory of a log for the records of hooks, which must not allocate any: a ring of blocks that
 * are given back in about the order in which they were taken.  One that is given back before older
 * ones waits for these.  A block is contiguous: what is left before the end of the memory, too
 * short for it, becomes a block that nobody has.
 *
 * Under the log's queue_lock.  Positions count bytes since the beginning; modulo size they are
 * offsets in data.  tail <= head <= tail + size.
 */
#include "pool.h"

#define STEP 8u /* bytes; blocks are multiples of it, so that each rest has room for its head */

static struct hwpmc_block *at(const struct hwpmc_pool *pool, unsigned long position)
{
	return (void *)(pool->data + (position & (pool->size - 1)));
}

static struct hwpmc_block *make(struct hwpmc_pool *pool, u32 room, bool given)
{
	struct hwpmc_block *block = at(pool, pool->head);

	block->room = room;
	block->given = given;
	pool->head += room;
	return block;
}

struct hwpmc_block *hwpmc_pool_take(struct hwpmc_pool *pool, u32 bytes)
{
	u32 room = (bytes + STEP - 1) & ~(STEP - 1);
	unsigned long rest = pool->size - (pool->head & (pool->size - 1));

	if (room <= rest)
		rest = 0;
	if (pool->head + rest + room - pool->tail > pool->size)
		return NULL;
	if (rest)
		make(pool, rest, true);
	return make(pool, room, false);
}

void hwpmc_pool_give(struct hwpmc_pool *pool, struct hwpmc_block *block)
{
	block->given = true;
	while (pool->tail != pool->head && at(pool, pool->tail)->given)
		pool->tail += at(pool, pool->tail)->room;
}
