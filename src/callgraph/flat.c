// SPDX-License-Identifier: BSD-2-Clause
/* --flat: each function's own samples and those of what it called, by event. */
#include <inttypes.h>

#include "callgraph/output.h"

struct row {
	uint64_t self;	/* samples with the function as leaf */
	uint64_t total; /* samples with the function anywhere, counted once a sample */
	uint64_t last;	/* 1 + the last stack counted in total */
	uint32_t function;
};

static void count(const struct cg_profile *p, uint32_t event, struct row *rows)
{
	uint64_t stack;
	uint32_t i;

	for (stack = 0; stack < p->stacks.n; stack++) {
		const struct cg_stack *s = &p->stacks.v[stack];

		if (p->groups.v[s->group].event != event)
			continue;
		rows[cg_function_of(p, s, 0)].self += s->count;
		for (i = 0; i < s->npcs; i++) {
			struct row *row = &rows[cg_function_of(p, s, i)];

			if (row->last == stack + 1)
				continue;
			row->last = stack + 1;
			row->total += s->count;
		}
	}
}

static int compare(const void *a, const void *b, void *arg)
{
	const struct cg_profile *p = arg;
	const struct row *x = a, *y = b;
	const struct cg_function *f = &p->functions.v[x->function],
				 *g = &p->functions.v[y->function];
	int order;

	if (x->self != y->self)
		return x->self < y->self ? 1 : -1;
	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	order = strcmp(f->name, g->name);
	return order ? order : strcmp(cg_object_of(p, f), cg_object_of(p, g));
}

static void write_rows(const struct cg_profile *p, const struct row *rows, uint64_t samples,
		       struct sink *sink)
{
	const double scale = samples ? 100.0 / (double)samples : 0;

	sink_str(sink, "  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT\n");
	for (; rows->total; rows++) {
		const struct cg_function *f = &p->functions.v[rows->function];

		sink_printf(sink, "%7.2f %10" PRIu64 " %7.2f %10" PRIu64 "  ",
			    (double)rows->self * scale, rows->self, (double)rows->total * scale,
			    rows->total);
		sink_str(sink, f->name);
		sink_str(sink, "  ");
		sink_str(sink, cg_object_of(p, f));
		sink_char(sink, '\n');
	}
}

static int write_event(const struct cg_profile *p, uint32_t event, struct sink *sink)
{
	const struct cg_event *e = &p->events.v[event];
	/* One row more than functions: the end. */
	struct row *rows = calloc(p->functions.n + 1, sizeof(*rows));
	uint32_t i;

	if (!rows)
		return -1;
	for (i = 0; i < p->functions.n; i++)
		rows[i].function = i;
	count(p, event, rows);
	qsort_r(rows, p->functions.n, sizeof(*rows), compare, (void *)(uintptr_t)p);
	sink_printf(sink, "@ %s [%" PRIu64 " samples]\n", e->name, e->samples);
	write_rows(p, rows, e->samples, sink);
	sink_char(sink, '\n');
	free(rows);
	return 0;
}

static int write_flat(const struct cg_profile *p, const struct cg_output_options *options,
		      struct sink *sink, struct err *err)
{
	uint32_t event;

	(void)options;
	for (event = 0; event < p->events.n; event++)
		if (write_event(p, event, sink))
			return err_nomem(err);
	cg_write_quality(p, sink);
	return 0;
}

const struct cg_output cg_output_flat = {
	.name = "flat",
	.summary = "functions by their own samples and by those of what they called",
	.has_quality = true,
	.write = write_flat,
};
