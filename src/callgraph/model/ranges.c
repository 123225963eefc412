// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/model/ranges.h"

enum { BLOCK = 64 }; /* ranges in a block at most */

static void unref(struct cg_range_block *block)
{
	if (--block->refs)
		return;
	vec_free(&block->ranges);
	free(block);
}

void cg_ranges_free(struct cg_ranges *r)
{
	struct cg_range_block **block;

	vec_each(block, &r->blocks)
		unref(*block);
	vec_free(&r->blocks);
}

/* An empty block with room for n ranges. */
static struct cg_range_block *new_block(size_t n)
{
	struct cg_range_block *block = calloc(1, sizeof(*block));

	if (!block || vec_reserve(&block->ranges, n)) {
		free(block);
		return NULL;
	}
	block->refs = 1;
	return block;
}

/* Puts an empty block before block at, with room for n ranges. */
static struct cg_range_block *add_block(struct cg_ranges *r, size_t at, size_t n)
{
	struct cg_range_block *block = new_block(n);

	if (!block)
		return NULL;
	if (vec_insert(&r->blocks, at, block)) {
		unref(block);
		return NULL;
	}
	return block;
}

/* Block at, which no copy has then.  NULL when out of memory. */
static struct cg_range_block *own_block(struct cg_ranges *r, size_t at)
{
	struct cg_range_block *block = r->blocks.v[at], *copy;

	if (block->refs == 1)
		return block;
	copy = new_block(block->ranges.n);
	if (!copy)
		return NULL;
	copy->ranges.n = block->ranges.n;
	memcpy(copy->ranges.v, block->ranges.v, block->ranges.n * sizeof(struct cg_range));
	block->refs--;
	return r->blocks.v[at] = copy;
}

int cg_ranges_copy(struct cg_ranges *to, const struct cg_ranges *from)
{
	struct cg_range_block *const *block;

	if (vec_reserve(&to->blocks, from->blocks.n))
		return -1;
	vec_each(block, &from->blocks) {
		(*block)->refs++;
		to->blocks.v[to->blocks.n++] = *block;
	}
	return 0;
}

struct cg_range_place cg_ranges_behind(const struct cg_ranges *r, uint64_t address)
{
	size_t lo = 0, hi = r->blocks.n, mid;
	const struct cg_range_block *b;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		b = r->blocks.v[mid];
		if (b->ranges.v[b->ranges.n - 1].end > address)
			hi = mid;
		else
			lo = mid + 1;
	}
	if (lo == r->blocks.n)
		return (struct cg_range_place){.block = lo};
	b = r->blocks.v[lo];
	return (struct cg_range_place){.block = lo, .i = vec_above(&b->ranges, end, address)};
}

/* The place in the next block where there is none left in this one. */
static struct cg_range_place normal(const struct cg_ranges *r, struct cg_range_place at)
{
	if (at.block < r->blocks.n && at.i == r->blocks.v[at.block]->ranges.n)
		return (struct cg_range_place){.block = at.block + 1};
	return at;
}

const struct cg_range *cg_ranges_at(const struct cg_ranges *r, struct cg_range_place at)
{
	at = normal(r, at);
	return at.block < r->blocks.n ? &r->blocks.v[at.block]->ranges.v[at.i] : NULL;
}

struct cg_range *cg_ranges_own(struct cg_ranges *r, struct cg_range_place at)
{
	struct cg_range_block *block;

	at = normal(r, at);
	block = own_block(r, at.block);
	return block ? &block->ranges.v[at.i] : NULL;
}

int cg_ranges_change_all(struct cg_ranges *r, int (*change)(void *arg, struct cg_range *range),
			 void *arg)
{
	struct cg_range_block **block;
	struct cg_range *range;

	vec_each(block, &r->blocks) {
		bool is_first = !(*block)->seen++;

		if ((*block)->seen == (*block)->refs)
			(*block)->seen = 0;
		if (!is_first)
			continue;
		vec_each(range, &(*block)->ranges)
			if (change(arg, range))
				return -1;
	}
	return 0;
}

struct cg_range_place cg_ranges_next(const struct cg_ranges *r, struct cg_range_place at)
{
	at = normal(r, at);
	at.i++;
	return normal(r, at);
}

/* Moves the upper half of a full block into one of its own. */
static int split(struct cg_ranges *r, size_t at)
{
	struct cg_range_block *lower = own_block(r, at), *upper;

	if (!lower || !(upper = add_block(r, at + 1, BLOCK / 2)))
		return -1;
	lower->ranges.n = upper->ranges.n = BLOCK / 2;
	memcpy(upper->ranges.v, lower->ranges.v + BLOCK / 2, BLOCK / 2 * sizeof(struct cg_range));
	return 0;
}

int cg_ranges_insert(struct cg_ranges *r, struct cg_range_place at, struct cg_range range)
{
	struct cg_range_block *block;

	if (at.block == r->blocks.n && at.block) {
		at.block--;
		at.i = r->blocks.v[at.block]->ranges.n;
	}
	/* With its room, so that it does not stay empty. */
	if (!r->blocks.n && !add_block(r, 0, 1))
		return -1;
	if (r->blocks.v[at.block]->ranges.n == BLOCK) {
		if (split(r, at.block))
			return -1;
		if (at.i > BLOCK / 2) {
			at.block++;
			at.i -= BLOCK / 2;
		}
	}
	block = own_block(r, at.block);
	return block ? vec_insert(&block->ranges, at.i, range) : -1;
}

int cg_ranges_remove(struct cg_ranges *r, struct cg_range_place at)
{
	struct cg_range_block *block;

	at = normal(r, at);
	block = own_block(r, at.block);
	if (!block)
		return -1;
	vec_remove(&block->ranges, at.i, 1);
	if (block->ranges.n)
		return 0;
	unref(block);
	vec_remove(&r->blocks, at.block, 1);
	return 0;
}
