// SPDX-License-Identifier: BSD-2-Clause
/*
 * The functions that Go's runtime knows: .gopclntab, which stripped programs keep, as their
 * tracebacks need it.
 *
 * It begins with a header of numbers as wide as addresses.  The table of functions in it has for
 * each, in order, where it begins and where its record is; there is where its name is.  From Go
 * 1.18 on functions begin at distances from runtime.text, which the header or, from 1.26 on, the
 * runtime's record of the module has.
 */
#include <inttypes.h>

#include "base/dwarf_read.h"
#include "symbol/image.h"

/* What a table begins with says how it is laid out: of Go 1.2, 1.16, 1.18 and 1.20. */
enum { GO_1_2 = 0xfb, GO_1_16 = 0xfa, GO_1_18 = 0xf0, GO_1_20 = 0xf1 };

/* Not to be searched for longer, nor is anything in it. */
enum { MODULE_MAX = 4096 };

struct go_table {
	struct elf_file *f;
	struct dwarf_bytes bytes;
	uint64_t address, offset; /* where it is mapped, and where in the file */
	bool swap;
	uint8_t version;
	unsigned int word;  /* the bytes of an address */
	unsigned int field; /* those of a number in the table of functions */
	uint64_t count, functions, records, names, names_end;
	uint64_t text; /* what functions begin at a distance from */
};

static bool is_between(const GElf_Shdr *s, uint64_t address)
{
	return address >= s->sh_addr && address - s->sh_addr < s->sh_size;
}

/* The section with the table; *inside: somewhere in it, where linkers join it to others. */
static const GElf_Shdr *table_section(const struct elf_file *f, bool *inside)
{
	const GElf_Shdr *s = elf_section_of_name(f, ".gopclntab");

	*inside = false;
	if (!s)
		s = elf_section_of_name(f, ".data.rel.ro.gopclntab");
	if (!s && elf_section_of_name(f, ".go.buildinfo")) {
		s = elf_section_of_name(f, ".data.rel.ro");
		*inside = true;
	}
	return s && elf_section_held(f, s) ? s : NULL;
}

bool elf_has_go_symbols(const struct elf_file *f)
{
	bool inside;

	return table_section(f, &inside) != NULL;
}

static struct dwarf_cursor cursor_at(const struct go_table *g, uint64_t offset)
{
	return dwarf_cursor(g->bytes, offset, g->swap);
}

/* Takes the magic number, and how wide numbers are; false where none is. */
static bool take_magic(struct go_table *g)
{
	struct dwarf_cursor c = cursor_at(g, 0);
	uint32_t magic = dwarf_u32(&c);
	uint16_t zero = dwarf_u16(&c);
	uint8_t quantum = dwarf_u8(&c);

	g->version = (uint8_t)magic;
	g->word = dwarf_u8(&c);
	return !c.bad && magic >> 8 == 0xffffff &&
	       (g->version == GO_1_2 || g->version == GO_1_16 || g->version == GO_1_18 ||
		g->version == GO_1_20) &&
	       !zero && (quantum == 1 || quantum == 2 || quantum == 4) &&
	       g->word == (g->f->is64 ? 8 : 4);
}

/* Takes where things are; false when they are not within the table. */
static bool take_header(struct go_table *g)
{
	struct dwarf_cursor c = cursor_at(g, 8);
	uint64_t next = 0;

	g->count = dwarf_sized(&c, g->word);
	g->field = g->word;
	g->names_end = g->bytes.n;
	if (g->version == GO_1_2) {
		g->functions = 8 + g->word;
	} else {
		dwarf_sized(&c, g->word); /* how many files there are */
		if (g->version != GO_1_16) {
			g->text = dwarf_sized(&c, g->word);
			g->field = 4;
		}
		g->names = dwarf_sized(&c, g->word);
		next = dwarf_sized(&c, g->word);
		dwarf_skip(&c, 2 * g->word); /* the files, and the lines */
		g->functions = g->records = dwarf_sized(&c, g->word);
	}
	if (next > g->names && next < g->names_end)
		g->names_end = next;
	return !c.bad && g->names < g->names_end && g->functions < g->bytes.n && g->count &&
	       g->count < (g->bytes.n - g->functions) / (2 * g->field);
}

/* The n-th number of the table of functions. */
static uint64_t function_field(const struct go_table *g, uint64_t n)
{
	struct dwarf_cursor c = cursor_at(g, g->functions + n * g->field);

	return dwarf_sized(&c, g->field);
}

/* How far it is from the first function to behind the last. */
static uint64_t length_of(const struct go_table *g)
{
	return function_field(g, 2 * g->count) - function_field(g, 0);
}

static const GElf_Shdr *code_at(const struct elf_file *f, uint64_t address)
{
	const GElf_Shdr *s;

	vec_each(s, &f->sections)
		if (s->sh_flags & SHF_EXECINSTR && is_between(s, address))
			return s;
	return NULL;
}

/* Finds the table in bytes that have it somewhere; there are no two. */
static bool look_for(struct go_table *g)
{
	struct dwarf_bytes all = g->bytes;
	uint64_t at;

	for (at = 0; at < all.n; at += g->f->is64 ? 8 : 4) {
		g->bytes = (struct dwarf_bytes){all.p + at, all.n - at};
		if (!take_magic(g) || !take_header(g))
			continue;
		g->address += at;
		g->offset += at;
		return true;
	}
	return false;
}

