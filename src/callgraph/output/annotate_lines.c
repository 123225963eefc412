// SPDX-License-Identifier: BSD-2-Clause
/* --annotate: samples beside the lines of the source. */
#include <inttypes.h>

#include "base/hash.h"
#include "callgraph/output/annotate.h"
#include "callgraph/output/tree.h"
#include "callgraph/read/sampled_functions.h"

enum {
	CONTEXT = 3, /* lines around those that have samples, where there is no better range */
	RANGE_MOST = 5000, /* lines; of a wider range only those around samples are shown */
	PROBES = 4096,	   /* of a function's addresses, to find the range of its lines */
};

/* Lines from..to; to 0: none. */
struct extent {
	const char *file;
	uint32_t from, to;
};

/* The subject, which is the first, or a function that was inlined in it. */
struct part {
	uint32_t function; /* CG_NONE: the subject is a file */
	struct cg_hits hits;
	struct extent extent; /* of its code in the subject, as far as debug information tells */
};

struct line {
	uint32_t part;	  /* index of parts */
	const char *file; /* NULL: not known */
	uint32_t line;	  /* 0: not known */
	struct cg_hits hits;
};

struct counting {
	const struct cg_subject *subject;
	VEC(struct part) parts;
	VEC(struct line) lines;
	struct table line_of; /* by part, file and line */
};

/* The part of a function; CG_NONE when out of memory. */
static uint32_t part_of(struct counting *c, uint32_t function)
{
	uint32_t i;

	for (i = 0; i < c->parts.n; i++)
		if (c->parts.v[i].function == function)
			return i;
	return vec_push(&c->parts, (struct part){.function = function}) ? CG_NONE : i;
}

/* The line of a frame; NULL when out of memory. */
static struct line *line_of(struct counting *c, uint32_t part, const struct cg_frame *frame)
{
	uint32_t hash = hash_u64((uintptr_t)frame->file ^ (uint64_t)frame->line << 40) ^ part, i;
	struct line line = {.part = part, .file = frame->file, .line = frame->line};
	struct table_iter it;

	for (i = table_first(&c->line_of, hash, &it); i != TABLE_NONE;
	     i = table_next(&c->line_of, &it))
		if (c->lines.v[i].part == part && c->lines.v[i].file == frame->file &&
		    c->lines.v[i].line == frame->line)
			return &c->lines.v[i];
	if (vec_push(&c->lines, line) ||
	    table_insert(&c->line_of, hash, (uint32_t)(c->lines.n - 1)))
		return NULL;
	return &c->lines.v[c->lines.n - 1];
}

/* How many frames of a location are the subject's or inlined in it. */
static uint32_t frames_in(const struct cg_subject *s, const struct cg_location *l)
{
	const struct cg_frame *frames = &s->p->frames.v[l->first_frame];
	uint32_t n = l->frames;

	while (n && (s->file ? frames[n - 1].file != s->file
			     : frames[n - 1].function != s->function))
		n--;
	return n;
}

static int count_stack(struct counting *c, uint32_t stack)
{
	const struct cg_subject *subject = c->subject;
	const struct cg_profile *p = subject->p;
	const struct cg_stack *s = &p->stacks.v[stack];
	uint64_t count = cg_view_count(&subject->view, stack);
	uint32_t i, j, part, frames;

	for (i = 0; i < s->npcs; i++) {
		const struct cg_location *l = &p->locations.v[p->locations_of.v[s->first + i]];

		frames = frames_in(subject, l);
		for (j = 0; j < frames; j++) {
			const struct cg_frame *frame = &p->frames.v[l->first_frame + j];
			struct line *line;

			if (subject->file && frame->file != subject->file)
				continue;
			part = subject->file ? 0 : part_of(c, frame->function);
			if (part == CG_NONE || !(line = line_of(c, part, frame)))
				return -1;
			cg_hits_add(&c->parts.v[part].hits, stack, count, !i && !j);
			cg_hits_add_line(subject, &line->hits, stack, !i && !j);
		}
	}
	return 0;
}

/* The subject first, then what was inlined, most samples first; of each the lines. */
static int in_order(const void *a, const void *b, void *arg)
{
	const struct counting *c = arg;
	const struct line *x = a, *y = b;
	const struct part *q = &c->parts.v[x->part], *r = &c->parts.v[y->part];

	if (q != r && (!x->part || !y->part))
		return x->part ? 1 : -1;
	if (q->hits.total != r->hits.total)
		return q->hits.total < r->hits.total ? 1 : -1;
	if (q != r)
		return cg_function_compare(c->subject->p, q->function, r->function);
	if (x->file != y->file)
		return !x->file ? -1 : !y->file ? 1 : strcmp(x->file, y->file);
	return x->line < y->line ? -1 : x->line > y->line;
}

