// SPDX-License-Identifier: BSD-2-Clause
/* --html: one page with what a log says at a glance, which needs no other file and no network. */
#include <inttypes.h>
#include <stdio.h>

#include "base/numbers.h"
#include "callgraph/output/flame.h"
#include "callgraph/output/html_sources.h"
#include "callgraph/output/html_time.h"
#include "callgraph/read/sampled_functions.h"
#include "callgraph/model/times.h"

static const char style[] =
#include "callgraph/output/html_css.h"
	;

static const char script[] =
#include "callgraph/output/html_js.h"
	;

static const char calls_script[] =
#include "callgraph/output/html_calls_js.h"
	;

static const char order_script[] =
#include "callgraph/output/html_order_js.h"
	;

static const char sources_script[] =
#include "callgraph/output/html_sources_js.h"
	;

static const char time_script[] =
#include "callgraph/output/html_time_js.h"
	;

/* The tables as far as they are written. */
struct tables {
	const struct cg_profile *p;
	struct sink *sink;
	size_t room;	  /* rows that are left */
	uint32_t *number; /* of each function, from 1; 0: it is in none so far */
	uint32_t numbers; /* given */
	struct cg_html_sources *sources; /* NULL: they are not wanted */
};

enum {
	MOST_FRAMES = 2000, /* of the picture without its script, */
	MOST_ROWS = 20000,  /* functions of all tables, */
	MOST_CPUS = 64,	    /* and CPUs: what a browser opens quickly, below 10 MB */
	OPEN_TABLES = 3,    /* those that a reader need not open first */
	LONG_NAME = 160,    /* bytes; of longer names the beginning is shown */
	STRIP = 24	    /* units of height of a CPU's strip */
};

static void write_head(const struct cg_profile *p, struct sink *sink)
{
	sink_str(sink, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
		       " style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n<title>");
	cg_write_markup(sink, cg_flame_title(p));
	sink_printf(sink, ", %" PRIu64 " samples</title>\n<style>\n", p->quality.selected);
	sink_str(sink, style);
	sink_str(sink, "</style>\n</head>\n<body>\n");
}

/* A fact of the quality line; share < 0: it has none. */
static void write_fact(struct sink *sink, const char *name, uint64_t count, double share, bool bad)
{
	sink_printf(sink, "<div%s><dt>%s</dt><dd>%" PRIu64, bad ? " class=\"bad\"" : "", name,
		    count);
	if (share >= 0)
		sink_printf(sink, " <small>%.2f%%</small>", share);
	sink_str(sink, "</dd></div>\n");
}

/* How much of its time was spent on CPUs, where the log says so. */
static void write_ran(const struct cg_profile *p, struct sink *sink)
{
	double user = (double)p->ran.user / 1e9, system = (double)p->ran.system / 1e9;

	if (p->ran.known)
		sink_printf(sink,
			    "<div><dt>on a CPU</dt><dd>%.2f s <small>of %.2f s: user %.2f, system "
			    "%.2f</small></dd></div>\n",
			    user + system, p->seconds, user, system);
}

/* What share of its time an event had a counter, where that was not all; parts of one are alike. */
static void write_shares(const struct cg_profile *p, struct sink *sink)
{
	const char *last = NULL;
	const struct cg_event *e;

	vec_each(e, &p->events) {
		unsigned int part = cg_time_share(&e->times);

		if (part == CG_WHOLE_TIME || e->whole == last)
			continue;
		last = e->whole;
		sink_str(sink, "<div class=\"bad\"><dt>time with a counter, ");
		cg_write_markup(sink, e->whole);
		sink_printf(sink, "</dt><dd>%u.%u%%</dd></div>\n", part / 100, part / 10 % 10);
	}
}

/* Each line of a text as an element.  0, or -1 when out of memory. */
static int write_lines(const char *text, const char *element, struct sink *sink)
{
	char *copy = strdup(text), *rest = copy, *line;

	if (!copy)
		return -1;
	while ((line = strsep(&rest, "\n")) && *line) {
		sink_printf(sink, "<%s>", element);
		cg_write_markup(sink, line);
		sink_printf(sink, "</%s>\n", element);
	}
	free(copy);
	return 0;
}

static void write_links(const struct cg_profile *p, struct sink *sink)
{
	sink_str(sink, "<nav>");
	if (p->timeline.slots)
		sink_str(sink, "<a href=\"#time\">Samples over time</a> ");
	sink_str(sink, "<a href=\"#chains\">Call chains</a> <a href=\"#functions\">Functions</a> "
		       "<a href=\"#events\">Events</a> <a href=\"#files\">Files</a></nav>\n");
}

