// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/walk.h"

/* A node: the chains [first, last) of the array, equal up to the node's depth. */
struct range {
	uint32_t function;
	uint32_t first, last;
	uint64_t count, base;
};

struct walk {
	const struct cg_profile *p;
	const struct cg_walk_options *options;
	void (*visit)(void *arg, const struct cg_node *node);
	void *arg;
	uint64_t *chain;	  /* function at the depth in hand << 32 | index of the stack */
	VEC(struct range) ranges; /* children of every node on the way down */
	uint32_t max_depth;
};

static const struct cg_stack *stack_of(const struct walk *w, uint64_t chain)
{
	return &w->p->stacks.v[(uint32_t)chain];
}

static uint64_t count_of(const struct walk *w, uint64_t chain)
{
	return w->options->counts ? w->options->counts[(uint32_t)chain] : stack_of(w, chain)->count;
}

static uint64_t base_of(const struct walk *w, uint64_t chain)
{
	return w->p->base.n ? w->p->base.v[(uint32_t)chain] : 0;
}

/* The function of a chain at a depth of the walk. */
static uint32_t function_at(const struct walk *w, const struct cg_stack *s, uint32_t depth)
{
	return cg_function_of(w->p, s, w->options->from_root ? s->npcs - 1 - depth : depth);
}

static int by_function(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

const char *cg_node_name(const struct cg_profile *p, uint32_t function)
{
	return function == CG_END ? "[end]" : p->functions.v[function].name;
}

static int siblings(const void *a, const void *b, void *arg)
{
	const struct range *x = a, *y = b;
	const struct walk *w = arg;
	int order;

	if (x->count != y->count && !w->options->by_name)
		return x->count < y->count ? 1 : -1;
	order = strcmp(cg_node_name(w->p, x->function), cg_node_name(w->p, y->function));
	return order ? order : x->function < y->function ? -1 : x->function > y->function;
}

/* Splits chains [first, last) by their function at depth; appends the ranges in order. */
static int split(struct walk *w, uint32_t first, uint32_t last, uint32_t depth)
{
	size_t begin = w->ranges.n;
	uint32_t i;

	for (i = first; i < last; i++) {
		const struct cg_stack *s = stack_of(w, w->chain[i]);
		uint32_t f = depth < s->npcs ? function_at(w, s, depth) : CG_END;

		w->chain[i] = (uint64_t)f << 32 | (uint32_t)w->chain[i];
	}
	qsort(w->chain + first, last - first, sizeof(*w->chain), by_function);
	for (i = first; i < last; i++) {
		uint32_t f = (uint32_t)(w->chain[i] >> 32);

		if ((i == first || f != w->ranges.v[w->ranges.n - 1].function) &&
		    vec_push(&w->ranges, (struct range){.function = f, .first = i}))
			return -1;
		w->ranges.v[w->ranges.n - 1].last = i + 1;
		w->ranges.v[w->ranges.n - 1].count += count_of(w, w->chain[i]);
		w->ranges.v[w->ranges.n - 1].base += base_of(w, w->chain[i]);
	}
	qsort_r(w->ranges.v + begin, w->ranges.n - begin, sizeof(*w->ranges.v), siblings, w);
	return 0;
}

/* The rest of the only chain of a node: no choice at any depth. */
static void walk_single(struct walk *w, uint64_t chain, struct cg_node node)
{
	const struct cg_stack *s = stack_of(w, chain);

	node.count = node.parent = count_of(w, chain);
	node.base = base_of(w, chain);
	for (; node.depth < s->npcs && node.depth < w->max_depth; node.depth++) {
		node.function = function_at(w, s, node.depth);
		w->visit(w->arg, &node);
	}
}

/* Walks the nodes at a depth below one that has chains [first, last). */
static int walk_below(struct walk *w, uint32_t first, uint32_t last, const struct cg_node *above)
{
	struct cg_node node = {
		.depth = above->depth + 1, .parent = above->count, .start = above->start};
	size_t begin = w->ranges.n, i, end;

	if (node.depth >= w->max_depth)
		return 0;
	if (last - first == 1) {
		walk_single(w, w->chain[first], node);
		return 0;
	}
	if (split(w, first, last, node.depth))
		return -1;
	end = w->ranges.n;
	for (i = begin; i < end; i++) {
		struct range r = w->ranges.v[i];

		/* Where all chains end, the node above is the end. */
		if (r.function == CG_END && end - begin == 1)
			break;
		node.function = r.function;
		node.count = r.count;
		node.base = r.base;
		w->visit(w->arg, &node);
		if (r.function != CG_END && walk_below(w, r.first, r.last, &node))
			return -1;
		node.start += r.count;
	}
	w->ranges.n = begin;
	return 0;
}

int cg_walk(const struct cg_profile *p, const struct cg_walk_options *options,
	    void (*visit)(void *arg, const struct cg_node *node), void *arg)
{
	struct walk w = {.p = p, .options = options, .visit = visit, .arg = arg};
	const struct cg_event *e = &p->events.v[options->event];
	struct cg_node top = {.depth = UINT32_MAX, .count = e->samples};
	uint32_t i;
	int status;

	w.max_depth = options->max_depth ? options->max_depth : UINT32_MAX;
	if (!e->stacks)
		return 0;
	if (!(w.chain = malloc(e->stacks * sizeof(*w.chain))))
		return -1;
	for (i = 0; i < e->stacks; i++)
		w.chain[i] = p->by_event.v[e->first + i];
	status = walk_below(&w, 0, e->stacks, &top);
	free(w.chain);
	vec_free(&w.ranges);
	return status;
}
