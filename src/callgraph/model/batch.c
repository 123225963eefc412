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
static int map_addresses(struct cg_profile *p, const struct cg_batch_sample *b, const uint64_t *pcs,
			 uint32_t *maps)
{
	struct cg_spaces *spaces = &p->state->spaces;
	bool kernel = b->kernel != CG_NONE;
	uint32_t i;

	spaces->v.v[b->space].sampled = true;
	spaces->v.v[CG_KERNEL_SPACE].sampled |= kernel;
	for (i = 0; i < b->npcs; i++) {
		maps[i] = kernel ? cg_space_find(spaces, CG_KERNEL_SPACE, pcs[i]) : CG_NO_MAP;
		if (maps[i] == CG_NO_MAP)
			maps[i] = cg_space_find(spaces, b->space, pcs[i]);
		if (maps[i] == CG_NO_MAP &&
		    (cg_space_note(spaces, b->space, pcs[i]) ||
		     (kernel && cg_space_note(spaces, CG_KERNEL_SPACE, pcs[i]))))
			return -1;
	}
	return 0;
}

/* Counts a chain that was not seen before. */
static int add_stack(struct cg_profile *p, const struct cg_batch_sample *b, const uint64_t *pcs)
{
	struct cg_stack stack = {.count = 1,
				 .first = p->words.n,
				 .npcs = b->npcs,
				 .group = b->group,
				 .space = b->generation,
				 .kernel = b->kernel,
				 .end = b->end,
				 .marks = b->marks};
	size_t n = b->npcs + b->marks, words = p->words.n + n;

	if (vec_reserve(&p->words, words) || vec_reserve(&p->locations_of, words) ||
	    vec_reserve(&p->stacks, p->stacks.n + 1) ||
	    map_addresses(p, b, pcs, p->locations_of.v + stack.first) ||
	    table_insert(&p->state->stack_of_chain, b->hash, (uint32_t)p->stacks.n))
		return -1;
	memcpy(p->words.v + stack.first, pcs, n * sizeof(*pcs));
	p->words.n = p->locations_of.n = words;
	p->stacks.v[p->stacks.n++] = stack;
	return 0;
}

static bool is_stack(const struct cg_profile *p, const struct cg_stack *s,
		     const struct cg_batch_sample *b, const uint64_t *pcs)
{
	return s->npcs == b->npcs && s->space == b->generation && s->group == b->group &&
	       s->kernel == b->kernel && s->end == b->end && s->marks == b->marks &&
	       !memcmp(p->words.v + s->first, pcs, (b->npcs + b->marks) * sizeof(*pcs));
}

/* Counts a chain: finds it among those seen or adds it; stack is its index then. */
static int count_stack(struct cg_profile *p, const struct cg_batch_sample *b, const uint64_t *pcs,
		       uint32_t *stack)
{
	struct table *t = &p->state->stack_of_chain;
	struct table_iter it;
	uint32_t i;

	for (i = table_first(t, b->hash, &it); i != TABLE_NONE; i = table_next(t, &it))
		if (is_stack(p, &p->stacks.v[i], b, pcs)) {
			p->stacks.v[i].count++;
			*stack = i;
			return 0;
		}
	*stack = (uint32_t)p->stacks.n;
	return add_stack(p, b, pcs);
}

/* The moments of a batch are the last ones. */
static void place_moments(struct cg_profile *p, const struct cg_batch *b, const uint32_t *stacks)
{
	uint32_t i;

	for (i = 0; i < b->n; i++)
		p->moments.v[p->moments.n - b->n + i].stack = stacks[i];
}

/* Finds where each sample's stack should be; asks for the memory that comparing it will read. */
static void find_stacks(const struct cg_profile *p, const struct cg_batch *b, uint32_t *found)
{
	const struct table *t = &p->state->stack_of_chain;
	struct table_iter it;
	uint32_t i;

	for (i = 0; i < b->n; i++) {
		found[i] = table_first(t, b->sample[i].hash, &it);
		if (found[i] != TABLE_NONE)
			__builtin_prefetch(&p->stacks.v[found[i]], 1);
	}
	for (i = 0; i < b->n; i++) {
		uint32_t bytes = b->sample[i].npcs * (uint32_t)sizeof(uint64_t), at;

		for (at = 0; found[i] != TABLE_NONE && at < bytes; at += 64)
			__builtin_prefetch(
				(const char *)(p->words.v + p->stacks.v[found[i]].first) + at);
	}
}

int cg_samples_flush(struct cg_profile *p)
{
	struct cg_batch *b = &p->state->batch;
	uint32_t found[CG_BATCH], i;

	find_stacks(p, b, found);
	for (i = 0; i < b->n; i++) {
		const uint64_t *pcs = b->words + b->sample[i].first;

		if (found[i] != TABLE_NONE &&
		    is_stack(p, &p->stacks.v[found[i]], &b->sample[i], pcs))
			p->stacks.v[found[i]].count++;
		else if (count_stack(p, &b->sample[i], pcs, &found[i]))
			return -1;
	}
	if (p->state->moments)
		place_moments(p, b, found);
	b->n = b->used = 0;
	return 0;
}
