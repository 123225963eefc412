// SPDX-License-Identifier: BSD-2-Clause
/* The sections of debug information, whole and as the compiler meant them. */
#include "symbol/dwarf/dwarf_int.h"
#include "symbol/elf/unpack.h"

/* Bytes of sections, and how much larger they may be than their file where they are compressed. */
#define READ_MAX      (UINT64_C(2) << 30)
#define UNPACKED_MIN  (UINT64_C(16) << 20)
#define UNPACKED_RATE 32

static const char *const section_names[DWARF_SECTIONS] = {
	[DWARF_INFO] = "info",	       [DWARF_ABBREV] = "abbrev",
	[DWARF_LINE] = "line",	       [DWARF_STR] = "str",
	[DWARF_LINE_STR] = "line_str", [DWARF_STR_OFFSETS] = "str_offsets",
	[DWARF_ADDR] = "addr",	       [DWARF_RANGES] = "ranges",
	[DWARF_RNGLISTS] = "rnglists", [DWARF_ARANGES] = "aranges",
	[DWARF_CU_INDEX] = "cu_index",
};

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

/* Whether a section has but types: a unit of them, of DWARF 5, is one that linkers join later. */
static bool has_types_only(const struct dwarf_file *file, struct dwarf_bytes info)
{
	struct dwarf_cursor c = dwarf_cursor(info, 0, file->swap);
	uint64_t length = dwarf_u32(&c);
	uint8_t type;

	if (length == UINT32_MAX)
		length = dwarf_u64(&c);
	if (length != dwarf_left(&c) || dwarf_u16(&c) < 5)
		return false;
	type = dwarf_u8(&c);
	return type == DW_UT_type || type == DW_UT_split_type;
}

/* Gives back the section of types that came before what is looked for. */
static void drop_types(struct dwarf_file *file)
{
	struct dwarf_bytes *info = &file->sections[DWARF_INFO];

	if (!info->p || !has_types_only(file, *info))
		return;
	file->lines->read -= info->n;
	file->read -= info->n;
	free((void *)(uintptr_t)info->p);
	*info = (struct dwarf_bytes){0};
}

int dwarf_sections_read(struct dwarf_file *file, struct elf_file *f)
{
	const GElf_Shdr *s;

	vec_each(s, &f->sections) {
		unsigned int id = section_of(elf_section_name(f, s), file->split);

		if (id == DWARF_SECTIONS || !s->sh_size || s->sh_type == SHT_NOBITS)
			continue;
		if (id == DWARF_INFO)
			drop_types(file);
		if (file->sections[id].p)
			continue;
		if (read_section(file, f, s, &file->sections[id]))
			return -1;
	}
	return 0;
}
