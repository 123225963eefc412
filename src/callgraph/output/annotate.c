// SPDX-License-Identifier: BSD-2-Clause
/* --annotate: the source lines, or the instructions, of a function or a file with their samples. */
#include <inttypes.h>

#include "callgraph/output/annotate.h"
#include "callgraph/output/match.h"
#include "callgraph/model/times.h"
#include "callgraph/output/tree.h"

struct annotate {
	struct cg_subject subject; /* in hand */
	bool files;		   /* subjects are source files, not functions */
	VEC(const char *) names;   /* of the files that the argument names */
	uint32_t *file_of;	   /* of every frame the index in names; CG_NONE: none of them */
	/* Of an event; of files function is the index in names. */
	cg_sampled_functions subjects;
	size_t found;
};

/* Whether a path is what the user named: all of it, or whole parts of its end. */
static bool is_named(const char *path, const char *argument)
{
	size_t n = strlen(path), m;

	while (!strncmp(argument, "./", 2))
		argument += 2;
	m = strlen(argument);
	return m && m <= n && !strcmp(path + n - m, argument) && (m == n || path[n - m - 1] == '/');
}

/* Finds the files that are named, and the frames in them. */
static int find_files(struct annotate *a)
{
	const struct cg_profile *p = a->subject.p;
	uint32_t i, j;

	a->file_of = malloc((p->frames.n + 1) * sizeof(*a->file_of));
	if (!a->file_of)
		return -1;
	for (i = 0; i < p->frames.n; i++) {
		const char *file = p->frames.v[i].file;

		a->file_of[i] = CG_NONE;
		if (!file || !is_named(file, a->subject.options->argument))
			continue;
		for (j = 0; j < a->names.n && a->names.v[j] != file; j++)
			;
		if (j == a->names.n && vec_push(&a->names, file))
			return -1;
		a->file_of[i] = j;
	}
	return 0;
}

/* Adds a stack's samples to the functions or files that it is in. */
static int count_stack(struct annotate *a, uint32_t stack, uint32_t *number, uint32_t *last)
{
	const struct cg_profile *p = a->subject.p;
	const struct cg_stack *s = &p->stacks.v[stack];
	uint64_t count = cg_view_count(&a->subject.view, stack);
	uint32_t i, j;

	for (i = 0; i < s->npcs; i++) {
		const struct cg_location *l = &p->locations.v[p->locations_of.v[s->first + i]];

		for (j = 0; j < l->frames; j++) {
			uint64_t frame = l->first_frame + j;
			uint32_t u = a->files ? a->file_of[frame] : p->frames.v[frame].function;

			if (u == CG_NONE)
				continue;
			if (!number[u] &&
			    vec_push(&a->subjects, (struct cg_sampled_function){.function = u}))
				return -1;
			number[u] = number[u] ? number[u] : (uint32_t)a->subjects.n;
			if (last[u] != stack + 1)
				a->subjects.v[number[u] - 1].total += count;
			last[u] = stack + 1;
			a->subjects.v[number[u] - 1].self += i || j ? 0 : count;
		}
	}
	return 0;
}

/* Fills subjects with the functions, or with the files that are named. */
static int count_subjects(struct annotate *a)
{
	const struct cg_view *view = &a->subject.view;
	size_t n = a->files ? a->names.n : a->subject.p->functions.n;
	uint32_t *number = calloc(n + 1, sizeof(*number)), *last = calloc(n + 1, sizeof(*last)), i;
	int bad = !number || !last;

	a->subjects.n = 0;
	for (i = 0; i < view->n && !bad; i++)
		bad = count_stack(a, view->stacks[i], number, last);
	free(number);
	free(last);
	return bad ? -1 : 0;
}

static void write_heading(const struct annotate *a, const struct cg_sampled_function *sampled)
{
	const struct cg_subject *s = &a->subject;
	const struct cg_function *f = a->files ? NULL : &s->p->functions.v[sampled->function];

	cg_write_text(s->sink, f ? cg_shown_name(f) : s->file);
	if (f) {
		sink_str(s->sink, " @ ");
		cg_write_text(s->sink, cg_shown_object(s->p, f));
	}
	sink_printf(s->sink, ": %" PRIu64 " samples (%.2f%%)\n", sampled->total,
		    cg_percent(sampled->total, s->event->samples));
}

static int write_subject(struct annotate *a, const struct cg_sampled_function *sampled)
{
	struct cg_subject *s = &a->subject;
	const struct cg_function *f = a->files ? NULL : &s->p->functions.v[sampled->function];
	int status;

	s->function = a->files ? CG_NONE : sampled->function;
	s->file = a->files ? a->names.v[sampled->function] : NULL;
	s->total = sampled->total;
	write_heading(a, sampled);
	if (f && f->is_inlined && s->options->with_asm)
		sink_str(s->sink, "(it was inlined and has no instructions of its own)\n");
	status = f && f->end && s->options->with_asm ? cg_annotate_code(s) : cg_annotate_lines(s);
	sink_char(s->sink, '\n');
	return status;
}

static int most_total_first(const void *a, const void *b, void *arg)
{
	const struct annotate *of = arg;
	const struct cg_sampled_function *x = a, *y = b;

	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return strcmp(of->names.v[x->function], of->names.v[y->function]);
}

static int write_event(struct annotate *a)
{
	const struct cg_subject *s = &a->subject;
	const char *argument = s->options->argument;
	uint64_t least = cg_tree_least(s->options, s->event->samples);
	size_t i, rest = 0;

	if (count_subjects(a))
		return -1;
	if (!a->files)
		cg_match_functions(s->p, argument, &a->subjects);
	else if (a->subjects.n)
		qsort_r(a->subjects.v, a->subjects.n, sizeof(*a->subjects.v), most_total_first, a);
	if (!a->subjects.n)
		return 0;
	a->found += a->subjects.n;
	cg_write_heading(s->sink, s->event);
	sink_char(s->sink, '\n');
	for (i = 0; i < a->subjects.n; i++) {
		if (!a->files && !cg_match_shows(s->p, argument, &a->subjects, i, least))
			rest++;
		else if (write_subject(a, &a->subjects.v[i]))
			return -1;
	}
	cg_match_write_rest(s->options, rest, s->sink);
	return 0;
}

static int write_events(struct annotate *a, const struct cg_view *view)
{
	const struct cg_event *e;

	vec_each(e, &a->subject.p->events) {
		a->subject.view = cg_view_of(view, e);
		a->subject.event = e;
		if (write_event(a))
			return -1;
	}
	return 0;
}

/* The argument names functions, or else a file. */
static int write_annotated(const struct cg_view *view, const struct cg_output_options *options,
			   struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	struct annotate a = {.subject = {.p = p, .options = options, .sink = sink}};
	int bad = write_events(&a, view);

	if (!bad && !a.found) {
		a.files = true;
		bad = find_files(&a) || write_events(&a, view);
	}
	vec_free(&a.names);
	free(a.file_of);
	vec_free(&a.subjects);
	if (bad)
		return err_nomem(err);
	if (!a.found)
		return cg_match_none(p, "function or source file", options->argument, err);
	cg_write_quality(view, sink);
	return 0;
}

const struct cg_output cg_output_annotate = {
	.name = "annotate",
	.argument = CG_NAMES_FUNCTION,
	.needs = CG_NEEDS_LINES,
	.traits = CG_HEEDS_ASM,
	.summary = "source lines of a function or of a file with their samples",
	.has_quality = true,
	.write = write_annotated,
};
