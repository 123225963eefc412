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

enum {
	FLAG_CALLCHAIN = 0x80, /* of PMCALLOCATE*: man/pmclog.5 */
	/* Modes of PMCs that count, in a pmcid: the same. */
	MODE_SC = 1,
	MODE_TC = 3,
};

/* What the record says of its event.  0, or -1 when out of memory. */
static int event_of(struct cg_profile *p, const struct pmclog_record *rec, struct cg_event *event)
{
	struct cg_state *st = p->state;
	struct pmclog_text name = rec->u.alloc.name, spec = rec->u.alloc.spec;
	uint32_t name_id, spec_id;
	char number[32];

	if (!name.len) {
		name.len = (size_t)snprintf(number, sizeof(number), "%sevent-0x%x",
					    rec->u.alloc.flags & PMCLOG_F_EV_PMU ? "pmu-" : "",
					    rec->u.alloc.event);
		name.s = number;
	}
	name_id = strpool_id(st->pool, name.s, name.len);
	spec_id = strpool_id(st->pool, spec.s ? spec.s : "", spec.len);
	if (name_id == UINT32_MAX || spec_id == UINT32_MAX)
		return -1;
	*event = (struct cg_event){.rate = rec->u.alloc.rate,
				   .frequency = rec->u.alloc.frequency};
	event->name = event->whole = strpool_text(st->pool, name_id);
	event->spec = strpool_text(st->pool, spec_id);
	return 0;
}

/* The index of the event; CG_NONE when out of memory. */
static uint32_t intern_event(struct cg_profile *p, const struct cg_event *event)
{
	struct cg_state *st = p->state;
	/* By texts, for a pool does not last as long: see forget.c. */
	uint32_t hash = hash_fold(hash_mix(hash_bytes(event->name, strlen(event->name)),
					   hash_bytes(event->spec, strlen(event->spec)))),
		 i;
	struct table_iter it;
	struct cg_event *e;

	for (i = table_first(&st->event_of_name, hash, &it); i != TABLE_NONE;
	     i = table_next(&st->event_of_name, &it)) {
		e = &p->events.v[i];
		if (e->name != event->name || e->spec != event->spec)
			continue;
		if (e->rate != event->rate || e->frequency != event->frequency)
			e->rate = e->frequency = 0;
		return i;
	}
	i = (uint32_t)p->events.n;
	return vec_push(&p->events, *event) || table_insert(&st->event_of_name, hash, i) ? CG_NONE
											: i;
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

static int set_pmc(struct cg_profile *p, const struct cg_pmc *pmc)
{
	struct cg_state *st = p->state;
	uint32_t i = cg_pmc_find(p, pmc->pmcid);

	if (i != CG_NONE) {
		st->pmcs.v[i] = *pmc;
		return 0;
	}
	if (vec_push(&st->pmcs, *pmc))
		return -1;
	return table_insert(&st->pmc_of_id, hash_u64(pmc->pmcid), (uint32_t)(st->pmcs.n - 1));
}

/* An event that is only counted has no place among samples. */
static bool is_counting(uint32_t pmcid)
{
	uint32_t mode = pmcid >> 12 & 0xff;

	return mode == MODE_SC || mode == MODE_TC;
}

/* Gives a PMC a place among the events that are sampled.  NULL when out of memory. */
static const struct cg_pmc *with_event(struct cg_profile *p, struct cg_pmc *pmc)
{
	if (pmc->event != CG_NONE)
		return pmc;
	pmc->event = intern_event(p, &pmc->announced);
	if (pmc->event == CG_NONE)
		return NULL;
	p->events.v[pmc->event].takes_chains |= pmc->announced.takes_chains;
	return pmc;
}

int cg_pmc_announce(struct cg_profile *p, const struct pmclog_record *rec)
{
	struct cg_pmc pmc = {.pmcid = rec->u.alloc.pmcid,
			     .event = CG_NONE,
			     .descends = rec->u.alloc.flags & 0x2,
			     .max_depth =
				     rec->u.alloc.max_depth ? rec->u.alloc.max_depth : UINT32_MAX};

	if (event_of(p, rec, &pmc.announced))
		return -1;
	pmc.announced.takes_chains = (rec->u.alloc.flags & FLAG_CALLCHAIN) != 0;
	if (!is_counting(pmc.pmcid) && !with_event(p, &pmc))
		return -1;
	return set_pmc(p, &pmc);
}

/* The PMC of a sample.  One that the log never announced is kept, under an event of its own. */
static const struct cg_pmc *pmc_of(struct cg_profile *p, uint32_t pmcid)
{
	static const struct pmclog_record unknown = {
		.u.alloc = {.name = {"[unannounced]", sizeof("[unannounced]") - 1}}};
	struct cg_pmc pmc = {.pmcid = pmcid, .event = CG_NONE, .max_depth = UINT32_MAX};
	uint32_t i = cg_pmc_find(p, pmcid);

	if (i != CG_NONE)
		return with_event(p, &p->state->pmcs.v[i]);
	if (event_of(p, &unknown, &pmc.announced) || !with_event(p, &pmc) || set_pmc(p, &pmc))
		return NULL;
	p->events.v[pmc.event].unannounced = true;
	return &p->state->pmcs.v[p->state->pmcs.n - 1];
}

uint32_t cg_group_intern(struct cg_profile *p, const struct cg_group *g)
{
	struct table *t = &p->state->group_of_key;
	uint32_t hash = hash_fold(hash_mix(hash_mix((uintptr_t)g->comm, g->event),
					   hash_mix((uint64_t)g->pid << 32 | g->tid, g->cpu))),
		 i;
	struct table_iter it;

	for (i = table_first(t, hash, &it); i != TABLE_NONE; i = table_next(t, &it)) {
		const struct cg_group *o = &p->groups.v[i];

		if (o->event == g->event && o->comm == g->comm && o->pid == g->pid &&
		    o->tid == g->tid && o->cpu == g->cpu)
			return i;
	}
	if (vec_push(&p->groups, *g) || table_insert(t, hash, (uint32_t)(p->groups.n - 1)))
		return CG_NONE;
	return (uint32_t)(p->groups.n - 1);
}

/* Whether an ascending list has a number; an empty one has all. */
static bool holds(const uint32_t *v, size_t n, uint32_t what)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v[mid] == what)
			return true;
		if (v[mid] < what)
			lo = mid + 1;
		else
			hi = mid;
	}
	return !n;
}

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

