// SPDX-License-Identifier: BSD-2-Clause
/* A profile as a value: what the builder and transforms need to make one, and its end. */
#include "callgraph/model/make.h"

static void free_timeline(struct cg_timeline *t)
{
	struct cg_cpu_time *cpu;

	vec_each(cpu, &t->cpus)
		free(cpu->samples);
	vec_free(&t->cpus);
}

void cg_profile_fini(struct cg_profile *p)
{
	struct cg_packed_source *source;

	vec_free(&p->events);
	vec_free(&p->groups);
	vec_free(&p->stacks);
	vec_free(&p->words);
	vec_free(&p->locations_of);
	vec_free(&p->by_event);
	vec_free(&p->locations);
	vec_free(&p->functions);
	vec_free(&p->images);
	vec_free(&p->frames);
	vec_free(&p->lifetimes);
	vec_free(&p->lifetime_counts);
	vec_free(&p->pmc_times);
	vec_free(&p->moments);
	vec_each(source, &p->sources)
		cg_packed_source_fini(source);
	vec_free(&p->sources);
	vec_free(&p->jit_names);
	free_timeline(&p->timeline);
	symbol_store_free(p->store);
	strpool_free(p->pool);
}

/* It may be freed though nobody may change it. */
void cg_profile_free(const struct cg_profile *p)
{
	struct cg_profile *made = (void *)(uintptr_t)p;

	if (!made)
		return;
	cg_profile_fini(made);
	free(made);
}

uint32_t cg_group_intern(struct cg_profile *p, struct table *t, const struct cg_group *g)
{
	uint32_t hash = hash_fold(hash_mix(hash_mix((uintptr_t)g->comm, g->event),
					   hash_mix((uint64_t)g->pid << 32 | g->tid,
						    (uint64_t)g->life << 32 | g->cpu))),
		 i;
	struct table_iter it;

	for (i = table_first(t, hash, &it); i != TABLE_NONE; i = table_next(t, &it)) {
		const struct cg_group *o = &p->groups.v[i];

		if (o->event == g->event && o->comm == g->comm && o->pid == g->pid &&
		    o->tid == g->tid && o->life == g->life && o->cpu == g->cpu &&
		    o->host == g->host)
			return i;
	}
	if (vec_push(&p->groups, *g) || table_insert(t, hash, (uint32_t)(p->groups.n - 1)))
		return CG_NONE;
	return (uint32_t)(p->groups.n - 1);
}

/* Sorts the stacks by event, those of one event as they came. */
int cg_profile_sort(struct cg_profile *p)
{
	const struct cg_stack *s;
	uint32_t first = 0;
	struct cg_event *e;

	if (vec_reserve(&p->by_event, p->stacks.n))
		return -1;
	p->by_event.n = p->stacks.n;
	vec_each(e, &p->events)
		e->stacks = 0;
	vec_each(s, &p->stacks)
		p->events.v[p->groups.v[s->group].event].stacks++;
	vec_each(e, &p->events) {
		e->first = first;
		first += e->stacks;
		e->stacks = 0;
	}
	vec_each(s, &p->stacks) {
		e = &p->events.v[p->groups.v[s->group].event];
		p->by_event.v[e->first + e->stacks++] = (uint32_t)(s - p->stacks.v);
	}
	return 0;
}
