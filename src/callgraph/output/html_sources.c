// SPDX-License-Identifier: BSD-2-Clause
/*
 * Of a line that has samples an attribute has when they were (html_digits.h): the number of steps
 * of its own samples, these steps, and the steps of the others that it is in the chain of.  That of
 * a function has those of all of its lines together, as if none was its own.
 */
#include <inttypes.h>

#include "callgraph/output/annotate.h"
#include "callgraph/output/html_digits.h"
#include "callgraph/output/html_sources.h"
#include "callgraph/output/html_time.h"
#include "callgraph/read/source_places.h"

enum {
	MOST_FUNCTIONS = 50,  /* of all events */
	MOST_BYTES = 1 << 20, /* without times, after which no further one is begun */
	MOST_DIGITS = 1 << 20, /* of times, after which no further function has them */
};

typedef VEC(uint16_t) slots;

struct cg_html_sources {
	const struct cg_profile *p;
	const struct cg_output_options *options;
	struct cg_source_place *places;
	struct sink *written;
	uint32_t n;
	uint32_t left_out; /* that have lines */
	/* When samples were: the slots of stack n from first[n] on.  NULL: pages have no times. */
	size_t *first;
	uint16_t *slots;
	slots own, others; /* of the line in hand */
	size_t used;	   /* digits */
};

/* Sorts the samples by their stacks. */
static int sort_moments(struct cg_html_sources *s)
{
	const struct cg_profile *p = s->p;
	const struct cg_moment *m;
	size_t i;

	if (!cg_html_has_times(p))
		return 0;
	s->first = calloc(p->stacks.n + 2, sizeof(*s->first));
	s->slots = malloc(p->moments.n * sizeof(*s->slots));
	if (!s->first || !s->slots)
		return -1;
	vec_each(m, &p->moments)
		s->first[m->stack + 2]++;
	for (i = 2; i < p->stacks.n + 2; i++)
		s->first[i] += s->first[i - 1];
	/* Each stack's beginning moves to its end, where the next one begins. */
	vec_each(m, &p->moments)
		s->slots[s->first[m->stack + 1]++] = cg_html_slot(&p->timeline, m);
	return 0;
}

struct cg_html_sources *cg_html_sources_new(const struct cg_profile *p,
					    const struct cg_output_options *options)
{
	struct cg_html_sources *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	*s = (struct cg_html_sources){.p = p,
				      .options = options,
				      .places = cg_source_places_new(p),
				      .written = sink_to_memory()};
	if (s->places && s->written && !sort_moments(s))
		return s;
	cg_html_sources_free(s);
	return NULL;
}

void cg_html_sources_free(struct cg_html_sources *s)
{
	if (!s)
		return;
	free(s->places);
	free(s->first);
	free(s->slots);
	vec_free(&s->own);
	vec_free(&s->others);
	sink_free(s->written);
	free(s);
}

static int add_slots(const struct cg_html_sources *s, slots *to, uint32_t stack)
{
	size_t n = s->first[stack + 1] - s->first[stack];

	if (vec_reserve(to, to->n + n))
		return -1;
	if (n)
		memcpy(to->v + to->n, s->slots + s->first[stack], n * sizeof(*to->v));
	to->n += n;
	return 0;
}

static void sort(slots *of)
{
	if (of->n)
		qsort(of->v, of->n, sizeof(*of->v), cg_digits_by_time);
}

/* Writes what was collected in own and others, and empties both. */
static void put_times(struct cg_html_sources *s)
{
	struct cg_digits d = {.sink = s->written};

	sort(&s->own);
	sort(&s->others);
	sink_str(s->written, " data-t=\"");
	cg_digits_put(&d, cg_digits_count_steps(s->own.v, s->own.n, 0));
	cg_digits_put_steps(&d, s->own.v, s->own.n, 0);
	cg_digits_put_steps(&d, s->others.v, s->others.n, 0);
	sink_char(s->written, '"');
	s->own.n = s->others.n = 0;
	s->used += d.used;
}

/* Of all stacks in the log, which come one after the other in it. */
static int put_subject_times(struct cg_html_sources *s, const struct cg_hit_log *log)
{
	const struct cg_hit *hit;
	uint32_t last = CG_NONE;

	vec_each(hit, &log->hits) {
		if (hit->stack != last && add_slots(s, &s->others, hit->stack))
			return -1;
		last = hit->stack;
	}
	put_times(s);
	return 0;
}

static int by_line(const void *a, const void *b)
{
	const struct cg_hit *x = a, *y = b;

	return x->line < y->line ? -1 : x->line > y->line;
}

/* Of hits in the order of their lines. */
static int put_line_times(struct cg_html_sources *s, const struct cg_hit_log *log, uint64_t line)
{
	size_t i;

	for (i = vec_above(&log->hits, line, line - 1);
	     i < log->hits.n && log->hits.v[i].line == line; i++) {
		const struct cg_hit *hit = &log->hits.v[i];

		if (add_slots(s, hit->is_self ? &s->own : &s->others, hit->stack))
			return -1;
	}
	put_times(s);
	return 0;
}

