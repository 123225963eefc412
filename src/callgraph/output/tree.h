/* SPDX-License-Identifier: BSD-2-Clause */
/* Call trees as indented text: a line a node, which adds up with the lines below it. */
#ifndef CALLGRAPH_TREE_H
#define CALLGRAPH_TREE_H

#include "callgraph/output/output.h"
#include "callgraph/read/walk.h"

/*
 * Writes the tree of a walk of an event's view, whose from_root and from are set; options say the
 * rest.  Shares are of whole samples.  0, or -1 when out of memory.
 */
int cg_tree_write(const struct cg_view *view, const struct cg_output_options *options,
		  const struct cg_walk_options *walk, uint64_t whole, struct sink *sink);

/* Below that share nodes are put together, in percent. */
double cg_tree_threshold(const struct cg_output_options *options);

/* The least samples that are not below it. */
uint64_t cg_tree_least(const struct cg_output_options *options, uint64_t whole);

#endif