/* Counts a chain: finds it among those seen or adds it. */
static int count_stack(struct cg_profile *p, const struct cg_batch_sample *b, const uint64_t *pcs)
{
	struct table *t = &p->state->stack_of_chain;
	struct table_iter it;
	uint32_t i;

	for (i = table_first(t, b->hash, &it); i != TABLE_NONE; i = table_next(t, &it))
		if (is_stack(p, &p->stacks.v[i], b, pcs)) {
			p->stacks.v[i].count++;
			return 0;
		}
	return add_stack(p, b, pcs);
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
		else if (count_stack(p, &b->sample[i], pcs))
			return -1;
	}
	b->n = b->used = 0;
	return 0;
}

/* Linux on 64-bit machines has the kernel in the upper half of the address space. */
static bool is_kernel_half(uint64_t pc)
{
	return pc >> 63;
}

/* Whether no frame is a user's: such a chain means the same in every process. */
static bool is_all_kernel(const uint64_t *pcs, uint32_t npcs)
{
	/* Most chains with user frames end with one. */
	while (npcs && is_kernel_half(pcs[npcs - 1]))
		npcs--;
	return !npcs;
}

/* Takes the marks of frames that are no return addresses: the words that they fill. */
static uint8_t take_marks(const struct pmclog_record *rec, uint64_t *words)
{
	uint32_t bytes = (rec->u.chain.npcs + 7) / 8, n;

	if (bytes > rec->u.chain.exact.length)
		bytes = rec->u.chain.exact.length;
	n = (bytes + 7) / 8;
	memset(words, 0, n * sizeof(*words));
	memcpy(words, rec->u.chain.exact.bits, bytes);
	while (n && !words[n - 1])
		n--;
	return (uint8_t)n;
}

/* Takes a sample into the batch.  0, or -1 when out of memory. */
static int batch_take(struct cg_profile *p, const struct cg_context *c,
		      const struct pmclog_record *rec)
{
	const uint64_t *pcs = rec->u.chain.pcs;
	uint32_t npcs = rec->u.chain.npcs, n = npcs;
	const struct table *t = &p->state->stack_of_chain;
	struct cg_batch *b = &p->state->batch;
	struct cg_batch_sample *s;

	if (rec->u.chain.exact.length)
		n += PMCLOG_MAX_DEPTH / 64;
	if ((b->n == CG_BATCH || b->used + n > CG_BATCH_WORDS) && cg_samples_flush(p))
		return -1;
	s = &b->sample[b->n++];
	s->first = b->used;
	s->npcs = npcs;
	s->marks = n > npcs ? take_marks(rec, b->words + b->used + npcs) : 0;
	n = npcs + s->marks;
	s->space = c->space;
	s->group = c->group;
	s->generation = c->generation;
	s->kernel = c->kernel;
	s->end = rec->u.chain.end < PMCLOG_NENDS ? rec->u.chain.end : PMCLOG_END_UNSAID;
	if (!c->usermode && is_all_kernel(pcs, npcs)) {
		s->space = CG_KERNEL_SPACE;
		s->generation = c->kernel;
	}
	memcpy(b->words + b->used, pcs, npcs * sizeof(*pcs));
	s->hash = hash_words(b->words + b->used, n,
			     (uint64_t)s->generation << 32 ^ (uint64_t)s->group << 16 ^ s->kernel ^
				     (uint64_t)s->end << 60);
	b->used += n;
	if (t->slot)
		__builtin_prefetch(&t->slot[s->hash & t->mask]);
	return 0;
}

