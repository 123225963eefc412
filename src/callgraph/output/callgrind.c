// SPDX-License-Identifier: BSD-2-Clause
/*
 * -F: the callgrind format, which KCachegrind and callgrind_annotate read.
 *
 * All events are columns of the same lines.  As callgrind has it, the cost of inlined code is part
 * of the function that it is inlined in, at a line of its own file.  Readers take a function's
 * inclusive cost from the calls to it, so each chain begins with a call from one function ROOT.
 */
#include <inttypes.h>

#include "callgraph/read/arcs.h"
#include "callgraph/output/output.h"
#include "callgraph/read/sampled_functions.h"

#define ROOT	     "[root]"
#define UNKNOWN_FILE "???" /* as callgrind writes it */

enum { ROOT_FUNCTION = CG_NONE, NO_CALLEE = CG_NONE };

/* Samples of an event at a line of a function, or in a function called from there. */
struct entry {
	uint32_t function;
	uint32_t line;
	const char *file; /* UNKNOWN_FILE if not known */
	uint32_t callee;  /* NO_CALLEE: its own */
	uint32_t event;
	uint64_t cost;
	uint64_t calls; /* samples too */
};

struct callgrind {
	const struct cg_view *view;
	const struct cg_profile *p; /* of the view */
	struct sink *sink;
	VEC(struct entry) entries;
	const char **file_of; /* for each function the file it begins in */
	bool *folded;	      /* for each function, whether the threshold leaves it out */
	uint64_t *costs;      /* for each event, of the line in hand */

	/* What has been written before is written as its number alone. */
	bool *function_known, *image_known;
	struct table number_of_file;
	VEC(const char *) files;

	const char *current_file;
};

/* The first place of a location: that of the innermost inlined function. */
static void place_of(const struct cg_profile *p, const struct cg_location *l, struct entry *e)
{
	const struct cg_frame *f = l->frames ? &p->frames.v[l->first_frame] : NULL;

	e->file = f && f->file ? f->file : UNKNOWN_FILE;
	e->line = f ? f->line : 0;
}

static void find_files(struct callgrind *g)
{
	const struct cg_profile *p = g->p;
	const struct cg_location *l;
	size_t i;

	vec_each(l, &p->locations) {
		const struct cg_frame *outermost =
			l->frames ? &p->frames.v[l->first_frame + l->frames - 1] : NULL;

		if (outermost && !g->file_of[l->function])
			g->file_of[l->function] = outermost->file;
	}
	for (i = 0; i < p->functions.n; i++)
		if (!g->file_of[i])
			g->file_of[i] = UNKNOWN_FILE;
}

/* Marks the functions that have less than the threshold of every event, with all they called. */
static int find_folded(struct callgrind *g, double threshold)
{
	cg_sampled_functions functions = {0};
	const struct cg_sampled_function *sampled;
	const struct cg_event *e;
	int status = 0;

	memset(g->folded, 1, g->p->functions.n * sizeof(*g->folded));
	vec_each(e, &g->p->events) {
		double least = (double)e->samples * threshold / 100;
		struct cg_view of = cg_view_of(g->view, e);

		if (status)
			break;
		status = cg_sampled_functions_count(&of, &functions);
		vec_each(sampled, &functions)
			if ((double)sampled->total >= least)
				g->folded[sampled->function] = false;
	}
	vec_free(&functions);
	return status;
}

/* Adds what the arcs of an event say. */
static int add_event(struct callgrind *g, const struct cg_arcs *a, uint32_t event)
{
	const struct cg_profile *p = g->p;
	const struct cg_arc *arc;
	const uint32_t *leaf;

	vec_each(leaf, &a->leaves) {
		const struct cg_location *l = &p->locations.v[*leaf];
		struct entry e = {.function = l->function,
				  .callee = NO_CALLEE,
				  .event = event,
				  .cost = a->self[*leaf]};

		place_of(p, l, &e);
		if (vec_push(&g->entries, e))
			return -1;
	}
	vec_each(arc, &a->arcs) {
		struct entry e = {.function = ROOT_FUNCTION,
				  .file = UNKNOWN_FILE,
				  .callee = arc->callee,
				  .event = event,
				  .cost = arc->cost,
				  .calls = arc->count};

		if (arc->site != CG_NONE) {
			e.function = p->locations.v[arc->site].function;
			place_of(p, &p->locations.v[arc->site], &e);
		}
		if (e.calls && vec_push(&g->entries, e))
			return -1;
	}
	return 0;
}