/* The part that a name of the debug information stands for; NULL: it has no samples. */
static struct part *part_named(const struct counting *c, const char *name)
{
	struct part *part;

	vec_each(part, &c->parts)
		if (!strcmp(c->subject->p->functions.v[part->function].name, name))
			return part;
	return NULL;
}

static void widen(struct extent *e, const struct symbol_frame *frame)
{
	if (!frame->line || !frame->file || (e->file && frame->file != e->file))
		return;
	e->file = frame->file;
	e->from = !e->to || frame->line < e->from ? frame->line : e->from;
	e->to = frame->line > e->to ? frame->line : e->to;
}

/* Finds which lines the parts have, by looking up addresses all over the function. */
static void find_extents(struct counting *c)
{
	const struct cg_subject *s = c->subject;
	struct symbol_frame frames[SYMBOL_MAX_FRAMES];
	struct symbol_image *image = cg_subject_image(s);
	const struct cg_function *f = s->file ? NULL : &s->p->functions.v[s->function];
	uint32_t i, n, probes = 0;
	struct part *part;
	uint64_t step, at;

	if (!f || !image || f->end <= f->start)
		return;
	step = (f->end - f->start) / PROBES + 1;
	for (at = f->start; at < f->end && probes < PROBES; at += step, probes++) {
		n = symbol_frames(image, at, frames);
		for (i = 0; i < n; i++) {
			part = i + 1 == n	     ? c->parts.v
			       : frames[i].function ? part_named(c, frames[i].function)
						     : NULL;
			if (part)
				widen(&part->extent, &frames[i]);
		}
	}
}

static void write_line(const struct cg_subject *s, const struct cg_hits *hits, uint32_t number,
		       const char *text)
{
	cg_hits_write(s, hits);
	sink_printf(s->sink, " %6" PRIu32, number);
	if (text && *text) {
		sink_str(s->sink, "  ");
		cg_write_cut(s->sink, text, cg_columns_left(s->options->columns, 43));
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

static void write_part(const struct cg_subject *s, const struct part *part)
{
	sink_char(s->sink, '\n');
	cg_write_text(s->sink, cg_shown_name(&s->p->functions.v[part->function]));
	sink_printf(s->sink, ", inlined: %" PRIu64 " samples (%.2f%%)\n", part->hits.total,
		    cg_percent(part->hits.total, s->total));
}

/* All of the subject, and of what was inlined as much as the threshold leaves. */
static int write_lines(const struct counting *c)
{
	const struct cg_subject *s = c->subject;
	uint64_t least = cg_tree_least(s->options, s->total);
	uint32_t last = CG_NONE, rest = 0;
	size_t i, next;

	for (i = 0; i < c->lines.n; i = next) {
		const struct line *first = &c->lines.v[i];
		const struct part *part = &c->parts.v[first->part];

		for (next = i + 1; next < c->lines.n; next++)
			if (c->lines.v[next].part != first->part ||
			    c->lines.v[next].file != first->file)
				break;
		if (first->part && part->hits.total < least) {
			rest += first->part != last;
		} else {
			if (first->part && first->part != last)
				write_part(s, part);
			if (write_file(s, &part->extent, first, next - i))
				return -1;
		}
		last = first->part;
	}
	if (rest)
		sink_printf(s->sink, "\n... %" PRIu32 " more inlined, each below %g %%\n", rest,
			    cg_tree_threshold(s->options));
	return 0;
}

int cg_annotate_lines(const struct cg_subject *s)
{
	struct counting c = {.subject = s};
	int bad = part_of(&c, s->function) == CG_NONE;
	uint32_t i;

	for (i = 0; i < s->view.n && !bad; i++)
		bad = count_stack(&c, s->view.stacks[i]);
	if (!bad && c.lines.n) {
		find_extents(&c);
		qsort_r(c.lines.v, c.lines.n, sizeof(*c.lines.v), in_order, &c);
		bad = write_lines(&c);
	}
	vec_free(&c.parts);
	vec_free(&c.lines);
	table_clear(&c.line_of);
	return bad ? -1 : 0;
}
