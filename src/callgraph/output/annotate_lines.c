// SPDX-License-Identifier: BSD-2-Clause
/* --annotate: samples beside the lines of the source. */
#include <inttypes.h>

#include "base/hash.h"
#include "callgraph/output/annotate.h"

enum {
	CONTEXT = 3, /* lines around those that have samples, where there is no better range */
	RANGE_MOST = 5000, /* lines; of a wider range only those around samples are shown */
	PROBES = 4096,	   /* of a function's addresses, to find the range of its lines */
};

struct line {
	const char *file; /* NULL: not known */
	uint32_t line;	  /* 0: not known */
	struct cg_hits hits;
};

struct counting {
	const struct cg_subject *subject;
	VEC(struct line) lines;
	struct table line_of; /* by file and line */
};

/* Lines from..to; to 0: none. */
struct extent {
	const char *file;
	uint32_t from, to;
};

/* Whether a frame is in the function or the file. */
static bool has(const struct cg_subject *s, const struct cg_frame *frame)
{
	return s->file ? frame->file == s->file : frame->function == s->function;
}

/* The line of a frame; NULL when out of memory. */
static struct line *line_of(struct counting *c, const struct cg_frame *frame)
{
	uint32_t hash = hash_u64((uintptr_t)frame->file ^ (uint64_t)frame->line << 40), i;
	struct table_iter it;

	for (i = table_first(&c->line_of, hash, &it); i != TABLE_NONE;
	     i = table_next(&c->line_of, &it))
		if (c->lines.v[i].file == frame->file && c->lines.v[i].line == frame->line)
			return &c->lines.v[i];
	if (vec_push(&c->lines, (struct line){.file = frame->file, .line = frame->line}) ||
	    table_insert(&c->line_of, hash, (uint32_t)(c->lines.n - 1)))
		return NULL;
	return &c->lines.v[c->lines.n - 1];
}

static int count_stack(struct counting *c, uint32_t stack)
{
	const struct cg_profile *p = c->subject->p;
	const struct cg_stack *s = &p->stacks.v[stack];
	uint32_t i, j;

	for (i = 0; i < s->npcs; i++) {
		const struct cg_location *l = &p->locations.v[p->locations_of.v[s->first + i]];

		for (j = 0; j < l->frames; j++) {
			const struct cg_frame *frame = &p->frames.v[l->first_frame + j];
			struct line *line;

			if (!has(c->subject, frame))
				continue;
			if (!(line = line_of(c, frame)))
				return -1;
			cg_hits_add(&line->hits, stack, s->count, !i && !j);
		}
	}
	return 0;
}

static int in_order(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->file != y->file)
		return !x->file ? -1 : !y->file ? 1 : strcmp(x->file, y->file);
	return x->line < y->line ? -1 : x->line > y->line;
}

/* The lines of a function, by looking up addresses all over it: those of its own, not inlined. */
static struct extent extent_of(const struct cg_subject *s)
{
	struct symbol_frame frames[SYMBOL_MAX_FRAMES];
	struct symbol_image *image = cg_subject_image(s);
	const struct cg_function *f = s->file ? NULL : &s->p->functions.v[s->function];
	struct extent e = {0};
	uint64_t step, at;
	uint32_t n, probes = 0;

	if (!f || !image || f->end <= f->start)
		return e;
	step = (f->end - f->start) / PROBES + 1;
	for (at = f->start; at < f->end && probes < PROBES; at += step, probes++) {
		const struct symbol_frame *own;

		n = symbol_frames(image, at, frames);
		own = n ? &frames[n - 1] : NULL;
		if (!own || !own->line || !own->file || (e.file && own->file != e.file))
			continue;
		e.file = own->file;
		e.from = !e.to || own->line < e.from ? own->line : e.from;
		e.to = own->line > e.to ? own->line : e.to;
	}
	return e;
}

static void write_line(const struct cg_subject *s, const struct cg_hits *hits, uint32_t number,
		       const char *text)
{
	cg_hits_write(s, hits);
	sink_printf(s->sink, " %6" PRIu32, number);
	if (text && *text) {
		sink_str(s->sink, "  ");
		cg_write_text(s->sink, text);
	}
	sink_char(s->sink, '\n');
}

