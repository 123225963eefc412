// SPDX-License-Identifier: BSD-2-Clause
/* Events, and the PMCs by which a log announces them. */
#include <stdio.h>
#include <strings.h>

#include "callgraph/model/state.h"

enum {
	FLAG_CALLCHAIN = 0x80, /* of PMCALLOCATE*: man/pmclog.5 */
	/* Modes of PMCs that count, in a pmcid: the same. */
	MODE_SC = 1,
	MODE_TC = 3,
};

/* What the record says of its event.  0, or -1 when out of memory. */
static int event_of(struct cg_builder *b, const struct pmclog_record *rec, struct cg_event *event)
{
	struct pmclog_text name = rec->u.alloc.name, spec = rec->u.alloc.spec;
	uint32_t name_id, spec_id;
	char number[32];

	if (!name.len) {
		name.len = (size_t)snprintf(number, sizeof(number), "%sevent-0x%x",
					    rec->u.alloc.flags & PMCLOG_F_EV_PMU ? "pmu-" : "",
					    rec->u.alloc.event);
		name.s = number;
	}
	name_id = strpool_id(b->p.pool, name.s, name.len);
	spec_id = strpool_id(b->p.pool, spec.s ? spec.s : "", spec.len);
	if (name_id == UINT32_MAX || spec_id == UINT32_MAX)
		return -1;
	*event = (struct cg_event){.rate = rec->u.alloc.rate, .frequency = rec->u.alloc.frequency};
	event->name = event->whole = strpool_text(b->p.pool, name_id);
	event->spec = strpool_text(b->p.pool, spec_id);
	return 0;
}

/* The index of the event; CG_NONE when out of memory. */
static uint32_t intern_event(struct cg_builder *b, const struct cg_event *event)
{
	/* By texts, for a pool does not last as long: see forget.c. */
	uint32_t hash = hash_fold(hash_mix(hash_bytes(event->name, strlen(event->name)),
					   hash_bytes(event->spec, strlen(event->spec)))),
		 i;
	struct table_iter it;
	struct cg_event *e;

	for (i = table_first(&b->event_of_name, hash, &it); i != TABLE_NONE;
	     i = table_next(&b->event_of_name, &it)) {
		e = &b->p.events.v[i];
		if (e->name != event->name || e->spec != event->spec)
			continue;
		if (e->rate != event->rate || e->frequency != event->frequency)
			e->rate = e->frequency = 0;
		return i;
	}
	i = (uint32_t)b->p.events.n;
	return vec_push(&b->p.events, *event) || table_insert(&b->event_of_name, hash, i) ? CG_NONE
											  : i;
}

uint32_t cg_pmc_find(struct cg_builder *b, uint32_t pmcid)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&b->pmc_of_id, hash_u64(pmcid), &it); i != TABLE_NONE;
	     i = table_next(&b->pmc_of_id, &it))
		if (b->pmcs.v[i].pmcid == pmcid)
			return i;
	return CG_NONE;
}

static int set_pmc(struct cg_builder *b, const struct cg_pmc *pmc)
{
	uint32_t i = cg_pmc_find(b, pmc->pmcid);

	if (i != CG_NONE) {
		b->pmcs.v[i] = *pmc;
		return 0;
	}
	if (vec_push(&b->pmcs, *pmc))
		return -1;
	return table_insert(&b->pmc_of_id, hash_u64(pmc->pmcid), (uint32_t)(b->pmcs.n - 1));
}

/* An event that is only counted has no place among samples. */
static bool is_counting(uint32_t pmcid)
{
	uint32_t mode = pmcid >> 12 & 0xff;

	return mode == MODE_SC || mode == MODE_TC;
}

/* Gives a PMC a place among the events that are sampled.  NULL when out of memory. */
static const struct cg_pmc *with_event(struct cg_builder *b, struct cg_pmc *pmc)
{
	if (pmc->event != CG_NONE)
		return pmc;
	pmc->event = intern_event(b, &pmc->announced);
	if (pmc->event == CG_NONE)
		return NULL;
	b->p.events.v[pmc->event].takes_chains |= pmc->announced.takes_chains;
	return pmc;
}

int cg_pmc_announce(struct cg_builder *b, const struct pmclog_record *rec)
{
	struct cg_pmc pmc = {.pmcid = rec->u.alloc.pmcid,
			     .event = CG_NONE,
			     .descends = rec->u.alloc.flags & 0x2,
			     .max_depth =
				     rec->u.alloc.max_depth ? rec->u.alloc.max_depth : UINT32_MAX};

	if (event_of(b, rec, &pmc.announced) ||
	    strpool_keep(b->p.pool, rec->u.alloc.host.s, rec->u.alloc.host.len, &pmc.host))
		return -1;
	pmc.announced.takes_chains = (rec->u.alloc.flags & FLAG_CALLCHAIN) != 0;
	if (!is_counting(pmc.pmcid) && !with_event(b, &pmc))
		return -1;
	return set_pmc(b, &pmc);
}

/* The PMC of a sample.  One that the log never announced is kept, under an event of its own. */
const struct cg_pmc *cg_pmc_of(struct cg_builder *b, uint32_t pmcid)
{
	static const struct pmclog_record unknown = {
		.u.alloc = {.name = {"[unannounced]", sizeof("[unannounced]") - 1}}};
	struct cg_pmc pmc = {.pmcid = pmcid, .event = CG_NONE, .max_depth = UINT32_MAX};
	uint32_t i = cg_pmc_find(b, pmcid);

	if (i != CG_NONE)
		return with_event(b, &b->pmcs.v[i]);
	if (event_of(b, &unknown, &pmc.announced) || !with_event(b, &pmc) || set_pmc(b, &pmc))
		return NULL;
	b->p.events.v[pmc.event].unannounced = true;
	return &b->pmcs.v[b->pmcs.n - 1];
}

bool cg_event_is_clock(const struct cg_event *e)
{
	static const char *const clocks[] = {"cpu-clock", "task-clock", "CLOCK.HARD", "CLOCK.STAT",
					     "CLOCK.PROF"};
	size_t i, n = strcspn(e->whole, ":");

	for (i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (n == strlen(clocks[i]) && !strncmp(e->whole, clocks[i], n))
			return true;
	return false;
}

/*
 * Whether it happens all the time that something runs, so that a frequency makes it a clock.  By
 * what was asked for: of user mode alone, the kernel's time would be charged to user functions.
 */
static bool is_cycles(const struct cg_event *e)
{
	static const char *const cycles[] = {"cycles",
					     "cpu-cycles",
					     "ref-cycles",
					     "unhalted-cycles",
					     "unhalted-core-cycles",
					     "unhalted-reference-cycles"};
	size_t i;

	for (i = 0; i < sizeof(cycles) / sizeof(cycles[0]); i++)
		if (!strcasecmp(*e->spec ? e->spec : e->whole, cycles[i]))
			return true;
	return false;
}

uint64_t cg_event_nanoseconds(const struct cg_event *e)
{
	if (!e->rate || !(cg_event_is_clock(e) || (e->frequency && is_cycles(e))))
		return 0;
	return e->frequency ? 1000000000 / e->rate : e->rate;
}
