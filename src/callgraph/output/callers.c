// SPDX-License-Identifier: BSD-2-Clause
/* --callers and --callees: the trees above and below the functions of a name. */
#include <inttypes.h>

#include "callgraph/output/match.h"
#include "callgraph/output/tree.h"
#include "callgraph/model/times.h"

struct around {
	const struct cg_view *view;
	const struct cg_profile *p; /* of the view */
	const struct cg_output_options *options;
	struct sink *sink;
	bool callees;
	cg_sampled_functions functions;
	uint32_t *from; /* of every stack the frame where its part of the tree begins */
};

/*
 * A chain counts once however often the function is in it: callers are those of the innermost call,
 * callees those of the outermost.
 */
static uint32_t frame_of(const struct around *a, const struct cg_stack *s, uint32_t function)
{
	uint32_t i, found = CG_NONE;

	for (i = 0; i < s->npcs && (a->callees || found == CG_NONE); i++)
		if (cg_function_of(a->p, s, i) == function)
			found = i;
	return found;
}

static int write_function(const struct around *a, const struct cg_sampled_function *sampled,
			  const struct cg_view *of)
{
	const struct cg_event *e = of->event;
	const struct cg_function *f = &a->p->functions.v[sampled->function];
	struct cg_walk_options walk = {.from_root = a->callees, .from = a->from};
	uint32_t i;

	for (i = 0; i < of->n; i++)
		a->from[of->stacks[i]] =
			frame_of(a, &a->p->stacks.v[of->stacks[i]], sampled->function);
	cg_write_text(a->sink, cg_shown_name(f));
	sink_str(a->sink, " @ ");
	cg_write_text(a->sink, cg_shown_object(a->p, f));
	sink_str(a->sink, ": ");
	cg_write_amount(a->sink, e, a->options, 0, sampled->total);
	sink_printf(a->sink, " %s (%.2f%%), ", cg_shows_seconds(e, a->options) ? "s" : "samples",
		    cg_percent(sampled->total, e->samples));
	cg_write_amount(a->sink, e, a->options, 0, sampled->self);
	sink_str(a->sink, " of them its own\n");
	if (cg_tree_write(of, a->options, &walk, sampled->total, a->sink))
		return -1;
	sink_char(a->sink, '\n');
	return 0;
}

static int write_event(struct around *a, uint32_t event, size_t *found)
{
	const struct cg_event *e = &a->p->events.v[event];
	struct cg_view of = cg_view_of(a->view, e);
	uint64_t least = cg_tree_least(a->options, e->samples);
	size_t i, rest = 0;

	if (cg_sampled_functions_count(&of, &a->functions))
		return -1;
	cg_match_functions(a->p, a->options->argument, &a->functions);
	if (!a->functions.n)
		return 0;
	*found += a->functions.n;
	cg_write_heading(a->sink, e);
	sink_char(a->sink, '\n');
	for (i = 0; i < a->functions.n; i++) {
		if (!cg_match_shows(a->p, a->options->argument, &a->functions, i, least))
			rest++;
		else if (write_function(a, &a->functions.v[i], &of))
			return -1;
	}
	cg_match_write_rest(a->options, rest, a->sink);
	return 0;
}

static int write_around(const struct cg_view *view, const struct cg_output_options *options,
			bool callees, struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	struct around a = {
		.view = view, .p = p, .options = options, .sink = sink, .callees = callees};
	size_t found = 0;
	uint32_t event;
	int bad;

	a.from = malloc((p->stacks.n + 1) * sizeof(*a.from));
	bad = !a.from;
	for (event = 0; event < p->events.n && !bad; event++)
		bad = write_event(&a, event, &found);
	free(a.from);
	vec_free(&a.functions);
	if (bad)
		return err_nomem(err);
	if (!found)
		return cg_match_none(p, "function", options->argument, err);
	cg_write_quality(view, sink);
	return 0;
}

static int write_callers(const struct cg_view *view, const struct cg_output_options *options,
			 struct sink *sink, struct err *err)
{
	return write_around(view, options, false, sink, err);
}

static int write_callees(const struct cg_view *view, const struct cg_output_options *options,
			 struct sink *sink, struct err *err)
{
	return write_around(view, options, true, sink, err);
}

const struct cg_output cg_output_callers = {
	.name = "callers",
	.argument = CG_NAMES_FUNCTION,
	.summary = "who calls the functions of a name, as trees",
	.has_quality = true,
	.write = write_callers,
};

const struct cg_output cg_output_callees = {
	.name = "callees",
	.argument = CG_NAMES_FUNCTION,
	.summary = "what the functions of a name call, as trees",
	.has_quality = true,
	.write = write_callees,
};
