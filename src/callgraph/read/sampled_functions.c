// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/read/sampled_functions.h"

struct counting {
	const struct cg_view *view;
	cg_sampled_functions *functions;
	uint32_t *number; /* of every function 1 + its index in functions; 0: none yet */
	uint32_t *last;	  /* of every function 1 + the last stack counted in total */
};

static int count_stack(struct counting *c, uint32_t stack)
{
	const struct cg_profile *p = c->view->profile;
	const struct cg_stack *s = &p->stacks.v[stack];
	uint64_t count = cg_view_count(c->view, stack);
	uint64_t base = cg_view_base(c->view, stack);
	uint32_t i;

	for (i = 0; i < s->npcs; i++) {
		uint32_t f = cg_function_of(p, s, i);
		struct cg_sampled_function *sampled;

		if (c->last[f] == stack + 1)
			continue;
		c->last[f] = stack + 1;
		if (!c->number[f]) {
			if (vec_push(c->functions, (struct cg_sampled_function){.function = f}))
				return -1;
			c->number[f] = (uint32_t)c->functions->n;
		}
		sampled = &c->functions->v[c->number[f] - 1];
		sampled->total += count;
		sampled->base_total += base;
		if (i)
			continue;
		sampled->self += count;
		sampled->base_self += base;
	}
	return 0;
}

int cg_function_compare(const struct cg_profile *p, uint32_t a, uint32_t b)
{
	const struct cg_function *f = &p->functions.v[a], *g = &p->functions.v[b];
	int order = strcmp(f->name, g->name);

	return order ? order : strcmp(cg_object_of(p, f), cg_object_of(p, g));
}

static int hottest_first(const void *a, const void *b, void *arg)
{
	const struct cg_profile *p = arg;
	const struct cg_sampled_function *x = a, *y = b;

	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return cg_function_compare(p, x->function, y->function);
}

int cg_sampled_functions_count(const struct cg_view *view, cg_sampled_functions *functions)
{
	const struct cg_profile *p = view->profile;
	struct counting c = {.view = view, .functions = functions};
	int status = -1;
	uint32_t i;

	functions->n = 0;
	c.number = calloc(p->functions.n + 1, sizeof(*c.number));
	c.last = calloc(p->functions.n + 1, sizeof(*c.last));
	if (c.number && c.last)
		for (i = 0, status = 0; i < view->n && !status; i++)
			status = count_stack(&c, view->stacks[i]);
	free(c.number);
	free(c.last);
	if (!status && functions->n)
		qsort_r(functions->v, functions->n, sizeof(*functions->v), hottest_first,
			(void *)(uintptr_t)p);
	return status;
}
