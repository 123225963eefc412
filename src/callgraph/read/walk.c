// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/read/walk.h"

/* A node: the chains [first, last) of the array, equal up to the node's depth. */
struct range {
	uint32_t function;
	uint32_t first, last;
	uint64_t count, base, self;
};

/* The siblings at a depth of the way down. */
struct level {
	size_t begin, next, end; /* their ranges, and which of them is to be visited */
	struct cg_node node;	 /* what the next one has in common with them */
	struct cg_node rest;	 /* those with too few samples, so far */
};

struct walk {
	const struct cg_view *view;
	const struct cg_profile *p; /* of the view */
	const struct cg_walk_options *options;
	void (*visit)(void *arg, const struct cg_node *node);
	void *arg;
	uint64_t *chain;	  /* function at the depth in hand << 32 | index of the stack */
	VEC(struct level) levels; /* the way down */
	VEC(struct range) ranges; /* children of every node on it */
	uint32_t max_depth;
};

static const struct cg_stack *stack_of(const struct walk *w, uint64_t chain)
{
	return &w->p->stacks.v[(uint32_t)chain];
}

static uint64_t count_of(const struct walk *w, uint64_t chain)
{
	return cg_view_count(w->view, (uint32_t)chain);
}

static uint64_t base_of(const struct walk *w, uint64_t chain)
{
	return cg_view_base(w->view, (uint32_t)chain);
}

/* The frame of a chain that is at depth 0 of the walk. */
static uint32_t first_frame(const struct walk *w, uint64_t chain)
{
	if (w->options->from)
		return w->options->from[(uint32_t)chain];
	return w->options->from_root ? stack_of(w, chain)->npcs - 1 : 0;
}

/* How deep the walk goes along a chain. */
static uint32_t length_of(const struct walk *w, uint64_t chain)
{
	uint32_t first = first_frame(w, chain);

	return w->options->from_root ? first + 1 : stack_of(w, chain)->npcs - first;
}

/* The function of a chain at a depth of the walk. */
static uint32_t function_at(const struct walk *w, uint64_t chain, uint32_t depth)
{
	uint32_t first = first_frame(w, chain);

	return cg_function_of(w->p, stack_of(w, chain),
			      w->options->from_root ? first - depth : first + depth);
}

