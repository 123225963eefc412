// SPDX-License-Identifier: BSD-2-Clause
#include "callgraph/read/rows.h"

struct counting {
	const struct cg_view *view;
	cg_rows *rows;
	uint32_t *row;	/* of every function 1 + its index in rows; 0: none yet */
	uint32_t *last; /* of every function 1 + the last stack counted in total */
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
		struct cg_row *row;

		if (c->last[f] == stack + 1)
			continue;
		c->last[f] = stack + 1;
		if (!c->row[f]) {
			if (vec_push(c->rows, (struct cg_row){.function = f}))
				return -1;
			c->row[f] = (uint32_t)c->rows->n;
		}
		row = &c->rows->v[c->row[f] - 1];
		row->total += count;
		row->base_total += base;
		if (i)
			continue;
		row->self += count;
		row->base_self += base;
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
	const struct cg_row *x = a, *y = b;

	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return cg_function_compare(p, x->function, y->function);
}

int cg_rows_count(const struct cg_view *view, cg_rows *rows)
{
	const struct cg_profile *p = view->profile;
	struct counting c = {.view = view, .rows = rows};
	int status = -1;
	uint32_t i;

	rows->n = 0;
	c.row = calloc(p->functions.n + 1, sizeof(*c.row));
	c.last = calloc(p->functions.n + 1, sizeof(*c.last));
	if (c.row && c.last)
		for (i = 0, status = 0; i < view->n && !status; i++)
			status = count_stack(&c, view->stacks[i]);
	free(c.row);
	free(c.last);
	if (!status && rows->n)
		qsort_r(rows->v, rows->n, sizeof(*rows->v), hottest_first, (void *)(uintptr_t)p);
	return status;
}
