// SPDX-License-Identifier: BSD-2-Clause
/*
 * Samples: the hot path of analysis.
 *
 * Finding a chain among hundreds of thousands is a walk through memory that no cache holds, so
 * samples are gathered into a batch whose walks overlap: each step asks for the memory that the
 * next one needs, for the whole batch.
 */
#include <stdio.h>

#include "callgraph/state.h"

static uint32_t intern_event(struct cg_profile *p, const struct pmclog_record *rec)
{
	struct cg_state *st = p->state;
	struct pmclog_text name = rec->u.alloc.name, spec = rec->u.alloc.spec;
	struct cg_event event = {.rate = rec->u.alloc.rate,
				 .frequency = rec->u.alloc.frequency,
				 .max_depth = rec->u.alloc.max_depth};
	char number[32];
	uint32_t name_id, spec_id, i;

	if (!name.len) {
		name.len =
			(size_t)snprintf(number, sizeof(number), "event-0x%x", rec->u.alloc.event);
		name.s = number;
	}
	name_id = strpool_id(st->pool, name.s, name.len);
	spec_id = strpool_id(st->pool, spec.s ? spec.s : "", spec.len);
	if (name_id == UINT32_MAX || spec_id == UINT32_MAX)
		return CG_NONE;
	event.name = strpool_text(st->pool, name_id);
	event.spec = strpool_text(st->pool, spec_id);
	for (i = 0; i < p->events.n; i++)
		if (p->events.v[i].name == event.name && p->events.v[i].spec == event.spec)
			return i;
	return vec_push(&p->events, event) ? CG_NONE : i;
}

uint32_t cg_pmc_find(struct cg_profile *p, uint32_t pmcid)
{
	struct cg_state *st = p->state;
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&st->pmc_of_id, hash_u64(pmcid), &it); i != TABLE_NONE;
	     i = table_next(&st->pmc_of_id, &it))
		if (st->pmcs.v[i].pmcid == pmcid)
			return i;
	return CG_NONE;
}

static int set_pmc(struct cg_profile *p, uint32_t pmcid, uint32_t event)
{
	struct cg_state *st = p->state;
	uint32_t i = cg_pmc_find(p, pmcid);

	if (i != CG_NONE) {
		st->pmcs.v[i].event = event;
		return 0;
	}
	if (vec_push(&st->pmcs, (struct cg_pmc){pmcid, event}))
		return -1;
	return table_insert(&st->pmc_of_id, hash_u64(pmcid), (uint32_t)(st->pmcs.n - 1));
}

int cg_pmc_announce(struct cg_profile *p, const struct pmclog_record *rec)
{
	uint32_t event = intern_event(p, rec);

	return event == CG_NONE ? -1 : set_pmc(p, rec->u.alloc.pmcid, event);
}

/* A sample of a PMC that the log never announced is kept, under an event of its own. */
static uint32_t find_event(struct cg_profile *p, uint32_t pmcid)
{
	static const struct pmclog_record unknown = {
		.u.alloc = {.name = {"[unannounced]", sizeof("[unannounced]") - 1}}};
	uint32_t pmc = cg_pmc_find(p, pmcid), event;

	if (pmc != CG_NONE)
		return p->state->pmcs.v[pmc].event;
	event = intern_event(p, &unknown);
	if (event == CG_NONE || set_pmc(p, pmcid, event))
		return CG_NONE;
	p->events.v[event].unannounced = true;
	return event;
}

static uint32_t intern_group(struct cg_profile *p, uint32_t event, const char *comm)
{
	struct table *t = &p->state->group_of_key;
	uint32_t hash = hash_u64((uintptr_t)comm + event), i;
	struct table_iter it;

	for (i = table_first(t, hash, &it); i != TABLE_NONE; i = table_next(t, &it))
		if (p->groups.v[i].event == event && p->groups.v[i].comm == comm)
			return i;
	if (vec_push(&p->groups, (struct cg_group){event, comm}) ||
	    table_insert(t, hash, (uint32_t)(p->groups.n - 1)))
		return CG_NONE;
	return (uint32_t)(p->groups.n - 1);
}