static int by_function(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

const char *cg_node_name(const struct cg_profile *p, uint32_t function)
{
	if (function >= CG_REST)
		return function == CG_END ? "[end]" : "...";
	return p->functions.v[function].name;
}

static int siblings(const void *a, const void *b, void *arg)
{
	const struct range *x = a, *y = b;
	const struct walk *w = arg;
	int order;

	if (x->count != y->count && !w->options->by_name)
		return x->count < y->count ? 1 : -1;
	/* Pictures have nothing there, and what the script of a page draws leaves that last. */
	if (w->options->by_name && (x->function == CG_END) != (y->function == CG_END))
		return x->function == CG_END ? 1 : -1;
	order = strcmp(cg_node_name(w->p, x->function), cg_node_name(w->p, y->function));
	return order ? order : x->function < y->function ? -1 : x->function > y->function;
}

/* Splits chains [first, last) by their function at depth; appends the ranges in order. */
static int split(struct walk *w, uint32_t first, uint32_t last, uint32_t depth)
{
	size_t begin = w->ranges.n;
	bool in_order = true;
	uint32_t i;

	for (i = first; i < last; i++) {
		uint32_t f = depth < length_of(w, w->chain[i]) ? function_at(w, w->chain[i], depth)
							       : CG_END;

		w->chain[i] = (uint64_t)f << 32 | (uint32_t)w->chain[i];
		in_order &= i == first || w->chain[i - 1] <= w->chain[i];
	}
	/* They are where all go on alike. */
	if (!in_order)
		qsort(w->chain + first, last - first, sizeof(*w->chain), by_function);
	for (i = first; i < last; i++) {
		uint32_t f = (uint32_t)(w->chain[i] >> 32);
		struct range *r;

		if ((i == first || f != w->ranges.v[w->ranges.n - 1].function) &&
		    vec_push(&w->ranges, (struct range){.function = f, .first = i}))
			return -1;
		r = &w->ranges.v[w->ranges.n - 1];
		r->last = i + 1;
		r->count += count_of(w, w->chain[i]);
		r->base += base_of(w, w->chain[i]);
		if (depth + 1 >= length_of(w, w->chain[i]))
			r->self += count_of(w, w->chain[i]);
	}
	qsort_r(w->ranges.v + begin, w->ranges.n - begin, sizeof(*w->ranges.v), siblings, w);
	return 0;
}

/* The rest of the only chain of a node: no choice at any depth. */
static void walk_single(struct walk *w, uint64_t chain, struct cg_node node)
{
	uint32_t length = length_of(w, chain);

	node.count = node.parent = count_of(w, chain);
	node.base = base_of(w, chain);
	node.chains = &chain;
	node.nchains = 1;
	for (; node.depth < length && node.depth < w->max_depth; node.depth++) {
		node.function = function_at(w, chain, node.depth);
		node.self = node.depth + 1 == length ? node.count : 0;
		w->visit(w->arg, &node);
	}
}

/* Goes down below a node that has chains [first, last). */
static int enter(struct walk *w, uint32_t first, uint32_t last, const struct cg_node *above)
{
	struct level l = {.begin = w->ranges.n, .next = w->ranges.n};

	l.node = (struct cg_node){.depth = above->depth + 1,
				  .nodes = 1,
				  .parent = above->count,
				  .start = above->start};
	l.rest = (struct cg_node){
		.function = CG_REST, .depth = above->depth + 1, .parent = above->count};
	if (l.node.depth >= w->max_depth)
		return 0;
	if (last - first == 1) {
		walk_single(w, w->chain[first], l.node);
		return 0;
	}
	if (split(w, first, last, l.node.depth))
		return -1;
	l.end = w->ranges.n;
	return vec_push(&w->levels, l);
}

/* Goes up again, where no sibling is left. */
static void leave(struct walk *w)
{
	struct level *l = &w->levels.v[--w->levels.n];

	l->rest.start = l->node.start;
	if (l->rest.nodes)
		w->visit(w->arg, &l->rest);
	w->ranges.n = l->begin;
}

/* Visits a node of the lowest level, and goes down to its children. */
static int visit_range(struct walk *w, struct level *l, const struct range *r)
{
	struct cg_node node;

	/* Where all chains end, the node above is the end. */
	if (r->function == CG_END && l->end - l->begin == 1)
		return 0;
	if (r->function != CG_END && r->count < w->options->min_count) {
		l->rest.nodes++;
		l->rest.count += r->count;
		l->rest.base += r->base;
		return 0;
	}
	node = l->node;
	node.function = r->function;
	node.count = r->count;
	node.base = r->base;
	node.self = r->self;
	node.chains = w->chain + r->first;
	node.nchains = r->last - r->first;
	l->node.start += r->count;
	w->visit(w->arg, &node);
	return r->function == CG_END ? 0 : enter(w, r->first, r->last, &node);
}

/* Chains with inlined frames can be tens of thousands deep: too deep for recursion. */
static int walk_levels(struct walk *w)
{
	while (w->levels.n && !(w->options->stop && *w->options->stop)) {
		struct level *l = &w->levels.v[w->levels.n - 1];
		struct range r;

		if (l->next == l->end) {
			leave(w);
			continue;
		}
		r = w->ranges.v[l->next++];
		if (visit_range(w, l, &r))
			return -1;
	}
	return 0;
}

int cg_walk(const struct cg_view *view, const struct cg_walk_options *options,
	    void (*visit)(void *arg, const struct cg_node *node), void *arg)
{
	struct walk w = {
		.view = view, .p = view->profile, .options = options, .visit = visit, .arg = arg};
	struct cg_node top = {.depth = UINT32_MAX};
	uint32_t i, n = 0;
	int status = 0;

	w.max_depth = options->max_depth ? options->max_depth : UINT32_MAX;
	if (!view->n)
		return 0;
	if (!(w.chain = malloc(view->n * sizeof(*w.chain))))
		return -1;
	for (i = 0; i < view->n; i++) {
		uint32_t stack = view->stacks[i];

		if (options->from && options->from[stack] == CG_NONE)
			continue;
		w.chain[n++] = stack;
		top.count += count_of(&w, stack);
	}
	if (n)
		status = enter(&w, 0, n, &top) || walk_levels(&w) ? -1 : 0;
	free(w.chain);
	vec_free(&w.ranges);
	vec_free(&w.levels);
	return status;
}