static void write_drops(const struct cg_quality *q, struct sink *sink)
{
	uint64_t lost = pmclog_drops_with(q->drops.of, PMCLOG_DROP_RING), count;
	unsigned int i;

	write_fact(sink, "lost", lost, cg_percent(lost, numbers_sum(lost, q->samples)), lost);
	if (q->drops.unsaid)
		write_fact(sink, "drops of unknown size", q->drops.unsaid, -1, true);
	for (i = 0; i < pmclog_ncauses; i++) {
		count = pmclog_drops_with(q->drops.of, pmclog_causes[i].cause);
		if (count && pmclog_causes[i].label)
			write_fact(sink, pmclog_causes[i].label, count, -1, true);
	}
}

static int write_quality(const struct cg_view *view, struct sink *sink)
{
	const struct cg_profile *p = view->profile;
	const struct cg_quality *q = cg_view_quality(view);
	struct sink *line = sink_to_memory();
	size_t origin;
	int status;

	if (!line)
		return -1;
	sink_str(sink, "<header>\n<h1>");
	cg_write_markup(sink, cg_flame_title(p));
	sink_str(sink, "</h1>\n<div class=\"of\">\n");
	cg_write_origin(p, line);
	status = write_lines(sink_text(line, &origin), "p", sink);
	sink_str(sink, "</div>\n<dl>\n");
	write_fact(sink, "samples", q->samples, -1, !q->samples);
	if (q->selected != q->samples)
		write_fact(sink, "selected", q->selected, cg_percent(q->selected, q->samples),
			   false);
	write_ran(p, sink);
	write_drops(q, sink);
	write_shares(p, sink);
	write_fact(sink, "throttled", q->drops.of[PMCLOG_DROP_THROTTLE], -1,
		   q->drops.of[PMCLOG_DROP_THROTTLE]);
	if (q->missed)
		write_fact(sink, "samples not taken, about", q->missed,
			   cg_percent(q->missed, numbers_sum(q->missed, q->samples)), true);
	write_fact(sink, "without a symbol", q->unresolved, cg_percent(q->unresolved, q->selected),
		   q->unresolved > q->selected / 10);
	write_fact(sink, "truncated chains", q->truncated, cg_percent(q->truncated, q->selected),
		   q->truncated > q->selected / 100);
	if (q->chains)
		write_fact(sink, "whole chains", q->ends[PMCLOG_END_COMPLETE],
			   cg_percent(q->ends[PMCLOG_END_COMPLETE], q->chains),
			   cg_chains_are_partial(q));
	if (q->at_unknown)
		write_fact(sink, "chains that end at [unknown]", q->at_unknown,
			   cg_percent(q->at_unknown, q->chains), cg_chains_are_partial(q));
	if (q->unannounced)
		write_fact(sink, "of unannounced PMCs", q->unannounced, -1, true);
	if (q->foreign)
		write_fact(sink, "records without a chain", q->foreign, -1, true);
	sink_str(sink, "</dl>\n<div class=\"line\">\n");
	cg_write_quality(view, line);
	status |= write_lines(sink_text(line, NULL) + origin, "p", sink);
	sink_free(line);
	sink_str(sink, "</div>\n");
	write_links(p, sink);
	sink_str(sink, "</header>\n<p class=\"tools\"><label>search <input id=\"filter\" "
		       "type=\"search\" autocomplete=\"off\" spellcheck=\"false\" "
		       "placeholder=\"/\"></label> <span id=\"count\" "
		       "aria-live=\"polite\"></span> <span id=\"range\" "
		       "aria-live=\"polite\"></span> <button type=\"button\" id=\"whole\" "
		       "hidden>show all</button></p>\n<main>\n");
	return status;
}

/* The strip of a CPU: its samples a slot as an area, and as numbers for who points at it. */
static void write_strip(const char *label, const uint64_t *samples, uint32_t slots, uint64_t most,
			struct sink *sink)
{
	uint64_t sum = 0, peak = 0, last = 0;
	uint32_t i;