/* Puts addresses into bytes from the file where the linker left that to the run-time linker. */
static void relocate(const struct go_table *g, uint64_t address, uint8_t *bytes, size_t len)
{
	struct elf_file *f = g->f;
	const GElf_Shdr *s;

	vec_each(s, &f->sections) {
		Elf_Data *data = s->sh_type == SHT_RELA ? elf_section_table(f, s, NULL) : NULL;
		GElf_Rela r;
		int i;

		for (i = 0; data && gelf_getrela(data, i, &r); i++) {
			uint64_t at = r.r_offset - address, v = (uint64_t)r.r_addend;
			unsigned int k;

			if (GELF_R_SYM(r.r_info) || at >= len || len - at < g->word)
				continue;
			for (k = 0; k < g->word; k++)
				bytes[at + (f->is_big_endian ? g->word - 1 - k : k)] =
					(uint8_t)(v >> (8 * k));
		}
	}
}

/* Where the first function is, by the runtime's record of the module; 0: it does not say. */
static uint64_t first_of_module(const struct go_table *g)
{
	const GElf_Shdr *s = elf_section_of_name(g->f, ".go.module");
	uint64_t length = length_of(g), before = 0;
	uint8_t bytes[MODULE_MAX];
	struct dwarf_cursor c;

	if (!s || !elf_section_held(g->f, s) || s->sh_size > sizeof(bytes) ||
	    elf_file_read(g->f, s->sh_offset, bytes, s->sh_size))
		return 0;
	relocate(g, s->sh_addr, bytes, s->sh_size);
	c = dwarf_cursor((struct dwarf_bytes){bytes, s->sh_size}, 0, g->swap);
	/* It has minpc and behind that maxpc, wherever. */
	while (dwarf_left(&c) >= g->word) {
		uint64_t v = dwarf_sized(&c, g->word);

		if (before && v - before == length)
			return before;
		before = v;
	}
	return 0;
}

/* Finds what functions begin at a distance from; false: nothing says it. */
static bool find_text(struct go_table *g)
{
	uint64_t address = g->address + 8 + 2 * g->word, first;
	uint8_t bytes[8] = {0};
	struct dwarf_cursor c;

	if (g->version != GO_1_18 && g->version != GO_1_20)
		return true;
	if (!g->text) {
		relocate(g, address, bytes, g->word);
		c = dwarf_cursor((struct dwarf_bytes){bytes, g->word}, 0, g->swap);
		g->text = dwarf_sized(&c, g->word);
	}
	if (!g->text) {
		first = first_of_module(g);
		g->text = first ? first - function_field(g, 0) : 0;
	}
	return g->text;
}

static int add_functions(struct symtab *t, const struct go_table *g, const GElf_Shdr *code,
			 uint32_t names, struct err *err)
{
	uint64_t start = function_field(g, 0), next, i;

	for (i = 0; i < g->count; i++, start = next) {
		struct dwarf_cursor c = cursor_at(g, g->functions + (2 * i + 1) * g->field);
		uint64_t record = dwarf_sized(&c, g->field), name;

		next = dwarf_sized(&c, g->field);
		if (next <= start || !is_between(code, g->text + start))
			continue;
		c = cursor_at(g, g->records + record);
		dwarf_skip(&c, g->field);
		name = dwarf_u32(&c);
		if (c.bad || name >= g->names_end - g->names || !g->bytes.p[g->names + name])
			continue;
		if (symtab_add(t, g->text + start, next - start, code->sh_addr + code->sh_size,
			       names + (uint32_t)name, RANK_LOCAL + RANK_FUNC))
			return err_nomem(err);
	}
	return 0;
}

static int read_table(struct symtab *t, struct go_table *g, bool inside, struct err *err)
{
	uint32_t names = (uint32_t)t->names_len;
	const GElf_Shdr *code;

	if (inside ? !look_for(g) : !take_magic(g) || !take_header(g))
		return err_set(err, EX_DATAERR,
			       "no table of Go's functions as Go 1.2 to 1.26 have it");
	code = find_text(g) ? code_at(g->f, g->text + function_field(g, 0)) : NULL;
	if (!code)
		return err_set(err, EX_DATAERR,
			       "a table of %" PRIu64 " functions of Go, with no code at 0x%" PRIx64
			       " where the first should be",
			       g->count, g->text + function_field(g, 0));
	if (elf_add_names(t, g->f, g->offset + g->names, g->names_end - g->names, err))
		return -1;
	return add_functions(t, g, code, names, err);
}

int elf_add_go_symbols(struct symtab *t, struct elf_file *f, struct err *err)
{
	bool inside;
	const GElf_Shdr *s = table_section(f, &inside);
	Elf_Data *data = s ? elf_section_bytes(f, s, err) : NULL;
	struct go_table g = {.f = f};

	if (!data)
		return s ? -1 : 0;
	g.bytes = (struct dwarf_bytes){data->d_buf, data->d_size};
	g.address = s->sh_addr;
	g.offset = s->sh_offset;
	g.swap = f->is_big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	if (!read_table(t, &g, inside, err))
		return 0;
	return err_wrap(err, "%s: the section %s of %" PRIu64 " bytes", f->path,
			elf_section_name(f, s), s->sh_size);
}
