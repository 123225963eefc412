// SPDX-License-Identifier: BSD-2-Clause
/* The debug information of an image: where it is, and the look-up of an address in it. */
#include "symbol/dwarf/dwarf_int.h"

static int take_code(struct dwarf_lines *lines, const struct elf_file *f)
{
	const GElf_Shdr *s;

	vec_each(s, &f->sections)
		if (s->sh_flags & SHF_EXECINSTR && s->sh_addr + s->sh_size > s->sh_addr &&
		    vec_push(&lines->code, (struct dwarf_span){.low = s->sh_addr,
							       .high = s->sh_addr + s->sh_size}))
			return -1;
	return dwarf_spans_settle(&lines->code);
}

/* Takes what the image's own file has, or else a separate debug file. */
static int find_files(struct dwarf_lines *lines)
{
	struct symbol_image *image = lines->image;
	struct err why = {0};
	char *debug = NULL;
	struct elf_file f;
	int ret;

	if (image_reopen(image, &f, &lines->err))
		return lines->err.code == EX_OSERR ? -1 : 0;
	ret = take_code(lines, &f);
	if (!ret && dwarf_is_in(&f)) {
		lines->main = dwarf_file_new(lines, &f, false);
		ret = lines->main ? dwarf_units_read(lines->main) : -1;
	} else if (!ret) {
		ret = image_find_lines(image, &f, &debug, &why);
		if (!debug && why.code)
			dwarf_problem(lines, "%s", why.msg);
	}
	elf_file_close(&f);
	if (debug && !ret)
		ret = dwarf_file_open(lines, debug, false, NULL, 0, &lines->main);
	free(debug);
	return ret;
}

struct dwarf_lines *dwarf_lines_open(struct symbol_image *image)
{
	struct dwarf_lines *lines = calloc(1, sizeof(*lines));

	if (!lines)
		return NULL;
	lines->image = image;
	if (!find_files(lines) && (!lines->main || !dwarf_index_build(lines)))
		return lines;
	dwarf_lines_free(lines);
	return NULL;
}

void dwarf_lines_free(struct dwarf_lines *lines)
{
	struct dwarf_file **file;

	if (!lines)
		return;
	vec_each(file, &lines->files)
		dwarf_file_free(*file);
	vec_free(&lines->files);
	vec_free(&lines->code);
	vec_free(&lines->units);
	free(lines->package_as);
	free(lines);
}

void dwarf_lines_complete(struct dwarf_lines *lines)
{
	size_t i;

	for (i = 0; i < lines->files.n; i++)
		dwarf_file_alt(lines->files.v[i]);
}

uint64_t dwarf_lines_size(const struct dwarf_lines *lines)
{
	return lines->read + lines->stored;
}

const char *dwarf_lines_problem(const struct dwarf_lines *lines)
{
	return lines->err.msg;
}

/* The name of a scope's function; NULL for none. */
static const char *name_of(struct dwarf_unit *unit, struct dwarf_scope *s)
{
	if (!s->name) {
		s->name = dwarf_function_name(unit, unit->offset + s->die);
		if (!s->name)
			s->name = "";
	}
	return *s->name ? s->name : NULL;
}

/* From the innermost scope at an address to the function; where a row is, it is in frames[0]. */
static uint32_t unwind(struct dwarf_unit *unit, struct dwarf_unit *main,
		       struct dwarf_line_table *table, uint64_t address,
		       struct symbol_frame frames[SYMBOL_MAX_FRAMES])
{
	const struct dwarf_span *span = dwarf_spans_find(&unit->scopes.spans, address);
	uint32_t id = span ? span->id : DWARF_NONE, n = 0;

	if (id == DWARF_NONE)
		return frames[0].file || frames[0].line;
	for (;;) {
		struct dwarf_scope *s = &unit->scopes.scopes.v[id];

		frames[n++].function = name_of(unit, s);
		id = s->parent;
		if (id == DWARF_NONE || n == SYMBOL_MAX_FRAMES)
			return n;
		frames[n] = (struct symbol_frame){.line = s->call_line};
		if (table)
			frames[n].file = dwarf_file_name(main, table, s->call_file);
	}
}

uint32_t dwarf_lines_find(struct dwarf_lines *lines, uint64_t address,
			  struct symbol_frame frames[SYMBOL_MAX_FRAMES])
{
	const struct dwarf_span *span =
		lines->main ? dwarf_spans_find(&lines->units, address) : NULL;
	struct dwarf_line_table *table;
	const struct dwarf_row *row;
	struct dwarf_unit *unit;

	frames[0] = (struct symbol_frame){0};
	if (!span)
		return 0;
	unit = &lines->main->units.v[span->id];
	if ((!unit->read && dwarf_split_find(unit)) || dwarf_scopes_read(unit) ||
	    (unit->split && dwarf_scopes_read(unit->split)) || dwarf_lines_read(unit, &table))
		goto no_memory;
	row = table ? dwarf_row_find(table, address) : NULL;
	if (row) {
		frames[0].file = dwarf_file_name(unit, table, row->file);
		frames[0].line = row->line;
	}
	return unwind(unit->split ? unit->split : unit, unit, table, address, frames);
no_memory:
	dwarf_no_memory(lines->image, &lines->err);
	return 0;
}
