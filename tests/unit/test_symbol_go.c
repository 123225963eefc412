// SPDX-License-Identifier: BSD-2-Clause
/* Names of functions in stripped Go programs, from the table that Go's runtime has of them. */
#include <elf.h>

#include "symbol_story.h"

/* Magic numbers of the tables of Go 1.2, 1.16, 1.18 and 1.20. */
enum { GO_1_2 = 0xfb, GO_1_16 = 0xfa, GO_1_18 = 0xf0, GO_1_20 = 0xf1 };

enum { TEXT = 0x1000, TABLE = 0x3000, MODULE = 0x4000, RELA = 0x5000, ROOM = 0x1000 };

/* How a table is made. */
struct go {
	unsigned int version, word;
	bool big;
	uint64_t text; /* as the header has it; 0: not there */
};

static uint8_t bytes[ROOM];

static uint64_t put(const struct go *g, uint64_t at, unsigned int size, uint64_t v)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		bytes[at + (g->big ? size - 1 - i : i)] = (uint8_t)(v >> (8 * i));
	return at + size;
}

static uint64_t put_words(const struct go *g, uint64_t at, const uint64_t *v, unsigned int n)
{
	while (n--)
		at = put(g, at, g->word, *v++);
	return at;
}

/*
 * The functions main.main, 0x40 bytes from the start of the text on, 0x20 of main.(*T).Method, a
 * hole up to 0x80, and runtime.exit up to 0x90.
 */
static void make_table(const struct go *g)
{
	static const char names[] = "\0main.main\0main.(*T).Method\0runtime.exit";
	static const uint64_t begins[] = {0, 0x40, 0x60, 0x80, 0x90};
	static const uint32_t name_of[] = {1, 11, 0, 28};
	bool old = g->version == GO_1_2, offsets = g->version >= GO_1_18 && g->version <= GO_1_20;
	unsigned int field = offsets ? 4 : g->word, i;
	uint64_t records = 0x200, functions = old ? 8 + g->word : 0x100;
	const uint64_t now[] = {4, 1, g->text, 0x300, 0x380, 0x3a0, 0x3c0, functions};
	const uint64_t before[] = {4, 1, 0x300, 0x380, 0x3a0, 0x3c0, functions};
	const uint64_t first[] = {4};

	memset(bytes, 0, sizeof(bytes));
	put(g, 0, 4, 0xffffff00 | g->version);
	bytes[6] = 1;
	bytes[7] = (uint8_t)g->word;
	put_words(g, 8, old ? first : offsets ? now : before, old ? 1 : offsets ? 8 : 7);
	memcpy(bytes + 0x300, names, sizeof(names));
	for (i = 0; i < 5; i++) {
		uint64_t at = functions + 2 * i * field, record = records + 0x20 * i;
		uint64_t begin = begins[i] + (offsets ? 0 : TEXT);

		put(g, at, field, begin);
		if (i == 4)
			break;
		put(g, at + field, field, i == 2 ? UINT32_MAX : record - (old ? 0 : functions));
		put(g, put(g, record, field, begin), 4, name_of[i] + (old ? 0x300 : 0));
	}
}

/* Puts the bytes into the file a. */
static void put_into_file(long offset, size_t len)
{
	FILE *f = fopen("a", "r+b");

	CHECK(f && !fseek(f, offset, SEEK_SET) && fwrite(bytes, 1, len, f) == len && !fclose(f));
}

static void write_program(const struct go *g, const char *section)
{
	char spec[512];

	snprintf(spec, sizeof(spec),
		 "class %s\norder %s\ntext 0x1000 0x1000\ndata 0x2000 0x40 0x2000 .go.buildinfo\n"
		 "data 0x3000 0x1000 0x3000 %s\ndata 0x4000 0x200 0x4000 .go.module\n"
		 "data 0x5000 0x18 0x5000 .rela.dyn\n",
		 g->word == 8 ? "64" : "32", g->big ? "big" : "little", section);
	write_elf("a", spec);
	make_table(g);
	put_into_file(TABLE, ROOM);
}

