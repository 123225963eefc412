// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/read/path.h"
#include "callgraph/read/walk.h"

/* A path that many ways share has no end of its own: below one part of so many it ends. */
enum { FLOOR = 20 };

/* Siblings come hottest first, so the first node at each depth is the one. */
static void follow(void *arg, const struct cg_node *n)
{
	struct cg_path *path = arg;

	path->ends |= n->depth != path->functions.n || n->function == CG_END ||
		      n->function == CG_REST ||
		      (n->depth && (n->count * 2 < n->parent || n->count * FLOOR < path->all));
	if (path->ends)
		return;
	path->failed |= vec_push(&path->functions, n->function) != 0;
	path->count = n->count;
}

int cg_path_find(const struct cg_view *view, struct cg_path *path)
{
	struct cg_walk_options walk = {.from_root = true, .stop = &path->ends};

	*path = (struct cg_path){.all = view->event->samples};
	return cg_walk(view, &walk, follow, path) || path->failed ? -1 : 0;
}
