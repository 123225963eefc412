/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The hottest path: from a root down, as long as a callee has half of its caller's samples, and a
 * twentieth of all.
 */
#ifndef CALLGRAPH_PATH_H
#define CALLGRAPH_PATH_H

#include "callgraph/model/view.h"

struct cg_path {
	VEC(uint32_t) functions; /* the root first */
	uint64_t count;		 /* samples of the last */
	uint64_t all;		 /* this and the next: of cg_path_find() alone */
	bool ends, failed;
};

/* Finds that of a view; its functions are to be freed.  0, or -1 when out of memory. */
int cg_path_find(const struct cg_view *view, struct cg_path *path);

#endif