/* What the functions of a are called, and where they end. */
static const char *names_of(enum symbol_status status)
{
	static char text[256];
	struct symbol_store *store = store_new();
	struct symbol_image *image = image_of(store, at("a"), NULL);
	uint64_t address;
	struct symbol s;
	size_t n = 0;

	text[0] = '\0';
	for (address = TEXT; address < 2 * TEXT; address = s.end) {
		s.end = address + 1;
		if (symbol_find(image, address, &s))
			n += (size_t)snprintf(text + n, sizeof(text) - n,
					      "%s%s %" PRIx64 "-%" PRIx64, n ? ", " : "", s.name,
					      s.start, s.end);
	}
	CHECK_U64(symbol_image_status(image), status);
	if (status != SYMBOL_OK)
		snprintf(text, sizeof(text), "%.*s", (int)sizeof(text) - 1,
			 symbol_image_problem(image));
	symbol_store_free(store);
	return text;
}

static const char all[] = "main.main 1000-1040, main.(*T).Method 1040-1060, runtime.exit 1080-1090";

UNIT(each_layout_gives_names)
{
	static const unsigned int versions[] = {GO_1_2, GO_1_16, GO_1_18, GO_1_20};
	unsigned int i;

	story_begin();
	for (i = 0; i < 4; i++) {
		write_program(&(struct go){versions[i], 8, false, TEXT}, ".gopclntab");
		CHECK_STR(names_of(SYMBOL_OK), all);
		write_program(&(struct go){versions[i], 4, false, TEXT}, ".gopclntab");
		CHECK_STR(names_of(SYMBOL_OK), all);
		write_program(&(struct go){versions[i], 8, true, TEXT}, ".gopclntab");
		CHECK_STR(names_of(SYMBOL_OK), all);
		write_program(&(struct go){versions[i], 4, true, TEXT}, ".gopclntab");
		CHECK_STR(names_of(SYMBOL_OK), all);
	}
}

UNIT(programs_that_run_anywhere_have_it_under_another_name_or_within_other_data)
{
	const struct go go = {GO_1_20, 8, false, TEXT};

	story_begin();
	write_program(&go, ".data.rel.ro.gopclntab");
	CHECK_STR(names_of(SYMBOL_OK), all);
	write_program(&go, ".data.rel.ro");
	memset(bytes, 0, sizeof(bytes));
	put_into_file(TABLE, ROOM);
	make_table(&go);
	memcpy(bytes, "\xf1\xff\xff\xff\0\0\1\x08", 8); /* as it may stand anywhere */
	memmove(bytes + 0x40, bytes, sizeof(bytes) - 0x40);
	memset(bytes + 8, 0, 0x38);
	put_into_file(TABLE, ROOM);
	CHECK_STR(names_of(SYMBOL_OK), all);
}

/* From Go 1.26 on the header does not say where the text begins. */
UNIT(the_text_begins_where_the_record_of_the_module_has_it)
{
	const struct go go = {GO_1_20, 8, false, 0};
	const uint64_t words[] = {TABLE, TABLE + 0x300, 0x40, 0x40, TEXT, TEXT + 0x90, TEXT};

	story_begin();
	write_program(&go, ".gopclntab");
	memset(bytes, 0, sizeof(bytes));
	put_words(&go, 8, words, 7);
	put_into_file(MODULE, 0x200);
	CHECK_STR(names_of(SYMBOL_OK), all);
	/* It is of another table: these functions span 0x91 bytes. */
	put(&go, 8 + 5 * 8, 8, TEXT + 0x91);
	put_into_file(MODULE, 0x200);
	CHECK_STR(names_of(SYMBOL_BAD_FILE) + strlen(at("")),
		  "a: the section .gopclntab of 4096 bytes: a table of 4 functions of Go, with no "
		  "code at 0x0 "
		  "where the first should be");
}

/* Makes the section .rela.dyn one of relocations, with one that puts a value at an address. */
static void relocate(const struct go *go, uint64_t address, uint64_t value)
{
	Elf64_Ehdr eh;
	Elf64_Shdr sh;
	FILE *f = fopen("a", "r+b");
	unsigned int i;

	CHECK(f && fread(&eh, sizeof(eh), 1, f) == 1);
	for (i = 0; i < eh.e_shnum; i++) {
		long at = (long)(eh.e_shoff + i * sizeof(sh));

		CHECK(!fseek(f, at, SEEK_SET) && fread(&sh, sizeof(sh), 1, f) == 1);
		if (sh.sh_addr != RELA)
			continue;
		sh.sh_type = SHT_RELA;
		sh.sh_entsize = sizeof(Elf64_Rela);
		CHECK(!fseek(f, at, SEEK_SET) && fwrite(&sh, sizeof(sh), 1, f) == 1);
	}
	CHECK(!fclose(f));
	put(go, put(go, put(go, 0, 8, address), 8, R_X86_64_RELATIVE), 8, value);
	put_into_file(RELA, sizeof(Elf64_Rela));
}