/* Lines with samples of their own have a bar behind them. */
static int write_lines(struct cg_html_sources *s, char *text, const struct cg_hit_log *log,
		       bool with_times)
{
	const struct cg_hit_row *row = log->rows.v, *end = row ? row + log->rows.n : NULL;
	const char *begin = text;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		bool is_row = row < end && (size_t)(line - begin) == row->at;

		if (is_row) {
			sink_str(s->written, "<b");
			if (row->own > 0)
				sink_printf(s->written, " style=\"--w:%.1f\"", row->own);
			if (with_times && put_line_times(s, log, row->line))
				return -1;
			sink_char(s->written, '>');
			row++;
		}
		cg_write_markup(s->written, line);
		sink_str(s->written, is_row ? "</b>" : "");
		sink_str(s->written, text ? "\n" : "");
	}
	return 0;
}

static int write_heading(struct cg_html_sources *s, const struct cg_subject *subject,
			 bool with_times)
{
	const struct cg_function *f = &s->p->functions.v[subject->function];

	sink_printf(s->written, "<details class=\"source\" id=\"source%u\"", s->n);
	if (cg_shows_seconds(subject->event, subject->options))
		sink_printf(s->written, " data-nanoseconds=\"%" PRIu64 "\"",
			    cg_event_nanoseconds(subject->event));
	if (with_times && put_subject_times(s, subject->log))
		return -1;
	sink_str(s->written, "><summary>");
	cg_write_markup(s->written, cg_shown_name(f));
	sink_str(s->written, " @ ");
	cg_write_markup(s->written, cg_shown_object(s->p, f));
	sink_printf(s->written, ": %" PRIu64 " samples of ", subject->total);
	cg_write_markup(s->written, subject->event->name);
	return 0;
}

/* Writes the text of a subject whose lines are in its log. */
static int write_text(struct cg_html_sources *s, const struct cg_subject *subject, uint64_t self)
{
	struct cg_hit_log *log = subject->log;
	bool with_times = s->first && s->used < MOST_DIGITS;
	char *text = strdup(sink_text(subject->sink, NULL));
	int status = text ? write_heading(s, subject, with_times) : -1;

	if (!status) {
		sink_printf(s->written, ", %" PRIu64 " its own</summary>\n<pre tabindex=\"0\">",
			    self);
		if (log->hits.n)
			qsort(log->hits.v, log->hits.n, sizeof(*log->hits.v), by_line);
		status = write_lines(s, text, log, with_times);
		sink_str(s->written, "</pre></details>\n");
	}
	free(text);
	return status;
}

static int write_source(struct cg_html_sources *s, const struct cg_view *of,
			const struct cg_sampled_function *sampled)
{
	const struct cg_function *f = &s->p->functions.v[sampled->function];
	struct cg_output_options options = *s->options;
	struct cg_hit_log log = {0};
	struct cg_subject subject = {.view = *of,
				     .p = s->p,
				     .options = &options,
				     .event = of->event,
				     .function = sampled->function,
				     .total = sampled->total,
				     .sink = sink_to_memory(),
				     .log = &log};
	int status = -1;

	options.columns = 0;
	if (subject.sink)
		status = f->end && options.with_asm ? cg_annotate_code(&subject)
						    : cg_annotate_lines(&subject);
	if (!status)
		status = log.failed ? -1 : write_text(s, &subject, sampled->self);
	vec_free(&log.hits);
	vec_free(&log.rows);
	sink_free(subject.sink);
	return status;
}

int cg_html_source_add(struct cg_html_sources *s, const struct cg_view *of,
		       const struct cg_sampled_function *sampled, uint32_t *number)
{
	size_t bytes;

	*number = CG_NONE;
	if (!s || !sampled->self)
		return 0;
	if (!s->places[sampled->function].file &&
	    !(s->options->with_asm && s->p->functions.v[sampled->function].end))
		return 0;
	sink_text(s->written, &bytes);
	if (s->n >= MOST_FUNCTIONS || bytes - s->used >= MOST_BYTES) {
		s->left_out++;
		return 0;
	}
	if (write_source(s, of, sampled))
		return -1;
	*number = s->n++;
	return 0;
}

void cg_html_sources_write(struct cg_html_sources *s, struct sink *sink)
{
	if (!s)
		return;
	sink_printf(sink,
		    "<section id=\"sources\">\n<h2>%s</h2>\n<p class=\"hint\">Of the functions "
		    "with the most samples of their own in all of the time",
		    s->options->with_asm ? "Instructions" : "Source lines");
	if (s->left_out)
		sink_printf(sink, "; %u more are left out", s->left_out);
	sink_str(sink, ".</p>\n");
	sink_str(sink, sink_text(s->written, NULL));
	sink_str(sink, "</section>\n");
}