static int gather(struct callgrind *g, const struct cg_output_options *options)
{
	struct cg_arcs_options how = {.folded = options->threshold > 0 ? g->folded : NULL};
	struct cg_arcs arcs;
	uint32_t event;
	int status = cg_arcs_init(&arcs, g->p);

	if (!status && how.folded)
		status = find_folded(g, options->threshold);
	for (event = 0; event < g->p->events.n && !status; event++) {
		struct cg_view of = cg_view_of(g->view, &g->p->events.v[event]);

		status = cg_arcs_count(&arcs, &of, &how) || add_event(g, &arcs, event);
	}
	cg_arcs_fini(&arcs);
	return status;
}

/* By object and function, ROOT first; there the function's own file first, by line, calls last. */
static int compare(const void *a, const void *b, void *arg)
{
	const struct callgrind *g = arg;
	const struct entry *x = a, *y = b;

	if (x->function != y->function) {
		const struct cg_function *f, *h;

		if (x->function == ROOT_FUNCTION || y->function == ROOT_FUNCTION)
			return x->function == ROOT_FUNCTION ? -1 : 1;
		f = &g->p->functions.v[x->function];
		h = &g->p->functions.v[y->function];
		if (f->image != h->image)
			return f->image < h->image ? -1 : 1;
		return x->function < y->function ? -1 : 1;
	}
	if (x->file != y->file) {
		if (x->function != ROOT_FUNCTION && x->file == g->file_of[x->function])
			return -1;
		if (x->function != ROOT_FUNCTION && y->file == g->file_of[y->function])
			return 1;
		return strcmp(x->file, y->file);
	}
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->callee != y->callee)
		return x->callee + 1 < y->callee + 1 ? -1 : 1;
	return x->event < y->event ? -1 : x->event > y->event;
}

static void write_name(struct callgrind *g, const char *name)
{
	sink_char(g->sink, ' ');
	/* Nothing behind a number means what it stood for before. */
	cg_write_text(g->sink, *name ? name : UNKNOWN_FILE);
}

/* "fn=(7)", behind which a name is told the first time. */
static void write_number(const struct callgrind *g, const char *key, uint64_t number)
{
	sink_str(g->sink, key);
	sink_write(g->sink, "=(", 2);
	sink_u64(g->sink, number);
	sink_char(g->sink, ')');
}

static void write_function(struct callgrind *g, const char *key, uint32_t function)
{
	write_number(g, key, (uint64_t)function + 2);
	if (!g->function_known[function])
		write_name(g, g->p->functions.v[function].name);
	g->function_known[function] = true;
	sink_char(g->sink, '\n');
}

static void write_object(struct callgrind *g, const char *key, uint32_t image)
{
	size_t i = image == CG_NONE ? g->p->images.n : image;

	write_number(g, key, i + 1);
	if (!g->image_known[i])
		write_name(g, image == CG_NONE ? "[unknown]" : g->p->images.v[i].path);
	g->image_known[i] = true;
	sink_char(g->sink, '\n');
}

static int write_file(struct callgrind *g, const char *key, const char *file)
{
	uint32_t hash = hash_u64((uintptr_t)file), i;
	struct table_iter it;

	for (i = table_first(&g->number_of_file, hash, &it); i != TABLE_NONE;
	     i = table_next(&g->number_of_file, &it))
		if (g->files.v[i] == file) {
			write_number(g, key, (uint64_t)i + 1);
			sink_char(g->sink, '\n');
			return 0;
		}
	if (vec_push(&g->files, file) ||
	    table_insert(&g->number_of_file, hash, (uint32_t)(g->files.n - 1)))
		return -1;
	write_number(g, key, g->files.n);
	write_name(g, file);
	sink_char(g->sink, '\n');
	return 0;
}

/* Opens the part of a function. */
static int begin_function(struct callgrind *g, uint32_t function, uint32_t *image)
{
	const char *file = function == ROOT_FUNCTION ? UNKNOWN_FILE : g->file_of[function];

	sink_char(g->sink, '\n');
	if (function != ROOT_FUNCTION && g->p->functions.v[function].image != *image) {
		*image = g->p->functions.v[function].image;
		write_object(g, "ob", *image);
	}
	g->current_file = file;
	if (write_file(g, "fl", file))
		return -1;
	if (function == ROOT_FUNCTION)
		sink_str(g->sink, "fn=(1) " ROOT "\n");
	else
		write_function(g, "fn", function);
	return 0;
}

/*
 * A line of costs of all events: the format lets those at its end that have none be left out, but
 * callgrind_annotate adds them up all the same.
 */
static void write_costs(struct callgrind *g, uint32_t line)
{
	size_t i;

	sink_u64(g->sink, line);
	for (i = 0; i < g->p->events.n; i++) {
		sink_char(g->sink, ' ');
		sink_u64(g->sink, g->costs[i]);
	}
	sink_char(g->sink, '\n');
}

