// SPDX-License-Identifier: BSD-2-Clause
/* --folded: one line a chain, root first, for flame graph programs. */
#include <inttypes.h>

#include "callgraph/output/output.h"

/* The chain of a stack as a line without its count. */
static void write_chain(const struct cg_profile *p, const struct cg_stack *s, bool events,
			struct sink *sink)
{
	const struct cg_group *g = &p->groups.v[s->group];
	uint32_t i;

	if (events) {
		cg_write_name(sink, p->events.v[g->event].name);
		sink_char(sink, ';');
	}
	cg_write_name(sink, g->comm);
	for (i = s->npcs; i-- > 0;) {
		sink_char(sink, ';');
		cg_write_name(sink, p->functions.v[cg_function_of(p, s, i)].name);
	}
}

struct chain {
	const struct cg_stack *stack;
	const struct cg_profile *p;
};

/* Root first by names, so that equal lines are neighbours whatever addresses they came from. */
static int compare(const void *a, const void *b)
{
	const struct chain *x = a, *y = b;
	const struct cg_profile *p = x->p;
	const struct cg_group *g = &p->groups.v[x->stack->group],
			      *h = &p->groups.v[y->stack->group];
	uint32_t i = x->stack->npcs, j = y->stack->npcs;
	int order;

	if (g->event != h->event)
		return g->event < h->event ? -1 : 1;
	if (g->comm != h->comm && (order = strcmp(g->comm, h->comm)))
		return order;
	while (i && j) {
		uint32_t f = cg_function_of(p, x->stack, --i), k = cg_function_of(p, y->stack, --j);

		if (f != k && (order = strcmp(p->functions.v[f].name, p->functions.v[k].name)))
			return order;
	}
	return i ? 1 : j ? -1 : 0;
}

static int write_folded(const struct cg_view *view, const struct cg_output_options *options,
			struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	struct chain *chains = malloc((p->stacks.n + 1) * sizeof(*chains));
	unsigned int events = 0;
	const struct cg_event *e;
	size_t i, next;

	(void)options;
	if (!chains)
		return err_nomem(err);
	for (i = 0; i < p->stacks.n; i++)
		chains[i] = (struct chain){&p->stacks.v[i], p};
	qsort(chains, p->stacks.n, sizeof(*chains), compare);
	vec_each(e, &p->events)
		events += e->samples > 0 || cg_view_event_base(view, e) > 0;
	for (i = 0; i < p->stacks.n; i = next) {
		uint64_t count = 0, base = 0;

		for (next = i; next < p->stacks.n && !compare(&chains[i], &chains[next]); next++) {
			const struct cg_stack *s = chains[next].stack;

			count += s->count;
			base += cg_view_base(view, (uint32_t)(s - p->stacks.v));
		}
		write_chain(p, chains[i].stack, events > 1, sink);
		if (view->base)
			sink_printf(sink, " %" PRIu64, base);
		sink_printf(sink, " %" PRIu64 "\n", count);
	}
	free(chains);
	return 0;
}

const struct cg_output cg_output_folded = {
	.name = "folded",
	.compares = true,
	.summary = "one line a call chain, root first, with its count",
	.write = write_folded,
};
