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

struct flat {
	struct row *row;      /* of every function; all zero between events */
	VEC(struct row) seen; /* of the functions of one event */
};

static int count_stack(const struct cg_profile *p, uint32_t stack, struct flat *f)
{
	const struct cg_stack *s = &p->stacks.v[stack];
	uint32_t i;

	for (i = 0; i < s->npcs; i++) {
		struct row *row = &f->row[cg_function_of(p, s, i)];

		row->self += i ? 0 : s->count;
		if (row->last == stack + 1ull)
			continue;
		row->function = cg_function_of(p, s, i);
		if (!row->last && vec_push(&f->seen, *row))
			return -1;
		row->last = stack + 1ull;
		row->total += s->count;
	}
	return 0;
}

/* Fills in f->seen for an event. */
static int count(const struct cg_profile *p, const struct cg_event *e, struct flat *f)
{
	struct row *row;
	uint32_t i;

	f->seen.n = 0;
	for (i = 0; i < e->stacks; i++)
		if (count_stack(p, p->by_event.v[e->first + i], f))
			return -1;
	vec_each(row, &f->seen) {
		*row = f->row[row->function];
		f->row[row->function] = (struct row){0};
	}
	return 0;
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

static void write_row(const struct cg_profile *p, const struct row *row, double scale,
		      struct sink *sink)
{
	const struct cg_function *f = &p->functions.v[row->function];

	sink_printf(sink, "%7.2f %10" PRIu64 " %7.2f %10" PRIu64 "  ", (double)row->self * scale,
		    row->self, (double)row->total * scale, row->total);
	cg_write_text(sink, f->name);
	sink_str(sink, "  ");
	cg_write_text(sink, cg_object_of(p, f));
	sink_char(sink, '\n');
}

static int write_event(const struct cg_profile *p, const struct cg_event *e, struct flat *f,
		       struct sink *sink)
{
	const struct row *row;

	if (count(p, e, f))
		return -1;
	if (f->seen.n)
		qsort_r(f->seen.v, f->seen.n, sizeof(*f->seen.v), compare, (void *)(uintptr_t)p);
	sink_str(sink, "@ ");
	cg_write_text(sink, e->name);
	sink_printf(sink, " [%" PRIu64 " samples]\n", e->samples);
	sink_str(sink, "  SELF%       SELF  TOTAL%      TOTAL  FUNCTION  OBJECT\n");
	vec_each(row, &f->seen)
		write_row(p, row, 100.0 / (double)e->samples, sink);
	sink_char(sink, '\n');
	return 0;
}

static int write_flat(const struct cg_profile *p, const struct cg_output_options *options,
		      struct sink *sink, struct err *err)
{
	struct flat f = {.row = calloc(p->functions.n + 1, sizeof(*f.row))};
	const struct cg_event *e;
	int bad = !f.row;

	(void)options;
	vec_each(e, &p->events) {
		if (bad)
			break;
		bad = write_event(p, e, &f, sink);
	}
	cg_write_quality(p, sink);
	free(f.row);
	vec_free(&f.seen);
	return bad ? err_nomem(err) : 0;
}

const struct cg_output cg_output_flat = {
	.name = "flat",
	.summary = "functions by their own samples and by those of what they called",
	.has_quality = true,
	.write = write_flat,
};
