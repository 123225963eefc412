// SPDX-License-Identifier: BSD-2-Clause
/* Reads excerpts, which may come from anybody, and answers by them. */
#include "base/dwarf_read.h"
#include "symbol/excerpt.h"

/* A number that must be below a limit. */
static uint64_t take_below(struct dwarf_cursor *c, uint64_t limit)
{
	uint64_t v = dwarf_uleb(c);

	return v < limit ? v : dwarf_overrun(c);
}

/* How many things follow, each of at least size bytes. */
static size_t take_count(struct dwarf_cursor *c, size_t size)
{
	return (size_t)take_below(c, dwarf_left(c) / size + 1);
}

static const uint8_t *take_bytes(struct dwarf_cursor *c, size_t len)
{
	const uint8_t *bytes = c->p;

	dwarf_skip(c, len);
	return bytes;
}

static uint32_t take_offset(const struct excerpt *x, struct dwarf_cursor *c)
{
	return (uint32_t)take_below(c, x->texts_len);
}

static const char *take_text(const struct excerpt *x, struct dwarf_cursor *c)
{
	return x->texts + take_offset(x, c);
}

static void read_texts(struct excerpt *x, struct dwarf_cursor *c)
{
	x->texts_len = take_count(c, 1);
	x->texts = (const char *)take_bytes(c, x->texts_len);
	if (c->bad || !x->texts_len || x->texts_len > UINT32_MAX || *x->texts ||
	    x->texts[x->texts_len - 1]) {
		dwarf_overrun(c);
		x->texts = "";
		x->texts_len = 1;
	}
}

static int read_facts(struct excerpt *x, struct dwarf_cursor *c)
{
	struct symbol_image *of = &x->of;
	size_t n;

	if (take_below(c, 2) != EXCERPT_VERSION)
		dwarf_overrun(c);
	read_texts(x, c);
	take_text(x, c);
	of->path = take_text(x, c);
	of->kernel = take_below(c, 2);
	of->start = dwarf_uleb(c);
	of->build_id_len = (size_t)take_below(c, BUILD_ID_MAX + 1);
	dwarf_take(c, of->build_id, of->build_id_len);
	of->status = (enum symbol_status)take_below(c, SYMBOL_WRONG_BUILD_ID + 1);
	x->problem = take_text(x, c);
	of->kind = (enum image_kind)take_below(c, IMAGE_RUNTIME + 1);
	of->elf_type = (uint16_t)take_below(c, UINT16_MAX + 1);
	of->entry = dwarf_uleb(c);
	of->linker = take_text(x, c);
	of->layout.is32 = take_below(c, 2);
	of->layout.big_endian = take_below(c, 2);
	of->layout.machine = (uint16_t)take_below(c, UINT16_MAX + 1);
	of->offsets_lost = take_below(c, 2);
	of->text = dwarf_uleb(c);
	of->stext = dwarf_uleb(c);
	for (n = take_count(c, 5); n && !c->bad; n--) {
		struct elf_segment s = {.offset = dwarf_uleb(c), .vaddr = dwarf_uleb(c)};

		s.filesz = dwarf_uleb(c);
		s.memsz = dwarf_uleb(c);
		s.exec = take_below(c, 2);
		if (vec_push(&of->segments, s))
			return -1;
	}
	return 0;
}

static int read_symbols(struct excerpt *x, struct dwarf_cursor *c)
{
	struct symtab *t = &x->of.symtab;
	struct symtab_range r = {0};
	size_t n;

	t->names = x->texts;
	for (n = take_count(c, 4); n && !c->bad; n--) {
		struct symtab_sym s = {.start = dwarf_uleb(c)};

		s.size = (uint32_t)take_below(c, (uint64_t)UINT32_MAX + 1);
		s.rank = (uint8_t)take_below(c, UINT8_MAX + 1);
		s.name = take_offset(x, c);
		if (s.start > UINT64_MAX - s.size)
			dwarf_overrun(c);
		if (vec_push(&t->syms, s))
			return -1;
	}
	for (n = take_count(c, 2); n && !c->bad; n--) {
		uint64_t before = r.from;

		r.from = dwarf_uleb(c);
		r.sym = (uint32_t)take_below(c, t->syms.n);
		if (t->ranges.n && r.from <= before)
			dwarf_overrun(c);
		if (!c->bad && vec_push(&t->ranges, r))
			return -1;
	}
	return 0;
}

