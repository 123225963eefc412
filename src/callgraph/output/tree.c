// SPDX-License-Identifier: BSD-2-Clause
/* --tree: the call tree of each event, from the roots down. */
#include <inttypes.h>

#include "callgraph/output/tree.h"
#include "callgraph/model/times.h"

/* No line yet, so that the first names its object whatever that is. */
#define NO_IMAGE (CG_NONE - 1)

enum {
	DEEPEST_INDENT = 32, /* columns; indentation begins anew behind it */
	MOST_DOTS = 40,	     /* for the nodes that the threshold left out */
};

struct tree {
	const struct cg_profile *p;
	const struct cg_event *event;
	const struct cg_output_options *options;
	struct sink *sink;
	double scale;	     /* from samples to percent */
	bool callees;	     /* the samples of a node itself have a column */
	bool dots;	     /* one for each node that was left out */
	uint32_t last_image; /* of the line before */
};

double cg_tree_threshold(const struct cg_output_options *options)
{
	return options->threshold < 0 ? 0.5 : options->threshold;
}

uint64_t cg_tree_least(const struct cg_output_options *options, uint64_t whole)
{
	double least = cg_tree_threshold(options) * (double)whole / 100;
	uint64_t n = (uint64_t)least;

	return n + ((double)n < least);
}

static void write_rest(const struct tree *t, const struct cg_node *n)
{
	uint32_t dots = n->nodes < MOST_DOTS ? n->nodes : MOST_DOTS;

	sink_fill(t->sink, '.', t->dots ? dots : 3);
	sink_printf(t->sink, " %" PRIu32 " more", n->nodes);
}

/* used: columns of the line so far. */
static void write_function(struct tree *t, uint32_t function, size_t used)
{
	const struct cg_function *f = &t->p->functions.v[function];
	size_t columns = t->options->columns;

	if (f->image != t->last_image)
		cg_write_function(t->sink, t->p, f, " @ ", t->options, used);
	else
		cg_write_cut(t->sink, cg_shown_name(f), cg_columns_left(columns, used));
	t->last_image = f->image;
}

static void write_node(void *arg, const struct cg_node *n)
{
	struct tree *t = arg;
	size_t used = (t->callees ? 25U : 18U) + n->depth % DEEPEST_INDENT;

	/* The column of samples of its own says it where there is one. */
	if (t->callees && n->function == CG_END)
		return;
	sink_printf(t->sink, "%6.2f ", (double)n->count * t->scale);
	if (t->callees && n->function == CG_REST)
		sink_fill(t->sink, ' ', 7);
	else if (t->callees)
		sink_printf(t->sink, "%6.2f ", (double)n->self * t->scale);
	cg_write_amount(t->sink, t->event, t->options, 9, n->count);
	sink_str(t->sink, "  ");
	sink_fill(t->sink, ' ', n->depth % DEEPEST_INDENT);
	if (n->depth >= DEEPEST_INDENT)
		sink_printf(t->sink, "%" PRIu32 ": ", n->depth);
	if (n->function == CG_REST)
		write_rest(t, n);
	else if (n->function == CG_END)
		sink_str(t->sink, cg_node_name(t->p, n->function));
	else
		write_function(t, n->function, used);
	sink_char(t->sink, '\n');
}

int cg_tree_write(const struct cg_view *view, const struct cg_output_options *options,
		  const struct cg_walk_options *walk, uint64_t whole, struct sink *sink)
{
	struct cg_walk_options w = *walk;
	struct tree t = {.p = view->profile,
			 .event = view->event,
			 .options = options,
			 .sink = sink,
			 .scale = 100.0 / (double)whole,
			 .callees = walk->from_root,
			 .dots = options->skiplink,
			 .last_image = NO_IMAGE};

	w.min_count = cg_tree_least(options, whole);
	w.max_depth = options->graph_depth ? options->graph_depth + 1 : 0;
	sink_printf(sink, "TOTAL%%%s%s  %s @ OBJECT\n", t.callees ? "  SELF%" : "",
		    cg_shows_seconds(t.event, options) ? "   SECONDS" : "   SAMPLES",
		    t.callees ? "FUNCTION" : "CALLER");
	return cg_walk(view, &w, write_node, &t);
}

static int write_tree(const struct cg_view *view, const struct cg_output_options *options,
		      struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	struct cg_walk_options walk = {.from_root = true};
	const struct cg_event *e;

	vec_each(e, &p->events) {
		struct cg_view of = cg_view_of(view, e);

		cg_write_heading(sink, e);
		if (cg_tree_write(&of, options, &walk, e->samples, sink))
			return err_nomem(err);
		sink_char(sink, '\n');
	}
	cg_write_quality(view, sink);
	return 0;
}

const struct cg_output cg_output_tree = {
	.name = "tree",
	.summary = "the call tree from the roots down",
	.has_quality = true,
	.write = write_tree,
};
