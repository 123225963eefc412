// SPDX-License-Identifier: BSD-2-Clause
/* The memory for hooks' records in the kernel module, in user space. */
#include <stdlib.h>

#include "unit.h"

#include "kdrv/pool.c"

enum {
	SIZE = 4096,
	BLOCKS = 64, /* taken at the same time at most */
	ROUNDS = 100000,
};

static u8 data[SIZE + 8] __attribute__((aligned(8)));
static struct hwpmc_pool pool;

static void begin(void)
{
	memset(data, 0xee, sizeof(data));
	pool = (struct hwpmc_pool){.data = data, .size = SIZE};
}

/* Fills a block behind its head. */
static struct hwpmc_block *take(u32 bytes, u8 fill)
{
	struct hwpmc_block *block = hwpmc_pool_take(&pool, bytes);

	if (block)
		memset(block + 1, fill, bytes - sizeof(*block));
	return block;
}

static void check_is(const struct hwpmc_block *block, u32 bytes, u8 fill)
{
	const u8 *at = (const u8 *)(block + 1);
	u32 i;

	for (i = 0; i < bytes - sizeof(*block); i++)
		CHECK_U64(at[i], fill);
}

UNIT(all_of_it_can_be_had)
{
	struct hwpmc_block *blocks[SIZE / 64];
	u32 i;

	begin();
	for (i = 0; i < SIZE / 64; i++) {
		blocks[i] = take(64, i);
		CHECK(blocks[i]);
	}
	CHECK(!take(sizeof(struct hwpmc_block), 0));
	for (i = 0; i < SIZE / 64; i++)
		check_is(blocks[i], 64, i);
	hwpmc_pool_give(&pool, blocks[0]);
	CHECK(take(64, 0));
	CHECK(!take(64, 0));
}

UNIT(one_that_is_back_early_waits_for_older_ones)
{
	struct hwpmc_block *first, *second;

	begin();
	first = take(SIZE / 2, 1);
	second = take(SIZE / 2, 2);
	hwpmc_pool_give(&pool, second);
	CHECK(!take(64, 3));
	check_is(first, SIZE / 2, 1);
	hwpmc_pool_give(&pool, first);
	CHECK_U64(pool.tail, pool.head);
	CHECK(take(SIZE, 4));
}

UNIT(a_block_does_not_run_over_the_end)
{
	struct hwpmc_block *first, *second;

	begin();
	first = take(SIZE - 64, 1);
	CHECK(!take(128, 2)); /* not before the first is back: it would be in its place */
	second = take(8, 2);
	hwpmc_pool_give(&pool, first);
	first = take(128, 3);
	CHECK(first == (void *)data);
	CHECK_U64(first->room, 128);
	check_is(first, 128, 3);
	hwpmc_pool_give(&pool, first);
	hwpmc_pool_give(&pool, second);
	CHECK_U64(pool.tail, pool.head);
	CHECK_U64(data[SIZE], 0xee);
}

/* Blocks of any size, given back in nearly the order in which they were taken. */
UNIT(none_is_in_the_place_of_another)
{
	struct hwpmc_block *blocks[BLOCKS] = {NULL};
	u32 bytes[BLOCKS], i, at, turn = 0, refused = 0;

	begin();
	srand(1);
	for (i = 0; i < ROUNDS && !unit_failures; i++) {
		turn = i % 4 ? turn : (u32)rand() % 4;
		at = (i ^ turn) % BLOCKS;
		if (blocks[at]) {
			check_is(blocks[at], bytes[at], at);
			hwpmc_pool_give(&pool, blocks[at]);
		}
		bytes[at] = sizeof(struct hwpmc_block) + (u32)rand() % 100;
		blocks[at] = take(bytes[at], at);
		refused += !blocks[at];
		CHECK(!blocks[at] || (u8 *)blocks[at] + bytes[at] <= data + SIZE);
	}
	CHECK(refused > 0 && refused < ROUNDS / 2);
	for (at = 0; at < BLOCKS; at++)
		if (blocks[at])
			hwpmc_pool_give(&pool, blocks[at]);
	CHECK_U64(pool.tail, pool.head);
}

UNIT_MAIN(UNIT_ENTRY(all_of_it_can_be_had), UNIT_ENTRY(one_that_is_back_early_waits_for_older_ones),
	  UNIT_ENTRY(a_block_does_not_run_over_the_end),
	  UNIT_ENTRY(none_is_in_the_place_of_another))
