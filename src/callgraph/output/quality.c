// SPDX-License-Identifier: BSD-2-Clause
/* What a report says of its own worth: the quality line, and the files without symbols. */
#include <inttypes.h>

#include "base/numbers.h"
#include "callgraph/output/output.h"
#include "callgraph/model/times.h"

void cg_write_share(struct sink *sink, const struct cg_times *t)
{
	unsigned int part = cg_time_share(t);

	if (part < CG_WHOLE_TIME)
		sink_printf(sink, "@%u.%u%%", part / 100, part / 10 % 10);
}

void cg_write_marked(struct sink *sink, uint64_t count, const struct cg_times *t, bool scaled)
{
	sink_printf(sink, "%s%" PRIu64, scaled ? "~" : "", count);
	cg_write_share(sink, t);
}

void cg_write_samples(struct sink *sink, const struct cg_event *e)
{
	cg_write_marked(sink, e->samples, &e->times, e->scaled);
	sink_str(sink, " samples");
}

void cg_write_heading(struct sink *sink, const struct cg_event *e)
{
	sink_str(sink, "@ ");
	cg_write_text(sink, e->name);
	sink_str(sink, " [");
	cg_write_samples(sink, e);
	sink_str(sink, "]\n");
}

bool cg_shows_seconds(const struct cg_event *e, const struct cg_output_options *options)
{
	return options->seconds && cg_event_nanoseconds(e);
}

void cg_write_amount(struct sink *sink, const struct cg_event *e,
		     const struct cg_output_options *options, int width, uint64_t samples)
{
	if (cg_shows_seconds(e, options))
		sink_printf(sink, "%*.3f", width,
			    (double)samples * ((double)cg_event_nanoseconds(e) / 1e9));
	else
		sink_printf(sink, "%*" PRIu64, width, samples);
}

void cg_write_ran(struct sink *sink, const struct cg_profile *p)
{
	double user = (double)p->ran.user / 1e9, system = (double)p->ran.system / 1e9;

	sink_printf(sink, "on a CPU %.2f s (user %.2f, system %.2f) in %.2f s", user + system, user,
		    system, p->seconds);
	if ((user + system) * CG_MOSTLY < p->seconds)
		sink_str(sink, ", mostly waiting, maybe for a CPU");
}

static void write_event(const struct cg_event *e, struct sink *sink)
{
	cg_write_text(sink, e->whole);
	if (e->frequency)
		sink_printf(sink, " at %" PRIu64 " Hz", e->rate);
	else if (e->rate)
		sink_printf(sink, " every %" PRIu64, e->rate);
}

/* Which events had no counter all the time; parts of one are the same. */
static void write_shares(const struct cg_profile *p, struct sink *sink)
{
	const char *before = "; had a counter part of the time: ", *last = NULL;
	const struct cg_event *e;

	vec_each(e, &p->events) {
		unsigned int part = cg_time_share(&e->times);

		if (part == CG_WHOLE_TIME || e->whole == last)
			continue;
		sink_str(sink, before);
		cg_write_text(sink, e->whole);
		if (e->times.running)
			sink_printf(sink, " %u.%u%%", part / 100, part / 10 % 10);
		else
			sink_str(sink, " never");
		last = e->whole;
		before = ", ";
	}
}

static void write_throttled(const struct cg_quality *q, struct sink *sink)
{
	sink_printf(sink, "; throttled %" PRIu64, q->drops.of[PMCLOG_DROP_THROTTLE]);
	if (!q->paused)
		return;
	sink_printf(sink, " (paused %.1f ms", (double)q->paused / 1e6);
	if (q->missed)
		sink_printf(sink, ", about %" PRIu64 " of %" PRIu64 " samples not taken", q->missed,
			    numbers_sum(q->missed, q->samples));
	sink_char(sink, ')');
}

const char *cg_end_name(unsigned int end)
{
	return end == PMCLOG_END_UNSAID ? "elsewhere" : pmclog_end_name(end);
}

/* "; whole chains N of M" and what the others lack; nothing without chains. */
static void write_ends(const struct cg_quality *q, struct sink *sink)
{
	unsigned int i;

	if (!q->chains)
		return;
	sink_printf(sink, "; whole chains %" PRIu64 " of %" PRIu64 " (%.2f%%)",
		    q->ends[PMCLOG_END_COMPLETE], q->chains,
		    cg_percent(q->ends[PMCLOG_END_COMPLETE], q->chains));
	for (i = 0; i < PMCLOG_NENDS; i++)
		if (q->ends[i] && i != PMCLOG_END_COMPLETE)
			sink_printf(sink, ", %s %" PRIu64, cg_end_name(i), q->ends[i]);
	if (q->at_unknown)
		sink_printf(sink, "; %" PRIu64 " end at [unknown]", q->at_unknown);
	if (q->stitched)
		sink_printf(sink, "; %" PRIu64 " with stitched frames", q->stitched);
	if (q->guessed)
		sink_printf(sink, "; %" PRIu64 " with guessed frames", q->guessed);
}

