// SPDX-License-Identifier: BSD-2-Clause
/*
 * Writes an ELF file from readable text: mkelf OUTPUT < SPEC
 *
 *	type dyn|exec|rel		dyn
 *	class 32|64			64
 *	order little|big		little
 *	machine x86_64|i386|aarch64|arm	x86_64
 *	build-id HEX			none
 *	entry ADDR			0
 *	interp PATH			none; a PT_INTERP
 *	debug-only			code has no bytes, as in separate debug files
 *	text ADDR SIZE [OFFSET] [NAME]	an executable PT_LOAD and its section, .text
 *	data ADDR SIZE [OFFSET] [NAME]	another PT_LOAD and its section, .data
 *	symbol NAME ADDR SIZE [func|notype|object|ifunc|section|file] [global|weak|local]
 *	dynsym NAME ADDR SIZE [...]	the same in .dynsym
 *	fde ADDR SIZE			unwind data of a function, in .eh_frame
 *	debuglink FILE CRC		CRC in hex
 *
 * Numbers are as in C; OFFSET is ADDR & 0xffff unless given.  Symbols of type rel are in the
 * section whose addresses hold them, and relative to it.  Words behind # are comment.
 */
#include <ctype.h>
#include <elf.h>
#include <err.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AREAS = 64, SYMBOLS = 1 << 20, WORDS = 8, STRINGS = 1 << 26 };

struct area {
	char name[64];
	uint64_t addr, size, offset;
	bool exec;
};

struct symbol {
	uint32_t name;
	uint64_t addr, size;
	uint8_t type, bind;
};

struct strings {
	char *text;
	size_t len, cap;
};

struct table {
	struct symbol *v;
	size_t n, cap;
	struct strings names;
};

struct section {
	uint32_t name, type, link, info;
	uint64_t flags, addr, offset, size, entsize;
};

struct elf {
	bool is32, big, debug_only;
	uint16_t type, machine;
	uint64_t entry;
	char linker[256];
	uint8_t build_id[64];
	size_t build_id_len;
	struct area areas[AREAS];
	size_t nareas;
	struct table symtab, dynsym, fdes; /* of fdes addresses and sizes alone */
	char link[256];
	uint32_t crc;
	struct strings names; /* of the sections */
	struct section sections[AREAS + 16];
	size_t nsections;
	uint8_t *out;
	size_t len;    /* of out */
	uint64_t next; /* where the next table goes in the file */
};

static unsigned int line_number;

static uint64_t number(const char *text)
{
	char *end;
	uint64_t v = text ? strtoull(text, &end, 0) : 0;

	if (!text || *end || end == text)
		errx(1, "line %u: \"%s\" is no number", line_number, text ? text : "");
	return v;
}

static uint32_t add_string(struct strings *s, const char *text)
{
	size_t n = strlen(text) + 1;

	if (!s->len)
		s->len = 1;
	if (s->len + n > STRINGS)
		errx(1, "line %u: too many names", line_number);
	/* By doubling: a realloc for each name copies all of them each time. */
	if (s->len + n > s->cap) {
		s->cap = 2 * (s->len + n);
		s->text = realloc(s->text, s->cap);
		if (!s->text)
			err(1, NULL);
		s->text[0] = '\0';
	}
	memcpy(s->text + s->len, text, n);
	s->len += n;
	return (uint32_t)(s->len - n);
}

/* One of "a b c", numbered as in values; the word must be there. */
static unsigned int choice(const char *word, const char *const names[], const unsigned int values[],
			   size_t n)
{
	size_t i;

	for (i = 0; word && i < n; i++)
		if (!strcmp(word, names[i]))
			return values[i];
	errx(1, "line %u: what is \"%s\"?", line_number, word ? word : "");
}

#define CHOICE(word, names, values) choice(word, names, values, sizeof(values) / sizeof(values[0]))

static void set_build_id(struct elf *e, const char *hex)
{
	unsigned int byte;

	for (; hex && sscanf(hex, "%2x", &byte) == 1 && e->build_id_len < sizeof(e->build_id);
	     hex += 2)
		e->build_id[e->build_id_len++] = (uint8_t)byte;
}

