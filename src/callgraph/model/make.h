/* SPDX-License-Identifier: BSD-2-Clause */
/* For the builder and for transforms, which make profiles: nobody else changes one. */
#ifndef CALLGRAPH_MAKE_H
#define CALLGRAPH_MAKE_H

#include "base/hash.h"
#include "base/strpool.h"
#include "callgraph/model/profile.h"

/* Frees what it has, not the profile itself. */
void cg_profile_fini(struct cg_profile *p);

/* Sets by_event and the events' stacks.  0, or -1 when out of memory. */
int cg_profile_sort(struct cg_profile *p);

/* The index of the group, made if t has it not; CG_NONE when out of memory. */
uint32_t cg_group_intern(struct cg_profile *p, struct table *t, const struct cg_group *g);

/* What the quality says of chains, once they have names. */
void cg_ends_assess(struct cg_profile *p);

/* Tells of every 256th of a step's parts. */
static inline void cg_tell_progress(const struct cg_progress *progress, const char *step,
				    uint64_t done, uint64_t total)
{
	if (progress->tell && done % 256 == 0)
		progress->tell(progress->arg, step, done, total);
}

#endif