/* What was lost: samples, and all else of which the log says so. */
static void write_drops(const struct cg_quality *q, struct sink *sink)
{
	uint64_t lost = pmclog_drops_with(q->drops.of, PMCLOG_DROP_RING), count;
	unsigned int i;

	sink_printf(sink, "; lost %" PRIu64 " (%.2f%%)", lost,
		    cg_percent(lost, numbers_sum(lost, q->samples)));
	if (q->drops.unsaid)
		sink_printf(sink, " and %" PRIu64 " drops of unknown size", q->drops.unsaid);
	for (i = 0; i < pmclog_ncauses; i++) {
		count = pmclog_drops_with(q->drops.of, pmclog_causes[i].cause);
		if (!count || !pmclog_causes[i].line)
			continue;
		sink_str(sink, "; ");
		pmclog_cause_write(sink, pmclog_causes[i].line, count, 0);
	}
}

static void write_line(const struct cg_profile *p, const struct cg_quality *q, const char *what,
		       bool says_ran, struct sink *sink)
{
	const struct cg_event *e;

	sink_printf(sink, "%s: %" PRIu64 " samples", what, q->samples);
	vec_each(e, &p->events) {
		/* Another PMC of the same name may have had another rate. */
		if (e > p->events.v && e->whole == e[-1].whole && e->name != e->whole)
			continue;
		sink_str(sink, e == p->events.v ? " of " : ", ");
		write_event(e, sink);
	}
	if (q->scaled)
		sink_printf(sink, "; about %" PRIu64 " when scaled", q->selected);
	else if (q->selected != q->samples)
		sink_printf(sink, "; %" PRIu64 " selected", q->selected);
	if (p->ran.known && says_ran) {
		sink_str(sink, "; ");
		cg_write_ran(sink, p);
	}
	write_drops(q, sink);
	write_shares(p, sink);
	write_throttled(q, sink);
	sink_printf(sink, "; unresolved %.2f%%, of them unmapped %.2f%%;",
		    cg_percent(q->unresolved, q->selected), cg_percent(q->unmapped, q->selected));
	sink_printf(sink, " truncated chains %" PRIu64, q->truncated);
	write_ends(q, sink);
	if (q->unannounced)
		sink_printf(sink, "; %" PRIu64 " samples of unannounced PMCs", q->unannounced);
	if (q->foreign)
		sink_printf(sink, "; %" PRIu64 " records without a call chain", q->foreign);
	sink_char(sink, '\n');
}

/* What finds callers that frame pointers do not lead to, with who recorded the log. */
static const char *better_unwinding(const struct cg_origin *o)
{
	if (o->of_freebsd)
		return "FreeBSD finds callers by frame pointers: compile with "
		       "-fno-omit-frame-pointer";
	if (o->collector && !strcmp(o->collector, "hwpmc"))
		return "--collector=perf --unwind=dwarf finds callers without frame pointers";
	return "--unwind=dwarf finds callers without frame pointers";
}

/* What most of the chains that are not whole lack, or what mends it. */
static const char *remedy(const struct cg_quality *q, const struct cg_origin *origin)
{
	unsigned int i, most = PMCLOG_END_UNSAID;

	for (i = 0; i < PMCLOG_NENDS; i++)
		if (i != PMCLOG_END_COMPLETE && q->ends[i] > q->ends[most])
			most = i;
	switch (most) {
	case PMCLOG_END_WINDOW:
		return "most of them are deeper than what is copied of a stack, and their process "
		       "had gone on, had ended or may not be read by this user";
	case PMCLOG_END_DEPTH:
		return "most of them have more frames than --depth had them keep, which has 4096 "
		       "at most";
	case PMCLOG_END_OVERLOAD: return "record at a lower rate";
	case PMCLOG_END_UNSAID: return better_unwinding(origin);
	case PMCLOG_END_NO_DATA:
		return "most of them end in code without unwind data, which would need frame "
		       "pointers";
	case PMCLOG_END_BAD_RETURN:
		return "most of them end where unwind data are wrong or a stack was switched";
	default: return "of most of them no stack of the user could be read";
	}
}

