/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Samples by address, and by call from an address to a function: what the chains of an event say
 * once they are cut into pieces of two frames.
 */
#ifndef CALLGRAPH_ARCS_H
#define CALLGRAPH_ARCS_H

#include "base/hash.h"
#include "callgraph/model/view.h"

struct cg_arc {
	uint32_t site;	 /* location that calls; CG_NONE: nothing, or nothing of the object, did */
	uint32_t callee; /* index of functions */
	uint32_t first;	 /* private: the first of the arcs between these functions */
	uint32_t stack;	 /* private: the last stack that was counted in those */
	uint64_t count;	 /* samples with a call between these functions, once each */
	/*
	 * Of them those in which the callee has no call of its own further out, so that the costs
	 * of all arcs to a function are the samples that have it anywhere.
	 */
	uint64_t cost;
};

struct cg_arcs_options {
	/*
	 * Only calls of functions of one object, those that lead through other objects too; and an
	 * inlined function is the one that it is inlined in.
	 */
	bool within_objects;
	/* For each function whether it becomes part of its callers; NULL: none does. */
	const bool *folded;
};

/* A call of the stack in hand. */
struct cg_arc_call {
	uint32_t site, callee;
	uint32_t hash;
	uint32_t arc;
};

struct cg_arc_caller {
	uint32_t stack, site;
};

struct cg_arcs {
	VEC(struct cg_arc) arcs;
	VEC(uint32_t) leaves; /* locations that samples were taken at, in no order */
	uint64_t *self;	      /* for each location the samples taken at it */

	/* Private. */
	VEC(struct cg_arc_call) calls;
	struct table arc_of_call, first_of_functions;
	uint32_t stamp;		      /* of the stack in hand, from 1 */
	uint32_t *seen;		      /* for each function the last stack that had it */
	struct cg_arc_caller *caller; /* for each object the innermost frame of a stack so far */
};

/* Of a resolved profile that stays as it is.  0, or -1 when out of memory. */
int cg_arcs_init(struct cg_arcs *a, const struct cg_profile *p);
void cg_arcs_fini(
	struct cg_arcs *a); /* also of one that cg_arcs_init() could not make, or zeroed */

/* Counts a view's samples, in place of what was counted before.  0, or -1 when out of memory. */
int cg_arcs_count(struct cg_arcs *a, const struct cg_view *view,
		  const struct cg_arcs_options *options);

/* Whether frame i (0: leaf) of a stack is of a function inlined in that of the next (--inlines). */
bool cg_is_inlined(const struct cg_profile *p, const struct cg_stack *s, uint32_t i);

#endif
