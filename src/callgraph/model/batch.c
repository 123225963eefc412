// SPDX-License-Identifier: BSD-2-Clause
/*
 * The chains of samples, counted.
 *
 * Finding a chain among hundreds of thousands is a walk through memory that no cache holds, so
 * samples are gathered into a batch whose walks overlap: each step asks for the memory that the
 * next one needs, for the whole batch.
 */
#include "callgraph/model/state.h"

/* The map of each address of a new chain goes into maps. */
static int map_addresses(struct cg_builder *b, const struct cg_batch_sample *from,
			 const uint64_t *pcs, uint32_t *maps)
{
	struct cg_spaces *spaces = &b->spaces;
	const struct cg_range *near_kernel = NULL, *near = NULL;
	bool kernel = from->kernel != CG_NONE;
	uint32_t i;

	spaces->v.v[from->space].sampled = true;
	spaces->v.v[CG_KERNEL_SPACE].sampled |= kernel;
	for (i = 0; i < from->npcs; i++) {
		maps[i] = kernel ? cg_space_find_near(spaces, CG_KERNEL_SPACE, pcs[i], &near_kernel)
				 : CG_NO_MAP;
		if (maps[i] == CG_NO_MAP)
			maps[i] = cg_space_find_near(spaces, from->space, pcs[i], &near);
		if (maps[i] == CG_NO_MAP &&
		    (cg_space_note(spaces, from->space, pcs[i]) ||
		     (kernel && cg_space_note(spaces, CG_KERNEL_SPACE, pcs[i]))))
			return -1;
	}
	return 0;
}

/* Counts a chain that was not seen before. */
static int add_stack(struct cg_builder *b, const struct cg_batch_sample *from, const uint64_t *pcs)
{
	struct cg_stack stack = {.count = 1,
				 .first = b->p.words.n,
				 .npcs = from->npcs,
				 .group = from->group,
				 .space = from->generation,
				 .kernel = from->kernel,
				 .end = from->end,
				 .marks = from->marks};
	size_t n = from->npcs + from->marks, words = b->p.words.n + n;

	if (vec_reserve(&b->p.words, words) || vec_reserve(&b->p.locations_of, words) ||
	    vec_reserve(&b->p.stacks, b->p.stacks.n + 1) ||
	    map_addresses(b, from, pcs, b->p.locations_of.v + stack.first) ||
	    table_insert(&b->stack_of_chain, from->hash, (uint32_t)b->p.stacks.n))
		return -1;
	memcpy(b->p.words.v + stack.first, pcs, n * sizeof(*pcs));
	b->p.words.n = b->p.locations_of.n = words;
	b->p.stacks.v[b->p.stacks.n++] = stack;
	b->unfolded += from->unfolded ? from->npcs : 0;
	return 0;
}

static bool is_stack(const struct cg_builder *b, const struct cg_stack *s,
		     const struct cg_batch_sample *from, const uint64_t *pcs)
{
	return s->npcs == from->npcs && s->space == from->generation && s->group == from->group &&
	       s->kernel == from->kernel && s->end == from->end && s->marks == from->marks &&
	       !memcmp(b->p.words.v + s->first, pcs, (from->npcs + from->marks) * sizeof(*pcs));
}

/* Counts a chain: finds it among those seen or adds it; stack is its index then. */
static int count_stack(struct cg_builder *b, const struct cg_batch_sample *from,
		       const uint64_t *pcs, uint32_t *stack)
{
	struct table *t = &b->stack_of_chain;
	struct table_iter it;
	uint32_t i;

	for (i = table_first(t, from->hash, &it); i != TABLE_NONE; i = table_next(t, &it))
		if (is_stack(b, &b->p.stacks.v[i], from, pcs)) {
			b->p.stacks.v[i].count++;
			*stack = i;
			return 0;
		}
	*stack = (uint32_t)b->p.stacks.n;
	return add_stack(b, from, pcs);
}

/* The moments of a batch are the last ones. */
static void place_moments(struct cg_builder *b, const struct cg_batch *batch,
			  const uint32_t *stacks)
{
	uint32_t i;

	for (i = 0; i < batch->n; i++)
		b->p.moments.v[b->p.moments.n - batch->n + i].stack = stacks[i];
}

/* Finds where each sample's stack should be; asks for the memory that comparing it will read. */
static void find_stacks(const struct cg_builder *b, const struct cg_batch *batch, uint32_t *found)
{
	const struct table *t = &b->stack_of_chain;
	struct table_iter it;
	uint32_t i;

	for (i = 0; i < batch->n; i++) {
		found[i] = table_first(t, batch->sample[i].hash, &it);
		if (found[i] != TABLE_NONE)
			__builtin_prefetch(&b->p.stacks.v[found[i]], 1);
	}
	for (i = 0; i < batch->n; i++) {
		uint32_t bytes = batch->sample[i].npcs * (uint32_t)sizeof(uint64_t), at;

		for (at = 0; found[i] != TABLE_NONE && at < bytes; at += 64)
			__builtin_prefetch(
				(const char *)(b->p.words.v + b->p.stacks.v[found[i]].first) + at);
	}
}

int cg_samples_flush(struct cg_builder *b)
{
	struct cg_batch *batch = &b->batch;
	uint32_t found[CG_BATCH], i;

	find_stacks(b, batch, found);
	for (i = 0; i < batch->n; i++) {
		const uint64_t *pcs = batch->words + batch->sample[i].first;

		if (found[i] != TABLE_NONE &&
		    is_stack(b, &b->p.stacks.v[found[i]], &batch->sample[i], pcs))
			b->p.stacks.v[found[i]].count++;
		else if (count_stack(b, &batch->sample[i], pcs, &found[i]))
			return -1;
	}
	if (b->moments)
		place_moments(b, batch, found);
	batch->n = batch->used = 0;
	return 0;
}