	for (i = 0; i < slots; i++) {
		sum += samples[i];
		peak = samples[i] > peak ? samples[i] : peak;
	}
	sink_printf(sink,
		    "<div class=\"cpu\"><span>%s</span><svg viewBox=\"0 0 %u %d\""
		    " preserveAspectRatio=\"none\" tabindex=\"0\" role=\"img\" aria-label=\"%s: "
		    "%" PRIu64 " samples, at most %" PRIu64 " at a time\" data-v=\"",
		    label, slots, STRIP, label, sum, peak);
	for (i = 0; i < slots; i++)
		sink_printf(sink, i ? " %" PRIu64 : "%" PRIu64, samples[i]);
	sink_printf(sink, "\"><path d=\"M0 %d", STRIP);
	for (i = 0; i < slots; i++) {
		if (samples[i] != last)
			sink_printf(sink, "H%uV%.2f", i,
				    STRIP * (1 - (double)samples[i] / (double)most));
		last = samples[i];
	}
	sink_printf(sink, "H%uV%dZ\"/></svg></div>\n", slots, STRIP);
}

static uint64_t most_of(const uint64_t *samples, uint32_t slots, uint64_t most)
{
	uint32_t i;

	for (i = 0; i < slots; i++)
		most = samples[i] > most ? samples[i] : most;
	return most;
}

static void write_time(const struct cg_profile *p, struct sink *sink)
{
	const struct cg_timeline *t = &p->timeline;
	uint64_t all[CG_TIME_SLOTS] = {0}, most = 1;
	const struct cg_cpu_time *cpu;
	char label[32];
	uint32_t i;

	if (!t->slots)
		return;
	vec_each(cpu, &t->cpus) {
		most = most_of(cpu->samples, t->slots, most);
		for (i = 0; i < t->slots; i++)
			all[i] += cpu->samples[i];
	}
	sink_printf(sink,
		    "<section id=\"time\" data-slot=\"%.9g\">\n<h2>Samples over time</h2>\n"
		    "<p class=\"hint\">%s</p>\n"
		    "<p id=\"when\" aria-live=\"polite\">Each step is %.3g s.</p>\n",
		    t->seconds,
		    p->quality.scaled
			    ? "No part of it can be selected, for samples are estimates."
			    : "Drag, or use Shift and arrow keys, to select a part of the time for "
			      "all of the page; Escape shows all.",
		    t->seconds);
	if (t->cpus.n > 1)
		write_strip("all", all, t->slots, most_of(all, t->slots, 1), sink);
	for (i = 0; i < t->cpus.n && i < MOST_CPUS; i++) {
		snprintf(label, sizeof(label), "CPU %u", t->cpus.v[i].cpu);
		write_strip(label, t->cpus.v[i].samples, t->slots, most, sink);
	}
	sink_str(sink, "<p class=\"axis\">");
	for (i = 0; i <= 4; i++)
		sink_printf(sink, "<span>%.3g s</span>", t->seconds * t->slots * i / 4);
	sink_str(sink, "</p>\n");
	if (t->cpus.n > MOST_CPUS)
		sink_printf(sink, "<p>%zu more CPUs are only part of all.</p>\n",
			    t->cpus.n - MOST_CPUS);
	sink_str(sink, "</section>\n");
}

/* A share and its count, of a clock its seconds; the bar is full for as many samples as full. */
static void write_share(const struct cg_event *e, uint64_t part, uint64_t full, struct sink *sink)
{
	const struct cg_output_options seconds = {.seconds = true};

	sink_printf(sink, "<td class=\"b\" style=\"--w:%.1f\">%.2f<td", cg_percent(part, full),
		    cg_percent(part, e->samples));
	if (cg_shows_seconds(e, &seconds))
		sink_printf(sink, " title=\"%" PRIu64 " samples\"", part);
	sink_char(sink, '>');
	cg_write_amount(sink, e, &seconds, 0, part);
}

/* A text of which a long one shows its beginning, and all of it where it is pointed at. */
static void write_cell(const char *shown, const char *full, struct sink *sink)
{
	if (strcmp(shown, full) != 0 || strlen(full) > LONG_NAME) {
		sink_str(sink, "<span tabindex=\"0\" title=\"");
		cg_write_markup(sink, full);
		sink_str(sink, "\">");
		cg_write_markup(sink, shown);
		sink_str(sink, "</span>");
	} else {
		cg_write_markup(sink, shown);
	}
}

