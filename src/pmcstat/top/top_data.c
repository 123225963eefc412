// SPDX-License-Identifier: BSD-2-Clause
#include "pmcstat/top/top_data.h"

void top_data_free(struct top_data *d)
{
	struct top_slice *slice;

	vec_each(slice, &d->slices)
		vec_free(&slice->changes);
	vec_free(&d->slices);
	vec_free(&d->stacks);
	vec_free(&d->counts);
	vec_free(&d->marks);
	vec_free(&d->recent);
	vec_free(&d->found);
}

void top_data_forget(struct top_data *d)
{
	double marked = d->marked;

	top_data_free(d);
	d->marked = marked;
	d->reached = 0;
	d->anew = true;
}

/* What came since the last refresh. */
static int take_slice(struct top_data *d, const struct cg_profile *p, double now)
{
	double from = d->marked > 0 ? d->marked : now;
	struct top_slice *slice;
	uint32_t i;

	if (vec_push(&d->slices, (struct top_slice){.from = from,
						    .to = now,
						    .seconds = p->sampled - d->reached}))
		return -1;
	d->reached = p->sampled;
	slice = &d->slices.v[d->slices.n - 1];
	for (i = 0; i < p->stacks.n; i++) {
		uint64_t count = p->stacks.v[i].count - (i < d->marks.n ? d->marks.v[i] : 0);

		if (count && vec_push(&slice->changes, (struct top_change){i, count}))
			return -1;
	}
	return 0;
}

/* Gives up slices that ended before the last seconds. */
static void expire(struct top_data *d, double now)
{
	const struct top_change *change;

	while (d->slices.n > 1 && d->slices.v[0].to <= now - TOP_RECENTLY) {
		vec_each(change, &d->slices.v[0].changes)
			d->recent.v[change->stack] -= change->count;
		vec_free(&d->slices.v[0].changes);
		d->slices.n--;
		memmove(d->slices.v, d->slices.v + 1, d->slices.n * sizeof(*d->slices.v));
	}
}

int top_data_mark(struct top_data *d, const struct cg_profile *p, double now)
{
	const struct top_change *change;
	size_t i;

	if (take_slice(d, p, now) || vec_reserve(&d->marks, p->stacks.n) ||
	    vec_reserve(&d->recent, p->stacks.n))
		return -1;
	for (i = 0; i < p->stacks.n; i++) {
		d->recent.v[i] = i < d->recent.n ? d->recent.v[i] : 0;
		d->marks.v[i] = p->stacks.v[i].count;
	}
	d->marks.n = d->recent.n = p->stacks.n;
	d->marked = now;
	vec_each(change, &d->slices.v[d->slices.n - 1].changes)
		d->recent.v[change->stack] += change->count;
	expire(d, now);
	return 0;
}

double top_data_recently(const struct top_data *d)
{
	double seconds = d->slices.n ? d->slices.v[d->slices.n - 1].to - d->slices.v[0].from : 0;

	return seconds > TOP_RECENTLY || d->anew ? seconds : TOP_RECENTLY;
}

/* The samples of every stack in the time that the state has chosen go to counts. */
static int take_span(struct top_data *d, const struct top_state *s)
{
	const struct top_change *change;

	if (vec_reserve(&d->counts, d->marks.n))
		return -1;
	d->counts.n = d->marks.n;
	if (s->span == TOP_ALL && d->marks.n)
		memcpy(d->counts.v, d->marks.v, d->marks.n * sizeof(*d->marks.v));
	else if (s->span == TOP_RECENT && d->marks.n)
		memcpy(d->counts.v, d->recent.v, d->marks.n * sizeof(*d->marks.v));
	else if (d->marks.n)
		memset(d->counts.v, 0, d->marks.n * sizeof(*d->marks.v));
	if (s->span == TOP_DELTA && d->slices.n)
		vec_each(change, &d->slices.v[d->slices.n - 1].changes)
			d->counts.v[change->stack] = change->count;
	return 0;
}

/* How long that time is, of the log. */
static double seconds_of_span(const struct top_data *d, const struct cg_profile *p,
			      const struct top_state *s)
{
	const struct top_slice *slice;
	double seconds = 0;

	if (s->span == TOP_ALL)
		return p->sampled;
	vec_each(slice, &d->slices)
		seconds = slice->seconds + (s->span == TOP_DELTA ? 0 : seconds);
	return seconds;
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
	return !s->one_thread || (s->pid == g->pid && s->tid == g->tid && s->life == g->life);
}

/* Whether a view of every thread or object is wanted, whatever was chosen before. */
static bool shows_object(const struct top_state *s, uint32_t image)
{
	return !s->one_object || s->view == TOP_OBJECTS || s->image == image;
}

/* Counts a stack's samples of the chosen PMC.  Whether views shall have them. */
static bool takes_stack(struct top_data *d, const struct top_state *s, const struct cg_group *g,
			uint64_t pmc, uint64_t count)
{
	uint32_t event = (uint32_t)(pmc >> 32), cpu = (uint32_t)pmc;
	bool is_idle = d->unit && g->event == event && !g->pid, hidden = is_idle && !s->idle;

	d->all += hidden ? 0 : count;
	if (g->event != event || (cpu != CG_NONE && g->cpu != cpu))
		return false;
	d->of_pmc += count;
	d->idle += is_idle ? count : 0;
	return !hidden && (s->view == TOP_THREADS || takes(s, g));
}

static void count_stacks(struct top_data *d, const struct cg_profile *p, const struct top_state *s,
			 uint64_t pmc)
{
	size_t i;

	for (i = 0; i < d->counts.n; i++) {
		const struct cg_stack *stack = &p->stacks.v[i];
		const struct cg_group *g = &p->groups.v[stack->group];
		uint64_t count = d->counts.v[i];
		const struct cg_function *leaf;

		d->counts.v[i] = 0;
		if (!count || !takes_stack(d, s, g, pmc, count))
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

	if (find_pmcs(d, p, s->per_cpu) || take_span(d, s) || vec_reserve(&d->stacks, d->marks.n))
		return -1;
	d->samples = d->all = d->unresolved = d->idle = d->of_pmc = 0;
	d->stacks.n = 0;
	d->pmcs = d->found.n;
	if (d->pmcs)
		pmc = d->found.v[s->pmc % d->pmcs];
	d->cpu = (uint32_t)pmc;
	d->event = (struct cg_event){.name = "", .whole = "", .spec = ""};
	if (d->pmcs)
		d->event = p->events.v[pmc >> 32];
	d->unit = cg_event_nanoseconds(&d->event);
	d->cpus = d->cpu == CG_NONE || !d->event.whole_cpus ? d->event.whole_cpus : 1;
	d->seconds = seconds_of_span(d, p, s);
	count_stacks(d, p, s, pmc);
	d->event.samples = d->samples;
	d->view = (struct cg_view){.profile = p,
				   .event = &d->event,
				   .stacks = d->stacks.v,
				   .n = (uint32_t)d->stacks.n,
				   .counts = d->counts.v};
	return 0;
}