UNIT(what_the_linker_leaves_to_the_start_of_the_program_is_put_in)
{
	const struct go go = {GO_1_18, 8, false, 0};

	story_begin();
	write_program(&go, ".gopclntab");
	relocate(&go, TABLE + 24, TEXT);
	CHECK_STR(names_of(SYMBOL_OK), all);
	relocate(&go, TABLE + 25, TEXT);
	CHECK_STR(strstr(names_of(SYMBOL_BAD_FILE), "with no"),
		  "with no code at 0x0 where the first should be");
}

UNIT(functions_in_c_have_no_names)
{
	story_begin();
	write_elf("a", "text 0x1000 0x1000\nfde 0x1200 0x10\n"
		       "data 0x3000 0x1000 0x3000 .gopclntab\n");
	make_table(&(struct go){GO_1_20, 8, false, TEXT});
	put_into_file(TABLE, ROOM);
	CHECK_STR(names_of(SYMBOL_DYNAMIC_ONLY) + strlen(at("")),
		  "a is stripped and has no separate debug file: only functions of Go and those "
		  "that it exports have names");
}

UNIT(a_layout_that_is_not_known_is_told)
{
	story_begin();
	write_program(&(struct go){0xf2, 8, false, TEXT}, ".gopclntab");
	CHECK_STR(
		names_of(SYMBOL_BAD_FILE) + strlen(at("")),
		"a: the section .gopclntab of 4096 bytes: no table of Go's functions as Go 1.2 to "
		"1.26 have it");
}

UNIT(a_program_with_other_symbols_has_those)
{
	story_begin();
	write_elf("a", "text 0x1000 0x1000\nsymbol main 0x1000 0x10\n"
		       "data 0x3000 0x1000 0x3000 .gopclntab\n");
	make_table(&(struct go){GO_1_20, 8, false, TEXT});
	put_into_file(TABLE, ROOM);
	CHECK_STR(names_of(SYMBOL_OK), "main 1000-1010");
}

/* They are in order of their addresses: what is not begins nowhere. */
UNIT(a_function_that_ends_before_it_begins_is_none)
{
	const struct go go = {GO_1_20, 8, false, TEXT};

	story_begin();
	write_program(&go, ".gopclntab");
	put(&go, 0x100, 4, 0x50);
	put_into_file(TABLE, ROOM);
	CHECK_STR(names_of(SYMBOL_OK), strchr(all, ',') + 2);
}

/* Whatever is there is a name within the table, or none. */
UNIT(any_byte_may_be_anything)
{
	static const uint8_t values[] = {0, 1, 0x7f, 0x80, 0xff};
	static const unsigned int versions[] = {GO_1_2, GO_1_20};
	unsigned int i, k, v;

	story_begin();
	for (k = 0; k < 2; k++)
		for (i = 0; i < 0x320; i += i < 0x150 || i > 0x1f0 ? 1 : 8)
			for (v = 0; v < sizeof(values); v += 2) {
				struct symbol_store *store = store_new();
				struct symbol_image *image;
				const struct go go = {versions[k], 8, false, TEXT};

				if (!i && !v)
					write_program(&go, ".gopclntab");
				make_table(&go);
				bytes[i] = values[v];
				put_into_file(TABLE, 0x400);
				image = image_of(store, at("a"), NULL);
				name_at(image, TEXT);
				symbol_store_free(store);
			}
}

UNIT_MAIN(UNIT_ENTRY(each_layout_gives_names),
	  UNIT_ENTRY(programs_that_run_anywhere_have_it_under_another_name_or_within_other_data),
	  UNIT_ENTRY(the_text_begins_where_the_record_of_the_module_has_it),
	  UNIT_ENTRY(what_the_linker_leaves_to_the_start_of_the_program_is_put_in),
	  UNIT_ENTRY(functions_in_c_have_no_names), UNIT_ENTRY(a_layout_that_is_not_known_is_told),
	  UNIT_ENTRY(a_program_with_other_symbols_has_those),
	  UNIT_ENTRY(a_function_that_ends_before_it_begins_is_none),
	  UNIT_ENTRY(any_byte_may_be_anything))