/* Bounds behind those before them, and not empty. */
static void check_bounds(struct dwarf_cursor *c, uint64_t from, uint64_t to, uint64_t *before)
{
	if (from < *before || to <= from)
		dwarf_overrun(c);
	*before = to;
}

static int read_unnamed(struct excerpt *x, struct dwarf_cursor *c)
{
	uint64_t before = 0;
	size_t n;

	for (n = take_count(c, 2); n && !c->bad; n--) {
		struct excerpt_bounds b = {.from = dwarf_uleb(c)};

		b.to = dwarf_uleb(c);
		check_bounds(c, b.from, b.to, &before);
		if (vec_push(&x->unnamed, b))
			return -1;
	}
	return 0;
}

static int read_places(struct excerpt *x, struct dwarf_cursor *c)
{
	uint64_t before = 0;
	uint32_t frames, i;

	while ((frames = (uint32_t)take_below(c, SYMBOL_MAX_FRAMES + 1))) {
		struct excerpt_place p = {.at.from = dwarf_uleb(c), .frames = frames};

		p.at.to = p.at.from + dwarf_uleb(c);
		p.first = (uint32_t)x->frames.n;
		check_bounds(c, p.at.from, p.at.to, &before);
		for (i = 0; i < frames && !c->bad; i++) {
			struct excerpt_frame f = {.function = take_offset(x, c)};

			f.file = take_offset(x, c);
			f.line = (uint32_t)take_below(c, (uint64_t)UINT32_MAX + 1);
			if (vec_push(&x->frames, f))
				return -1;
		}
		if (x->frames.n > UINT32_MAX / 2)
			dwarf_overrun(c);
		if (!c->bad && vec_push(&x->places, p))
			return -1;
	}
	x->lines_problem = take_text(x, c);
	return 0;
}

static int read_code(struct excerpt *x, struct dwarf_cursor *c)
{
	uint64_t before = 0;
	size_t n;

	while ((n = take_count(c, 1))) {
		struct excerpt_code code = {.bytes = take_bytes(c, n)};

		code.at.from = dwarf_uleb(c);
		code.at.to = code.at.from + n;
		check_bounds(c, code.at.from, code.at.to, &before);
		if (!c->bad && vec_push(&x->code, code))
			return -1;
	}
	return 0;
}

void excerpt_free(struct excerpt *x)
{
	if (!x)
		return;
	vec_free(&x->of.segments);
	symtab_fini(&x->of.symtab);
	vec_free(&x->unnamed);
	vec_free(&x->places);
	vec_free(&x->frames);
	vec_free(&x->code);
	free(x->bytes);
	free(x);
}

static uint32_t hash_of(const struct symbol_image *image)
{
	return hash_bytes(image->path, strlen(image->path)) ^
	       hash_bytes(image->build_id, image->build_id_len) ^ hash_u64(image->start);
}

int symbol_store_add_excerpt(struct symbol_store *store, uint8_t *bytes, size_t len,
			     struct err *err)
{
	struct excerpt *x = calloc(1, sizeof(*x));
	struct dwarf_cursor c = dwarf_cursor((struct dwarf_bytes){bytes, len}, 0, false);

	if (!x) {
		free(bytes);
		return err_nomem(err);
	}
	x->bytes = bytes;
	if (read_facts(x, &c) || read_symbols(x, &c) || read_unnamed(x, &c) || read_places(x, &c) ||
	    read_code(x, &c) || symtab_index(&x->of.symtab))
		err_nomem(err);
	else if (c.bad || dwarf_left(&c))
		err_set(err, EX_DATAERR, "%zu bytes that are no excerpt of version %d of an image",
			len, EXCERPT_VERSION);
	else if (vec_push(&store->excerpts, x))
		err_nomem(err);
	else if (table_insert(&store->excerpt_of_key, hash_of(&x->of),
			      (uint32_t)(store->excerpts.n - 1)))
		return err_nomem(err);
	else
		return 0;
	excerpt_free(x);
	return -1;
}

