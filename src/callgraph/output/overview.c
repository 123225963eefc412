// SPDX-License-Identifier: BSD-2-Clause
/* --overview: what a log says at first sight, on a screen: how much, who, where, and what next. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/perf_map.h"
#include "base/shell_word.h"
#include "callgraph/model/times.h"
#include "callgraph/output/output.h"
#include "callgraph/read/path.h"
#include "callgraph/read/sampled_functions.h"

enum {
	TOP_FUNCTIONS = 10,
	TOP_PROGRAMS = 4,
	PATH_FIRST = 3, /* functions of a long path that are shown, at its two ends */
	PATH_LAST = 6,
	WIDTH = 78, /* columns of lines that are folded */
};

/* The samples of the processes with one command name. */
struct program {
	const char *comm;
	uint64_t samples;
};

/* Who ran when an event was sampled. */
struct programs {
	VEC(struct program) v; /* most samples first */
	numbers pids;	       /* ascending */
	uint64_t idle;	       /* samples of CPUs that had nothing to do */
};

static int by_comm(const void *a, const void *b)
{
	const struct program *x = a, *y = b;

	return strcmp(x->comm, y->comm);
}

static int by_samples(const void *a, const void *b)
{
	const struct program *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return by_comm(a, b);
}

/* Each pid and each name once. */
static void unite(struct programs *ps)
{
	size_t i, n = 0;

	if (!ps->pids.n)
		return;
	qsort(ps->v.v, ps->v.n, sizeof(*ps->v.v), by_comm);
	for (i = 1; i < ps->v.n; i++)
		if (strcmp(ps->v.v[i].comm, ps->v.v[n].comm) != 0)
			ps->v.v[++n] = ps->v.v[i];
		else
			ps->v.v[n].samples += ps->v.v[i].samples;
	ps->v.n = n + 1;
	qsort(ps->v.v, ps->v.n, sizeof(*ps->v.v), by_samples);
	n = 0;
	numbers_sort(&ps->pids);
	for (i = 1; i < ps->pids.n; i++)
		if (ps->pids.v[i] != ps->pids.v[n])
			ps->pids.v[++n] = ps->pids.v[i];
	ps->pids.n = n + 1;
}

/* 0, or -1 when out of memory. */
static int find_programs(const struct cg_view *view, struct programs *ps)
{
	const struct cg_profile *p = view->profile;
	uint64_t *samples = calloc(p->groups.n + 1, sizeof(*samples));
	uint32_t i;
	int bad = samples ? 0 : -1;

	for (i = 0; i < view->n && !bad; i++)
		samples[p->stacks.v[view->stacks[i]].group] += cg_view_count(view, view->stacks[i]);
	for (i = 0; i < p->groups.n && !bad; i++) {
		const struct cg_group *g = &p->groups.v[i];

		if (!g->pid)
			ps->idle += samples[i];
		else if (samples[i])
			bad = vec_push(&ps->v, ((struct program){g->comm, samples[i]})) ||
			      vec_push(&ps->pids, g->pid);
	}
	free(samples);
	unite(ps);
	return bad ? -1 : 0;
}

/* "3 processes: cc1 80%, as 15%, sh 5%" */
static void write_programs(const struct programs *ps, const struct cg_event *e, struct sink *sink)
{
	size_t i;

	if (ps->pids.n)
		sink_printf(sink, "%zu process%s", ps->pids.n, ps->pids.n == 1 ? "" : "es");
	else
		sink_str(sink, "no process was sampled");
	for (i = 0; i < ps->v.n && i < TOP_PROGRAMS; i++) {
		sink_str(sink, i ? ", " : ": ");
		cg_write_text(sink, ps->v.v[i].comm);
		if (ps->v.n > 1 || ps->idle)
			sink_printf(sink, " %.0f%%", cg_percent(ps->v.v[i].samples, e->samples));
	}
	if (ps->v.n > TOP_PROGRAMS)
		sink_printf(sink, ", %zu more", ps->v.n - TOP_PROGRAMS);
	sink_char(sink, '\n');
}