static void add_area(struct elf *e, char *word[], bool exec)
{
	struct area *a = &e->areas[e->nareas++];
	const char *name = exec ? ".text" : ".data";

	if (e->nareas > AREAS)
		errx(1, "line %u: more than %d segments", line_number, AREAS);
	a->exec = exec;
	a->addr = number(word[1]);
	a->size = number(word[2]);
	a->offset = word[3] ? number(word[3]) : a->addr & 0xffff;
	snprintf(a->name, sizeof(a->name), "%s", word[3] && word[4] ? word[4] : name);
}

static void push_symbol(struct table *t, const struct symbol *s)
{
	if (t->n == t->cap) {
		t->cap = t->cap ? 2 * t->cap : 64;
		t->v = realloc(t->v, t->cap * sizeof(*t->v));
		if (!t->v || t->cap > SYMBOLS)
			errx(1, "line %u: too many symbols", line_number);
	}
	t->v[t->n++] = *s;
}

static void add_symbol(struct table *t, char *word[])
{
	static const char *const types[] = {"func", "notype", "object", "ifunc", "section", "file"};
	static const unsigned int type_of[] = {STT_FUNC,      STT_NOTYPE,  STT_OBJECT,
					       STT_GNU_IFUNC, STT_SECTION, STT_FILE};
	static const char *const binds[] = {"global", "weak", "local"};
	static const unsigned int bind_of[] = {STB_GLOBAL, STB_WEAK, STB_LOCAL};
	struct symbol s = {.type = STT_FUNC, .bind = STB_GLOBAL};

	if (!word[1])
		errx(1, "line %u: a symbol needs a name", line_number);
	s.name = strcmp(word[1], "\"\"") ? add_string(&t->names, word[1]) : 0;
	s.addr = number(word[2]);
	s.size = number(word[3]);
	if (word[4])
		s.type = (uint8_t)CHOICE(word[4], types, type_of);
	if (word[4] && word[5])
		s.bind = (uint8_t)CHOICE(word[5], binds, bind_of);
	push_symbol(t, &s);
}

static void read_line(struct elf *e, char *word[])
{
	static const char *const types[] = {"dyn", "exec", "rel"};
	static const unsigned int type_of[] = {ET_DYN, ET_EXEC, ET_REL};
	static const char *const classes[] = {"64", "32"}, *const orders[] = {"little", "big"};
	static const unsigned int zero_one[] = {0, 1};
	static const char *const machines[] = {"x86_64", "i386", "aarch64", "arm"};
	static const unsigned int machine_of[] = {EM_X86_64, EM_386, EM_AARCH64, EM_ARM};

	if (!strcmp(word[0], "type"))
		e->type = (uint16_t)CHOICE(word[1], types, type_of);
	else if (!strcmp(word[0], "class"))
		e->is32 = CHOICE(word[1], classes, zero_one);
	else if (!strcmp(word[0], "order"))
		e->big = CHOICE(word[1], orders, zero_one);
	else if (!strcmp(word[0], "machine"))
		e->machine = (uint16_t)CHOICE(word[1], machines, machine_of);
	else if (!strcmp(word[0], "build-id"))
		set_build_id(e, word[1]);
	else if (!strcmp(word[0], "entry"))
		e->entry = number(word[1]);
	else if (!strcmp(word[0], "interp") && word[1])
		snprintf(e->linker, sizeof(e->linker), "%s", word[1]);
	else if (!strcmp(word[0], "debug-only"))
		e->debug_only = true;
	else if (!strcmp(word[0], "text") || !strcmp(word[0], "data"))
		add_area(e, word, word[0][0] == 't');
	else if (!strcmp(word[0], "symbol"))
		add_symbol(&e->symtab, word);
	else if (!strcmp(word[0], "dynsym"))
		add_symbol(&e->dynsym, word);
	else if (!strcmp(word[0], "fde"))
		push_symbol(&e->fdes,
			    &(struct symbol){.addr = number(word[1]), .size = number(word[2])});
	else if (!strcmp(word[0], "debuglink") && word[1] && word[2]) {
		snprintf(e->link, sizeof(e->link), "%s", word[1]);
		e->crc = (uint32_t)strtoul(word[2], NULL, 16);
	} else
		errx(1, "line %u: what is \"%s\"?", line_number, word[0]);
}

