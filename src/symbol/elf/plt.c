// SPDX-License-Identifier: BSD-2-Clause
/*
 * Names for the entries of procedure linkage tables, which no symbol table has.
 *
 * An entry jumps to where a slot of the global offset table points, and a relocation says what the
 * slot is for.  Which slot it is is read from the entry's code, since linkers differ in the order
 * and the size of entries.
 */
#include <endian.h>

#include "symbol/image.h"

/* Entries are of up to so many bytes. */
enum { ENTRY = 16, ENTRY_AARCH64 = 24 };

enum reloc_kind { RELOC_OTHER, RELOC_SYMBOL, RELOC_IFUNC };

struct slot {
	uint64_t address;
	uint32_t name; /* of what it is for, in the names of the table */
};

struct plt {
	struct symtab *t;
	struct elf_file *f;
	bool ifuncs; /* the slots are those of functions chosen at start; else those of symbols */
	uint32_t names; /* where the texts of .dynsym begin in the names of t */
	Elf_Data *dynsym;
	uint64_t got; /* what i386 code counts slots from */
	VEC(struct slot) slots;
};

static enum reloc_kind kind_of(uint16_t machine, uint64_t type)
{
	static const struct {
		uint16_t machine;
		uint64_t type;
		enum reloc_kind kind;
	} kinds[] = {
		{EM_X86_64, R_X86_64_JUMP_SLOT, RELOC_SYMBOL},
		{EM_X86_64, R_X86_64_GLOB_DAT, RELOC_SYMBOL},
		{EM_X86_64, R_X86_64_IRELATIVE, RELOC_IFUNC},
		{EM_386, R_386_JMP_SLOT, RELOC_SYMBOL},
		{EM_386, R_386_GLOB_DAT, RELOC_SYMBOL},
		{EM_AARCH64, R_AARCH64_JUMP_SLOT, RELOC_SYMBOL},
		{EM_AARCH64, R_AARCH64_GLOB_DAT, RELOC_SYMBOL},
		{EM_AARCH64, R_AARCH64_IRELATIVE, RELOC_IFUNC},
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].machine == machine && kinds[i].type == type)
			return kinds[i].kind;
	return RELOC_OTHER;
}

/* The name of a symbol of .dynsym; 0 for none. */
static uint32_t symbol_name(const struct plt *plt, uint64_t symbol)
{
	GElf_Sym sym;

	if (!gelf_getsym(plt->dynsym, (int)symbol, &sym) || !sym.st_name ||
	    sym.st_name >= plt->t->names_len - plt->names ||
	    !plt->t->names[plt->names + sym.st_name])
		return 0;
	return plt->names + sym.st_name;
}

/* The name of the function that chooses; 0 for none. */
static uint32_t resolver_name(const struct plt *plt, uint64_t address)
{
	const struct symtab_sym *s = symtab_find(plt->t, address);

	return s && s->start == address ? s->name : 0;
}

/* A relocation of either kind of table; false behind the last. */
static bool reloc_at(Elf_Data *table, int i, GElf_Rela *r)
{
	GElf_Rel rel;

	if (gelf_getrela(table, i, r))
		return true;
	if (!gelf_getrel(table, i, &rel))
		return false;
	*r = (GElf_Rela){.r_offset = rel.r_offset, .r_info = rel.r_info};
	return true;
}

static int add_slot(struct plt *plt, const GElf_Rela *r)
{
	enum reloc_kind kind = kind_of(plt->f->machine, GELF_R_TYPE(r->r_info));
	struct slot s = {.address = r->r_offset};

	if (kind == RELOC_SYMBOL && !plt->ifuncs)
		s.name = symbol_name(plt, GELF_R_SYM(r->r_info));
	else if (kind == RELOC_IFUNC && plt->ifuncs)
		s.name = resolver_name(plt, (uint64_t)r->r_addend);
	return s.name ? vec_push(&plt->slots, s) : 0;
}

static int add_slots(struct plt *plt, const char *name, struct err *err)
{
	const GElf_Shdr *s = elf_section_of_name(plt->f, name);
	Elf_Data *table;
	GElf_Rela r;
	int i;

	if (!s || (s->sh_type != SHT_REL && s->sh_type != SHT_RELA))
		return 0;
	table = elf_section_table(plt->f, s, err);
	if (!table)
		return -1;
	for (i = 0; reloc_at(table, i, &r); i++)
		if (add_slot(plt, &r))
			return err_nomem(err);
	return 0;
}

static int compare_slots(const void *pa, const void *pb)
{
	const struct slot *a = pa, *b = pb;

	return (a->address > b->address) - (a->address < b->address);
}

/* Whether at p, of address addr, there is an indirect jump of x86; the slot it jumps by. */
static bool x86_jump(const struct plt *plt, const uint8_t *p, uint64_t addr, uint64_t *slot)
{
	uint32_t disp;

	memcpy(&disp, p + 2, sizeof(disp));
	disp = le32toh(disp);
	if (p[0] != 0xff)
		return false;
	if (plt->f->machine == EM_X86_64)
		*slot = addr + 6 + (uint64_t)(int64_t)(int32_t)disp;
	else
		*slot = p[1] == 0x25 ? disp : (uint32_t)(plt->got + disp);
	return p[1] == 0x25 || (p[1] == 0xa3 && plt->f->machine == EM_386);
}

