// SPDX-License-Identifier: BSD-2-Clause
/* --changes: what a comparison found, told from what chance alone would show. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "callgraph/output/output.h"
#include "callgraph/read/sampled_functions.h"
#include "callgraph/read/share.h"

/* Changes of less than so many percentage points are summed up, however certain they are. */
#define DEFAULT_THRESHOLD 0.1

enum { CHANGE_COLUMNS = 61 }; /* of a line before what changed */

struct change {
	uint32_t what; /* index of functions, or of stacks */
	struct cg_counts counts;
	struct cg_share share;
	enum cg_verdict verdict;
};

typedef VEC(struct change) changes;

/* One table: all changes of one kind. */
struct table_of {
	const struct cg_view *view; /* of an event */
	const struct cg_profile *p; /* of the view */
	const struct cg_output_options *options;
	struct sink *sink;
	struct cg_counts all;
	double threshold;
	const char *title, *what, *head;
	bool adds_up; /* every sample is in one of the things that change */
	void (*write)(const struct table_of *t, uint32_t what);
};

static void write_function(const struct table_of *t, uint32_t what)
{
	const struct cg_function *f = &t->p->functions.v[what];

	cg_write_function(t->sink, t->p, f, "  ", t->options, CHANGE_COLUMNS);
}

static void write_path(const struct table_of *t, uint32_t what)
{
	const struct cg_stack *s = &t->p->stacks.v[what];
	struct sink *line = t->options->columns ? sink_to_memory() : NULL;
	struct sink *to = line ? line : t->sink;
	uint32_t i;

	for (i = s->npcs; i-- > 0;) {
		cg_write_name(to, cg_shown_name(&t->p->functions.v[cg_function_of(t->p, s, i)]));
		if (i)
			sink_char(to, ';');
	}
	if (line)
		cg_write_cut(t->sink, sink_text(line, NULL),
			     cg_columns_left(t->options->columns, CHANGE_COLUMNS));
	sink_free(line);
}

/* The largest certain change first, then what is less certain. */
static int by_change(const void *a, const void *b)
{
	const struct change *x = a, *y = b;
	double i = fabs(x->share.change), j = fabs(y->share.change);

	if (x->verdict != y->verdict)
		return x->verdict < y->verdict ? 1 : -1;
	if (i != j)
		return i < j ? 1 : -1;
	return x->what < y->what ? -1 : x->what > y->what;
}

static int judge(const struct cg_counts *all, changes *list)
{
	double *least = malloc((list->n + 1) * sizeof(*least));
	size_t i, comparisons;

	if (!least)
		return -1;
	for (i = 0; i < list->n; i++)
		least[i] = cg_share_least_chance(list->v[i].counts, *all);
	comparisons = cg_share_comparisons(least, list->n);
	free(least);
	for (i = 0; i < list->n; i++) {
		struct change *c = &list->v[i];

		c->share = cg_share_change(c->counts, *all);
		c->verdict = cg_share_verdict(c->share.chance, comparisons);
	}
	if (list->n)
		qsort(list->v, list->n, sizeof(*list->v), by_change);
	return 0;
}

static void write_change(const struct table_of *t, const struct change *c)
{
	sink_printf(t->sink, "%+7.2f %5.2f  %-5s %7.2f %7.2f %10" PRIu64 " %10" PRIu64 "  ",
		    c->share.change, c->share.error, c->verdict == CG_REAL ? "real" : "maybe",
		    cg_percent(c->counts.base, t->all.base), cg_percent(c->counts.now, t->all.now),
		    c->counts.base, c->counts.now);
	t->write(t, c->what);
	sink_char(t->sink, '\n');
}

/* What is not shown one by one. */
struct remainder {
	size_t n;
	struct cg_counts counts;
};

static void add_to(struct remainder *r, const struct change *c)
{
	r->n++;
	r->counts.base += c->counts.base;
	r->counts.now += c->counts.now;
}

static void write_remainder(const struct table_of *t, const struct remainder *r, const char *why)
{
	if (!r->n)
		return;
	sink_printf(t->sink, "%s: %zu %s%s", why, r->n, t->what, r->n > 1 ? "s" : "");
	if (t->adds_up)
		sink_printf(t->sink,
			    ", %.2f%% of the samples in the base, %.2f%% now (%" PRIu64 ", %" PRIu64
			    ")",
			    cg_percent(r->counts.base, t->all.base),
			    cg_percent(r->counts.now, t->all.now), r->counts.base, r->counts.now);
	sink_char(t->sink, '\n');
}

