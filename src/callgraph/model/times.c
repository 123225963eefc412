// SPDX-License-Identifier: BSD-2-Clause
#include "base/numbers.h"
#include "callgraph/model/state.h"
#include "callgraph/model/times.h"

enum {
	/* Percent of the time that may have no samples: of whole CPUs; of threads that end soon. */
	BY_CHANCE = 10,
	BY_ENDING = 25,
};

#define WORTH_TELLING 0.05 /* seconds */

static void add(uint64_t *sum, uint64_t n)
{
	*sum = numbers_sum(*sum, n);
}

static void add_times(struct cg_times *t, const struct pmclog_record *rec, double missed)
{
	add(&t->enabled, rec->u.drop.enabled);
	add(&t->running, rec->u.drop.running);
	add(&t->paused, rec->u.drop.paused);
	if (missed < 0)
		return;
	add(&t->paced, rec->u.drop.paused);
	t->missed += missed;
}

void cg_times_add(struct cg_builder *b, const struct pmclog_record *rec)
{
	uint32_t i = cg_pmc_find(b, rec->u.drop.pmcid);
	struct cg_pmc *pmc;
	double missed = -1;

	if (rec->u.drop.cause == PMCLOG_DROP_THROTTLE)
		missed = cg_pace_pause(b, rec);
	add(&b->p.quality.paused, rec->u.drop.paused);
	if (i == CG_NONE)
		return;
	pmc = &b->pmcs.v[i];
	add_times(&pmc->times, rec, missed);
	if (rec->u.drop.cause == PMCLOG_DROP_EXIT)
		add(&pmc->untold, rec->u.drop.count);
	/* One that only counts has no place among the events that are sampled. */
	if (pmc->event != CG_NONE)
		add_times(&b->p.events.v[pmc->event].times, rec, missed);
}

unsigned int cg_time_share(const struct cg_times *t)
{
	unsigned int part;

	if (t->running >= t->enabled)
		return CG_WHOLE_TIME;
	part = (unsigned int)(CG_WHOLE_TIME * ((double)t->running / (double)t->enabled));
	return part < CG_WHOLE_TIME ? part : CG_WHOLE_TIME - 1;
}

/* At the pace just before pauses, or else at that of all the time that it was not paused. */
uint64_t cg_samples_missed(const struct cg_event *e)
{
	const struct cg_times *t = &e->times;
	double missed;

	if (!t->paused || (!t->paced && t->running <= t->paused))
		return 0;
	if (t->paced)
		missed = t->missed * ((double)t->paused / (double)t->paced);
	else
		missed =
			(double)e->samples * ((double)t->paused / (double)(t->running - t->paused));
	return missed < 0x1p64 ? (uint64_t)missed : UINT64_MAX;
}

double cg_seconds_unsampled(const struct cg_event *e, uint64_t samples, uint32_t cpus,
			    double seconds)
{
	double period = (double)cg_event_nanoseconds(e) / 1e9, all = cpus * seconds;
	double unsampled = all - (double)samples * period;

	/* A mode alone has no samples of the others. */
	if (period <= 0 || strchr(e->name, ':') || unsampled < all * BY_CHANCE / 100 ||
	    unsampled < cpus * period || unsampled < WORTH_TELLING)
		return 0;
	return unsampled;
}

/* What targets ran for, in the modes that the event is sampled in; 0: not known. */
static double ran_in_modes(const struct cg_ran *ran, const struct cg_event *e)
{
	const char *modes = strchr(e->name, ':');
	uint64_t ns = 0;

	if (!modes || !strcmp(modes, ":u"))
		ns += ran->user;
	if (!modes || !strcmp(modes, ":k"))
		ns += ran->system;
	return ran->known ? (double)ns / 1e9 : 0;
}

struct cg_sampled_time cg_sampled_time_of(const struct cg_profile *p, const struct cg_event *e)
{
	double period = (double)cg_event_nanoseconds(e) / 1e9;
	double sampled = (double)e->samples * period, all = e->whole_cpus * p->sampled;

	if (!cg_event_is_clock(e))
		all = 0;
	else if (!e->whole_cpus)
		all = ran_in_modes(&p->ran, e);
	else if (cg_seconds_unsampled(e, e->samples, e->whole_cpus, p->sampled) <= 0)
		all = 0;
	if (!e->whole_cpus &&
	    (all - sampled < WORTH_TELLING + period || all - sampled < all * BY_ENDING / 100))
		all = 0;
	return (struct cg_sampled_time){all > 0 ? sampled : 0, all};
}

struct cg_pmc_times cg_pmc_times_of(const struct cg_profile *p, uint32_t pmcid)
{
	struct cg_pmc_times times = {.pmcid = pmcid};
	const struct cg_pmc_times *each;

	vec_each(each, &p->pmc_times)
		if (each->pmcid == pmcid)
			times = *each;
	return times;
}

struct scaling {
	double factor;
	double sum;	/* of what its stacks would have been, so far */
	uint64_t given; /* of that, in whole samples */
	uint64_t most;	/* so that all events together can be added up */
};

static uint64_t rounded(const struct scaling *of, double samples)
{
	/* The largest number that is one is rounded up as a double. */
	return samples + 0.5 < (double)of->most ? (uint64_t)(samples + 0.5) : of->most;
}

/* Stacks get so much each that their sum is the event's, rounded once. */
static void scale_stacks(struct cg_builder *b, struct scaling *scalings)
{
	struct cg_stack *s;

	vec_each(s, &b->p.stacks) {
		struct scaling *of = &scalings[b->p.groups.v[s->group].event];

		if (!of->factor)
			continue;
		of->sum += (double)s->count * of->factor;
		s->count = rounded(of, of->sum) - of->given;
		of->given += s->count;
	}
}

int cg_times_scale(struct cg_builder *b)
{
	struct scaling *scalings = calloc(b->p.events.n + 1, sizeof(*scalings)), *of = scalings;
	struct cg_event *e;

	if (!scalings)
		return -1;
	vec_each(e, &b->p.events) {
		e->scaled = cg_time_share(&e->times) < CG_WHOLE_TIME && e->times.running;
		if (e->scaled)
			of->factor = (double)e->times.enabled / (double)e->times.running;
		of->most = UINT64_MAX / b->p.events.n;
		of++;
	}
	scale_stacks(b, scalings);
	of = scalings;
	vec_each(e, &b->p.events) {
		if (e->scaled) {
			e->samples = of->given;
			e->truncated = rounded(of, (double)e->truncated * of->factor);
			e->guessed = rounded(of, (double)e->guessed * of->factor);
			e->stitched = rounded(of, (double)e->stitched * of->factor);
			b->p.quality.scaled = true;
		}
		of++;
	}
	free(scalings);
	return 0;
}
