// SPDX-License-Identifier: BSD-2-Clause
/*
 * Names for the entries of procedure linkage tables, which no symbol table has.
 *
 * Entry i of .plt and .plt.sec is for relocation i of .rela.plt.  Those of .plt.got are in no such
 * order: what slot each jumps through is read from its code.
 */
#include <endian.h>

#include "symbol/image.h"

enum { ENTRY = 16, GOT_ENTRY = 8 };

enum reloc_kind { RELOC_OTHER, RELOC_SLOT, RELOC_DATA, RELOC_IFUNC };

struct reloc {
	enum reloc_kind kind;
	uint64_t offset, addend;
	uint64_t symbol; /* index in .dynsym */
};

struct relocs {
	const struct elf_file *f;
	uint8_t *table;
	size_t n, entry;
	bool rela;
};

/* What a walk over the linkage tables adds to, and with what. */
struct plt {
	struct symtab *t;
	const struct elf_file *f;
	uint32_t names;
	uint8_t *dynsym;
	size_t dynsyms;
};

typedef int (*plt_entry_fn)(struct plt *plt, uint64_t start, uint64_t size, uint64_t limit,
			    const struct reloc *r);

static enum reloc_kind kind_of(uint16_t machine, uint64_t type)
{
	switch (machine) {
	case EM_X86_64:
		return type == R_X86_64_JUMP_SLOT   ? RELOC_SLOT
		       : type == R_X86_64_GLOB_DAT  ? RELOC_DATA
		       : type == R_X86_64_IRELATIVE ? RELOC_IFUNC
						    : RELOC_OTHER;
	case EM_386: return type == R_386_JMP_SLOT ? RELOC_SLOT : RELOC_OTHER;
	case EM_AARCH64:
		return type == R_AARCH64_JUMP_SLOT   ? RELOC_SLOT
		       : type == R_AARCH64_IRELATIVE ? RELOC_IFUNC
						     : RELOC_OTHER;
	default: return RELOC_OTHER;
	}
}

/* The relocations of the section NAME behind .rela or .rel; n is 0 when there are none. */
static int read_relocs(struct relocs *rs, const struct elf_file *f, const char *rela,
		       const char *rel, struct err *err)
{
	const struct elf_section *s = elf_section_of_name(f, rela);

	memset(rs, 0, sizeof(*rs));
	rs->f = f;
	rs->rela = s != NULL;
	if (!s)
		s = elf_section_of_name(f, rel);
	if (!s || s->type == SHT_NOBITS)
		return 0;
	rs->entry = rs->rela ? ELF_SIZE(f, Rela) : ELF_SIZE(f, Rel);
	rs->n = s->size / rs->entry;
	rs->table = elf_section_read(f, s, err);
	return rs->table ? 0 : -1;
}

static struct reloc reloc_at(const struct relocs *rs, size_t i)
{
	const struct elf_file *f = rs->f;
	const uint8_t *p = rs->table + i * rs->entry;
	uint64_t info = ELF_GET(f, p, Rel, r_info);

	return (struct reloc){
		.kind = kind_of(f->machine, f->is64 ? ELF64_R_TYPE(info) : ELF32_R_TYPE(info)),
		.offset = ELF_GET(f, p, Rel, r_offset),
		.addend = rs->rela ? ELF_GET(f, p, Rela, r_addend) : 0,
		.symbol = f->is64 ? ELF64_R_SYM(info) : ELF32_R_SYM(info)};
}

/* Calls fn for every entry of one linkage table. */
static int walk_table(struct plt *plt, const struct elf_section *s, const struct relocs *rs,
		      bool has_header, plt_entry_fn fn)
{
	uint64_t header = plt->f->machine == EM_AARCH64 ? 2 * ENTRY : ENTRY, entry = ENTRY, at;
	size_t i;

	if (!has_header || s->size / entry == rs->n)
		header = 0;
	else if (plt->f->machine == EM_AARCH64 && s->size == header + rs->n * (ENTRY + 8))
		entry = ENTRY + 8; /* with branch targets marked or pointers authenticated */
	for (i = 0, at = header; i < rs->n && s->size - header >= (i + 1) * entry;
	     i++, at += entry) {
		struct reloc r = reloc_at(rs, i);

		if (fn(plt, s->addr + at, entry, s->addr + s->size, &r))
			return -1;
	}
	return 0;
}

static int walk(struct plt *plt, plt_entry_fn fn, struct err *err)
{
	const struct elf_section *lazy = elf_section_of_name(plt->f, ".plt");
	const struct elf_section *direct = elf_section_of_name(plt->f, ".plt.sec");
	struct relocs rs;
	int ret = 0;

	if (read_relocs(&rs, plt->f, ".rela.plt", ".rel.plt", err))
		return -1;
	if (rs.n && lazy && lazy->size >= 2 * ENTRY && walk_table(plt, lazy, &rs, true, fn))
		ret = err_nomem(err);
	if (rs.n && direct && !ret && walk_table(plt, direct, &rs, false, fn))
		ret = err_nomem(err);
	free(rs.table);
	return ret;
}

