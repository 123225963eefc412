// SPDX-License-Identifier: BSD-2-Clause
/* Time: which of it is selected, and samples counted in slots that widen as the log goes on. */
#include "callgraph/model/state.h"

/* The width that slots begin with. */
#define FIRST_WIDTH 0.001

double cg_seconds_of(const struct cg_builder *b, uint64_t tsc)
{
	return b->ticks && tsc > b->time_zero ? (double)(tsc - b->time_zero) / (double)b->ticks : 0;
}

time_t cg_date_of(const struct cg_builder *b, uint64_t tsc)
{
	uint64_t ticks = tsc > b->time_zero ? tsc - b->time_zero : 0;

	return b->p.origin.time && b->ticks ? (time_t)(b->p.origin.time + ticks / b->ticks) : 0;
}

void cg_timeline_start(struct cg_builder *b, const struct pmclog_record *rec)
{
	struct pmclog_record init = *rec;

	b->time_zero = rec->tsc;
	b->ticks = rec->u.init.tsc_freq ? rec->u.init.tsc_freq : 1000000000;
	b->p.timeline.seconds = FIRST_WIDTH;
	if (!b->select)
		return;
	/* Samples may be stamped before the log's first record; from 0 on is all of them. */
	init.u.init.tsc_freq = b->ticks;
	b->time_from = pmclog_ticks_at(&init, b->select->time_from, 0);
	b->time_to = pmclog_ticks_at(&init, b->select->time_to, UINT64_MAX);
}

/* Makes each slot twice as wide. */
static void widen(struct cg_timeline *t)
{
	struct cg_cpu_time *cpu;
	uint32_t i;

	t->seconds *= 2;
	t->slots = (t->slots + 1) / 2;
	vec_each(cpu, &t->cpus) {
		for (i = 0; i < CG_TIME_SLOTS / 2; i++)
			cpu->samples[i] = cpu->samples[2 * i] + cpu->samples[2 * i + 1];
		memset(cpu->samples + i, 0, i * sizeof(*cpu->samples));
	}
}

/* The samples of a CPU; NULL when out of memory. */
static uint64_t *samples_of(struct cg_timeline *t, uint32_t cpu)
{
	size_t lo = 0, hi = t->cpus.n;
	struct cg_cpu_time row = {.cpu = cpu};

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->cpus.v[mid].cpu < cpu)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < t->cpus.n && t->cpus.v[lo].cpu == cpu)
		return t->cpus.v[lo].samples;
	row.samples = calloc(CG_TIME_SLOTS, sizeof(*row.samples));
	if (row.samples && !vec_insert(&t->cpus, lo, row))
		return row.samples;
	free(row.samples);
	return NULL;
}

/* Seconds between two times. */
static double between(const struct cg_builder *b, uint64_t from, uint64_t to)
{
	return to > from ? cg_seconds_of(b, to) - cg_seconds_of(b, from) : 0;
}

void cg_timeline_measure(struct cg_builder *b)
{
	uint64_t end = b->time_last < b->time_to ? b->time_last : b->time_to;
	uint64_t first = b->time_sampled > b->time_from ? b->time_sampled : b->time_from;

	b->p.seconds = between(b, b->time_from, end);
	b->p.sampled = between(b, first, end);
}

int cg_timeline_add(struct cg_builder *b, const struct pmclog_record *rec)
{
	struct cg_timeline *t = &b->p.timeline;
	double seconds = cg_seconds_of(b, rec->tsc);
	uint64_t *samples = samples_of(t, rec->u.chain.cpu);
	uint32_t slot;

	if (!samples)
		return -1;
	while (seconds / t->seconds >= CG_TIME_SLOTS)
		widen(t);
	slot = (uint32_t)(seconds / t->seconds);
	if (slot >= t->slots)
		t->slots = slot + 1;
	samples[slot]++;
	return 0;
}