/* Writes the entries [first, last), which are the events of one line and callee. */
static int write_line(struct callgrind *g, size_t first, size_t last, uint32_t image)
{
	const struct entry *e = &g->entries.v[first];
	const struct cg_function *callee;
	uint64_t calls = 0;

	if (e->file != g->current_file && write_file(g, "fi", e->file))
		return -1;
	g->current_file = e->file;
	memset(g->costs, 0, g->p->events.n * sizeof(*g->costs));
	for (; first < last; first++) {
		g->costs[g->entries.v[first].event] += g->entries.v[first].cost;
		calls += g->entries.v[first].calls;
	}
	if (e->callee != NO_CALLEE) {
		callee = &g->p->functions.v[e->callee];
		if (callee->image != image || e->function == ROOT_FUNCTION)
			write_object(g, "cob", callee->image);
		if (write_file(g, "cfi", g->file_of[e->callee]))
			return -1;
		write_function(g, "cfn", e->callee);
		sink_str(g->sink, "calls=");
		sink_u64(g->sink, calls);
		sink_str(g->sink, " 0\n");
	}
	write_costs(g, e->line);
	return 0;
}

static int write_entries(struct callgrind *g)
{
	uint32_t image = CG_NONE - 1; /* none yet */
	size_t i, next;

	if (g->entries.n)
		qsort_r(g->entries.v, g->entries.n, sizeof(*g->entries.v), compare, g);
	for (i = 0; i < g->entries.n; i = next) {
		const struct entry *e = &g->entries.v[i];

		if ((!i || e->function != e[-1].function) && begin_function(g, e->function, &image))
			return -1;
		for (next = i + 1; next < g->entries.n; next++) {
			const struct entry *o = &g->entries.v[next];

			if (o->function != e->function || o->file != e->file ||
			    o->line != e->line || o->callee != e->callee)
				break;
		}
		if (write_line(g, i, next, image))
			return -1;
	}
	return 0;
}

/* A line with a number for each event. */
static void write_sum(const struct callgrind *g, const char *key)
{
	const struct cg_event *e;

	sink_str(g->sink, key);
	vec_each(e, &g->p->events)
		sink_printf(g->sink, " %" PRIu64, e->samples);
	sink_char(g->sink, '\n');
}

/* Each line of the quality as a description. */
static int write_quality(const struct callgrind *g)
{
	struct sink *text = sink_to_memory();
	const char *line, *end;

	if (!text)
		return -1;
	cg_write_quality(g->view, text);
	for (line = sink_text(text, NULL); (end = strchr(line, '\n')); line = end + 1)
		sink_printf(g->sink, "desc: %.*s\n", (int)(end - line), line);
	sink_free(text);
	return 0;
}

static int write_head(const struct callgrind *g)
{
	const struct cg_event *e;

	sink_str(g->sink, "# callgrind format\n"
			  "version: 1\n"
			  "creator: pmcstat\n"
			  "desc: arcs are sampled, their counts are samples, not calls\n");
	if (write_quality(g))
		return -1;
	sink_str(g->sink, "positions: line\n"
			  "events:");
	vec_each(e, &g->p->events) {
		sink_char(g->sink, ' ');
		cg_write_name(g->sink, e->name);
	}
	sink_str(g->sink, g->p->events.n ? "\n" : " samples\n");
	write_sum(g, "summary:");
	return 0;
}

static int write_callgrind(const struct cg_view *view, const struct cg_output_options *options,
			   struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	struct callgrind g = {
		.view = view,
		.p = p,
		.sink = sink,
		.file_of = calloc(p->functions.n + 1, sizeof(*g.file_of)),
		.folded = calloc(p->functions.n + 1, sizeof(*g.folded)),
		.costs = calloc(p->events.n + 1, sizeof(*g.costs)),
		.function_known = calloc(p->functions.n + 1, sizeof(*g.function_known)),
		.image_known = calloc(p->images.n + 1, sizeof(*g.image_known)),
	};
	int bad = !g.file_of || !g.folded || !g.costs || !g.function_known || !g.image_known;

	if (!bad) {
		find_files(&g);
		bad = write_head(&g) || gather(&g, options) || write_entries(&g);
		sink_char(sink, '\n');
		write_sum(&g, "totals:");
	}
	vec_free(&g.entries);
	vec_free(&g.files);
	table_clear(&g.number_of_file);
	free(g.file_of);
	free(g.folded);
	free(g.costs);
	free(g.function_known);
	free(g.image_known);
	return bad ? err_nomem(err) : 0;
}

const struct cg_output cg_output_callgrind = {
	.name = "callgrind",
	.letter = 'F',
	.argument = CG_MUST_NAME_FILE,
	.needs = CG_NEEDS_LINES,
	.summary = "self and inclusive samples by source line, for KCachegrind",
	.write = write_callgrind,
};