/* Of a clock that samples CPUs: when they had nothing to do, and what no sample stands for. */
static void write_idle(const struct cg_profile *p, const struct cg_event *e, uint64_t idle,
		       double unit, struct sink *sink)
{
	double unsampled = cg_seconds_unsampled(e, e->samples, e->whole_cpus, p->sampled);

	if (idle)
		sink_printf(sink, ", CPUs idle %.2f s", (double)idle * unit);
	if (unsampled > 0)
		sink_printf(sink, ", no samples of %.2f s of %" PRIu32 " CPU%s", unsampled,
			    e->whole_cpus, e->whole_cpus == 1 ? "" : "s");
}

/* What the kernel counted, "on a CPU 2.50 s in 5.02 s", or what else the samples say of time. */
static void write_time(const struct cg_profile *p, const struct cg_event *e, uint64_t idle,
		       struct sink *sink)
{
	double unit = (double)cg_event_nanoseconds(e) / 1e9;
	double busy = (double)(e->samples - idle) * unit;

	if (p->ran.known) {
		/* It is of all events; the first says it. */
		if (e == p->events.v) {
			cg_write_ran(sink, p);
			sink_str(sink, "; ");
		}
		return;
	}
	if (unit > 0)
		sink_printf(sink, "on a CPU %.2f s ", busy);
	sink_printf(sink, "in %.2f s", p->seconds);
	if (unit > 0 && (idle || e->whole_cpus))
		write_idle(p, e, idle, unit, sink);
	else if (e->samples && unit > 0 && busy * CG_MOSTLY < p->seconds)
		sink_str(sink, ", mostly waiting, maybe for a CPU");
	sink_str(sink, "; ");
}

/* Shares, and of a clock what they are in seconds. */
static void write_shares(const struct cg_sampled_function *sampled, const struct cg_event *e,
			 struct sink *sink)
{
	double unit = (double)cg_event_nanoseconds(e) / 1e9;

	sink_printf(sink, "%6.2f  %6.2f  ", cg_percent(sampled->self, e->samples),
		    cg_percent(sampled->total, e->samples));
	if (unit > 0)
		sink_printf(sink, "%7.2f  %7.2f  ", (double)sampled->self * unit,
			    (double)sampled->total * unit);
}

static void write_functions(const struct cg_profile *p, const struct cg_event *e,
			    const cg_sampled_functions *functions,
			    const struct cg_output_options *options, struct sink *sink)
{
	bool clock = cg_event_nanoseconds(e);
	size_t i, self = 0, most = options->rows ? options->rows : TOP_FUNCTIONS;
	const struct cg_sampled_function *sampled;

	vec_each(sampled, functions)
		self += sampled->self > 0;
	if (!self)
		return;
	sink_printf(sink, "\n SELF%%  TOTAL%%  %sFUNCTION  OBJECT\n",
		    clock ? " SELF s  TOTAL s  " : "");
	for (i = 0; i < self && i < most; i++) {
		const struct cg_function *f = &p->functions.v[functions->v[i].function];

		write_shares(&functions->v[i], e, sink);
		cg_write_function(sink, p, f, "  ", options, clock ? 34 : 16);
		sink_char(sink, '\n');
	}
	if (self > most)
		sink_printf(sink, "%*s%zu more\n", clock ? 34 : 16, "", self - most);
}

/* A line that is folded before it is too wide. */
struct fold {
	struct sink *word, *sink;
	size_t column, width;
	bool cuts; /* words that are too wide for any line */
};

static void write_word(struct fold *f, const char *word)
{
	size_t from, to;

	sink_text(f->word, &from);
	cg_write_cut(f->word, word, f->cuts ? f->width - 6 : 0);
	word = sink_text(f->word, &to) + from;
	if (f->column + 3 + to - from > f->width) {
		sink_str(f->sink, "\n   ");
		f->column = 3;
	}
	sink_printf(f->sink, "%s%s", f->column ? " > " : "  ", word);
	f->column += (f->column ? 3 : 2) + to - from;
}

static void write_path(const struct cg_profile *p, const struct cg_path *path,
		       const struct cg_event *e, const struct cg_output_options *options,
		       struct sink *sink)
{
	size_t i, n = path->functions.n, columns = cg_columns_left(options->columns, 0);
	struct fold f = {.word = sink_to_memory(),
			 .sink = sink,
			 .width = columns && columns < WIDTH ? columns : WIDTH,
			 .cuts = columns};
	char more[40];