static int write_table(const struct table_of *t, changes *list)
{
	struct remainder noise = {0}, small = {0}, more = {0};
	const struct change *c;
	size_t shown = 0;
	char why[48];

	if (judge(&t->all, list))
		return -1;
	sink_printf(t->sink, "%s\n", t->title);
	vec_each(c, list) {
		if (c->verdict == CG_NOISE) {
			add_to(&noise, c);
		} else if (fabs(c->share.change) < t->threshold) {
			add_to(&small, c);
		} else if (t->options->rows && shown >= t->options->rows) {
			add_to(&more, c);
		} else {
			if (!shown++)
				sink_printf(t->sink,
					    " CHANGE    +-  SURE    BASE%%    NOW%%       BASE"
					    "        NOW  %s\n",
					    t->head);
			write_change(t, c);
		}
	}
	if (!shown && !small.n)
		sink_str(t->sink, "no change that chance does not explain\n");
	snprintf(why, sizeof(why), "below %g points", t->threshold);
	write_remainder(t, &more, "behind these");
	write_remainder(t, &small, why);
	write_remainder(t, &noise, "noise");
	sink_char(t->sink, '\n');
	return 0;
}

static int write_functions(struct table_of t)
{
	changes self = {0}, total = {0};
	const struct cg_sampled_function *sampled;
	cg_sampled_functions functions = {0};
	int status = cg_sampled_functions_count(t.view, &functions);

	vec_each(sampled, &functions) {
		struct change s = {.what = sampled->function,
				   .counts = {sampled->base_self, sampled->self}};
		struct change a = {.what = sampled->function,
				   .counts = {sampled->base_total, sampled->total}};

		if (status)
			break;
		if (sampled->self || sampled->base_self)
			status = vec_push(&self, s);
		if (!status)
			status = vec_push(&total, a);
	}
	t.what = "function";
	t.head = "FUNCTION  OBJECT";
	t.write = write_function;
	if (!status) {
		t.title = "Functions by their own samples";
		t.adds_up = true;
		status = write_table(&t, &self);
	}
	if (!status) {
		t.title = "Functions by the samples in them and in what they called";
		t.adds_up = false;
		status = write_table(&t, &total);
	}
	vec_free(&self);
	vec_free(&total);
	vec_free(&functions);
	return status;
}

/* Stacks of the same functions are neighbours, whatever command they are of. */
static int by_functions(const void *a, const void *b, void *arg)
{
	const struct cg_profile *p = arg;
	const struct cg_stack *s = &p->stacks.v[*(const uint32_t *)a],
			      *t = &p->stacks.v[*(const uint32_t *)b];
	uint32_t n = s->npcs < t->npcs ? s->npcs : t->npcs;
	int order = memcmp(p->locations_of.v + s->first, p->locations_of.v + t->first,
			   n * sizeof(*p->locations_of.v));

	return order ? order : s->npcs < t->npcs ? -1 : s->npcs > t->npcs;
}

static int collect_paths(const struct cg_view *view, changes *paths)
{
	uint32_t *order = malloc((view->n + (size_t)1) * sizeof(*order)), i;
	void *arg = (void *)(uintptr_t)view->profile;
	int status = order ? 0 : -1;

	if (order && view->n) {
		memcpy(order, view->stacks, view->n * sizeof(*order));
		qsort_r(order, view->n, sizeof(*order), by_functions, arg);
	}
	for (i = 0; i < view->n && !status; i++) {
		struct change *c;

		if (!i || by_functions(&order[i - 1], &order[i], arg))
			status = vec_push(paths, (struct change){.what = order[i]});
		if (status)
			break;
		c = &paths->v[paths->n - 1];
		c->counts.base += cg_view_base(view, order[i]);
		c->counts.now += cg_view_count(view, order[i]);
	}
	free(order);
	return status;
}

static int write_event(struct table_of t, const struct cg_event *e)
{
	struct cg_view of = cg_view_of(t.view, e);
	uint64_t base = cg_view_event_base(t.view, e);
	changes paths = {0};
	int status;

	t.view = &of;
	t.all = (struct cg_counts){base, e->samples};
	sink_str(t.sink, "@ ");
	cg_write_text(t.sink, e->name);
	sink_printf(t.sink, " [base %" PRIu64 " samples, now %" PRIu64 "]\n\n", base,
		    e->samples);
	if (!base || !e->samples) {
		sink_printf(t.sink, "no samples %s: there are no shares to compare\n\n",
			    e->samples ? "in the base" : "now");
		return 0;
	}
	status = write_functions(t) || collect_paths(&of, &paths);
	t.title = "Call paths, outermost caller first";
	t.what = "path";
	t.adds_up = true;
	t.head = "PATH";
	t.write = write_path;
	if (!status)
		status = write_table(&t, &paths);
	vec_free(&paths);
	return status;
}

static int write_changes(const struct cg_view *view, const struct cg_output_options *options,
			 struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	struct table_of t = {.view = view,
			     .p = p,
			     .options = options,
			     .sink = sink,
			     .threshold = options->threshold < 0 ? DEFAULT_THRESHOLD
								 : options->threshold};
	const struct cg_event *e;

	vec_each(e, &p->events)
		if (view->base && write_event(t, e))
			return err_nomem(err);
	cg_write_quality(view, sink);
	return 0;
}

const struct cg_output cg_output_changes = {
	.name = "changes",
	.needs = CG_NEEDS_BASE,
	.has_quality = true,
	.compares = true,
	.summary = "what changed from the base, told from noise",
	.write = write_changes,
};
