// SPDX-License-Identifier: BSD-2-Clause
/* Makes an excerpt of an image, by asking it for all that readers could ask. */
#include "base/sink.h"
#include "symbol/excerpt.h"

/* Of a larger function only so much, and where it has samples. */
enum { FUNCTION_MOST = 1 << 20 };

struct symbol_excerpt {
	struct symbol_image *image;
	VEC(struct excerpt_bounds) wanted, unnamed;
	VEC(struct symbol_line) lines;
	VEC(uint32_t) named; /* indexes of the symbol table */
	struct strpool *pool;
	VEC(uint32_t) text_of_id;
	struct sink *texts, *body;
	size_t texts_len;
	bool no_memory;
};

struct symbol_excerpt *symbol_excerpt_new(struct symbol_image *image)
{
	struct symbol_excerpt *e = calloc(1, sizeof(*e));

	if (e)
		e->image = image;
	return e;
}

void symbol_excerpt_free(struct symbol_excerpt *e)
{
	if (!e)
		return;
	vec_free(&e->wanted);
	vec_free(&e->unnamed);
	vec_free(&e->named);
	vec_free(&e->lines);
	vec_free(&e->text_of_id);
	strpool_free(e->pool);
	sink_free(e->texts);
	sink_free(e->body);
	free(e);
}

static int want(struct symbol_excerpt *e, uint64_t from, uint64_t to)
{
	if (to < from || to - from > FUNCTION_MOST)
		to = from + FUNCTION_MOST;
	return vec_push(&e->wanted, (struct excerpt_bounds){from, to});
}

int symbol_excerpt_add(struct symbol_excerpt *e, uint64_t address)
{
	struct symbol s;

	if (symbol_find(e->image, address, &s)) {
		if (want(e, s.start, s.end))
			return -1;
	} else if (symbol_find_unnamed(e->image, address, &s)) {
		if (want(e, s.start, s.end) ||
		    vec_push(&e->unnamed, (struct excerpt_bounds){s.start, s.end}))
			return -1;
	}
	return address == UINT64_MAX ? 0 : want(e, address, address + 1);
}

int symbol_excerpt_add_name(struct symbol_excerpt *e, const char *name)
{
	const struct symtab *t = &e->image->symtab;
	struct symbol s;
	uint32_t i;

	if (!symbol_find_name(e->image, name, &s))
		return 0;
	for (i = 0; strcmp(t->names + t->syms.v[i].name, name); i++)
		;
	return vec_push(&e->named, i);
}

static void put(struct symbol_excerpt *e, uint64_t v)
{
	sink_uleb(e->body, v);
}

static void put_bytes(struct symbol_excerpt *e, const void *bytes, size_t len)
{
	put(e, len);
	sink_write(e->body, bytes, len);
}

static void put_text(struct symbol_excerpt *e, const char *text)
{
	size_t len = text ? strlen(text) : 0;
	uint32_t id = strpool_id(e->pool, text ? text : "", len);

	if (id == e->text_of_id.n) {
		e->no_memory |= vec_push(&e->text_of_id, (uint32_t)e->texts_len) != 0;
		sink_write(e->texts, text ? text : "", len + 1);
		e->texts_len += len + 1;
	}
	e->no_memory |= id >= e->text_of_id.n || e->texts_len > UINT32_MAX;
	put(e, e->no_memory ? 0 : e->text_of_id.v[id]);
}

