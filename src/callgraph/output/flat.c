// SPDX-License-Identifier: BSD-2-Clause
/* --flat: each function's own samples and those of what it called, by event. */
#include <inttypes.h>

#include "callgraph/output/tree.h"
#include "callgraph/read/path.h"
#include "callgraph/read/sampled_functions.h"
#include "callgraph/model/times.h"

/* Percent; less is printed as 0.00. */
#define LEAST_SELF 0.005

struct flat {
	const struct cg_view *view;
	const struct cg_profile *p; /* of the view */
	const struct cg_output_options *options;
	struct sink *sink;
	const struct cg_event *event;
	uint64_t base; /* samples of the event in the base of a comparison */
	cg_sampled_functions functions;
	struct cg_path path;
};

/* A count and its share, with those of the base before them in a comparison. */
static void write_cell(const struct flat *f, uint64_t base, uint64_t now)
{
	const struct cg_event *e = f->event;

	if (f->view->base)
		sink_printf(f->sink, "%7.2f ", cg_percent(base, f->base));
	sink_printf(f->sink, "%7.2f ", cg_percent(now, e->samples));
	if (f->view->base) {
		cg_write_amount(f->sink, e, f->options, 10, base);
		sink_char(f->sink, ' ');
	}
	cg_write_amount(f->sink, e, f->options, 10, now);
	sink_char(f->sink, ' ');
}

static void write_row(const struct flat *f, const struct cg_sampled_function *sampled)
{
	const struct cg_profile *p = f->p;

	write_cell(f, sampled->base_self, sampled->self);
	write_cell(f, sampled->base_total, sampled->total);
	sink_char(f->sink, ' ');
	cg_write_function(f->sink, p, &p->functions.v[sampled->function], "  ", f->options,
			  f->view->base ? 77 : 39);
	sink_char(f->sink, '\n');
}

static bool is_on_path(const struct flat *f, uint32_t function)
{
	const uint32_t *each;

	vec_each(each, &f->path.functions)
		if (*each == function)
			return true;
	return false;
}

/*
 * Whether a function is to be shown: those with samples of their own and the hottest path, or,
 * where the user set a threshold, what is not below it.
 */
static bool is_shown(const struct flat *f, const struct cg_sampled_function *sampled)
{
	if (f->options->threshold >= 0)
		return sampled->total >= cg_tree_least(f->options, f->event->samples) ||
		       sampled->base_total;
	return cg_percent(sampled->self, f->event->samples) >= LEAST_SELF ||
	       cg_percent(sampled->base_self, f->base) >= LEAST_SELF ||
	       is_on_path(f, sampled->function);
}

static void write_heading(const struct flat *f)
{
	const struct cg_event *e = f->event;

	if (!f->view->base) {
		cg_write_heading(f->sink, e);
		sink_printf(f->sink, "  SELF%%     %s  TOTAL%%    %s  FUNCTION  OBJECT\n",
			    cg_shows_seconds(e, f->options) ? "SELF_s" : "  SELF",
			    cg_shows_seconds(e, f->options) ? "TOTAL_s" : "  TOTAL");
		return;
	}
	sink_str(f->sink, "@ ");
	cg_write_text(f->sink, e->name);
	sink_printf(f->sink, " [base %" PRIu64 " samples, now %" PRIu64 "]\n", f->base, e->samples);
	sink_str(f->sink, "  BASE%   SELF%       BASE       SELF   BASE%  TOTAL%"
			  "       BASE      TOTAL  FUNCTION  OBJECT\n");
}

/* Tells what is not shown, in words that leave no number in a column of the table. */
static void write_rest(const struct flat *f, size_t rest, size_t beyond)
{
	if (rest && f->options->threshold >= 0)
		sink_printf(f->sink, "(functions below %g %%: %zu)\n", f->options->threshold,
			    rest);
	else if (rest)
		sink_printf(f->sink,
			    "(functions that show 0.00 by themselves, not on the hottest path: "
			    "%zu; -f threshold=0 shows them)\n",
			    rest);
	if (beyond)
		sink_printf(f->sink, "(functions behind these: %zu)\n", beyond);
}

static int write_event(struct flat *f, uint32_t event)
{
	struct cg_view of = cg_view_of(f->view, &f->p->events.v[event]);
	size_t shown = 0, rest = 0, beyond = 0;
	const struct cg_sampled_function *sampled;

	f->event = of.event;
	f->base = cg_view_event_base(f->view, of.event);
	if (cg_sampled_functions_count(&of, &f->functions) || cg_path_find(&of, &f->path))
		return -1;
	write_heading(f);
	vec_each(sampled, &f->functions) {
		if (!is_shown(f, sampled)) {
			rest++;
		} else if (f->options->rows && shown >= f->options->rows) {
			beyond++;
		} else {
			write_row(f, sampled);
			shown++;
		}
	}
	write_rest(f, rest, beyond);
	sink_char(f->sink, '\n');
	return 0;
}

static int write_flat(const struct cg_view *view, const struct cg_output_options *options,
		      struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	struct flat f = {.view = view, .p = p, .options = options, .sink = sink};
	uint32_t event;
	int bad = 0;

	for (event = 0; event < p->events.n && !bad; event++) {
		bad = write_event(&f, event);
		vec_free(&f.path.functions);
	}
	cg_write_quality(view, sink);
	vec_free(&f.functions);
	return bad ? err_nomem(err) : 0;
}

const struct cg_output cg_output_flat = {
	.name = "flat",
	.summary = "functions by their own samples and by those of what they called",
	.has_quality = true,
	.compares = true,
	.write = write_flat,
};
