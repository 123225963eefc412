// SPDX-License-Identifier: BSD-2-Clause
/* The call tree from the outermost function down; a chain without a choice is one line. */
#include "base/hash.h"
#include "callgraph/read/walk.h"
#include "pmcstat/top/top_list.h"

/* A line more is not worth its memory: nobody moves down so far. */
enum { MAX_NODES = 100000 };

/* A node that is above the threshold, in the order of the walk. */
struct node {
	struct cg_node is;
	uint64_t id;
	uint32_t kids; /* of it, above the threshold */
	uint32_t dots; /* and below */
};

struct tree {
	struct top_list *list;
	VEC(struct node) nodes;
	VEC(size_t) path;	  /* the last node of every depth */
	VEC(uint32_t) line_depth; /* of the line that this is on */
	bool nomem;
};

static void take_node(void *arg, const struct cg_node *n)
{
	struct tree *t = arg;
	struct node node = {.is = *n}, *parent = NULL;

	if (n->function == CG_END || n->depth > t->path.n || t->nomem)
		return;
	if (n->depth)
		parent = &t->nodes.v[t->path.v[n->depth - 1]];
	/* What lies below one that was left out is left out with it. */
	t->path.n = n->depth;
	if (t->nodes.n >= MAX_NODES ||
	    top_share(t->list, n->count) < top_thresholds[t->list->state->cut]) {
		if (parent)
			parent->dots++;
		else
			t->list->cut_samples += n->count, t->list->cut_lines++;
		return;
	}
	if (parent)
		parent->kids++;
	node.id = hash_mix(parent ? parent->id : 1, n->function) | 1;
	if (vec_push(&t->path, t->nodes.n) || vec_push(&t->nodes, node))
		t->nomem = true;
}

/* Whether a node goes on the line of its parent, which is the node before it. */
static bool goes_on(const struct tree *t, size_t i)
{
	const struct node *n = &t->nodes.v[i], *parent;

	if (!i || !n->is.depth)
		return false;
	parent = n - 1;
	return parent->is.depth + 1 == n->is.depth && parent->kids == 1 && !parent->dots &&
	       parent->is.count == n->is.count;
}

/* Makes the lines, each with the functions on it as items. */
static int make_lines(struct tree *t)
{
	struct top_list *list = t->list;
	struct top_line *line = NULL;
	size_t i;

	for (i = 0; i < t->nodes.n; i++) {
		const struct node *n = &t->nodes.v[i];
		uint32_t depth = n->is.depth ? t->line_depth.v[n->is.depth - 1] : 0;
		bool same = goes_on(t, i);

		depth += n->is.depth && !same;
		t->line_depth.n = n->is.depth;
		if (vec_push(&t->line_depth, depth) ||
		    (!same &&
		     vec_push(&list->lines, (struct top_line){.count = n->is.count,
							      .depth = depth,
							      .first = (uint32_t)list->items.n})) ||
		    vec_push(&list->items, (struct top_item){n->is.function, n->is.count}))
			return -1;
		line = &list->lines.v[list->lines.n - 1];
		line->id = n->id;
		line->function = n->is.function;
		line->dots = n->dots;
		line->n++;
	}
	return 0;
}

static const char *name_of(const struct top_list *list, uint32_t item)
{
	return list->data->view.profile->functions.v[list->items.v[item].function].name;
}

/* Takes out the lines without the filter's text. */
static void sieve(struct top_list *list)
{
	size_t i, n = 0;
	uint32_t j;

	for (i = 0; i < list->lines.n; i++) {
		const struct top_line *line = &list->lines.v[i];

		for (j = 0; j < line->n && !top_matches(list, name_of(list, line->first + j)); j++)
			;
		if (j < line->n)
			list->lines.v[n++] = *line;
	}
	list->lines.n = n;
}

/* Of a chain too long for the row its first function is shown and as many of the last as fit. */
static uint32_t first_of_last(const struct top_list *list, const struct top_line *line, int room)
{
	uint32_t at = line->n;
	int width = grid_width(name_of(list, line->first)) + 4;

	while (at > 1) {
		width += 1 + grid_width(name_of(list, line->first + at - 1));
		if (width > room)
			break;
		at--;
	}
	/* The dots take room only where something is left out. */
	return at == 2 ? 1 : at;
}

static void draw_tree(const struct top_list *list, const struct top_line *line, struct grid *g,
		      int row)
{
	int col = top_put_share(list, g, row, line->count) + (int)line->depth;
	uint32_t i, last = first_of_last(list, line, g->cols - col - (line->dots ? 4 : 0));

	for (i = 0; i < line->n; i++) {
		if (i)
			col = grid_put(g, row, col, -1, GRID_DIM, " ");
		if (i == 1 && last > 1) {
			col = grid_put(g, row, col, -1, GRID_DIM, "... ");
			/* Where not even the last one fits it is cut. */
			i = last < line->n ? last : line->n - 1;
		}
		col = top_put_name(g, row, col, -1, i + 1 == line->n ? GRID_NORMAL : GRID_DIM,
				   name_of(list, line->first + i));
	}
	if (line->dots)
		grid_put(g, row, col, -1, GRID_DIM,
			 line->dots > 2	  ? " ..."
			 : line->dots > 1 ? " .."
					  : " .");
}

int top_list_tree(struct top_list *list)
{
	const struct cg_walk_options options = {.from_root = true};
	struct tree t = {.list = list};
	int status = cg_walk(&list->data->view, &options, take_node, &t);

	list->header = "%SAMP CALLTREE";
	list->draw = draw_tree;
	list->cut_adds_up = true;
	if (!status)
		status = t.nomem || make_lines(&t) ? -1 : 0;
	vec_free(&t.nodes);
	vec_free(&t.path);
	vec_free(&t.line_depth);
	if (!status && *list->state->filter)
		sieve(list);
	return status;
}
