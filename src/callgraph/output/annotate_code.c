// SPDX-License-Identifier: BSD-2-Clause
/* --annotate --asm: samples beside the machine instructions of a function. */
#include <inttypes.h>

#include "callgraph/output/annotate.h"
#include "callgraph/read/disasm.h"

enum {
	CODE_MOST = 1 << 20, /* bytes of a function; what is behind them is only counted */
	TEXT = 256,	     /* of an instruction */
	ROW = 8,	     /* bytes in a line, of what is no instruction */
};

/* A place in the code: an instruction, or bytes that could not be disassembled. */
struct code_place {
	uint64_t at; /* from the function's start */
	bool decoded;
	struct cg_hits hits;
};

struct code {
	const struct cg_subject *subject;
	const struct cg_function *function;
	struct disasm *disasm; /* NULL: none */
	uint8_t *bytes;
	size_t len;
	VEC(struct code_place) places; /* ascending; the first at 0 */
	struct source *source;	       /* of the line shown last, NULL: none */
	const char *file;	       /* the same */
	uint32_t line;		       /* the same */
	VEC(const char *) missing;     /* sources that cannot be read */
};

/*
 * Where a location is in the function: bytes from its start; false: elsewhere.  JIT-compiled
 * functions have another image than the memory that they are in, and several may have one address.
 */
static bool offset_of(const struct code *c, const struct cg_location *l, uint64_t *offset)
{
	uint64_t address = l->address - l->is_return;

	*offset = address - c->function->start;
	return (l->image == c->function->image || l->function == c->subject->function) &&
	       address >= c->function->start && address < c->function->end;
}

static int by_place(const void *a, const void *b)
{
	const struct code_place *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* The places that samples know of: leaves, and what calls return to. */
static int add_sampled(struct code *c)
{
	const struct cg_location *l;
	const struct code_place *place;
	uint64_t offset;
	size_t n = 0;

	if (vec_push(&c->places, (struct code_place){0}))
		return -1;
	vec_each(l, &c->subject->p->locations) {
		if (offset_of(c, l, &offset) &&
		    vec_push(&c->places, (struct code_place){.at = offset + l->is_return}))
			return -1;
	}
	qsort(c->places.v, c->places.n, sizeof(*c->places.v), by_place);
	vec_each(place, &c->places)
		if (!n || place->at != c->places.v[n - 1].at)
			c->places.v[n++] = *place;
	c->places.n = n;
	return 0;
}

/* Finds the places, by disassembling where that is possible. */
static int find_places(struct code *c, size_t width)
{
	char text[TEXT];
	size_t at, n;

	if (!c->len || (!c->disasm && !width))
		return add_sampled(c);
	for (at = 0; at < c->len; at += n) {
		n = c->disasm ? disasm_one(c->disasm, c->bytes + at, c->len - at,
					   c->function->start + at, text, sizeof(text))
			      : 0;
		if (vec_push(&c->places, (struct code_place){.at = at, .decoded = n > 0}))
			return -1;
		n = n ? n : width ? width : 1;
	}
	return 0;
}

/* The place that holds an offset. */
static struct code_place *place_of(struct code *c, uint64_t offset)
{
	size_t lo = 0, hi = c->places.n;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->places.v[mid].at <= offset)
			lo = mid;
		else
			hi = mid;
	}
	return &c->places.v[lo];
}

static void count_stack(struct code *c, uint32_t stack)
{
	const struct cg_profile *p = c->subject->p;
	const struct cg_stack *s = &p->stacks.v[stack];
	uint64_t offset;
	uint32_t i;

	for (i = 0; i < s->npcs; i++) {
		const struct cg_location *l = &p->locations.v[p->locations_of.v[s->first + i]];

		if (offset_of(c, l, &offset))
			cg_hits_add_line(c->subject, &place_of(c, offset)->hits, stack, !i);
	}
}

/* Opens the source of a line, unless that failed before. */
static int open_source(struct code *c, const char *file)
{
	const char **name;

	if (c->file == file)
		return 0;
	source_close(c->source);
	c->source = NULL;
	c->file = file;
	vec_each(name, &c->missing)
		if (*name == file)
			return 0;
	if (!file)
		return 0;
	if (cg_subject_open(c->subject, file, &c->source))
		return -1;
	return c->source || !vec_push(&c->missing, file) ? 0 : -1;
}

