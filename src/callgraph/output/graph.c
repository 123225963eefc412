// SPDX-License-Identifier: BSD-2-Clause
/* -G: call graphs from the leaf to its callers, in the text that FreeBSD's pmcstat writes. */
#include <inttypes.h>

#include "callgraph/output/output.h"
#include "callgraph/model/times.h"
#include "callgraph/read/walk.h"

/* No line yet, so that the first names its object whatever that is. */
#define NO_IMAGE (CG_NONE - 1)

struct graph {
	const struct cg_profile *p;
	struct sink *sink;
	uint32_t last_image; /* of the line before */
	bool any;
};

/* "99.31% ", or "100.0% " where a node has all of its parent's count. */
static void write_percent(struct sink *sink, uint64_t count, uint64_t total)
{
	unsigned int n = (unsigned int)((double)count * 10000 / (double)total + 0.5);
	char text[7] = "100.0% ";

	if (count < total) {
		/* What is not all is never shown as all. */
		n = n > 9999 ? 9999 : n;
		text[0] = (char)('0' + n / 1000);
		text[1] = (char)('0' + n / 100 % 10);
		text[2] = '.';
		text[3] = (char)('0' + n / 10 % 10);
		text[4] = (char)('0' + n % 10);
		text[5] = '%';
	}
	sink_write(sink, text, sizeof(text));
}

/* " [count] " and the blanks up to column 12. */
static void write_count(struct sink *sink, uint64_t count)
{
	char digits[24], *d = digits + sizeof(digits);
	size_t width;

	*--d = ' ';
	*--d = ']';
	do
		*--d = (char)('0' + count % 10);
	while (count /= 10);
	*--d = '[';
	*--d = ' ';
	width = (size_t)(digits + sizeof(digits) - d);
	sink_write(sink, d, width);
	sink_fill(sink, ' ', width < 12 ? 12 - width : 0);
}

static void write_node(void *arg, const struct cg_node *n)
{
	struct graph *g = arg;

	/* Each leaf's graph is a paragraph, and names its object anew. */
	if (!n->depth) {
		if (g->any)
			sink_char(g->sink, '\n');
		g->last_image = NO_IMAGE;
		g->any = true;
	}
	sink_fill(g->sink, ' ', n->depth);
	write_percent(g->sink, n->count, n->parent);
	write_count(g->sink, n->count);
	sink_fill(g->sink, ' ', n->depth);
	cg_write_name(g->sink, cg_node_name(g->p, n->function));
	if (n->function != CG_END && g->p->functions.v[n->function].image != g->last_image) {
		g->last_image = g->p->functions.v[n->function].image;
		sink_write(g->sink, " @ ", 3);
		cg_write_name(g->sink, cg_object_of(g->p, &g->p->functions.v[n->function]));
	}
	sink_char(g->sink, '\n');
}

static int write_graph(const struct cg_view *view, const struct cg_output_options *options,
		       struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	struct cg_walk_options walk = {.max_depth =
					       options->graph_depth ? options->graph_depth + 1 : 0};
	const struct cg_event *e;

	vec_each(e, &p->events) {
		struct cg_view of = cg_view_of(view, e);
		struct graph g = {.p = p, .sink = sink};

		sink_str(sink, "@ ");
		cg_write_name(sink, e->name);
		sink_str(sink, " [");
		cg_write_samples(sink, e);
		sink_str(sink, "]\n\n");
		if (cg_walk(&of, &walk, write_node, &g))
			return err_nomem(err);
		if (g.any)
			sink_char(sink, '\n');
	}
	return 0;
}

const struct cg_output cg_output_graph = {
	.name = "graph",
	.letter = 'G',
	.argument = CG_MUST_NAME_FILE,
	.summary = "call graphs from each leaf to its callers",
	.write = write_graph,
};
