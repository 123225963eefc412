// SPDX-License-Identifier: BSD-2-Clause
/*
 * What repeats is found by how far apart equal frames are: in recursion most of them are one turn
 * apart.  The most frequent distances are tried as lengths of turns.
 */
#include <string.h>

#include "pmclog/fold.h"

enum {
	SLOTS = 4 * PMCLOG_MAX_FRAMES, /* a power of two, so that most frames have one each */
	BEFORE = 4,		       /* equal frames before one that are looked at */
	PERIODS = 8,		       /* lengths of turns that are tried */
	PERIOD_MAX = PMCLOG_MAX_DEPTH / 2,
};

struct period {
	uint32_t frames;
	uint32_t end; /* frames before this one are equal to those a turn further out */
};

/* What is known of a chain's frames, of which there are n. */
struct folding {
	const struct pmclog_chain *c;
	uint32_t n, nperiods;
	struct period periods[PERIODS];
	uint8_t marks[PMCLOG_MAX_FRAMES];
};

/* The marks of each frame: equal frames have the same. */
static void take_marks(struct folding *g)
{
	const struct pmclog_chain *c = g->c;
	uint32_t i;

	for (i = 0; i < g->n; i++)
		g->marks[i] = (uint8_t)(pmclog_chain_marks(c->guessed, i) |
					pmclog_chain_marks(c->exact, i) << 1 |
					(c->stitched > c->npcs - 1 - i) << 2);
}

static bool equal(const struct folding *g, uint32_t i, uint32_t k)
{
	return g->c->pcs[i] == g->c->pcs[k] && g->marks[i] == g->marks[k];
}

/* Finds how far frames are from equal ones before them: votes for each distance. */
static void vote(const struct folding *g, uint16_t votes[PERIOD_MAX + 1])
{
	uint16_t last[SLOTS], before[PMCLOG_MAX_FRAMES]; /* frames, from 1; 0: none */
	uint32_t i, k, slot, seen;

	memset(last, 0, sizeof(last));
	for (i = 0; i < g->n; i++) {
		slot = (uint32_t)((g->c->pcs[i] * 0x9e3779b97f4a7c15u) >> 32) % SLOTS;
		before[i] = last[slot];
		last[slot] = (uint16_t)(i + 1);
		for (k = before[i], seen = 0; k && seen < BEFORE; k = before[k - 1], seen++) {
			if (i - (k - 1) > PERIOD_MAX)
				break;
			votes[i - (k - 1)] += equal(g, i, k - 1);
		}
	}
}

/* The distances with the most votes, of those with as many the shorter ones. */
static void choose_periods(struct folding *g)
{
	uint16_t votes[PERIOD_MAX + 1] = {0};
	uint32_t p, best;

	vote(g, votes);
	for (g->nperiods = 0; g->nperiods < PERIODS; g->nperiods++) {
		for (best = 0, p = 1; p <= PERIOD_MAX; p++)
			if (votes[p] > votes[best])
				best = p;
		if (!best || votes[best] < best)
			return;
		votes[best] = 0;
		g->periods[g->nperiods] = (struct period){.frames = best};
	}
}

/* How many turns of that many frames there are from frame i on. */
static uint32_t turns_at(const struct folding *g, struct period *p, uint32_t i)
{
	if (p->end < i)
		p->end = i;
	while (p->end + p->frames < g->n && equal(g, p->end, p->end + p->frames))
		p->end++;
	return 1 + (p->end - i) / p->frames;
}

/* What spares the most frames from frame i on; times 1: nothing does. */
static struct pmclog_wire_repeat best_at(struct folding *g, uint32_t i)
{
	struct pmclog_wire_repeat best = {.times = 1};
	uint32_t k, turns, frames, spared = 1; /* a repeat takes as much room as a frame */

	for (k = 0; k < g->nperiods; k++) {
		frames = g->periods[k].frames;
		turns = turns_at(g, &g->periods[k], i);
		if ((turns - 1) * frames <= spared)
			continue;
		spared = (turns - 1) * frames;
		best = (struct pmclog_wire_repeat){.frames = (uint16_t)frames,
						   .times = (uint16_t)turns};
	}
	return best;
}

static void copy_frame(const struct folding *g, struct pmclogint_folded *f, uint32_t i)
{
	uint8_t bit = (uint8_t)(1u << f->n % 8);

	if (g->marks[i] & 1)
		f->guessed[f->n / 8] |= bit;
	if (g->marks[i] & 2)
		f->exact[f->n / 8] |= bit;
	f->stitched += g->marks[i] >> 2;
	f->pcs[f->n++] = g->c->pcs[i];
}

void pmclogint_fold(const struct pmclog_chain *c, struct pmclogint_folded *f)
{
	struct folding g = {.c = c};
	uint32_t i = 0, k;

	g.n = c->npcs < PMCLOG_MAX_FRAMES ? c->npcs : PMCLOG_MAX_FRAMES;
	take_marks(&g);
	choose_periods(&g);
	memset(f, 0, sizeof(*f));
	while (i < g.n && f->n < PMCLOG_MAX_DEPTH) {
		struct pmclog_wire_repeat r = {.times = 1};

		if (f->nrepeats < PMCLOG_MAX_REPEATS)
			r = best_at(&g, i);
		if (r.times > 1 && f->n + r.frames <= PMCLOG_MAX_DEPTH) {
			r.first = f->n;
			f->repeats[f->nrepeats++] = r;
			for (k = 0; k < r.frames; k++)
				copy_frame(&g, f, i + k);
			i += (uint32_t)r.frames * r.times;
		} else {
			copy_frame(&g, f, i++);
		}
	}
	f->is_whole = i == c->npcs;
}