static bool holds(const uint32_t *v, size_t n, uint32_t what)
{
	while (n--)
		if (v[n] == what)
			return true;
	return !v;
}

/* Has the address spaces of a new chain remember which of its addresses are in no map. */
static int note_addresses(struct cg_profile *p, const struct cg_stack *key, const uint64_t *pcs)
{
	struct cg_spaces *spaces = &p->state->spaces;
	uint32_t i;

	for (i = 0; i < key->npcs; i++) {
		if (key->kernel != CG_NONE && cg_space_find(spaces, key->kernel, pcs[i]))
			continue;
		if (cg_space_note(spaces, key->space, pcs[i]))
			return -1;
	}
	return 0;
}

/* Counts a chain: finds it among those seen or adds it. */
static int count_stack(struct cg_profile *p, const struct cg_stack *key, uint32_t hash,
		       const uint64_t *pcs)
{
	struct table *t = &p->state->stack_of_chain;
	size_t bytes = key->npcs * sizeof(*pcs);
	struct cg_stack stack = *key;
	struct table_iter it;
	uint32_t i;

	for (i = table_first(t, hash, &it); i != TABLE_NONE; i = table_next(t, &it)) {
		struct cg_stack *s = &p->stacks.v[i];

		if (s->npcs == key->npcs && s->space == key->space && s->group == key->group &&
		    s->kernel == key->kernel && !memcmp(p->words.v + s->first, pcs, bytes)) {
			s->count++;
			return 0;
		}
	}
	if (note_addresses(p, key, pcs) || vec_reserve(&p->words, p->words.n + key->npcs) ||
	    vec_reserve(&p->stacks, p->stacks.n + 1) ||
	    table_insert(t, hash, (uint32_t)p->stacks.n))
		return -1;
	stack.count = 1;
	stack.first = p->words.n;
	memcpy(p->words.v + p->words.n, pcs, bytes);
	p->words.n += key->npcs;
	p->stacks.v[p->stacks.n++] = stack;
	return 0;
}

/* Asks for the memory that count_stack() will read of each sample. */
static void prefetch_stacks(const struct cg_profile *p, const struct cg_batch *b)
{
	const struct table *t = &p->state->stack_of_chain;
	uint32_t found[CG_BATCH], i;
	struct table_iter it;

	for (i = 0; i < b->n; i++) {
		found[i] = table_first(t, b->sample[i].hash, &it);
		if (found[i] != TABLE_NONE)
			__builtin_prefetch(&p->stacks.v[found[i]], 1);
	}
	for (i = 0; i < b->n; i++) {
		uint32_t bytes = b->sample[i].key.npcs * (uint32_t)sizeof(uint64_t), at;

		for (at = 0; found[i] != TABLE_NONE && at < bytes; at += 64)
			__builtin_prefetch(
				(const char *)(p->words.v + p->stacks.v[found[i]].first) + at);
	}
}

int cg_samples_flush(struct cg_profile *p)
{
	struct cg_batch *b = &p->state->batch;
	uint32_t i;

	prefetch_stacks(p, b);
	for (i = 0; i < b->n; i++)
		if (count_stack(p, &b->sample[i].key, b->sample[i].hash,
				b->words + b->sample[i].key.first))
			return -1;
	b->n = b->used = 0;
	return 0;
}

/* A free place of the batch for a chain of npcs.  NULL when out of memory. */
static struct cg_batch_sample *batch_place(struct cg_profile *p, uint32_t npcs)
{
	struct cg_batch *b = &p->state->batch;

	if ((b->n == CG_BATCH || b->used + npcs > CG_BATCH_WORDS) && cg_samples_flush(p))
		return NULL;
	return &b->sample[b->n];
}

