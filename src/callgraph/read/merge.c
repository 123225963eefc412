// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/read/merge.h"

static const char *comm_of(const struct cg_profile *p, const struct cg_merged *m)
{
	return p->groups.v[m->stack->group].comm;
}

static int compare(const void *a, const void *b, void *arg)
{
	const struct cg_profile *p = arg;
	const struct cg_merged *x = a, *y = b;
	const char *c = comm_of(p, x), *d = comm_of(p, y);
	uint32_t i = x->stack->npcs, j = y->stack->npcs;
	int order;

	if (c != d && (order = strcmp(c, d)))
		return order;
	while (i && j) {
		uint32_t f = cg_function_of(p, x->stack, --i), g = cg_function_of(p, y->stack, --j);

		if (f != g)
			return f < g ? -1 : 1;
	}
	return i ? 1 : j ? -1 : 0;
}

int cg_merge_stacks(const struct cg_view *view, cg_merged_stacks *merged)
{
	const struct cg_profile *p = view->profile;
	struct cg_merged *m, *last = NULL;
	uint32_t i;

	merged->n = 0;
	if (vec_reserve(merged, view->n))
		return -1;
	for (i = 0; i < view->n; i++) {
		uint32_t stack = view->stacks[i];

		merged->v[i] = (struct cg_merged){.stack = &p->stacks.v[stack],
						  .count = cg_view_count(view, stack),
						  .base = cg_view_base(view, stack)};
	}
	merged->n = view->n;
	if (merged->n)
		qsort_r(merged->v, merged->n, sizeof(*merged->v), compare, (void *)(uintptr_t)p);
	vec_each(m, merged) {
		if (last && !compare(last, m, (void *)(uintptr_t)p)) {
			last->count += m->count;
			last->base += m->base;
			continue;
		}
		last = last ? last + 1 : m;
		*last = *m;
	}
	merged->n = last ? (size_t)(last + 1 - merged->v) : 0;
	return 0;
}