const struct excerpt *excerpt_find(const struct symbol_store *store,
				   const struct symbol_image *image)
{
	const struct table *t = &store->excerpt_of_key;
	struct table_iter it;
	uint32_t i;

	for (i = table_first(t, hash_of(image), &it); i != TABLE_NONE; i = table_next(t, &it)) {
		const struct symbol_image *of = &store->excerpts.v[i]->of;

		if (of->kernel == image->kernel && of->start == image->start &&
		    of->build_id_len == image->build_id_len &&
		    !memcmp(of->build_id, image->build_id, of->build_id_len) &&
		    !strcmp(of->path, image->path))
			return store->excerpts.v[i];
	}
	return NULL;
}

static int copy_symtab(struct symtab *to, const struct symtab *from)
{
	const struct symtab_range *r;
	const struct symtab_sym *s;

	vec_each(s, &from->syms)
		if (vec_push(&to->syms, *s))
			return -1;
	vec_each(r, &from->ranges)
		if (vec_push(&to->ranges, *r))
			return -1;
	to->names = from->names;
	return symtab_index(to);
}

int excerpt_open(struct symbol_image *image, const struct excerpt *x)
{
	const struct symbol_image *of = &x->of;
	const struct elf_segment *s;

	image->excerpt = x;
	image->loaded = image->unwind_tried = true;
	image->status = of->status;
	image->kind = of->kind;
	image->elf_type = of->elf_type;
	image->entry = of->entry;
	image->layout = of->layout;
	image->offsets_lost = of->offsets_lost;
	image->text = of->text;
	image->stext = of->stext;
	vec_each(s, &of->segments)
		if (vec_push(&image->segments, *s))
			return -1;
	if (*x->problem && !(image->problem = strdup(x->problem)))
		return -1;
	if (*of->linker && !(image->linker = strpool_intern(image->store->pool, of->linker)))
		return -1;
	return copy_symtab(&image->symtab, &of->symtab);
}

/* The element that holds an address, of n of that size that begin with their bounds; NULL: none. */
static const void *find(const void *first, size_t n, size_t size, uint64_t address)
{
	const struct excerpt_bounds *at;
	const char *v = first;
	size_t half;

	while (n > 1) {
		half = n / 2;
		at = (const void *)(v + half * size);
		v += address >= at->from ? half * size : 0;
		n -= half;
	}
	at = (const void *)v;
	return n && address >= at->from && address < at->to ? v : NULL;
}

bool excerpt_unnamed(const struct excerpt *x, uint64_t address, uint64_t *start, uint64_t *end)
{
	const struct excerpt_bounds *b =
		find(x->unnamed.v, x->unnamed.n, sizeof(*x->unnamed.v), address);

	if (!b)
		return false;
	*start = b->from;
	*end = b->to;
	return true;
}

/* A text of the object as users see it; NULL for none. */
static const char *show(const struct symbol_image *image, uint32_t text)
{
	return text ? symbol_shown_name(image->store, image->excerpt->texts + text, "") : NULL;
}

uint32_t excerpt_frames(struct symbol_image *image, uint64_t address,
			struct symbol_frame frames[SYMBOL_MAX_FRAMES])
{
	const struct excerpt *x = image->excerpt;
	const struct excerpt_place *p =
		find(x->places.v, x->places.n, sizeof(*x->places.v), address);
	const struct excerpt_frame *f;
	uint32_t i;

	if (*x->lines_problem && !image->lines_problem)
		image->lines_problem = strdup(x->lines_problem);
	if (!p)
		return 0;
	f = &x->frames.v[p->first];
	for (i = 0; i < p->frames; i++, f++)
		frames[i] = (struct symbol_frame){
			.function = show(image, f->function),
			.file = f->file ? strpool_intern(image->store->pool, x->texts + f->file)
					: NULL,
			.line = f->line};
	return p->frames;
}

size_t excerpt_code(const struct excerpt *x, uint64_t address, void *buf, size_t len)
{
	const struct excerpt_code *code = find(x->code.v, x->code.n, sizeof(*x->code.v), address);

	if (!code)
		return 0;
	if (len > code->at.to - address)
		len = code->at.to - address;
	memcpy(buf, code->bytes + (address - code->at.from), len);
	return len;
}