	if (!f.word || n < 2) {
		sink_free(f.word);
		return;
	}
	sink_printf(sink, "\nhottest path, %.2f%%:\n", cg_percent(path->count, e->samples));
	for (i = 0; i < n; i++) {
		if (i == PATH_FIRST && n > PATH_FIRST + PATH_LAST + 1) {
			snprintf(more, sizeof(more), "(%zu more)", n - PATH_FIRST - PATH_LAST);
			write_word(&f, more);
			i = n - PATH_LAST;
		}
		write_word(&f, cg_shown_name(&p->functions.v[path->functions.v[i]]));
	}
	sink_char(sink, '\n');
	sink_free(f.word);
}

static int write_event(const struct cg_view *view, cg_sampled_functions *functions,
		       const struct cg_output_options *options, struct sink *sink)
{
	const struct cg_profile *p = view->profile;
	const struct cg_event *e = view->event;
	struct programs ps = {0};
	struct cg_path path = {0};
	int bad = find_programs(view, &ps) || cg_sampled_functions_count(view, functions) ||
		  cg_path_find(view, &path);

	if (!bad) {
		cg_write_heading(sink, e);
		write_time(p, e, ps.idle, sink);
		write_programs(&ps, e, sink);
		write_functions(p, e, functions, options, sink);
		write_path(p, &path, e, options, sink);
		sink_char(sink, '\n');
	}
	vec_free(&ps.v);
	vec_free(&ps.pids);
	vec_free(&path.functions);
	return bad ? -1 : 0;
}

/* A word for a shell, if it can be typed. */
static bool write_argument(const char *word, struct sink *sink)
{
	const unsigned char *c;

	for (c = (const unsigned char *)word; *c; c++)
		if (*c < ' ' || *c > '~')
			return false;
	sink_shell_word(sink, word, strlen(word));
	return true;
}

/* Nothing where a name cannot be typed. */
static void write_command(const char *log, const char *option, const char *function,
			  const char *what, struct sink *sink)
{
	struct sink *line = sink_to_memory();

	if (!line)
		return;
	sink_str(line, "  pmcstat -R ");
	if (write_argument(log, line)) {
		sink_printf(line, " --%s", option);
		if (!function || write_argument(function, line))
			sink_printf(sink, "%s  # %s\n", sink_text(line, NULL), what);
	}
	sink_free(line);
}

/* Whether debug information may know lines of its code. */
static bool has_lines(const struct cg_image *image)
{
	return !image->kernel && strcmp(image->path, PERF_MAP_OBJECT) != 0;
}

/* What shows more of the log. */
static void write_next(const struct cg_profile *p, const char *log,
		       const cg_sampled_functions *functions, struct sink *sink)
{
	const struct cg_function *f = functions->n ? &p->functions.v[functions->v->function] : NULL;

	if (!f)
		return;
	sink_str(sink, "more of it:\n");
	write_command(log, "html=report.html", NULL, "a page to look around in", sink);
	write_command(log, "tree", NULL, "the call tree", sink);
	if (f->resolved && has_lines(&p->images.v[f->image]))
		write_command(log, "annotate=", cg_shown_name(f), "its lines", sink);
	sink_char(sink, '\n');
}

static int write_overview(const struct cg_view *view, const struct cg_output_options *options,
			  struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	cg_sampled_functions functions = {0};
	const struct cg_event *e;
	int bad = 0;

	vec_each(e, &p->events) {
		struct cg_view of = cg_view_of(view, e);

		if (!bad)
			bad = write_event(&of, &functions, options, sink);
	}
	if (options->log && !bad)
		write_next(p, options->log, &functions, sink);
	if (p->events.n)
		cg_write_quality_below_ran(view, sink);
	else
		cg_write_quality(view, sink);
	vec_free(&functions);
	return bad ? err_nomem(err) : 0;
}

const struct cg_output cg_output_overview = {
	.name = "overview",
	.needs = CG_NEEDS_KEYS,
	.traits = CG_IS_DEFAULT,
	.summary = "time, processes, the hottest functions and path, and what shows more",
	.has_quality = true,
	.write = write_overview,
};