static void read_spec(struct elf *e, FILE *in)
{
	char *line = NULL;
	size_t cap = 0;

	while (getline(&line, &cap, in) > 0) {
		char *word[WORDS + 1] = {0}, *save = NULL, *w;
		size_t n = 0;

		line_number++;
		line[strcspn(line, "#\n")] = '\0';
		for (w = strtok_r(line, " \t", &save); w && n < WORDS;
		     w = strtok_r(NULL, " \t", &save))
			word[n++] = w;
		if (n)
			read_line(e, word);
	}
	free(line);
}

/* Makes room up to end. */
static void extend(struct elf *e, uint64_t end)
{
	if (end <= e->len)
		return;
	if (end > UINT32_MAX)
		errx(1, "the file would be of 0x%llx bytes", (unsigned long long)end);
	e->out = realloc(e->out, end);
	if (!e->out)
		err(1, NULL);
	memset(e->out + e->len, 0, end - e->len);
	e->len = end;
}

static void put(struct elf *e, uint64_t *at, size_t size, uint64_t v)
{
	size_t i;

	extend(e, *at + size);
	for (i = 0; i < size; i++)
		e->out[*at + (e->big ? size - 1 - i : i)] = (uint8_t)(v >> (8 * i));
	*at += size;
}

static size_t word_size(const struct elf *e)
{
	return e->is32 ? 4 : 8;
}

static struct section *add_section(struct elf *e, const char *name, uint32_t type, uint64_t size)
{
	struct section *s = &e->sections[e->nsections++];

	s->name = add_string(&e->names, name);
	s->type = type;
	s->offset = e->next = (e->next + 7) / 8 * 8;
	s->size = size;
	e->next += size;
	extend(e, e->next);
	return s;
}

static void put_text(struct elf *e, const char *name, const struct strings *strings)
{
	struct section *s = add_section(e, name, SHT_STRTAB, 0);

	/* Now that they may hold the section's own name. */
	s->size = strings->len ? strings->len : 1;
	e->next += s->size;
	extend(e, e->next);
	if (strings->len)
		memcpy(e->out + s->offset, strings->text, strings->len);
}

static void put_areas(struct elf *e)
{
	struct section *s;
	size_t i;

	e->nsections = 1;
	e->next = 64 + (AREAS + 2) * 56;
	for (i = 0; i < e->nareas; i++) {
		const struct area *a = &e->areas[i];
		bool bytes = !(e->debug_only && a->exec);

		if (bytes && a->offset + a->size > e->next)
			e->next = a->offset + a->size;
		s = &e->sections[e->nsections++];
		s->name = add_string(&e->names, a->name);
		s->type = bytes ? SHT_PROGBITS : SHT_NOBITS;
		s->flags = SHF_ALLOC | (a->exec ? SHF_EXECINSTR : SHF_WRITE);
		s->addr = e->type == ET_REL ? 0 : a->addr;
		s->offset = a->offset;
		s->size = a->size;
	}
	extend(e, e->next);
}

static uint64_t put_build_id(struct elf *e)
{
	struct section *s;
	uint64_t at, start;

	if (!e->build_id_len)
		return 0;
	s = add_section(e, ".note.gnu.build-id", SHT_NOTE, 16 + (e->build_id_len + 3) / 4 * 4);
	at = start = s->offset;
	put(e, &at, 4, 4);
	put(e, &at, 4, e->build_id_len);
	put(e, &at, 4, NT_GNU_BUILD_ID);
	memcpy(e->out + at, "GNU", 4);
	memcpy(e->out + at + 4, e->build_id, e->build_id_len);
	return start;
}