/* Takes the sample at the batch's free place in. */
static void batch_take(struct cg_profile *p, struct cg_batch_sample *s, const uint64_t *pcs)
{
	const struct table *t = &p->state->stack_of_chain;
	const struct cg_stack *key = &s->key;
	struct cg_batch *b = &p->state->batch;

	s->hash = hash_words(pcs, key->npcs,
			     (uint64_t)key->space << 32 ^ (uint64_t)key->group << 16 ^ key->kernel);
	s->key.first = b->used;
	memcpy(b->words + b->used, pcs, key->npcs * sizeof(*pcs));
	b->used += key->npcs;
	b->n++;
	if (t->slot)
		__builtin_prefetch(&t->slot[s->hash & t->mask]);
}

/* Linux on 64-bit machines has the kernel in the upper half of the address space. */
static bool is_kernel_half(uint64_t pc)
{
	return pc >> 63;
}

/* Fills in what samples of this process and PMC have in common until the next other record. */
static int set_context(struct cg_profile *p, const struct pmclog_record *rec, struct cg_context *c)
{
	struct cg_state *st = p->state;
	uint32_t event = find_event(p, rec->u.chain.pmcid);
	uint32_t process = cg_process_of(p, rec->u.chain.pid);
	const struct cg_process *proc;

	c->epoch = 0;
	if (event == CG_NONE || process == CG_NONE)
		return -1;
	proc = &st->processes.v[process];
	c->pid = rec->u.chain.pid;
	c->pmcid = rec->u.chain.pmcid;
	c->usermode = rec->u.chain.usermode;
	c->event = event;
	c->selected = proc->selected;
	c->key = (struct cg_stack){.group = intern_group(p, event, proc->comm),
				   .space = proc->space,
				   .kernel = c->usermode ? CG_NONE : st->kernel_space};
	if (c->key.group == CG_NONE)
		return -1;
	st->spaces.v.v[proc->space].sampled = true;
	if (!c->usermode)
		st->spaces.v.v[st->kernel_space].sampled = true;
	c->epoch = st->epoch;
	return 0;
}

/* The context of a sample.  NULL when out of memory. */
static const struct cg_context *context_of(struct cg_profile *p, const struct pmclog_record *rec)
{
	uint32_t pid = rec->u.chain.pid, pmcid = rec->u.chain.pmcid;
	bool usermode = rec->u.chain.usermode;
	uint32_t slot = (pid ^ pmcid >> 20 ^ (uint32_t)usermode << 4) % CG_CONTEXTS;
	struct cg_context *c = &p->state->context[slot];

	if (c->epoch == p->state->epoch && c->pid == pid && c->pmcid == pmcid &&
	    c->usermode == usermode)
		return c;
	return set_context(p, rec, c) ? NULL : c;
}

int cg_sample_add(struct cg_profile *p, const struct pmclog_record *rec)
{
	const struct cg_select *select = p->state->select;
	uint32_t npcs = rec->u.chain.npcs;
	const struct cg_context *c;
	struct cg_batch_sample *s;
	struct cg_event *e;

	if (!npcs) {
		p->quality.foreign++;
		return 0;
	}
	p->quality.samples++;
	if (!(c = context_of(p, rec)) || !(s = batch_place(p, npcs)))
		return -1;
	if (!c->selected || (select && !(holds(select->tids.v, select->tids.n, rec->u.chain.tid) &&
					 holds(select->cpus.v, select->cpus.n, rec->u.chain.cpu))))
		return 0;
	e = &p->events.v[c->event];
	e->samples++;
	e->truncated += e->max_depth && npcs >= e->max_depth;
	s->key = c->key;
	s->key.npcs = npcs;
	/* A chain without user frames means the same in every process. */
	if (!c->usermode && is_kernel_half(rec->u.chain.pcs[npcs - 1]))
		s->key.space = c->key.kernel;
	batch_take(p, s, rec->u.chain.pcs);
	return 0;
}
