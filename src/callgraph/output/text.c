// SPDX-License-Identifier: BSD-2-Clause
/* Texts of logs and symbol tables, written so that they break no line and drive no terminal. */
#include "base/utf8.h"
#include "callgraph/output/output.h"
#include "pmclog/text/text.h"

enum { LEAST_ROOM = 24 }; /* columns for a name, however narrow the terminal is */

void cg_write_text(struct sink *sink, const char *text)
{
	pmclog_text_escaped(sink, text, strlen(text));
}

/* Columns of a character; letters of most scripts of East Asia are two wide. */
static size_t width_at(const char *text, size_t *bytes)
{
	uint32_t point = 0;

	*bytes = utf8_char(text, &point);
	*bytes = *bytes ? *bytes : 1;
	return point >= 0x1100 ? 2 : 1;
}

static size_t width_of(const char *text)
{
	size_t width = 0, bytes;

	for (; *text; text += bytes)
		width += width_at(text, &bytes);
	return width;
}

/* The bytes of a text that fit into so many columns: all of it, or what leaves room for "..". */
static size_t fit(const char *text, size_t columns)
{
	size_t used = 0, kept = 0, at, bytes;

	for (at = 0; text[at]; at += bytes) {
		used += width_at(text + at, &bytes);
		if (used > columns)
			return kept;
		if (used + 2 <= columns)
			kept = at + bytes;
	}
	return at;
}

size_t cg_text_ends(const char *text, size_t columns, const char **tail)
{
	size_t width = width_of(text), last = columns > 2 ? (columns - 2) / 3 : 0;
	size_t kept = 0, used = 0, bytes;

	if (width <= columns) {
		*tail = text + strlen(text);
		return strlen(text);
	}
	for (*tail = text; width > last; *tail += bytes)
		width -= width_at(*tail, &bytes);
	for (; (used += width_at(text + kept, &bytes)) + 2 + width <= columns; kept += bytes)
		;
	return kept;
}

void cg_write_cut(struct sink *sink, const char *text, size_t columns)
{
	struct sink *line = columns ? sink_to_memory() : NULL;
	const char *whole;
	size_t n;

	if (!line) {
		cg_write_text(sink, text);
		return;
	}
	cg_write_text(line, text);
	whole = sink_text(line, NULL);
	n = fit(whole, columns);
	sink_write(sink, whole, n);
	if (whole[n])
		sink_str(sink, "..");
	sink_free(line);
}

size_t cg_columns_left(size_t columns, size_t used)
{
	if (!columns)
		return 0;
	return columns > used + LEAST_ROOM ? columns - used : LEAST_ROOM;
}

void cg_write_function(struct sink *sink, const struct cg_profile *p, const struct cg_function *f,
		       const char *between, const struct cg_output_options *options, size_t used)
{
	const char *object = cg_shown_object(p, f);
	size_t room = cg_columns_left(options->columns, used), of_object = 0;

	if (room) {
		of_object = width_of(object);
		of_object = of_object < room / 3 ? of_object : room / 3;
		room -= of_object + strlen(between);
	}
	cg_write_cut(sink, cg_shown_name(f), room);
	sink_str(sink, between);
	cg_write_cut(sink, object, of_object);
}

void cg_write_name(struct sink *sink, const char *name)
{
	const char *from = name;
	bool control;
	size_t skip;

	while (*name) {
		skip = pmclog_text_step(name, &control);
		if (!control && *name != ' ' && *name != ';') {
			name += skip;
			continue;
		}
		sink_write(sink, from, (size_t)(name - from));
		/* A semicolon separates frames of a folded stack. */
		sink_char(sink, *name == ';' ? ':' : '_');
		from = name += skip;
	}
	sink_write(sink, from, (size_t)(name - from));
}

int cg_write_times(struct sink *sink, struct sink *text, uint64_t count)
{
	size_t len;
	const char *bytes = sink_text(text, &len);

	if (sink_flush(text))
		return -1;
	while (count--)
		sink_write(sink, bytes, len);
	return 0;
}
