/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The call tree of a view, walked without ever being built.
 *
 * The chains of the view lie in an array; the chains that go through one node are a range of it.
 * Sorting a range by the function at the next depth splits it into the node's children, which are
 * walked one after the other by the same rule.  Memory is that of one path.
 */
#ifndef CALLGRAPH_WALK_H
#define CALLGRAPH_WALK_H

#include "callgraph/model/view.h"

/* The function of a node whose chains end here while others go on. */
#define CG_END UINT32_MAX
/* The function of the node that stands for the siblings with too few samples. */
#define CG_REST (UINT32_MAX - 1)

struct cg_node {
	uint32_t function; /* index of functions, or CG_END, CG_REST */
	uint32_t depth;	   /* 0 for the roots of the walk */
	uint32_t nodes;	   /* that it stands for: 1, but of CG_REST */
	uint64_t count;	   /* samples */
	uint64_t self;	   /* of them, whose chains end at the node; 0 of CG_REST */
	uint64_t parent;   /* samples of the parent; of the whole walk at depth 0 */
	uint64_t start;	   /* samples of everything before it at its depth, for drawing */
	uint64_t base;	   /* samples in the base of a comparison */
	/* Those that go through it, the lower half of each its index of stacks; NULL of CG_REST */
	const uint64_t *chains;
	uint32_t nchains;
};

struct cg_walk_options {
	bool from_root;	    /* children are callees; else from the leaf, and children are callers */
	bool by_name;	    /* siblings in order of names; else hottest first */
	uint32_t max_depth; /* nodes at this depth and beyond are left out; 0: none are */
	uint64_t min_count; /* nodes with less become one, the last sibling; not so CG_END */
	/* For each stack where it begins, CG_NONE: nowhere; NULL: at its leaf or root */
	const uint32_t *from;
	const bool *stop; /* once it is set, no further node is visited; NULL: all are */
};

/* Calls visit for every node, parents first.  0, or -1 when out of memory. */
int cg_walk(const struct cg_view *view, const struct cg_walk_options *options,
	    void (*visit)(void *arg, const struct cg_node *node), void *arg);

/* A node's name: that of its function, "[end]" for CG_END, "..." for CG_REST. */
const char *cg_node_name(const struct cg_profile *p, uint32_t function);

#endif