/* Writes lines from..to that have no samples, as far as the file goes. */
static void write_between(const struct cg_subject *s, struct source *source, uint32_t from,
			  uint32_t to)
{
	const char *text;

	for (; from <= to && from; from++) {
		if (!(text = source_line(source, from)))
			return;
		write_line(s, NULL, from, text);
	}
}

/*
 * Writes lines of one file, which all have samples, and those between them: all of range where it
 * ends anywhere, else the nearest.
 */
static void write_source(const struct cg_subject *s, const struct line *lines, size_t n,
			 const struct extent *range, struct source *source)
{
	bool all = range->to;
	uint32_t next = all && range->from < lines->line ? range->from : 1; /* to be written */
	size_t i;

	for (i = 0; i < n; i++) {
		uint32_t line = lines[i].line, last = line;

		if (!all && line - next > CONTEXT) {
			next = line - CONTEXT;
			sink_str(s->sink, i ? "...\n" : "");
		}
		write_between(s, source, next, line - 1);
		write_line(s, &lines[i].hits, line, source_line(source, line));
		if (i + 1 == n)
			last = all ? range->to : line + CONTEXT;
		else if (!all)
			last = lines[i + 1].line - 1 - line < CONTEXT ? lines[i + 1].line - 1
								      : line + CONTEXT;
		write_between(s, source, line + 1, last);
		next = last + 1;
	}
}

/* The lines to be shown of a file: all of them, those of the function, or between samples. */
static struct extent range_of(const struct cg_subject *s, const struct extent *own,
			      const struct line *lines, size_t n)
{
	struct extent e = {lines->file, lines->line, lines[n - 1].line};

	if (s->file) {
		e.from = 1;
		e.to = UINT32_MAX;
		return e;
	}
	if (own->file == e.file) {
		e.from = own->from < e.from ? own->from : e.from;
		e.to = own->to > e.to ? own->to : e.to;
	} else {
		e.to = e.to < UINT32_MAX - CONTEXT ? e.to + CONTEXT : e.to;
	}
	/* The first line of code comes behind the function's name. */
	e.from = e.from > CONTEXT ? e.from - CONTEXT : 1;
	if (e.to - e.from > RANGE_MOST)
		e.to = 0;
	return e;
}

/* Writes lines of one file. */
static int write_file(const struct cg_subject *s, const struct extent *own,
		      const struct line *lines, size_t n)
{
	struct source *source = NULL;
	struct extent range;
	size_t i;

	if (lines->file && !s->file) {
		cg_write_text(s->sink, lines->file);
		sink_str(s->sink, ":\n");
	}
	if (lines->file && cg_subject_open(s, lines->file, &source))
		return -1;
	sink_str(s->sink, CG_HITS_HEADING "   LINE  SOURCE\n");
	if (!lines->line) {
		cg_hits_write(s, &lines->hits);
		sink_str(s->sink, "      -  (the line is not known)\n");
		lines++;
		n--;
	}
	range = n ? range_of(s, own, lines, n) : (struct extent){0};
	if (source && n)
		write_source(s, lines, n, &range, source);
	for (i = 0; i < n && !source; i++)
		write_line(s, &lines[i].hits, lines[i].line, NULL);
	source_close(source);
	return 0;
}

static int write_lines(const struct counting *c)
{
	struct extent own = extent_of(c->subject);
	size_t i, next;

	for (i = 0; i < c->lines.n; i = next) {
		for (next = i + 1; next < c->lines.n; next++)
			if (c->lines.v[next].file != c->lines.v[i].file)
				break;
		if (write_file(c->subject, &own, &c->lines.v[i], next - i))
			return -1;
	}
	return 0;
}

int cg_annotate_lines(const struct cg_subject *s)
{
	struct counting c = {.subject = s};
	int bad = 0;
	uint32_t i;

	for (i = 0; i < s->event->stacks && !bad; i++)
		bad = count_stack(&c, s->p->by_event.v[s->event->first + i]);
	if (!bad && c.lines.n) {
		qsort(c.lines.v, c.lines.n, sizeof(*c.lines.v), in_order);
		bad = write_lines(&c);
	}
	vec_free(&c.lines);
	table_clear(&c.line_of);
	return bad ? -1 : 0;
}
