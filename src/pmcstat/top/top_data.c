// SPDX-License-Identifier: BSD-2-Clause
#include "pmcstat/top/top_data.h"

void top_data_free(struct top_data *d)
{
	vec_free(&d->stacks);
	vec_free(&d->counts);
	vec_free(&d->marks[0]);
	vec_free(&d->marks[1]);
	vec_free(&d->found);
}

int top_data_mark(struct top_data *d, const struct cg_profile *p)
{
	size_t i, was = d->marks[0].n;

	if (vec_reserve(&d->marks[0], p->stacks.n) || vec_reserve(&d->marks[1], p->stacks.n))
		return -1;
	for (i = 0; i < p->stacks.n; i++) {
		d->marks[1].v[i] = i < was ? d->marks[0].v[i] : 0;
		d->marks[0].v[i] = p->stacks.v[i].count;
	}
	d->marks[0].n = d->marks[1].n = p->stacks.n;
	return 0;
}

static int by_value(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Every PMC: an event, or with per_cpu an event on a CPU. */
static int find_pmcs(struct top_data *d, const struct cg_profile *p, bool per_cpu)
{
	const struct cg_group *g;
	size_t i, n = 0;

	d->found.n = 0;
	for (i = 0; !per_cpu && i < p->events.n; i++)
		if (vec_push(&d->found, (uint64_t)i << 32 | CG_NONE))
			return -1;
	if (!per_cpu)
		return 0;
	vec_each(g, &p->groups)
		if (vec_push(&d->found, (uint64_t)g->event << 32 | g->cpu))
			return -1;
	if (d->found.n)
		qsort(d->found.v, d->found.n, sizeof(*d->found.v), by_value);
	for (i = 0; i < d->found.n; i++)
		if (!i || d->found.v[i] != d->found.v[i - 1])
			d->found.v[n++] = d->found.v[i];
	d->found.n = n;
	return 0;
}

/* Whether the state takes samples of a group. */
static bool takes(const struct top_state *s, const struct cg_group *g)
{
	return (s->pid == CG_NONE || s->pid == g->pid) && (s->tid == CG_NONE || s->tid == g->tid);
}

/* Whether a view of every thread or object is wanted, whatever was chosen before. */
static bool shows_object(const struct top_state *s, uint32_t image)
{
	return !s->one_object || s->view == TOP_OBJECTS || s->image == image;
}

static void count_stacks(struct top_data *d, const struct cg_profile *p, const struct top_state *s,
			 uint64_t pmc)
{
	uint32_t event = (uint32_t)(pmc >> 32), cpu = (uint32_t)pmc;
	size_t i;

	for (i = 0; i < d->counts.n; i++) {
		const struct cg_stack *stack = &p->stacks.v[i];
		const struct cg_group *g = &p->groups.v[stack->group];
		uint64_t count = d->marks[0].v[i] - (s->delta ? d->marks[1].v[i] : 0);
		const struct cg_function *leaf;

		d->all += count;
		d->counts.v[i] = 0;
		if (!count || g->event != event || (cpu != CG_NONE && g->cpu != cpu) ||
		    (s->view != TOP_THREADS && !takes(s, g)))
			continue;
		leaf = &p->functions.v[cg_function_of(p, stack, 0)];
		if (!shows_object(s, leaf->image))
			continue;
		d->counts.v[i] = count;
		d->samples += count;
		d->unresolved += leaf->resolved ? 0 : count;
		d->stacks.v[d->stacks.n++] = (uint32_t)i;
	}
}

int top_data_choose(struct top_data *d, const struct cg_profile *p, const struct top_state *s)
{
	uint64_t pmc = UINT64_MAX;

	if (find_pmcs(d, p, s->per_cpu) || vec_reserve(&d->counts, d->marks[0].n) ||
	    vec_reserve(&d->stacks, d->marks[0].n))
		return -1;
	d->samples = d->all = d->unresolved = 0;
	d->stacks.n = 0;
	d->counts.n = d->marks[0].n;
	d->pmcs = d->found.n;
	if (d->pmcs)
		pmc = d->found.v[s->pmc % d->pmcs];
	d->cpu = (uint32_t)pmc;
	d->event = (struct cg_event){.name = "", .whole = "", .spec = ""};
	if (d->pmcs)
		d->event = p->events.v[pmc >> 32];
	count_stacks(d, p, s, pmc);
	d->event.samples = d->samples;
	d->event.first = 0;
	d->event.stacks = (uint32_t)d->stacks.n;
	d->view = *p;
	d->view.events.v = &d->event;
	d->view.events.n = 1;
	d->view.by_event.v = d->stacks.v;
	d->view.by_event.n = d->stacks.n;
	return 0;
}
