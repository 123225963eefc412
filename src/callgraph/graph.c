// SPDX-License-Identifier: BSD-2-Clause
/*
 * -G: call graphs from the leaf to its callers, in the text that FreeBSD's pmcstat writes.
 *
 * No tree is built.  The chains of an event lie in an array; the chains that go through one node
 * are a range of it.  Sorting a range by the function at the next depth splits it into the node's
 * children, which are written hottest first, each by the same rule.
 */
#include "callgraph/output.h"

/* A node: the chains [first, last) of the array, equal up to the node's depth. */
struct node {
	uint32_t function; /* END: the chains that end below this depth */
	uint32_t first, last;
	uint64_t count;
};

#define END UINT32_MAX

/* No line yet, so that the first names its object whatever that is. */
#define NO_IMAGE (CG_NONE - 1)

struct graph {
	const struct cg_profile *p;
	struct sink *sink;
	uint64_t *chain;	/* function at the depth in hand << 32 | index of the stack */
	VEC(struct node) nodes; /* children of every node on the way down */
	uint32_t max_depth;
	uint32_t last_image; /* of the line before */
};

static uint32_t stack_of(uint64_t chain)
{
	return (uint32_t)chain;
}

static int by_function(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static const char *name_of(const struct cg_profile *p, uint32_t function)
{
	return function == END ? "[end]" : p->functions.v[function].name;
}

static int hottest_first(const void *a, const void *b, void *arg)
{
	const struct node *x = a, *y = b;
	const struct cg_profile *p = arg;
	int order;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	order = strcmp(name_of(p, x->function), name_of(p, y->function));
	return order ? order : x->function < y->function ? -1 : x->function > y->function;
}

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

static void write_line(struct graph *g, uint32_t function, uint64_t count, uint64_t total,
		       uint32_t depth)
{
	char digits[24], *d = digits + sizeof(digits);
	uint64_t rest = count;
	size_t width;

	*--d = ' ';
	*--d = ']';
	do
		*--d = (char)('0' + rest % 10);
	while (rest /= 10);
	*--d = '[';
	*--d = ' ';
	width = (size_t)(digits + sizeof(digits) - d);
	sink_fill(g->sink, ' ', depth);
	write_percent(g->sink, count, total);
	sink_write(g->sink, d, width);
	sink_fill(g->sink, ' ', (width < 12 ? 12 - width : 0) + depth);
	cg_write_name(g->sink, name_of(g->p, function));
	if (function != END && g->p->functions.v[function].image != g->last_image) {
		g->last_image = g->p->functions.v[function].image;
		sink_write(g->sink, " @ ", 3);
		cg_write_name(g->sink, cg_object_of(g->p, &g->p->functions.v[function]));
	}
	sink_char(g->sink, '\n');
}

/* The callers of a node that only one chain goes through: no choice at any depth. */
static void write_single(struct graph *g, uint64_t chain, uint32_t depth)
{
	const struct cg_stack *s = &g->p->stacks.v[stack_of(chain)];

	for (; depth < s->npcs && depth < g->max_depth; depth++)
		write_line(g, cg_function_of(g->p, s, depth), s->count, s->count, depth);
}

/* Splits chains [first, last) by their function at depth; appends the nodes, hottest first. */
static int split(struct graph *g, uint32_t first, uint32_t last, uint32_t depth)
{
	size_t begin = g->nodes.n;
	uint32_t i;

	for (i = first; i < last; i++) {
		const struct cg_stack *s = &g->p->stacks.v[stack_of(g->chain[i])];
		uint32_t f = depth < s->npcs ? cg_function_of(g->p, s, depth) : END;

		g->chain[i] = (uint64_t)f << 32 | stack_of(g->chain[i]);
	}
	qsort(g->chain + first, last - first, sizeof(*g->chain), by_function);
	for (i = first; i < last; i++) {
		uint32_t f = (uint32_t)(g->chain[i] >> 32);

		if ((i == first || f != g->nodes.v[g->nodes.n - 1].function) &&
		    vec_push(&g->nodes, (struct node){.function = f, .first = i}))
			return -1;
		g->nodes.v[g->nodes.n - 1].last = i + 1;
		g->nodes.v[g->nodes.n - 1].count += g->p->stacks.v[stack_of(g->chain[i])].count;
	}
	qsort_r(g->nodes.v + begin, g->nodes.n - begin, sizeof(*g->nodes.v), hottest_first,
		(void *)(uintptr_t)g->p);
	return 0;
}

/* Writes the callers of a node at depth - 1 that has total samples. */
static int write_callers(struct graph *g, uint32_t first, uint32_t last, uint64_t total,
			 uint32_t depth)
{
	size_t begin = g->nodes.n, i, end;

	if (depth >= g->max_depth)
		return 0;
	if (last - first == 1) {
		write_single(g, g->chain[first], depth);
		return 0;
	}
	if (split(g, first, last, depth))
		return -1;
	end = g->nodes.n;
	for (i = begin; i < end; i++) {
		struct node n = g->nodes.v[i];

		/* A chain that ends where others go on needs a line, or readers lose it. */
		if (n.function == END && end - begin == 1)
			continue;
		write_line(g, n.function, n.count, total, depth);
		if (n.function != END && write_callers(g, n.first, n.last, n.count, depth + 1))
			return -1;
	}
	g->nodes.n = begin;
	return 0;
}

static int write_leaves(struct graph *g, uint32_t chains, const struct cg_event *e)
{
	size_t i;

	sink_printf(g->sink, "@ %s [%llu samples]\n\n", e->name, (unsigned long long)e->samples);
	if (split(g, 0, chains, 0))
		return -1;
	for (i = 0; i < g->nodes.n; i++) {
		struct node n = g->nodes.v[i];
		size_t leaves = g->nodes.n;

		g->last_image = NO_IMAGE;
		write_line(g, n.function, n.count, e->samples, 0);
		if (write_callers(g, n.first, n.last, n.count, 1))
			return -1;
		sink_char(g->sink, '\n');
		g->nodes.n = leaves;
	}
	g->nodes.n = 0;
	return 0;
}

static int write_graph(const struct cg_profile *p, const struct cg_output_options *options,
		       struct sink *sink, struct err *err)
{
	struct graph g = {.p = p, .sink = sink, .max_depth = options->graph_depth};
	uint32_t event, chains, i;
	int bad = 0;

	g.max_depth = options->graph_depth ? options->graph_depth + 1 : UINT32_MAX;
	if (!(g.chain = malloc((p->stacks.n + 1) * sizeof(*g.chain))))
		return err_nomem(err);
	for (event = 0; event < p->events.n && !bad; event++) {
		for (chains = i = 0; i < p->stacks.n; i++)
			if (p->groups.v[p->stacks.v[i].group].event == event)
				g.chain[chains++] = i;
		bad = write_leaves(&g, chains, &p->events.v[event]);
	}
	free(g.chain);
	vec_free(&g.nodes);
	return bad ? err_nomem(err) : 0;
}

const struct cg_output cg_output_graph = {
	.name = "graph",
	.letter = 'G',
	.needs_file = true,
	.summary = "call graphs from each leaf to its callers",
	.write = write_graph,
};
