// SPDX-License-Identifier: BSD-2-Clause
/* Events, and the PMCs by which a log announces them. */
#include <inttypes.h>
#include <stdio.h>
#include <strings.h>
#include <sys/pmc.h>

#include "callgraph/model/state.h"

enum {
	FLAG_CALLCHAIN = 0x80, /* of PMCALLOCATE*: man/pmclog.5 */
	/* Modes of PMCs that count, in a pmcid: the same. */
	MODE_SC = 1,
	MODE_TC = 3,
	NO_CPU = 0xfff,	 /* of a pmcid in process scope */
	ALIKE_MOST = 16, /* PMCs that see the same and are told apart */
	NAME_MOST = 240, /* bytes of a name that a number goes behind */
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

/* By texts, for a pool does not last as long: see forget.c. */
static uint32_t hash_of(const struct cg_event *e, uint64_t more)
{
	return hash_fold(hash_mix(hash_bytes(e->name, strlen(e->name)),
				  hash_bytes(e->spec, strlen(e->spec)) ^ more));
}

static uint32_t find_event(const struct cg_builder *b, const struct cg_event *event)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&b->event_of_name, hash_of(event, 0), &it); i != TABLE_NONE;
	     i = table_next(&b->event_of_name, &it))
		if (b->p.events.v[i].name == event->name && b->p.events.v[i].spec == event->spec)
			return i;
	return CG_NONE;
}

/* The index of the event, which is of that kin; CG_NONE when out of memory. */
static uint32_t intern_event(struct cg_builder *b, const struct cg_event *event, uint32_t kin)
{
	struct cg_event named = *event, *e;
	uint32_t i, nth;
	char text[256];

	for (nth = 2; (i = find_event(b, &named)) != CG_NONE; nth++) {
		e = &b->p.events.v[i];
		if (e->kin == kin) {
			if (e->rate != event->rate || e->frequency != event->frequency)
				e->rate = e->frequency = 0;
			return i;
		}
		snprintf(text, sizeof(text), "%.*s#%" PRIu32, NAME_MOST, event->name, nth);
		if (!(named.name = named.whole = strpool_intern(b->p.pool, text)))
			return CG_NONE;
	}
	named.kin = kin;
	i = (uint32_t)b->p.events.n;
	return vec_push(&b->p.events, named) ||
			       table_insert(&b->event_of_name, hash_of(&named, 0), i)
		       ? CG_NONE
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

bool cg_pmc_is_of_processes(const struct cg_pmc *pmc)
{
	return PMC_ID_TO_CPU(pmc->pmcid) == NO_CPU;
}

/*
 * Gives a PMC a place among the events that are sampled.  NULL when out of memory.
 *
 * PMCs of one name have an event together where none sees what another does: one on each CPU, or
 * one that follows processes.  What more there are see the same once more, and would count it
 * twice: they have events of their own, "cpu-clock#2".
 */
static const struct cg_pmc *with_event(struct cg_builder *b, struct cg_pmc *pmc)
{
	if (pmc->event != CG_NONE)
		return pmc;
	pmc->event = intern_event(b, &pmc->announced, 2 * pmc->alike + cg_pmc_is_of_processes(pmc));
	if (pmc->event == CG_NONE)
		return NULL;
	b->p.events.v[pmc->event].takes_chains |= pmc->announced.takes_chains;
	return pmc;
}

/* Counts the PMCs that this one is like, or finds that it is one of them. */
static void find_alike(const struct cg_builder *b, struct cg_pmc *pmc, uint32_t hash)
{
	const struct cg_pmc *o;
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&b->pmcs_alike, hash, &it); i != TABLE_NONE;
	     i = table_next(&b->pmcs_alike, &it)) {
		o = &b->pmcs.v[i];
		if (o->announced.name != pmc->announced.name ||
		    o->announced.spec != pmc->announced.spec ||
		    PMC_ID_TO_CPU(o->pmcid) != PMC_ID_TO_CPU(pmc->pmcid))
			continue;
		if (o->pmcid == pmc->pmcid) {
			pmc->alike = o->alike;
			return;
		}
		pmc->alike = o->alike < pmc->alike ? pmc->alike : o->alike + 1;
	}
	if (pmc->alike > ALIKE_MOST)
		pmc->alike = ALIKE_MOST;
}

int cg_pmc_announce(struct cg_builder *b, const struct pmclog_record *rec)
{
	struct cg_pmc pmc = {.pmcid = rec->u.alloc.pmcid,
			     .event = CG_NONE,
			     .descends = rec->u.alloc.flags & 0x2,
			     .max_depth =
				     rec->u.alloc.max_depth ? rec->u.alloc.max_depth : UINT32_MAX};
	uint32_t hash;

	if (event_of(b, rec, &pmc.announced) ||
	    strpool_keep(b->p.pool, rec->u.alloc.host.s, rec->u.alloc.host.len, &pmc.host))
		return -1;
	pmc.announced.takes_chains = (rec->u.alloc.flags & FLAG_CALLCHAIN) != 0;
	if (is_counting(pmc.pmcid))
		return set_pmc(b, &pmc);
	/* In a merged log they are of several machines or times. */
	hash = hash_of(&pmc.announced, (uint64_t)PMC_ID_TO_CPU(pmc.pmcid) + 1);
	if (!pmc.host)
		find_alike(b, &pmc, hash);
	if (!with_event(b, &pmc) || set_pmc(b, &pmc))
		return -1;
	return pmc.host || pmc.alike == ALIKE_MOST
		       ? 0
		       : table_insert(&b->pmcs_alike, hash, cg_pmc_find(b, pmc.pmcid));
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
	if (event_of(b, &unknown, &pmc.announced) ||
	    (pmc.event = intern_event(b, &pmc.announced, 0)) == CG_NONE || set_pmc(b, &pmc))
		return NULL;
	b->p.events.v[pmc.event].unannounced = true;
	return &b->pmcs.v[b->pmcs.n - 1];
}

bool cg_event_is_clock(const struct cg_event *e)
{
	static const char *const clocks[] = {"cpu-clock", "task-clock", "CLOCK.HARD", "CLOCK.STAT",
					     "CLOCK.PROF"};
	size_t i, n = strcspn(e->whole, ":#");

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