/* A line for where so few chains are whole that inclusive numbers are wrong; else nothing. */
static void write_inclusive(const struct cg_quality *q, const struct cg_origin *origin,
			    struct sink *sink)
{
	if (cg_chains_are_partial(q))
		sink_printf(sink,
			    "inclusive numbers and callers are partial: %.2f%% of the chains do "
			    "not reach where their thread began; %s\n",
			    100 - cg_percent(q->ends[PMCLOG_END_COMPLETE], q->chains),
			    remedy(q, origin));
}

/* A line for each clock whose samples are of part of the time, so that shares are; else nothing. */
static void write_sampled(const struct cg_profile *p, struct sink *sink)
{
	const struct cg_event *e;

	vec_each(e, &p->events) {
		struct cg_sampled_time t = cg_sampled_time_of(p, e);

		if (t.all <= 0 || e->name != e->whole)
			continue;
		sink_str(sink, "shares are of part of the time: the samples of ");
		cg_write_text(sink, e->whole);
		sink_printf(sink, " stand for %.2f s of %.2f s%s\n", t.sampled, t.all,
			    e->whole_cpus ? " of the CPUs" : " on a CPU");
	}
}

static void write_quality(const struct cg_view *view, bool says_ran, struct sink *sink)
{
	const struct cg_profile *was = view->base ? view->base->was : NULL;
	const struct cg_profile *now = view->base ? view->base->now : view->profile;
	const struct cg_quality *q = view->base ? &now->quality : cg_view_quality(view);

	if (was)
		write_line(was, &was->quality, "base quality", says_ran, sink);
	write_line(now, q, "quality", says_ran, sink);
	write_sampled(now, sink);
	write_inclusive(q, &now->origin, sink);
}

void cg_write_quality(const struct cg_view *view, struct sink *sink)
{
	write_quality(view, true, sink);
}

void cg_write_quality_below_ran(const struct cg_view *view, struct sink *sink)
{
	write_quality(view, false, sink);
}

/* Why samples of one file, or of several alike, have no names, doubtful ones or not all places. */
struct problem {
	const char *text;
	uint64_t samples;
};

typedef VEC(struct problem) problems_vec;

static int by_text(const void *a, const void *b)
{
	const struct problem *x = a, *y = b;

	return strcmp(x->text, y->text);
}

static int by_samples(const void *a, const void *b)
{
	const struct problem *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return strcmp(x->text, y->text);
}

/* Equal problems become one: a JIT's memory has an image in each of its processes. */
static size_t merge_problems(struct problem *problems, size_t n)
{
	size_t i, merged = 0;

	qsort(problems, n, sizeof(*problems), by_text);
	for (i = 1; i < n; i++)
		if (!strcmp(problems[i].text, problems[merged].text))
			problems[merged].samples += problems[i].samples;
		else
			problems[++merged] = problems[i];
	return merged + 1;
}

/* Adds the problems of an image.  0, or -1 when out of memory. */
static int add_problems(problems_vec *problems, const struct cg_image *image)
{
	struct problem names = {.text = "", .samples = image->unresolved};
	struct problem doubts = {.text = "", .samples = image->samples - image->unresolved};
	struct problem places = {.text = "", .samples = image->samples};

	if (image->jit_problem)
		names.text = image->jit_problem;
	else if (image->symbols)
		names.text = symbol_image_problem(image->symbols);
	if (image->symbols) {
		doubts.text = symbol_image_doubt(image->symbols);
		places.text = symbol_image_lines_problem(image->symbols);
	}
	if ((names.samples && *names.text && vec_push(problems, names)) ||
	    (doubts.samples && *doubts.text && vec_push(problems, doubts)))
		return -1;
	/* A debug file that cannot be read has neither. */
	return places.samples && *places.text && !strstr(names.text, places.text)
		       ? vec_push(problems, places)
		       : 0;
}

int cg_write_problems(const struct cg_profile *p, uint64_t min, struct sink *sink, struct err *err)
{
	problems_vec problems = {0};
	const struct cg_image *image;
	const struct problem *each;

	vec_each(image, &p->images)
		if (add_problems(&problems, image)) {
			vec_free(&problems);
			return err_nomem(err);
		}
	if (problems.n) {
		problems.n = merge_problems(problems.v, problems.n);
		qsort(problems.v, problems.n, sizeof(*problems.v), by_samples);
	}
	vec_each(each, &problems) {
		if (each->samples <= min)
			break;
		sink_printf(sink, "%" PRIu64 " samples (%.2f%%): ", each->samples,
			    cg_percent(each->samples, p->quality.selected));
		cg_write_text(sink, each->text);
		sink_char(sink, '\n');
	}
	vec_free(&problems);
	return 0;
}