/* Adds an entry that leads to a symbol of .dynsym. */
static int add_named(struct plt *plt, uint64_t start, uint64_t size, uint64_t limit,
		     const struct reloc *r)
{
	uint64_t name;

	if ((r->kind != RELOC_SLOT && r->kind != RELOC_DATA) || r->symbol >= plt->dynsyms)
		return 0;
	name = ELF_GET(plt->f, plt->dynsym + r->symbol * ELF_SIZE(plt->f, Sym), Sym, st_name);
	if (!name || name >= plt->t->names_len - plt->names || !plt->t->names[plt->names + name])
		return 0;
	return symtab_add(plt->t, start, size, limit, plt->names + (uint32_t)name, RANK_PLT);
}

/* Adds an entry that leads to what the resolver at the addend chooses, by the resolver's name. */
static int add_ifunc(struct plt *plt, uint64_t start, uint64_t size, uint64_t limit,
		     const struct reloc *r)
{
	const struct symtab_sym *s;

	if (r->kind != RELOC_IFUNC)
		return 0;
	s = symtab_find(plt->t, r->addend);
	if (!s || s->start != r->addend)
		return 0;
	return symtab_add(plt->t, start, size, limit, s->name, RANK_PLT);
}

/* The slot that the entry at p, of address addr, jumps through: jmp *disp32(%rip); 0 for none. */
static uint64_t slot_of(const uint8_t *p, size_t size, uint64_t addr)
{
	size_t i;

	for (i = 0; i + 6 <= size; i++) {
		int32_t disp;

		if (p[i] != 0xff || p[i + 1] != 0x25)
			continue;
		memcpy(&disp, p + i + 2, sizeof(disp));
		return addr + i + 6 + (uint64_t)(int64_t)(int32_t)le32toh((uint32_t)disp);
	}
	return 0;
}

struct slot {
	uint64_t slot, entry; /* addresses of both */
};

static int compare_slots(const void *pa, const void *pb)
{
	const struct slot *a = pa, *b = pb;

	return (a->slot > b->slot) - (a->slot < b->slot);
}

/* Adds the entries of .plt.got, whose bytes are code. */
static int add_got_entries(struct plt *plt, const struct elf_section *s, const uint8_t *code,
			   const struct relocs *rs)
{
	size_t size = s->entsize == ENTRY ? ENTRY : GOT_ENTRY, i;
	VEC(struct slot) slots = {0};
	int ret = 0;

	for (i = 0; i + size <= s->size && !ret; i += size)
		ret = vec_push(&slots, (struct slot){.slot = slot_of(code + i, size, s->addr + i),
						     .entry = s->addr + i});
	if (slots.n)
		qsort(slots.v, slots.n, sizeof(*slots.v), compare_slots);
	for (i = 0; i < rs->n && !ret && slots.n; i++) {
		struct reloc r = reloc_at(rs, i);
		struct slot key = {.slot = r.offset};
		const struct slot *slot;

		if (r.kind != RELOC_DATA)
			continue;
		slot = bsearch(&key, slots.v, slots.n, sizeof(key), compare_slots);
		if (slot)
			ret = add_named(plt, slot->entry, size, s->addr + s->size, &r);
	}
	vec_free(&slots);
	return ret;
}

static int add_got_plt(struct plt *plt, struct err *err)
{
	const struct elf_section *s = elf_section_of_name(plt->f, ".plt.got");
	struct relocs rs;
	uint8_t *code;
	int ret = 0;

	if (plt->f->machine != EM_X86_64 || !s || s->type == SHT_NOBITS)
		return 0;
	code = elf_section_read(plt->f, s, err);
	if (!code)
		return -1;
	if (read_relocs(&rs, plt->f, ".rela.dyn", ".rel.dyn", err))
		ret = -1;
	else if (add_got_entries(plt, s, code, &rs))
		ret = err_nomem(err);
	free(rs.table);
	free(code);
	return ret;
}

int elf_add_plt(struct symtab *t, const struct elf_file *f, uint32_t names, struct err *err)
{
	const struct elf_section *s = elf_section_of_type(f, SHT_DYNSYM);
	struct plt plt = {.t = t, .f = f, .names = names};
	int ret;

	if (!s)
		return 0;
	plt.dynsym = elf_section_read(f, s, err);
	if (!plt.dynsym)
		return -1;
	plt.dynsyms = s->size / ELF_SIZE(f, Sym);
	ret = walk(&plt, add_named, err);
	if (!ret)
		ret = add_got_plt(&plt, err);
	free(plt.dynsym);
	return ret;
}

int elf_add_ifunc_plt(struct symtab *t, const struct elf_file *f, struct err *err)
{
	struct plt plt = {.t = t, .f = f};
	size_t before = t->syms.n;

	if (walk(&plt, add_ifunc, err))
		return -1;
	if (t->syms.n == before || !symtab_build(t))
		return 0;
	symtab_fini(t);
	return err_nomem(err);
}
