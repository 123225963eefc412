// SPDX-License-Identifier: BSD-2-Clause
/* The files with debug information: opened, found where another one names them, freed. */
#include <errno.h>
#include <stdio.h>

#include "symbol/dwarf/dwarf_int.h"
#include "symbol/regular.h"

/* The name and the build-id of the file that dwz made for several. */
static int read_alt_link(struct dwarf_file *file, struct elf_file *f)
{
	const GElf_Shdr *s = elf_section_of_name(f, ".gnu_debugaltlink");
	Elf_Data *link = s && s->sh_size > 1 && s->sh_size <= PATH_MAX
				 ? elf_section_bytes(f, s, NULL)
				 : NULL;
	size_t n;

	if (!link)
		return 0;
	n = strnlen(link->d_buf, s->sh_size);
	if (n >= s->sh_size - 1 || s->sh_size - n - 1 > BUILD_ID_MAX)
		return 0;
	file->alt_id_len = s->sh_size - n - 1;
	memcpy(file->alt_id, (const char *)link->d_buf + n + 1, file->alt_id_len);
	file->alt_path = strdup(link->d_buf);
	return file->alt_path ? 0 : -1;
}

struct dwarf_file *dwarf_file_new(struct dwarf_lines *lines, struct elf_file *f, bool split)
{
	struct dwarf_file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	file->lines = lines;
	file->split = split;
	file->swap = (elf_getident(f->elf, NULL)[EI_DATA] == ELFDATA2MSB) ==
		     (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
	file->path = strdup(f->path);
	if (!file->path || dwarf_sections_read(file, f) || read_alt_link(file, f) ||
	    vec_push(&lines->files, file)) {
		dwarf_file_free(file);
		return NULL;
	}
	return file;
}

int dwarf_file_open(struct dwarf_lines *lines, const char *path, bool split, const uint8_t *id,
		    size_t id_len, struct dwarf_file **file)
{
	struct dwarf_file **open;
	struct err err = {0};
	struct elf_file f;

	vec_each(open, &lines->files)
		if ((*open)->split && split && !strcmp((*open)->path, path)) {
			*file = *open;
			return 0;
		}
	*file = NULL;
	if (elf_file_open(&f, path, &err)) {
		if (err.error == ENOMEM)
			return -1;
		return regular_is_missing(&err) ? 0 : dwarf_problem(lines, "%s", err.msg);
	}
	if (id_len && (f.build_id_len != id_len || memcmp(f.build_id, id, id_len))) {
		elf_file_close(&f);
		return 0;
	}
	*file = dwarf_file_new(lines, &f, split);
	elf_file_close(&f);
	return *file ? dwarf_units_read(*file) : -1;
}

/* The n-th place where what dwz moved out of file may be; false after the last. */
static bool alt_place(const struct dwarf_file *file, int n, image_path out)
{
	const struct symbol_store *store = file->lines->image->store;
	const char *name = file->alt_path, *slash;
	int last = *name == '/' ? 1 : 2;
	char id[2 * BUILD_ID_MAX + 1];
	image_path path;

	if (n == last) {
		build_id_text(file->alt_id, file->alt_id_len, id);
		image_path_set(out, store, "%s/.build-id/%.2s/%s.debug", store->debug_dir, id,
			       id + 2);
		return file->alt_id_len > 1;
	}
	if (last == 1) {
		image_path_set(out, store, "%s", name);
	} else {
		/* From where it is or, if it was found through a link, from where that leads. */
		if (!n || !realpath(file->path, path))
			snprintf(path, sizeof(path), "%s", file->path);
		slash = strrchr(path, '/');
		snprintf(out, PATH_MAX, "%.*s%s", slash ? (int)(slash - path) + 1 : 0, path, name);
	}
	return n < last;
}

/* What dwz moved out of file, from a server; *path is where it is kept then, for free(). */
static int alt_from_server(struct dwarf_file *file, char **path)
{
	struct dwarf_lines *lines = file->lines;

	if (debuginfod_fetch(lines->image->store, file->alt_id, file->alt_id_len, path, NULL))
		return -1;
	return *path ? dwarf_file_open(lines, *path, false, file->alt_id, file->alt_id_len,
				       &file->alt)
		     : 0;
}

struct dwarf_file *dwarf_file_alt(struct dwarf_file *file)
{
	struct dwarf_lines *lines = file->lines;
	char id[2 * BUILD_ID_MAX + 1], *fetched = NULL;
	image_path path;
	int ret = 0, n;

	if (file->alt || file->alt_tried || !file->alt_path)
		return file->alt;
	file->alt_tried = true;
	for (n = 0; !ret && !file->alt && alt_place(file, n, path); n++)
		ret = dwarf_file_open(lines, path, false, file->alt_id, file->alt_id_len,
				      &file->alt);
	if (!ret && !file->alt)
		ret = alt_from_server(file, &fetched);
	if (ret || (file->alt && image_note(lines->image, fetched ? fetched : path, file->alt_id,
					    file->alt_id_len, file->alt_id_len > 1))) {
		dwarf_no_memory(lines->image, &lines->err);
	} else if (!file->alt) {
		build_id_text(file->alt_id, file->alt_id_len, id);
		dwarf_problem(lines,
			      "%s: the file %s with build-id %s, which has a part of the debug "
			      "information, was not found",
			      file->path, file->alt_path, id);
	}
	free(fetched);
	return file->alt;
}

static void free_table(struct dwarf_line_table *table)
{
	vec_free(&table->dirs);
	vec_free(&table->files);
	vec_free(&table->rows);
	vec_free(&table->sequences);
	vec_free(&table->spans);
	free(table);
}

static void free_units(struct dwarf_file *file)
{
	struct dwarf_unit *unit;

	vec_each(unit, &file->units) {
		vec_free(&unit->scopes.scopes);
		vec_free(&unit->scopes.spans);
		vec_free(&unit->homes);
	}
	vec_free(&file->units);
}

void dwarf_file_free(struct dwarf_file *file)
{
	struct dwarf_line_table **table;
	struct dwarf_abbrevs **abbrevs;
	int i;

	if (!file)
		return;
	free_units(file);
	vec_each(abbrevs, &file->abbrevs) {
		vec_free(&(*abbrevs)->abbrevs);
		vec_free(&(*abbrevs)->attrs);
		free(*abbrevs);
	}
	vec_free(&file->abbrevs);
	vec_each(table, &file->tables)
		free_table(*table);
	vec_free(&file->tables);
	table_clear(&file->abbrevs_of_offset);
	table_clear(&file->table_of_offset);
	for (i = 0; i < DWARF_SECTIONS; i++)
		free((void *)(uintptr_t)file->sections[i].p);
	free(file->alt_path);
	free(file->path);
	free(file);
}