static void put_symbol(struct elf *e, uint64_t *at, const struct symbol *s)
{
	uint64_t value = s->addr;
	uint16_t shndx = SHN_ABS;
	size_t i;

	for (i = 0; i < e->nareas; i++) {
		const struct area *a = &e->areas[i];

		if (s->addr < a->addr || s->addr - a->addr > a->size)
			continue;
		shndx = (uint16_t)(i + 1);
		value = e->type == ET_REL ? s->addr - a->addr : s->addr;
		if (s->addr - a->addr < a->size)
			break;
	}
	put(e, at, 4, s->name);
	if (e->is32) {
		put(e, at, 4, value);
		put(e, at, 4, s->size);
	}
	put(e, at, 1, (uint64_t)ELF64_ST_INFO(s->bind, s->type));
	put(e, at, 1, 0);
	put(e, at, 2, shndx);
	if (!e->is32) {
		put(e, at, 8, value);
		put(e, at, 8, s->size);
	}
}

static void put_table(struct elf *e, const char *name, const char *strings, uint32_t type,
		      const struct table *t)
{
	size_t entry = e->is32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym), i;
	struct section *s;
	uint64_t at;

	if (!t->n)
		return;
	s = add_section(e, name, type, (t->n + 1) * entry);
	s->entsize = entry;
	s->link = (uint32_t)e->nsections;
	s->info = 1;
	at = s->offset + entry;
	for (i = 0; i < t->n; i++)
		put_symbol(e, &at, &t->v[i]);
	put_text(e, strings, &t->names);
}

/* One CIE, and for each function an FDE without instructions. */
static void put_fdes(struct elf *e)
{
	size_t w = word_size(e), i;
	unsigned int ra = e->machine == EM_X86_64 ? 16 : e->machine == EM_386 ? 8 : 30;
	struct section *s;
	uint64_t at;

	if (!e->fdes.n)
		return;
	s = add_section(e, ".eh_frame", SHT_PROGBITS, 16 + e->fdes.n * (8 + 2 * w));
	s->flags = SHF_ALLOC;
	at = s->offset;
	put(e, &at, 4, 12);
	put(e, &at, 4, 0); /* a CIE */
	put(e, &at, 1, 1); /* of version 1 */
	put(e, &at, 1, 0); /* without augmentation */
	put(e, &at, 1, 1); /* code alignment */
	put(e, &at, 1, 0x78); /* data alignment, -8 */
	put(e, &at, 1, ra);
	at += 3;
	for (i = 0; i < e->fdes.n; i++) {
		put(e, &at, 4, 4 + 2 * w);
		put(e, &at, 4, at - s->offset);
		put(e, &at, w, e->fdes.v[i].addr);
		put(e, &at, w, e->fdes.v[i].size);
	}
}

/* The offset of the path of the run-time linker, 0 where there is none. */
static uint64_t put_linker(struct elf *e)
{
	size_t n = strlen(e->linker) + 1;
	uint64_t at;

	if (!*e->linker)
		return 0;
	at = add_section(e, ".interp", SHT_PROGBITS, n)->offset;
	memcpy(e->out + at, e->linker, n);
	return at;
}

static void put_debuglink(struct elf *e)
{
	size_t n = (strlen(e->link) + 4) & ~(size_t)3;
	uint64_t at;

	if (!*e->link)
		return;
	at = add_section(e, ".gnu_debuglink", SHT_PROGBITS, n + 4)->offset;
	memcpy(e->out + at, e->link, strlen(e->link));
	at += n;
	put(e, &at, 4, e->crc);
}

static void put_sections(struct elf *e, uint64_t at)
{
	size_t i, w = word_size(e);

	for (i = 0; i < e->nsections; i++) {
		const struct section *s = &e->sections[i];

		put(e, &at, 4, s->name);
		put(e, &at, 4, s->type);
		put(e, &at, w, s->flags);
		put(e, &at, w, s->addr);
		put(e, &at, w, s->offset);
		put(e, &at, w, s->size);
		put(e, &at, 4, s->link);
		put(e, &at, 4, s->info);
		put(e, &at, w, 1);
		put(e, &at, w, s->entsize);
	}
}

