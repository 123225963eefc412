// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "callgraph/read/disasm.h"
#include "callgraph/read/source.h"
#include "pmcstat/top/top_code.h"

enum {
	PROBES = 4096,	     /* of a function's addresses, to find its lines */
	CONTEXT = 3,	     /* lines before the first one with code: the function's name */
	RANGE_MOST = 5000,   /* lines; of a wider range only those with code are shown */
	CODE_MOST = 1 << 20, /* bytes of a function whose instructions are shown */
	TEXT = 256,	     /* of an instruction */
	ROW = 8,	     /* bytes in a line, of what is no instruction */
	WHY = 2 * PATH_MAX,
};

static int compare(const struct top_code_line *x, const struct top_code_line *y)
{
	if (x->section != y->section)
		return x->section < y->section ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

/* How many lines come before a place. */
static size_t count_before(const struct top_code *c, const struct top_code_line *key)
{
	size_t lo = 0, hi = c->lines.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (compare(&c->lines.v[mid], key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool has_line(const struct top_code *c, size_t i, const struct top_code_line *key)
{
	return i < c->lines.n && !compare(&c->lines.v[i], key);
}

/* Adds a line unless it is there.  Each of these: 0, or -1 when out of memory. */
static int add_line(struct top_code *c, struct top_code_line line, const char *text)
{
	size_t i = count_before(c, &line);

	if (has_line(c, i, &line))
		return 0;
	line.text = strpool_intern(c->texts, text);
	if (!line.text || vec_insert(&c->lines, i, line))
		return -1;
	/* Those behind it have moved. */
	if (c->line_of.n)
		memset(c->line_of.v, 0, c->line_of.n * sizeof(*c->line_of.v));
	return 0;
}

static int add_heading(struct top_code *c, uint32_t section, const char *text)
{
	return add_line(c, (struct top_code_line){.section = section}, text);
}

static struct symbol_image *image_of(const struct cg_profile *p, uint32_t image)
{
	return image == CG_NONE ? NULL : p->images.v[image].symbols;
}

/* ---- Source lines. ---- */

/* The section of a file and function, new or not; CG_NONE when out of memory. */
static uint32_t section_of(struct top_code *c, const char *function, const char *file)
{
	struct top_code_section s = {.function = function, .file = file};
	uint32_t i;

	for (i = 0; i < c->sections.n; i++) {
		const struct top_code_section *o = &c->sections.v[i];

		if (o->file == file && !o->function == !function &&
		    (!function || !strcmp(o->function, function)))
			return i;
	}
	return vec_push(&c->sections, s) ? CG_NONE : i;
}

static void widen(struct top_code_section *s, uint32_t line)
{
	s->from = !s->to || line < s->from ? line : s->from;
	s->to = line > s->to ? line : s->to;
}

/* The line of an address, and what it widens; its section is CG_NONE when out of memory. */
static struct top_code_line place_of(struct top_code *c, struct symbol_image *image,
				     uint64_t address)
{
	struct top_code_line line = {.kind = TOP_CODE_UNKNOWN};
	struct symbol_frame frames[SYMBOL_MAX_FRAMES];
	uint32_t n = image ? symbol_frames(image, address, frames) : 0, outer;
	const char *inlined = NULL;

	if (!n || !frames->file || !frames->line)
		return line;
	if (frames[n - 1].file && frames[n - 1].line) {
		outer = section_of(c, NULL, frames[n - 1].file);
		if (outer != CG_NONE)
			widen(&c->sections.v[outer], frames[n - 1].line);
	}
	line.kind = TOP_CODE_LINE;
	line.at = frames->line;
	if (n > 1)
		inlined = frames->function ? frames->function : "[unknown]";
	line.section = section_of(c, inlined, frames->file);
	if (line.section != CG_NONE)
		widen(&c->sections.v[line.section], frames->line);
	return line;
}

/* Finds the lines that have code, by looking up addresses all over the function. */
static int probe(struct top_code *c, const struct cg_profile *p)
{
	const struct cg_function *f = &p->functions.v[c->function];
	struct symbol_image *image = image_of(p, f->image);
	uint64_t at, step;
	unsigned int i;

	if (!image || f->end <= f->start)
		return 0;
	step = (f->end - f->start) / PROBES + 1;
	for (i = 0, at = f->start; at < f->end && i < PROBES; at += step, i++) {
		struct top_code_line line = place_of(c, image, at);

		if (line.section == CG_NONE)
			return -1;
		if (line.kind == TOP_CODE_LINE && add_line(c, line, ""))
			return -1;
	}
	return 0;
}

/* Puts the text of its file beside the lines of a section; of the function's own, all lines. */
static int fill(struct top_code *c, uint32_t section, struct source *source)
{
	const struct top_code_section *s = &c->sections.v[section];
	struct top_code_line key = {.section = section, .kind = TOP_CODE_LINE};
	uint32_t from = s->from > CONTEXT ? s->from - CONTEXT : 1, n;
	const char *text;
	size_t i;

	if (!s->function && s->to - from <= RANGE_MOST)
		for (n = from; n <= s->to && source_line(source, n); n++) {
			key.at = n;
			if (add_line(c, key, ""))
				return -1;
		}
	key.at = 0;
	for (i = count_before(c, &key); i < c->lines.n && c->lines.v[i].section == section; i++) {
		text = source_line(source, (uint32_t)c->lines.v[i].at);
		c->lines.v[i].text = strpool_intern(c->texts, text ? text : "");
		if (!c->lines.v[i].text)
			return -1;
	}
	return 0;
}

static int add_section_heading(struct top_code *c, uint32_t section, const char *why)
{
	const struct top_code_section *s = &c->sections.v[section];
	char text[WHY];

	snprintf(text, sizeof(text), "%s%s%s%s%s", s->function ? s->function : "",
		 s->function ? ", inlined from " : "", cg_object_name(s->file), *why ? ": " : "",
		 why);
	return add_heading(c, section, text);
}

/* Reads the file of a section, whose first is that without which there is no source: then why. */
static int read_section(struct top_code *c, const struct cg_profile *p, uint32_t section, char *why)
{
	const char *object = cg_object_of(p, &p->functions.v[c->function]);
	struct err err = {0};
	struct source *source = source_open(p, c->fsroot, c->sections.v[section].file, &err);
	char newer[PATH_MAX] = "";
	int status;

	if (!source) {
		if (err.code == EX_OSERR)
			return -1;
		if (section)
			return add_section_heading(c, section, err.msg);
		snprintf(why, WHY, "%s", err.msg);
		return 0;
	}
	if (source_is_newer(source, c->fsroot, object))
		snprintf(newer, sizeof(newer), "it is newer than %s, and lines may have moved",
			 cg_object_name(object));
	status = fill(c, section, source) ||
		 ((section || *newer) && add_section_heading(c, section, newer));
	source_close(source);
	return status ? -1 : 0;
}

static void clear(struct top_code *c)
{
	c->lines.n = c->sections.n = c->line_of.n = c->seen = 0;
}

/* The source lines, or why there are none. */
static int read_source(struct top_code *c, const struct cg_profile *p, char *why)
{
	const struct cg_function *f = &p->functions.v[c->function];
	struct symbol_image *image = image_of(p, f->image);
	uint32_t i;

	if (probe(c, p))
		return -1;
	if (!c->sections.n)
		snprintf(why, WHY, "%s",
			 image && *symbol_image_lines_problem(image)
				 ? symbol_image_lines_problem(image)
				 : "no debug information has its lines");
	for (i = 0; i < c->sections.n && !*why; i++)
		if (read_section(c, p, i, why))
			return -1;
	if (*why)
		clear(c);
	return 0;
}

/* Adds the line of a location that probing has missed. */
static int add_location(struct top_code *c, const struct cg_profile *p, const struct cg_location *l)
{
	struct top_code_line line = place_of(c, image_of(p, l->image), l->address - l->is_return);
	const char *text = "(the line is not known)";
	struct source *source = NULL;
	struct err err = {0};
	size_t i = count_before(c, &line);
	int status;

	if (line.section == CG_NONE)
		return -1;
	if (has_line(c, i, &line))
		return 0;
	if (line.kind == TOP_CODE_LINE) {
		source = source_open(p, c->fsroot, c->sections.v[line.section].file, &err);
		text = source ? source_line(source, (uint32_t)line.at) : "";
	}
	status = add_line(c, line, text ? text : "") ||
		 (line.section && add_section_heading(c, line.section, ""));
	source_close(source);
	return status ? -1 : 0;
}

/* ---- Instructions. ---- */

/* An instruction, or bytes that could not be disassembled; how many it took, 0: out of memory. */
static size_t add_instruction(struct top_code *c, struct disasm *disasm, size_t width,
			      const uint8_t *code, size_t len, uint64_t address)
{
	const struct top_code_line line = {.kind = TOP_CODE_LINE, .at = address};
	char text[TEXT] = "";
	size_t n = disasm ? disasm_one(disasm, code, len, address, text, sizeof(text)) : 0, i;

	if (!n) {
		n = width ? width : disasm ? 1 : ROW;
		n = n < len ? n : len;
		for (i = 0; i < n; i++)
			snprintf(text + 3 * i, sizeof(text) - 3 * i, "%02x ", code[i]);
	}
	return add_line(c, line, text) ? 0 : n;
}

static int add_instructions(struct top_code *c, struct disasm *disasm, uint16_t machine,
			    const uint8_t *code, size_t len, uint64_t start)
{
	size_t at, n;

	for (at = 0; at < len; at += n) {
		n = add_instruction(c, disasm, disasm_width(machine), code + at, len - at,
				    start + at);
		if (!n)
			return -1;
	}
	return 0;
}

/* The instructions, or why there are none. */
static int read_instructions(struct top_code *c, const struct cg_profile *p, char *why)
{
	const struct cg_function *f = &p->functions.v[c->function];
	struct symbol_image *image = image_of(p, f->image);
	uint64_t size = f->end > f->start ? f->end - f->start : 0;
	uint16_t machine = image ? symbol_image_layout(image).machine : 0;
	const char *no_disasm = NULL;
	struct disasm *disasm;
	uint8_t *code;
	size_t len;
	int status;

	size = size < CODE_MOST ? size : CODE_MOST;
	if (!(code = malloc(size + 1)))
		return -1;
	len = image && size ? symbol_image_code(image, f->start, code, size) : 0;
	disasm = len ? disasm_new(machine, &no_disasm) : NULL;
	if (!size)
		snprintf(why, WHY, "its end is not known");
	else if (!len)
		snprintf(why, WHY, "no file has its code");
	else if (no_disasm)
		snprintf(why, WHY, "%s", no_disasm);
	status = len && !disasm && !no_disasm
			 ? -1
			 : add_instructions(c, disasm, machine, code, len, f->start);
	c->has_instructions = len;
	disasm_free(disasm);
	free(code);
	return status;
}

/* ---- Both. ---- */

static int read_code(struct top_code *c, const struct cg_profile *p)
{
	char no_source[WHY] = "", no_code[WHY] = "", text[2 * WHY + 16];

	if (!c->wants_instructions && read_source(c, p, no_source))
		return -1;
	if (!c->wants_instructions && !*no_source)
		return 0;
	if (read_instructions(c, p, no_code))
		return -1;
	snprintf(text, sizeof(text), "%s%s%s%s", *no_source ? "no source: " : "", no_source,
		 *no_source && *no_code ? ", and " : "", no_code);
	return *text ? add_heading(c, 0, text) : 0;
}

struct top_code *top_code_new(const struct cg_profile *p, uint32_t function, bool instructions,
			      const char *fsroot)
{
	struct top_code *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->function = function;
	c->name = p->functions.v[function].name;
	c->wants_instructions = instructions;
	c->fsroot = fsroot;
	c->texts = strpool_new();
	if (!c->texts || read_code(c, p)) {
		top_code_free(c);
		return NULL;
	}
	return c;
}

void top_code_free(struct top_code *c)
{
	if (!c)
		return;
	vec_free(&c->lines);
	vec_free(&c->sections);
	vec_free(&c->line_of);
	strpool_free(c->texts);
	free(c);
}

/* Adds the lines of locations that came since the last time. */
static int add_seen(struct top_code *c, const struct cg_profile *p)
{
	const struct cg_location *l;

	if (vec_reserve(&c->line_of, p->locations.n + 1))
		return -1;
	for (; c->line_of.n < p->locations.n; c->line_of.n++)
		c->line_of.v[c->line_of.n] = 0;
	for (; c->seen < p->locations.n; c->seen++) {
		l = &p->locations.v[c->seen];
		if (l->function == c->function && c->sections.n && add_location(c, p, l))
			return -1;
	}
	return 0;
}

/* 1 + the line of a location in the function; 0: none is shown. */
static uint32_t find_line(struct top_code *c, const struct cg_profile *p,
			  const struct cg_location *l)
{
	struct top_code_line key = {.kind = TOP_CODE_LINE, .at = l->address};
	size_t i;

	if (!c->has_instructions) {
		if (!c->sections.n)
			return 0;
		key = place_of(c, image_of(p, l->image), l->address);
		i = count_before(c, &key);
		return has_line(c, i, &key) ? (uint32_t)i + 1 : 0;
	}
	/* The instruction that the address is in. */
	i = count_before(c, &key);
	i += has_line(c, i, &key);
	return i && c->lines.v[i - 1].kind == TOP_CODE_LINE ? (uint32_t)i : 0;
}

int top_code_count(struct top_code *c, const struct top_data *d)
{
	const struct cg_profile *p = d->view.profile;
	struct top_code_line *line;
	const uint32_t *stack;

	if (add_seen(c, p))
		return -1;
	c->self = 0;
	vec_each(line, &c->lines)
		line->self = 0;
	vec_each(stack, &d->stacks) {
		uint32_t leaf = p->locations_of.v[p->stacks.v[*stack].first];
		uint32_t *of = &c->line_of.v[leaf];

		if (p->locations.v[leaf].function != c->function)
			continue;
		c->self += d->counts.v[*stack];
		*of = *of ? *of : find_line(c, p, &p->locations.v[leaf]);
		if (*of)
			c->lines.v[*of - 1].self += d->counts.v[*stack];
	}
	return 0;
}

size_t top_code_hottest(const struct top_code *c)
{
	size_t i, hottest = 0;

	for (i = 1; i < c->lines.n; i++)
		if (c->lines.v[i].self > c->lines.v[hottest].self)
			hottest = i;
	return hottest;
}