/* Writes the source line that an instruction begins, if it does. */
static int write_line(struct code *c, uint64_t address)
{
	struct symbol_image *image = cg_subject_image(c->subject);
	struct symbol_frame frames[SYMBOL_MAX_FRAMES];
	struct sink *sink = c->subject->sink;
	const char *text;

	if (!image || !symbol_frames(image, address, frames) || !frames->file || !frames->line ||
	    (frames->file == c->file && frames->line == c->line))
		return 0;
	if (open_source(c, frames->file))
		return -1;
	c->line = frames->line;
	cg_write_text(sink, cg_object_name(frames->file));
	sink_printf(sink, ":%" PRIu32, frames->line);
	text = c->source ? source_line(c->source, frames->line) : NULL;
	if (text) {
		sink_str(sink, "  ");
		cg_write_text(sink, text + strspn(text, " "));
	}
	sink_char(sink, '\n');
	return 0;
}

/* Writes bytes from..to as they are, those behind the first row without samples. */
static void write_bytes(const struct code *c, size_t from, size_t to)
{
	struct sink *sink = c->subject->sink;
	size_t i;

	for (i = from; i < to; i++) {
		if (i > from && (i - from) % ROW == 0) {
			sink_char(sink, '\n');
			cg_hits_write(c->subject, NULL);
			sink_printf(sink, " %12" PRIx64, c->function->start + i);
		}
		sink_printf(sink, "%s%02x", (i - from) % ROW ? " " : "  ", c->bytes[i]);
	}
}

static int write_place(struct code *c, const struct code_place *place)
{
	size_t end = place + 1 < c->places.v + c->places.n ? place[1].at : c->len;
	uint64_t address = c->function->start + place->at;
	char text[TEXT];

	if (write_line(c, address))
		return -1;
	cg_hits_write(c->subject, &place->hits);
	sink_printf(c->subject->sink, " %12" PRIx64, address);
	if (place->decoded) {
		disasm_one(c->disasm, c->bytes + place->at, c->len - place->at, address, text,
			   sizeof(text));
		sink_str(c->subject->sink, "  ");
		cg_write_cut(c->subject->sink, text,
			     cg_columns_left(c->subject->options->columns, 49));
	} else if (place->at < c->len) {
		write_bytes(c, place->at, end < c->len ? end : c->len);
	}
	sink_char(c->subject->sink, '\n');
	return 0;
}

/* Reads the code, and tells what cannot be shown of it. */
static int read_code(struct code *c)
{
	uint64_t size = c->function->end - c->function->start;
	struct symbol_image *image = cg_subject_image(c->subject);
	uint16_t machine = image ? symbol_image_layout(image).machine : 0;
	struct sink *sink = c->subject->sink;
	const char *why = NULL;

	if (!(c->bytes = malloc(size < CODE_MOST ? size : CODE_MOST)))
		return -1;
	c->len = image ? symbol_image_code(image, c->function->start, c->bytes,
					   size < CODE_MOST ? size : CODE_MOST)
		       : 0;
	if (c->len && size > CODE_MOST)
		sink_printf(sink, "(of %" PRIu64 " bytes only the first %d are shown)\n", size,
			    CODE_MOST);
	if (!c->len) {
		sink_str(sink, "(no file has the code: only the addresses are shown)\n");
	} else if (!(c->disasm = disasm_new(machine, &why))) {
		if (!why)
			return -1;
		sink_printf(sink, "(%s: only addresses and bytes are shown)\n", why);
	}
	return find_places(c, disasm_width(machine));
}

static int write_code(struct code *c)
{
	const struct cg_subject *s = c->subject;
	const struct code_place *place;
	uint32_t i;

	if (read_code(c))
		return -1;
	for (i = 0; i < s->view.n; i++)
		count_stack(c, s->view.stacks[i]);
	sink_str(s->sink, CG_HITS_HEADING "      ADDRESS  INSTRUCTION\n");
	vec_each(place, &c->places)
		if (write_place(c, place))
			return -1;
	return 0;
}

int cg_annotate_code(const struct cg_subject *s)
{
	struct code c = {.subject = s, .function = &s->p->functions.v[s->function]};
	int status = write_code(&c);

	disasm_free(c.disasm);
	source_close(c.source);
	free(c.bytes);
	vec_free(&c.places);
	vec_free(&c.missing);
	return status;
}
