// SPDX-License-Identifier: BSD-2-Clause
/*
 * --perf-script: every sample at its time, in the text that perf script prints.
 *
 * Its readers know lines by patterns of their own.  Where perf's text would mislead them, ours
 * is what they understand: see write_comm() and write_name().  They choose samples by the event's
 * name, so it has no share of the time behind it, as elsewhere.
 */
#include <inttypes.h>
#include <math.h>

#include "base/perf_map.h"
#include "callgraph/output/output.h"
#include "callgraph/read/arcs.h"
#include "pmclog/text/text.h"

/* One word for them ends at a blank before a digit, where the pid begins; # begins a comment. */
static bool misleads(const char *comm, const char *at)
{
	if (*at == ' ')
		return at == comm || !at[1] || (at[1] >= '0' && at[1] <= '9');
	return *at == '#' && at == comm;
}

/* At least two columns: a shorter word is no beginning of a sample to them. */
static void write_comm(struct sink *sink, const char *comm)
{
	const char *p = comm;

	while (*p) {
		bool control;
		size_t len = pmclog_text_step(p, &control);

		if (control || misleads(comm, p))
			sink_char(sink, '_');
		else
			sink_write(sink, p, len);
		p += len;
	}
	if (p < comm + 2)
		sink_char(sink, ' ');
}

/* What begins with a parenthesis is no function to them: it is written in the global namespace. */
static void write_name(struct sink *sink, const char *name)
{
	if (*name == '(')
		sink_str(sink, "::");
	cg_write_text(sink, name);
}

/* A file as perf names it, as one word. */
static void write_file(struct sink *sink, const struct cg_image *image, uint32_t pid)
{
	if (!image)
		sink_str(sink, "[unknown]");
	else if (image->kernel && !strcmp(image->path, "[kernel]"))
		sink_str(sink, "[kernel.kallsyms]");
	else if (!strcmp(image->path, PERF_MAP_OBJECT))
		sink_printf(sink, "/tmp/perf-%" PRIu32 ".map", pid);
	else
		cg_write_name(sink, image->path);
}

static void write_inlined(const struct cg_function *f, struct sink *sink)
{
	write_name(sink, f->name);
	sink_str(sink, " (inlined)\n");
}

/* The function whose symbol covers a location. */
static void write_function(const struct cg_profile *p, const struct cg_location *l, uint32_t pid,
			   struct sink *sink)
{
	const struct cg_function *f = &p->functions.v[l->function];

	if (cg_is_function(f)) {
		write_name(sink, f->name);
		sink_printf(sink, "+0x%" PRIx64 " (", l->address - l->start);
	} else {
		sink_str(sink, "[unknown] (");
	}
	write_file(sink, f->image == CG_NONE ? NULL : &p->images.v[f->image], pid);
	sink_str(sink, ")\n");
}

/* The functions at an address of a chain: inlined ones first, then the one that has its code. */
static void write_frames(const struct cg_profile *p, const struct cg_stack *s, uint32_t i,
			 struct sink *sink)
{
	const struct cg_location *l = &p->locations.v[p->locations_of.v[s->first + i]];
	uint64_t pc = p->words.v[s->first + i];
	uint32_t j;

	for (j = 0; j + 1 < l->frames; j++) {
		sink_printf(sink, "\t%16" PRIx64 " ", pc);
		write_inlined(&p->functions.v[p->frames.v[l->first_frame + j].function], sink);
	}
	sink_printf(sink, "\t%16" PRIx64 " ", pc);
	if (cg_is_inlined(p, s, i)) /* by --inlines */
		write_inlined(&p->functions.v[l->function], sink);
	else
		write_function(p, l, p->groups.v[s->group].pid, sink);
}

/* Events that a sample stands for; 1 where nobody knows. */
static uint64_t period_of(const struct cg_event *e)
{
	if (!e->frequency)
		return e->rate ? e->rate : 1;
	return cg_event_is_clock(e) ? cg_event_nanoseconds(e) : 1;
}

static void write_sample(const struct cg_profile *p, const struct cg_moment *m, struct sink *sink)
{
	const struct cg_stack *s = &p->stacks.v[m->stack];
	const struct cg_group *g = &p->groups.v[s->group];
	const struct cg_event *e = &p->events.v[g->event];
	uint64_t us = (uint64_t)llround(m->seconds * 1e6);
	uint32_t i;

	write_comm(sink, g->thread ? g->thread : g->comm);
	sink_printf(sink, " %5" PRIu32, g->pid);
	/* Logs before version 6 say no thread, and readers take a pid alone. */
	if (g->tid != UINT32_MAX)
		sink_printf(sink, "/%-5" PRIu32, g->tid);
	sink_printf(sink, " [%03" PRIu32 "] %5" PRIu64 ".%06" PRIu64, g->cpu, us / 1000000,
		    us % 1000000);
	sink_printf(sink, ": %10" PRIu64 " ", period_of(e));
	cg_write_name(sink, e->name);
	sink_str(sink, ": \n");
	for (i = 0; i < s->npcs; i++)
		write_frames(p, s, i, sink);
	sink_char(sink, '\n');
}

/* As they came, where two are of one time. */
static int by_time(const void *a, const void *b)
{
	const struct cg_moment *const *x = a, *const *y = b;

	if ((*x)->seconds != (*y)->seconds)
		return (*x)->seconds < (*y)->seconds ? -1 : 1;
	return *x < *y ? -1 : *x > *y;
}

static int write_perf_script(const struct cg_view *view, const struct cg_output_options *options,
			     struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;
	const struct cg_moment **moments = malloc((p->moments.n + 1) * sizeof(const void *));
	size_t i;

	(void)options;
	if (!moments)
		return err_nomem(err);
	for (i = 0; i < p->moments.n; i++)
		moments[i] = &p->moments.v[i];
	qsort(moments, p->moments.n, sizeof(const void *), by_time);
	for (i = 0; i < p->moments.n; i++)
		write_sample(p, moments[i], sink);
	free(moments);
	return 0;
}

const struct cg_output cg_output_perf_script = {
	.name = "perf-script",
	.needs = CG_NEEDS_LINES | CG_NEEDS_MOMENTS | CG_NEEDS_KEYS,
	.summary = "every sample at its time as perf script prints it",
	.write = write_perf_script,
};