static int by_bounds(const void *pa, const void *pb)
{
	const struct excerpt_bounds *a = pa, *b = pb;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

/* Sorted, and what overlaps made one. */
static void join_wanted(struct symbol_excerpt *e)
{
	struct excerpt_bounds *w = e->wanted.v;
	size_t i, n = 0;

	if (!e->wanted.n)
		return;
	qsort(w, e->wanted.n, sizeof(*w), by_bounds);
	for (i = 1; i < e->wanted.n; i++) {
		if (w[i].from >= w[n].to)
			w[++n] = w[i];
		else if (w[i].to > w[n].to)
			w[n].to = w[i].to;
	}
	e->wanted.n = n + 1;
}

static void put_facts(struct symbol_excerpt *e)
{
	const struct symbol_image *image = e->image;
	const struct elf_segment *s;

	put_text(e, "");
	put_text(e, image->path);
	put(e, image->kernel);
	put(e, image->start);
	put_bytes(e, image->build_id, image->build_id_len);
	put(e, image->status);
	put_text(e, image->problem);
	put(e, image->kind);
	put(e, image->elf_type);
	put(e, image->entry);
	put_text(e, image->linker);
	put(e, image->layout.is32);
	put(e, image->layout.big_endian);
	put(e, image->layout.machine);
	put(e, image->offsets_lost);
	put(e, image->text);
	put(e, image->stext);
	put(e, image->segments.n);
	vec_each(s, &image->segments) {
		put(e, s->offset);
		put(e, s->vaddr);
		put(e, s->filesz);
		put(e, s->memsz);
		put(e, s->exec);
	}
}

/* The ranges of the symbol table that begin where something is wanted, and the one before. */
static size_t find_ranges(const struct symbol_excerpt *e, uint32_t *ranges)
{
	const struct symtab *t = &e->image->symtab;
	const struct excerpt_bounds *w;
	size_t i = 0, n = 0;

	vec_each(w, &e->wanted) {
		while (i < t->ranges.n && t->ranges.v[i].from <= w->from)
			i++;
		if (i && (!n || ranges[n - 1] != i - 1))
			ranges[n++] = (uint32_t)i - 1;
		for (; i < t->ranges.n && t->ranges.v[i].from < w->to; i++)
			ranges[n++] = (uint32_t)i;
	}
	return n;
}

/* Writes the symbols that ranges and names need, and the ranges by the symbols' new numbers. */
static void put_symtab(struct symbol_excerpt *e, const uint32_t *ranges, size_t n, uint32_t *number)
{
	const struct symtab *t = &e->image->symtab;
	const uint32_t *named;
	uint32_t used = 0;
	size_t i;

	for (i = 0; i < n; i++)
		number[t->ranges.v[ranges[i]].sym] = 1;
	vec_each(named, &e->named)
		number[*named] = 1;
	for (i = 0; i < t->syms.n; i++)
		if (number[i])
			number[i] = ++used;
	put(e, used);
	for (i = 0; i < t->syms.n; i++) {
		if (!number[i])
			continue;
		put(e, t->syms.v[i].start);
		put(e, t->syms.v[i].size);
		put(e, t->syms.v[i].rank);
		put_text(e, t->names + t->syms.v[i].name);
	}
	put(e, n);
	for (i = 0; i < n; i++) {
		put(e, t->ranges.v[ranges[i]].from);
		put(e, number[t->ranges.v[ranges[i]].sym] - 1);
	}
}

static int put_symbols(struct symbol_excerpt *e)
{
	const struct symtab *t = &e->image->symtab;
	uint32_t *ranges = malloc((t->ranges.n + 1) * sizeof(*ranges));
	uint32_t *number = calloc(t->syms.n + 1, sizeof(*number));
	bool both = ranges && number;

	if (both)
		put_symtab(e, ranges, find_ranges(e, ranges), number);
	free(ranges);
	free(number);
	return both ? 0 : -1;
}

static void put_unnamed(struct symbol_excerpt *e)
{
	const struct excerpt_bounds *u;
	size_t i, n = 0;

	if (e->unnamed.n)
		qsort(e->unnamed.v, e->unnamed.n, sizeof(*e->unnamed.v), by_bounds);
	for (i = 0; i < e->unnamed.n; i++)
		if (!i || by_bounds(&e->unnamed.v[i], &e->unnamed.v[n - 1]))
			e->unnamed.v[n++] = e->unnamed.v[i];
	e->unnamed.n = n;
	put(e, n);
	vec_each(u, &e->unnamed) {
		put(e, u->from);
		put(e, u->to);
	}
}

static bool are_same(const struct symbol_frame *a, uint32_t na, const struct symbol_frame *b,
		     uint32_t nb)
{
	uint32_t i;

	if (na != nb)
		return false;
	for (i = 0; i < na; i++)
		if (a[i].function != b[i].function || a[i].file != b[i].file ||
		    a[i].line != b[i].line)
			return false;
	return true;
}

/* How far the places go on like at its beginning; *n: the frames. */
static uint64_t end_of_place(struct symbol_excerpt *e, uint64_t from, uint64_t to,
			     struct symbol_frame frames[SYMBOL_MAX_FRAMES], uint32_t *n)
{
	struct symbol_frame other[SYMBOL_MAX_FRAMES];

	*n = symbol_frames(e->image, from, frames);
	while (++from < to &&
	       are_same(frames, *n, other, symbol_frames(e->image, from, other)))
		;
	return from;
}

static void put_frame(struct symbol_excerpt *e, const struct symbol_frame *f)
{
	put_text(e, f->function);
	put_text(e, f->file);
	put(e, f->line);
	if (f->file && f->line)
		e->no_memory |= vec_push(&e->lines, (struct symbol_line){f->file, f->line}) != 0;
}

static void put_places(struct symbol_excerpt *e)
{
	struct symbol_frame frames[SYMBOL_MAX_FRAMES];
	const struct excerpt_bounds *w;
	uint64_t at, end;
	uint32_t n, i;

	vec_each(w, &e->wanted) {
		for (at = w->from; at < w->to; at = end) {
			end = end_of_place(e, at, w->to, frames, &n);
			if (!n)
				continue;
			put(e, n);
			put(e, at);
			put(e, end - at);
			for (i = 0; i < n; i++)
				put_frame(e, &frames[i]);
		}
	}
	put(e, 0);
	/* Not before all was looked at. */
	put_text(e, symbol_image_lines_problem(e->image));
}

static int put_code(struct symbol_excerpt *e)
{
	const struct excerpt_bounds *w;
	uint8_t *buf = NULL, *more;
	uint64_t at;
	size_t n;

	vec_each(w, &e->wanted) {
		if (!(more = realloc(buf, w->to - w->from)))
			break;
		buf = more;
		at = w->from;
		while ((n = symbol_image_code(e->image, at, buf, w->to - at))) {
			put_bytes(e, buf, n);
			put(e, at);
			at += n;
		}
	}
	put(e, 0);
	free(buf);
	return w == e->wanted.v + e->wanted.n ? 0 : -1;
}

static int by_line(const void *pa, const void *pb)
{
	const struct symbol_line *a = pa, *b = pb;

	if (a->file != b->file)
		return (uintptr_t)a->file < (uintptr_t)b->file ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

/* Each of the lines once. */
static void join_lines(struct symbol_excerpt *e)
{
	struct symbol_line *l = e->lines.v;
	size_t i, n = 0;

	if (!e->lines.n)
		return;
	qsort(l, e->lines.n, sizeof(*l), by_line);
	for (i = 1; i < e->lines.n; i++)
		if (by_line(&l[n], &l[i]))
			l[++n] = l[i];
	e->lines.n = n + 1;
}

static int put_all(struct symbol_excerpt *e)
{
	join_wanted(e);
	put_facts(e);
	if (put_symbols(e))
		return -1;
	put_unnamed(e);
	put_places(e);
	join_lines(e);
	return put_code(e) || e->no_memory || sink_flush(e->body) || sink_flush(e->texts) ? -1 : 0;
}

const struct symbol_line *symbol_excerpt_lines(const struct symbol_excerpt *e, size_t *n)
{
	*n = e->lines.n;
	return e->lines.v;
}

int symbol_excerpt_write(struct symbol_excerpt *e, struct sink *sink)
{
	const char *texts, *body;
	size_t len;

	e->pool = strpool_new();
	e->texts = sink_to_memory();
	e->body = sink_to_memory();
	if (!e->pool || !e->texts || !e->body || put_all(e))
		return -1;
	texts = sink_text(e->texts, &len);
	sink_uleb(sink, EXCERPT_VERSION);
	sink_uleb(sink, len);
	sink_write(sink, texts, len);
	body = sink_text(e->body, &len);
	sink_write(sink, body, len);
	return 0;
}
