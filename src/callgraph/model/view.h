/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is shown of a profile: which of its stacks, with how many samples, beside which base.
 *
 * A view is a value that owns nothing: it borrows from a profile that stays as it is, and from what
 * chose the stacks or made the comparison.  Whoever shows a part of a profile, or a profile beside
 * another one, makes a view of it instead of a profile.
 */
#ifndef CALLGRAPH_VIEW_H
#define CALLGRAPH_VIEW_H

#include "callgraph/model/profile.h"

/* What a profile, the union of two, is compared with: see compare.h. */
struct cg_base {
	const struct cg_profile *was, *now; /* the two */
	const uint64_t *stacks; /* for each stack of the union its samples in the one that was */
	const uint64_t *events; /* for each event the same */
};

struct cg_view {
	const struct cg_profile *profile;
	const struct cg_event *event; /* that all stacks are of; NULL: of every event */
	const uint32_t *stacks;	      /* indices of the profile's; of an event as they came */
	uint32_t n;
	const uint64_t *counts;	    /* for each of the profile's, not its samples; NULL: those */
	const struct cg_quality *quality; /* not the profile's; NULL: that */
	const struct cg_base *base; /* NULL: nothing is compared */
};

/* All of a profile. */
static inline struct cg_view cg_view_all(const struct cg_profile *p)
{
	return (struct cg_view){
		.profile = p, .stacks = p->by_event.v, .n = (uint32_t)p->by_event.n};
}

/* Of a view of all of a profile what is of one of its events. */
static inline struct cg_view cg_view_of(const struct cg_view *v, const struct cg_event *e)
{
	struct cg_view of = *v;

	of.event = e;
	of.stacks = v->profile->by_event.v + e->first;
	of.n = e->stacks;
	return of;
}

/* The samples of a stack, an index of the profile's. */
static inline uint64_t cg_view_count(const struct cg_view *v, uint32_t stack)
{
	return v->counts ? v->counts[stack] : v->profile->stacks.v[stack].count;
}

static inline const struct cg_quality *cg_view_quality(const struct cg_view *v)
{
	return v->quality ? v->quality : &v->profile->quality;
}

/* Those that it has in the base; 0 without one. */
static inline uint64_t cg_view_base(const struct cg_view *v, uint32_t stack)
{
	return v->base ? v->base->stacks[stack] : 0;
}

/* The same of an event of the profile. */
static inline uint64_t cg_view_event_base(const struct cg_view *v, const struct cg_event *e)
{
	return v->base ? v->base->events[e - v->profile->events.v] : 0;
}

#endif