/* Fills in what samples of this process and PMC have in common until the next other record. */
static int set_context(struct cg_profile *p, const struct pmclog_record *rec, struct cg_context *c)
{
	struct cg_state *st = p->state;
	const struct cg_pmc *pmc = pmc_of(p, rec->u.chain.pmcid);
	uint32_t process = cg_process_of(p, rec->u.chain.pid), group;
	struct cg_group g = {.pid = CG_NONE, .tid = CG_NONE, .cpu = CG_NONE};
	const struct cg_process *proc;

	c->epoch = 0;
	if (!pmc || process == CG_NONE)
		return -1;
	proc = &st->processes.v[process];
	if (proc->program != CG_NONE && cg_exec_place(p, rec))
		return -1;
	g.event = pmc->event;
	g.comm = proc->comm;
	if (st->keys & CG_KEY_PID)
		g.pid = rec->u.chain.pid;
	if (st->keys & CG_KEY_TID)
		g.tid = rec->u.chain.tid;
	if (st->keys & CG_KEY_CPU)
		g.cpu = rec->u.chain.cpu;
	group = cg_group_intern(p, &g);
	if (group == CG_NONE)
		return -1;
	*c = (struct cg_context){.epoch = st->epoch,
				 .pid = rec->u.chain.pid,
				 .pmcid = rec->u.chain.pmcid,
				 .tid = rec->u.chain.tid & st->tid_mask,
				 .cpu = rec->u.chain.cpu & st->cpu_mask,
				 .usermode = rec->u.chain.usermode,
				 .selected = proc->selected,
				 .event = pmc->event,
				 .max_depth = pmc->max_depth,
				 .space = proc->space,
				 .group = group,
				 .generation = st->spaces.v.v[proc->space].generation,
				 .kernel = CG_NONE};
	if (!c->usermode)
		c->kernel = st->spaces.v.v[CG_KERNEL_SPACE].generation;
	/* The next sample may show where the program is. */
	if (proc->program != CG_NONE)
		c->epoch = 0;
	return 0;
}

/* The context of a sample.  NULL when out of memory. */
static const struct cg_context *context_of(struct cg_profile *p, const struct pmclog_record *rec)
{
	uint32_t pid = rec->u.chain.pid, pmcid = rec->u.chain.pmcid;
	uint32_t tid = rec->u.chain.tid & p->state->tid_mask;
	uint32_t cpu = rec->u.chain.cpu & p->state->cpu_mask;
	bool usermode = rec->u.chain.usermode;
	uint32_t mix = (pid + tid * 3 + (pmcid + cpu) * 0x9e3779b1u + usermode) * 0x85ebca6bu;
	struct cg_context *c = &p->state->context[mix >> 16 & (CG_CONTEXTS - 1)];

	if (c->epoch == p->state->epoch && c->pid == pid && c->pmcid == pmcid && c->tid == tid &&
	    c->cpu == cpu && c->usermode == usermode)
		return c;
	return set_context(p, rec, c) ? NULL : c;
}

/* Whether the selection takes a sample of a process that it takes. */
static bool is_selected(const struct cg_state *st, const struct pmclog_record *rec)
{
	const struct cg_select *select = st->select;

	return holds(select->tids.v, select->tids.n, rec->u.chain.tid) &&
	       holds(select->cpus.v, select->cpus.n, rec->u.chain.cpu) &&
	       rec->tsc >= st->time_from && rec->tsc < st->time_to;
}

int cg_sample_add(struct cg_profile *p, const struct pmclog_record *rec)
{
	uint32_t npcs = rec->u.chain.npcs;
	const struct cg_context *c;
	struct cg_event *e;

	if (!npcs) {
		p->quality.foreign++;
		return 0;
	}
	p->quality.samples++;
	if (!(c = context_of(p, rec)))
		return -1;
	if (!c->selected || (p->state->by_sample && !is_selected(p->state, rec)))
		return 0;
	e = &p->events.v[c->event];
	e->samples++;
	e->truncated += npcs >= c->max_depth;
	e->guessed += rec->u.chain.guessed.length != 0;
	e->stitched += rec->u.chain.stitched != 0;
	if (p->state->timeline && cg_timeline_add(p, rec))
		return -1;
	return batch_take(p, c, rec);
}
