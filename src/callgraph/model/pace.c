// SPDX-License-Identifier: BSD-2-Clause
/*
 * What a pause costs.  The kernel pauses an event where it has too many samples, so these come
 * faster just before than they do on average: the pace is that of the samples since the last pause.
 */
#include "callgraph/model/state.h"

enum {
	PACES_MAX = 1 << 16, /* PMCs on CPUs that are known; more than any machine has at once */
	WINDOW_MS = 20,	     /* some ticks: what was before does not tell of now */
};

static struct cg_pace *pace_of(struct cg_builder *b, uint32_t pmcid, uint32_t cpu, bool make)
{
	uint32_t i, hash = hash_u64((uint64_t)pmcid << 32 | cpu);
	struct cg_pace pace = {.pmcid = pmcid, .cpu = cpu};
	struct table_iter it;

	for (i = table_first(&b->pace_of_pmc, hash, &it); i != TABLE_NONE;
	     i = table_next(&b->pace_of_pmc, &it))
		if (b->paces.v[i].pmcid == pmcid && b->paces.v[i].cpu == cpu)
			return &b->paces.v[i];
	if (!make || b->paces.n == PACES_MAX || vec_push(&b->paces, pace))
		return NULL;
	/* Without memory there is no pace of it. */
	if (table_insert(&b->pace_of_pmc, hash, (uint32_t)(b->paces.n - 1))) {
		b->paces.n--;
		return NULL;
	}
	return &b->paces.v[b->paces.n - 1];
}

static double seconds_between(const struct cg_builder *b, uint64_t from, uint64_t to)
{
	return to > from ? cg_seconds_of(b, to) - cg_seconds_of(b, from) : 0;
}

static void begin(struct cg_pace *pace, uint64_t tsc)
{
	pace->since = tsc;
	pace->samples = 0;
}

void cg_pace_sample(struct cg_builder *b, const struct pmclog_record *rec)
{
	struct cg_pace *pace;

	/* Few logs have pauses. */
	if (!b->paces.n || !(pace = pace_of(b, rec->u.chain.pmcid, rec->u.chain.cpu, false)))
		return;
	if (!pace->throttled && seconds_between(b, pace->since, rec->tsc) * 1000 > WINDOW_MS)
		begin(pace, rec->tsc);
	else
		/* That which was too many comes behind the record of the pause. */
		pace->samples++;
}

/* The first record of a pause says that there is one, the second how long it was. */
double cg_pace_pause(struct cg_builder *b, const struct pmclog_record *rec)
{
	struct cg_pace *pace = pace_of(b, rec->u.drop.pmcid, rec->u.drop.cpu, true);
	double seconds, missed = -1;

	if (!pace)
		return -1;
	if (!rec->u.drop.paused) {
		pace->throttled = rec->tsc;
		return -1;
	}
	seconds = pace->since ? seconds_between(b, pace->since, pace->throttled) : 0;
	if (seconds > 0 && pace->samples)
		missed = (double)rec->u.drop.paused / 1e9 * ((double)pace->samples / seconds);
	begin(pace, rec->tsc);
	pace->throttled = 0;
	return missed;
}