/* Whether at p there is adrp x16, PAGE; ldr x17, [x16, OFFSET]; the slot that it loads. */
static bool aarch64_load(const uint8_t *p, uint64_t addr, uint64_t *slot)
{
	uint32_t adrp, ldr;
	int64_t pages;

	memcpy(&adrp, p, 4);
	memcpy(&ldr, p + 4, 4);
	adrp = le32toh(adrp);
	ldr = le32toh(ldr);
	pages = (int32_t)(((adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3)) << 11) >> 11;
	*slot = (addr & ~UINT64_C(0xfff)) + (uint64_t)pages * 4096 + (ldr >> 10 & 0xfff) * 8;
	return (adrp & 0x9f00001f) == 0x90000010 && (ldr & 0xffc003ff) == 0xf9400211;
}

/* How many bytes of the entry lie before its jump: the marks of branch targets, prefixes. */
static size_t before_jump(const struct plt *plt, const uint8_t *p, size_t at)
{
	static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e}, bti[] = {0x5f, 0x24, 0x03, 0xd5};
	size_t n = 0;

	if (plt->f->machine == EM_AARCH64)
		return at >= 4 && !memcmp(p + at - 4, bti, 4) ? 4 : 0;
	if (at >= 1 && p[at - 1] == 0xf2)
		n = 1;
	return at >= n + 4 && !memcmp(p + at - n - 4, endbr, 3) ? n + 4 : n;
}

/* Names the entries in the code of s. */
static int add_entries(struct plt *plt, const GElf_Shdr *s, const uint8_t *code)
{
	bool arm = plt->f->machine == EM_AARCH64;
	size_t at, step = arm ? 4 : 1, need = arm ? 8 : 6, size = arm ? ENTRY_AARCH64 : ENTRY;

	for (at = 0; at + need <= s->sh_size; at += step) {
		struct slot key = {0};
		const struct slot *slot;
		uint64_t start, addr = s->sh_addr + at, end = s->sh_addr + s->sh_size;

		if (arm ? !aarch64_load(code + at, addr, &key.address)
			: !x86_jump(plt, code + at, addr, &key.address))
			continue;
		slot = bsearch(&key, plt->slots.v, plt->slots.n, sizeof(key), compare_slots);
		if (!slot)
			continue;
		start = addr - before_jump(plt, code, at);
		if (end - start > size)
			end = start + size;
		if (symtab_add(plt->t, start, 0, end, slot->name, RANK_PLT))
			return -1;
	}
	return 0;
}

static int add_section(struct plt *plt, const char *name, struct err *err)
{
	const GElf_Shdr *s = elf_section_of_name(plt->f, name);
	Elf_Data *code;

	if (!s || s->sh_type == SHT_NOBITS || s->sh_addr + s->sh_size < s->sh_addr)
		return 0;
	code = elf_section_bytes(plt->f, s, err);
	if (!code)
		return -1;
	return add_entries(plt, s, code->d_buf) ? err_nomem(err) : 0;
}

static uint64_t got_of(const struct elf_file *f)
{
	const GElf_Shdr *s = elf_section_of_name(f, ".got.plt");

	if (!s)
		s = elf_section_of_name(f, ".got");
	return s ? s->sh_addr : 0;
}

static int add_plt(struct plt *plt, struct err *err)
{
	static const char *const sections[] = {".plt", ".plt.sec", ".plt.got", ".iplt"};
	size_t i;
	int ret = 0;

	plt->got = got_of(plt->f);
	if (add_slots(plt, ".rela.plt", err) || add_slots(plt, ".rel.plt", err))
		ret = -1;
	/* The other relocations are many, and few of them are of use. */
	if (!ret && elf_section_of_name(plt->f, ".plt.got") &&
	    (add_slots(plt, ".rela.dyn", err) || add_slots(plt, ".rel.dyn", err)))
		ret = -1;
	if (plt->slots.n)
		qsort(plt->slots.v, plt->slots.n, sizeof(*plt->slots.v), compare_slots);
	for (i = 0; i < sizeof(sections) / sizeof(sections[0]) && !ret && plt->slots.n; i++)
		ret = add_section(plt, sections[i], err);
	vec_free(&plt->slots);
	return ret;
}

int elf_add_plt(struct symtab *t, struct elf_file *f, uint32_t names, struct err *err)
{
	const GElf_Shdr *s = elf_section_of_type(f, SHT_DYNSYM);
	struct plt plt = {.t = t, .f = f, .names = names};

	if (!s || s->sh_type == SHT_NOBITS)
		return 0;
	plt.dynsym = elf_section_table(f, s, err);
	return plt.dynsym ? add_plt(&plt, err) : -1;
}

int elf_add_ifunc_plt(struct symtab *t, struct elf_file *f, struct err *err)
{
	struct plt plt = {.t = t, .f = f, .ifuncs = true};
	size_t before = t->syms.n;

	if (add_plt(&plt, err))
		return -1;
	if (t->syms.n == before || !symtab_build(t))
		return 0;
	symtab_fini(t);
	return err_nomem(err);
}