static void put_segment(struct elf *e, uint64_t *at, uint32_t type, uint32_t flags,
			const struct area *a, uint64_t filesz)
{
	size_t w = word_size(e);

	put(e, at, 4, type);
	if (!e->is32)
		put(e, at, 4, flags);
	put(e, at, w, a->offset);
	put(e, at, w, a->addr);
	put(e, at, w, a->addr);
	put(e, at, w, filesz);
	put(e, at, w, a->size);
	if (e->is32)
		put(e, at, 4, flags);
	put(e, at, w, type == PT_LOAD ? 0x1000 : 4);
}

static void put_header(struct elf *e, uint64_t note, uint64_t linker, uint64_t sections,
		       uint64_t strings)
{
	const uint8_t ident[EI_NIDENT] = {ELFMAG0,
					  ELFMAG1,
					  ELFMAG2,
					  ELFMAG3,
					  e->is32 ? ELFCLASS32 : ELFCLASS64,
					  e->big ? ELFDATA2MSB : ELFDATA2LSB,
					  EV_CURRENT};
	struct area id = {.offset = note, .addr = note, .size = 16 + (e->build_id_len + 3) / 4 * 4};
	struct area path = {.offset = linker, .addr = linker, .size = strlen(e->linker) + 1};
	size_t i, w = word_size(e), header = e->is32 ? 52 : 64;
	size_t segments = e->type == ET_REL ? 0 : e->nareas + (note != 0) + (linker != 0);
	uint64_t at = EI_NIDENT;

	memset(e->out, 0, 64 + (AREAS + 2) * 56);
	memcpy(e->out, ident, sizeof(ident));
	put(e, &at, 2, e->type);
	put(e, &at, 2, e->machine);
	put(e, &at, 4, EV_CURRENT);
	put(e, &at, w, e->entry);
	put(e, &at, w, segments ? header : 0);
	put(e, &at, w, sections);
	put(e, &at, 4, 0);
	put(e, &at, 2, header);
	put(e, &at, 2, e->is32 ? 32 : 56);
	put(e, &at, 2, segments);
	put(e, &at, 2, e->is32 ? 40 : 64);
	put(e, &at, 2, e->nsections);
	put(e, &at, 2, strings);
	for (i = 0; segments && i < e->nareas; i++) {
		const struct area *a = &e->areas[i];

		put_segment(e, &at, PT_LOAD, PF_R | (a->exec ? PF_X : PF_W), a,
			    e->debug_only && a->exec ? 0 : a->size);
	}
	if (segments && note)
		put_segment(e, &at, PT_NOTE, PF_R, &id, id.size);
	if (segments && linker)
		put_segment(e, &at, PT_INTERP, PF_R, &path, path.size);
}

static void write_elf(struct elf *e, const char *path)
{
	uint64_t note, linker;
	size_t names;
	FILE *out;

	put_areas(e);
	note = put_build_id(e);
	linker = put_linker(e);
	put_table(e, ".symtab", ".strtab", SHT_SYMTAB, &e->symtab);
	put_table(e, ".dynsym", ".dynstr", SHT_DYNSYM, &e->dynsym);
	put_fdes(e);
	put_debuglink(e);
	names = e->nsections;
	put_text(e, ".shstrtab", &e->names);
	e->next = (e->next + 7) / 8 * 8;
	put_sections(e, e->next);
	put_header(e, note, linker, e->next, names);
	out = fopen(path, "wb");
	if (!out || fwrite(e->out, 1, e->len, out) != e->len || fclose(out))
		err(1, "%s", path);
}

int main(int argc, char *argv[])
{
	static struct elf e = {.type = ET_DYN, .machine = EM_X86_64};

	if (argc != 2) {
		fprintf(stderr, "usage: mkelf OUTPUT < SPEC\n");
		return 64;
	}
	read_spec(&e, stdin);
	write_elf(&e, argv[1]);
	free(e.out);
	free(e.names.text);
	free(e.symtab.v);
	free(e.symtab.names.text);
	free(e.dynsym.v);
	free(e.dynsym.names.text);
	free(e.fdes.v);
	return 0;
}