/* source: which of the page's sources is the function's; CG_NONE: none. */
static void write_row(struct tables *t, const struct cg_event *e,
		      const struct cg_sampled_function *sampled, uint64_t most_self,
		      uint32_t source)
{
	const struct cg_function *f = &t->p->functions.v[sampled->function];

	if (!t->number[sampled->function])
		t->number[sampled->function] = ++t->numbers;
	sink_printf(t->sink, "<tr data-f=\"%u\">", t->number[sampled->function]);
	write_share(e, sampled->self, most_self, t->sink);
	write_share(e, sampled->total, e->samples, t->sink);
	sink_str(t->sink, "<td>");
	if (source != CG_NONE)
		sink_printf(t->sink, "<a href=\"#source%u\">", source);
	write_cell(cg_shown_name(f), f->name, t->sink);
	if (source != CG_NONE)
		sink_str(t->sink, "</a>");
	sink_str(t->sink, "<td class=\"o\" style=\"--c:");
	cg_flame_write_colour(t->sink, cg_object_of(t->p, f));
	sink_str(t->sink, "\">");
	write_cell(cg_shown_object(t->p, f), cg_object_of(t->p, f), t->sink);
	sink_char(t->sink, '\n');
}

/* The functions of an event, as many as there is room for. */
static int write_functions(struct tables *t, const struct cg_view *of,
			   const cg_sampled_functions *functions)
{
	const struct cg_event *e = of->event;
	const bool clock = cg_event_nanoseconds(e);
	const char *const columns[] = {"self %",  clock ? "self s" : "self",
				       "total %", clock ? "total s" : "total",
				       "function", "object"};
	uint64_t hidden = 0;
	uint32_t source;
	size_t i;

	sink_printf(t->sink, "<table data-nanoseconds=\"%" PRIu64 "\" data-name=\"",
		    cg_event_nanoseconds(e));
	cg_write_markup(t->sink, e->name);
	sink_str(t->sink, "\">\n<thead><tr>");
	for (i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
		sink_printf(t->sink, "<th scope=\"col\"%s><button type=\"button\">%s</button>",
			    i ? "" : " aria-sort=\"descending\"", columns[i]);
	sink_str(t->sink, "</thead>\n<tbody>\n");
	for (i = 0; i < functions->n; i++) {
		if (i >= t->room) {
			hidden += functions->v[i].self;
			continue;
		}
		if (cg_html_source_add(t->sources, of, &functions->v[i], &source))
			return -1;
		write_row(t, e, &functions->v[i], functions->v[0].self, source);
	}
	sink_str(t->sink, "</tbody>\n</table>\n<p class=\"more\"></p>\n");
	if (functions->n > t->room)
		sink_printf(t->sink,
			    "<p>%zu more functions, with %" PRIu64
			    " own samples, are left out of this page.</p>\n",
			    functions->n - t->room, hidden);
	t->room -= functions->n < t->room ? functions->n : t->room;
	return 0;
}

static int write_table(struct tables *t, const struct cg_view *of, bool open,
		       cg_sampled_functions *functions)
{
	const struct cg_event *e = of->event;

	if (cg_sampled_functions_count(of, functions))
		return -1;
	sink_printf(t->sink, "<details%s><summary>", open ? " open" : "");
	cg_write_markup(t->sink, e->name);
	sink_str(t->sink, ", ");
	cg_write_samples(t->sink, e);
	sink_printf(t->sink, ", %zu functions</summary>\n", functions->n);
	if (write_functions(t, of, functions))
		return -1;
	sink_str(t->sink, "</details>\n");
	return 0;
}

static int write_tables(const struct cg_view *view, struct cg_html_sources *sources,
			struct sink *sink)
{
	struct tables t = {
		.p = view->profile, .sink = sink, .room = MOST_ROWS, .sources = sources};
	const struct cg_event *e;
	size_t tables = 0;
	cg_sampled_functions functions = {0};
	int status;

	t.number = calloc(t.p->functions.n + 1, sizeof(*t.number));
	status = t.number ? 0 : -1;
	sink_str(sink, "<section id=\"functions\">\n<h2>Functions</h2>\n");
	if (cg_html_has_times(t.p))
		sink_str(sink, "<p class=\"hint\">Click one for its callers and callees.</p>\n");
	vec_each(e, &t.p->events) {
		struct cg_view of = cg_view_of(view, e);

		if (e->samples && !status)
			status = write_table(&t, &of, tables++ < OPEN_TABLES, &functions);
	}
	if (!status && cg_html_has_times(t.p))
		status = cg_html_write_times(view, t.number, sink);
	sink_str(sink, "</section>\n");
	vec_free(&functions);
	free(t.number);
	return status;
}

static void write_events(const struct cg_profile *p, struct sink *sink)
{
	const struct cg_event *e;

	sink_str(sink, "<section id=\"events\">\n<h2>Events</h2>\n<table class=\"plain\">\n<thead>"
		       "<tr><th scope=\"col\">event<th scope=\"col\">as asked for<th scope=\"col\">"
		       "a sample every<th scope=\"col\">samples</thead>\n<tbody>\n");
	vec_each(e, &p->events) {
		sink_str(sink, "<tr><td>");
		cg_write_markup(sink, e->name);
		sink_str(sink, "<td>");
		cg_write_markup(sink, e->spec);
		if (e->rate)
			sink_printf(sink, "<td>%s%" PRIu64 "%s", e->frequency ? "1/" : "", e->rate,
				    e->frequency ? " s" : "");
		else
			sink_str(sink, "<td>not known");
		sink_str(sink, "<td>");
		cg_write_marked(sink, e->samples, &e->times, e->scaled);
		sink_char(sink, '\n');
	}
	sink_str(sink, "</tbody>\n</table>\n</section>\n");
}

static int write_problems(const struct cg_profile *p, struct sink *sink, struct err *err)
{
	struct sink *lines = sink_to_memory();
	int status = lines ? cg_write_problems(p, 0, lines, err) : -1;
	const char *text = status ? "" : sink_text(lines, NULL);

	sink_str(sink, "<section id=\"files\">\n<h2>Files without their symbols</h2>\n<ul>\n");
	if (!status)
		status = write_lines(*text ? text : "none", "li", sink);
	sink_str(sink, "</ul>\n</section>\n");
	sink_free(lines);
	return status;
}

static int write_chains(const struct cg_view *view, struct sink *sink, struct err *err)
{
	struct cg_flame_options options = {
		.icicle = true, .within = true, .most_frames = MOST_FRAMES};
	int status;

	sink_str(sink,
		 "<section id=\"chains\">\n<h2>Call chains</h2>\n<p class=\"hint\">Click a frame,"
		 " or go by arrow keys and Enter, to zoom; Escape shows all; / searches.\n"
		 "<button type=\"button\" id=\"order\" aria-pressed=\"false\" hidden>in order of "
		 "time</button></p>\n");
	sink_str(sink, "<div class=\"picture\">\n");
	status = cg_flame_write(view, &options, sink, err);
	sink_str(sink,
		 "</div>\n<p id=\"chosen\" aria-live=\"polite\"></p>\n</section>\n"
		 "<section id=\"calls\" hidden>\n<h2>Callers and callees "
		 "<button type=\"button\" id=\"nocalls\">close</button></h2>\n"
		 "<p id=\"called\" aria-live=\"polite\"></p>\n"
		 "<div id=\"relatives\"></div>\n</section>\n");
	return status;
}

static int write_page(const struct cg_view *view, struct cg_html_sources *sources,
		      struct sink *sink, struct err *err)
{
	const struct cg_profile *p = view->profile;

	write_head(p, sink);
	if (write_quality(view, sink))
		return err_nomem(err);
	write_time(p, sink);
	if (write_chains(view, sink, err) || write_tables(view, sources, sink))
		return err_nomem(err);
	cg_html_sources_write(sources, sink);
	write_events(p, sink);
	if (write_problems(p, sink, err))
		return err_nomem(err);
	sink_str(sink, "</main>\n<script>\n");
	sink_str(sink, script);
	sink_str(sink, calls_script);
	sink_str(sink, order_script);
	if (sources)
		sink_str(sink, sources_script);
	sink_str(sink, time_script);
	sink_str(sink, "</script>\n</body>\n</html>\n");
	return 0;
}

static int write_html(const struct cg_view *view, const struct cg_output_options *options,
		      struct sink *sink, struct err *err)
{
	struct cg_html_sources *sources = NULL;
	int status;

	if (options->with_sources && !(sources = cg_html_sources_new(view->profile, options)))
		return err_nomem(err);
	status = write_page(view, sources, sink, err);
	cg_html_sources_free(sources);
	return status;
}

const struct cg_output cg_output_html = {
	.name = "html",
	.argument = CG_MUST_NAME_FILE,
	.needs = CG_NEEDS_TIMELINE | CG_NEEDS_MOMENTS,
	.traits = CG_HEEDS_SOURCES,
	.summary = "one page with functions, call chains, times and what they are worth",
	.write = write_html,
};
