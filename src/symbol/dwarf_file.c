// SPDX-License-Identifier: BSD-2-Clause
/* The files with debug information: their sections, whole and as the compiler meant them. */
#include <inttypes.h>
#include <stdio.h>

#include "symbol/dwarf_int.h"
#include "symbol/unpack.h"

/*
 * Bounds for what no compiler makes: bytes of sections, how much larger they may be than their file
 * where they are compressed, and the steps and bytes that a byte of them is worth.
 */
#define READ_MAX      (UINT64_C(2) << 30)
#define UNPACKED_MIN  (UINT64_C(16) << 20)
#define UNPACKED_RATE 32
#define WORK_MIN      (UINT64_C(1) << 20)
#define WORK_A_BYTE   8
#define STORED_MIN    (UINT64_C(64) << 20)
#define STORED_A_BYTE 4

static const char *const section_names[DWARF_SECTIONS] = {
	[DWARF_INFO] = "info",	       [DWARF_ABBREV] = "abbrev",
	[DWARF_LINE] = "line",	       [DWARF_STR] = "str",
	[DWARF_LINE_STR] = "line_str", [DWARF_STR_OFFSETS] = "str_offsets",
	[DWARF_ADDR] = "addr",	       [DWARF_RANGES] = "ranges",
	[DWARF_RNGLISTS] = "rnglists", [DWARF_ARANGES] = "aranges",
	[DWARF_CU_INDEX] = "cu_index",
};

int dwarf_problem(struct dwarf_lines *lines, const char *fmt, ...)
{
	char text[sizeof(lines->err.msg)];
	va_list ap;

	if (lines->err.code)
		return 0;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	err_set(&lines->err, EX_DATAERR, "%s", text);
	return 0;
}

static bool is_within(struct dwarf_lines *lines, uint64_t *used, uint64_t n, uint64_t limit)
{
	*used += n;
	if (*used <= limit)
		return true;
	dwarf_problem(lines,
		      "%s: the debug information refers to itself more often than any compiler "
		      "makes it; reading it was given up",
		      lines->main ? lines->main->path : symbol_image_path(lines->image));
	return false;
}

bool dwarf_may_work(struct dwarf_lines *lines, uint64_t n)
{
	return is_within(lines, &lines->work, n, WORK_MIN + WORK_A_BYTE * lines->read);
}

bool dwarf_may_store(struct dwarf_lines *lines, uint64_t n)
{
	return is_within(lines, &lines->stored, n, STORED_MIN + STORED_A_BYTE * lines->read);
}

/* Which section a name is of, ".debug_NAME" or ".zdebug_NAME"; DWARF_SECTIONS for none. */
static unsigned int section_of(const char *name, bool split)
{
	unsigned int i;
	size_t n;

	if (!strncmp(name, ".debug_", 7))
		name += 7;
	else if (!strncmp(name, ".zdebug_", 8))
		name += 8;
	else
		return DWARF_SECTIONS;
	n = strlen(name);
	for (i = 0; i < DWARF_SECTIONS; i++) {
		size_t m = strlen(section_names[i]);

		if (strncmp(name, section_names[i], m))
			continue;
		/* The index of a package has no suffix. */
		if (split && i != DWARF_CU_INDEX ? n == m + 4 && !strcmp(name + m, ".dwo") : n == m)
			break;
	}
	return i;
}

bool dwarf_is_in(const struct elf_file *f)
{
	const GElf_Shdr *s;

	vec_each(s, &f->sections)
		if (section_of(elf_section_name(f, s), false) == DWARF_INFO &&
		    elf_section_held(f, s) && s->sh_size)
			return true;
	return false;
}

static int read_section(struct dwarf_file *file, struct elf_file *f, const GElf_Shdr *s,
			struct dwarf_bytes *out)
{
	struct dwarf_lines *lines = file->lines;
	uint64_t max = UNPACKED_MIN + UNPACKED_RATE * f->size - file->read;
	struct err err = {0};
	uint8_t *bytes;
	size_t size;

	if (max > READ_MAX - lines->read)
		max = READ_MAX - lines->read;
	bytes = unpack_section(f, s, max, &size, &err);
	if (!bytes)
		return err.code == EX_OSERR ? -1 : dwarf_problem(lines, "%s", err.msg);
	lines->read += size;
	file->read += size;
	if (f->type == ET_REL && elf_relocate(f, s, bytes, size, &err)) {
		free(bytes);
		return err.code == EX_OSERR ? -1 : dwarf_problem(lines, "%s", err.msg);
	}
	out->p = bytes;
	out->n = size;
	return 0;
}

static int read_sections(struct dwarf_file *file, struct elf_file *f)
{
	const GElf_Shdr *s;

	vec_each(s, &f->sections) {
		unsigned int id = section_of(elf_section_name(f, s), file->split);

		if (id == DWARF_SECTIONS || file->sections[id].p || !s->sh_size ||
		    s->sh_type == SHT_NOBITS)
			continue;
		if (read_section(file, f, s, &file->sections[id]))
			return -1;
	}
	return 0;
}

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
	if (!file->path || read_sections(file, f) || read_alt_link(file, f) ||
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
	struct elf_file f;

	vec_each(open, &lines->files)
		if ((*open)->split && split && !strcmp((*open)->path, path)) {
			*file = *open;
			return 0;
		}
	*file = NULL;
	if (elf_file_open(&f, path, NULL))
		return 0;
	if (id_len && (f.build_id_len != id_len || memcmp(f.build_id, id, id_len))) {
		elf_file_close(&f);
		return 0;
	}
	*file = dwarf_file_new(lines, &f, split);
	elf_file_close(&f);
	return *file ? dwarf_units_read(*file) : -1;
}

struct dwarf_file *dwarf_file_alt(struct dwarf_file *file)
{
	struct dwarf_lines *lines = file->lines;
	const struct symbol_store *store = lines->image->store;
	const char *slash = strrchr(file->path, '/');
	char id[2 * BUILD_ID_MAX + 1];
	image_path path;
	int ret;

	if (file->alt || file->alt_tried || !file->alt_path)
		return file->alt;
	file->alt_tried = true;
	if (file->alt_path[0] == '/')
		image_path_set(path, store, "%s", file->alt_path);
	else
		snprintf(path, sizeof(path), "%.*s%s", slash ? (int)(slash - file->path) + 1 : 0,
			 file->path, file->alt_path);
	ret = dwarf_file_open(lines, path, false, file->alt_id, file->alt_id_len, &file->alt);
	build_id_text(file->alt_id, file->alt_id_len, id);
	if (!ret && !file->alt && file->alt_id_len > 1) {
		image_path_set(path, store, "%s/.build-id/%.2s/%s.debug", store->debug_dir, id,
			       id + 2);
		ret = dwarf_file_open(lines, path, false, file->alt_id, file->alt_id_len,
				      &file->alt);
	}
	if (ret)
		err_nomem(&lines->err);
	else if (!file->alt)
		dwarf_problem(lines,
			      "%s: the file %s with build-id %s, which has a part of the debug "
			      "information, was not found",
			      file->path, file->alt_path, id);
	return file->alt;
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
		dwarf_line_table_free(*table);
	vec_free(&file->tables);
	table_clear(&file->abbrevs_of_offset);
	table_clear(&file->table_of_offset);
	for (i = 0; i < DWARF_SECTIONS; i++)
		free((void *)(uintptr_t)file->sections[i].p);
	free(file->alt_path);
	free(file->path);
	free(file);
}
