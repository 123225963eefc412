// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/model/state.h"
#include "callgraph/model/times.h"

static void add(uint64_t *sum, uint64_t n)
{
	*sum = n > UINT64_MAX - *sum ? UINT64_MAX : *sum + n;
}

static void add_times(struct cg_times *t, const struct pmclog_record *rec)
{
	add(&t->enabled, rec->u.drop.enabled);
	add(&t->running, rec->u.drop.running);
	add(&t->paused, rec->u.drop.paused);
}

void cg_times_add(struct cg_profile *p, const struct pmclog_record *rec)
{
	uint32_t i = cg_pmc_find(p, rec->u.drop.pmcid);
	struct cg_pmc *pmc;

	add(&p->quality.paused, rec->u.drop.paused);
	if (i == CG_NONE)
		return;
	pmc = &p->state->pmcs.v[i];
	add_times(&pmc->times, rec);
	if (rec->u.drop.cause == PMCLOG_DROP_EXIT)
		add(&pmc->untold, rec->u.drop.count);
	/* One that only counts has no place among the events that are sampled. */
	if (pmc->event != CG_NONE)
		add_times(&p->events.v[pmc->event].times, rec);
}

unsigned int cg_time_share(const struct cg_times *t)
{
	unsigned int part;

	if (t->running >= t->enabled)
		return CG_WHOLE_TIME;
	part = (unsigned int)(CG_WHOLE_TIME * ((double)t->running / (double)t->enabled));
	return part < CG_WHOLE_TIME ? part : CG_WHOLE_TIME - 1;
}

/* At the pace of the time that it was not paused. */
uint64_t cg_samples_missed(const struct cg_event *e)
{
	const struct cg_times *t = &e->times;
	double missed;

	if (!t->paused || t->running <= t->paused)
		return 0;
	missed = (double)e->samples * ((double)t->paused / (double)(t->running - t->paused));
	return missed < 0x1p64 ? (uint64_t)missed : UINT64_MAX;
}

void cg_pmc_times(const struct cg_profile *p, uint32_t pmcid, struct cg_times *t, uint64_t *untold)
{
	const struct cg_pmc *pmc;

	*t = (struct cg_times){0};
	*untold = 0;
	vec_each(pmc, &p->state->pmcs) {
		if (pmc->pmcid != pmcid)
			continue;
		*t = pmc->times;
		*untold = pmc->untold;
	}
}

struct scaling {
	double sum;	/* of what its stacks would have been, so far */
	uint64_t given; /* of that, in whole samples */
};

/* Stacks get so much each that their sum is the event's, rounded once. */
static void scale_stacks(struct cg_profile *p, struct scaling *of)
{
	struct cg_stack *s;

	vec_each(s, &p->stacks) {
		uint32_t event = p->groups.v[s->group].event;
		const struct cg_times *t = &p->events.v[event].times;

		if (!p->events.v[event].scaled)
			continue;
		of[event].sum += (double)s->count * ((double)t->enabled / (double)t->running);
		s->count = (uint64_t)(of[event].sum + 0.5) - of[event].given;
		of[event].given += s->count;
	}
}

int cg_profile_scale(struct cg_profile *p, struct err *err)
{
	struct scaling *of = calloc(p->events.n + 1, sizeof(*of));
	struct cg_event *e;

	if (!of || cg_samples_flush(p)) {
		free(of);
		return err_nomem(err);
	}
	vec_each(e, &p->events)
		e->scaled = cg_time_share(&e->times) < CG_WHOLE_TIME && e->times.running;
	scale_stacks(p, of);
	vec_each(e, &p->events) {
		if (!e->scaled)
			continue;
		e->samples = of[e - p->events.v].given;
		e->truncated = (uint64_t)((double)e->truncated *
					  ((double)e->times.enabled / (double)e->times.running));
		p->quality.scaled = true;
	}
	free(of);
	return 0;
}
