// SPDX-License-Identifier: BSD-2-Clause
/* The symbol tables of ELF files. */
#include <inttypes.h>

#include "symbol/image.h"

/* The section that s links to, if the file holds it. */
static const struct elf_section *linked(const struct elf_file *f, const struct elf_section *s)
{
	const struct elf_section *to;

	if (!s->link || s->link >= f->sections.n)
		return NULL;
	to = &f->sections.v[s->link];
	return elf_section_held(f, to) ? to : NULL;
}

/* Appends the texts of a string table to t's names. */
static int add_names(struct symtab *t, const struct elf_file *f, const struct elf_section *s,
		     struct err *err)
{
	char *names;

	if (s->size > UINT32_MAX / 2 - t->names_len)
		return err_set(err, EX_DATAERR, "%s: %" PRIu64 " bytes of symbol names", f->path,
			       s->size);
	names = realloc(t->own_names, t->names_len + s->size + 1);
	if (!names)
		return err_nomem(err);
	t->names = t->own_names = names;
	names += t->names_len;
	if (elf_file_read(f, s->offset, names, s->size)) {
		*names = '\0';
		return err_set(err, EX_DATAERR, "%s: cannot read the symbol names", f->path);
	}
	names[s->size] = '\0';
	t->names_len += s->size + 1;
	return 0;
}

/* The index of a symbol's section where it does not fit in the symbol. */
static uint32_t extended_index(const struct elf_file *f, const struct elf_section *symtab,
			       uint64_t symbol)
{
	const struct elf_section *s;
	uint8_t index[4];

	vec_each(s, &f->sections) {
		if (s->type != SHT_SYMTAB_SHNDX || s->link != symtab - f->sections.v)
			continue;
		if (!elf_section_held(f, s) || symbol >= s->size / sizeof(index) ||
		    elf_file_read(f, s->offset + symbol * sizeof(index), index, sizeof(index)))
			break;
		return (uint32_t)elf_get(f, index, sizeof(index));
	}
	return SHN_UNDEF;
}

/* Labels that mark code and data within functions, or that assemblers left behind. */
static bool is_mark(const struct elf_file *f, const char *name)
{
	if (name[0] == '.' && name[1] == 'L')
		return true;
	return name[0] == '$' &&
	       (f->machine == EM_ARM || f->machine == EM_AARCH64 || f->machine == EM_RISCV);
}

/* The code section of the symbol at p; NULL for other symbols. */
static const struct elf_section *code_of(const struct elf_file *f, const struct elf_section *symtab,
					 const uint8_t *p, uint64_t index)
{
	unsigned int type = ELF64_ST_TYPE(ELF_GET(f, p, Sym, st_info));
	uint32_t shndx = (uint32_t)ELF_GET(f, p, Sym, st_shndx);
	const struct elf_section *s;

	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
		return NULL;
	if (shndx == SHN_XINDEX)
		shndx = extended_index(f, symtab, index);
	else if (shndx >= SHN_LORESERVE)
		return NULL;
	if (shndx == SHN_UNDEF || shndx >= f->sections.n)
		return NULL;
	s = &f->sections.v[shndx];
	return s->flags & SHF_EXECINSTR && s->addr + s->size >= s->addr ? s : NULL;
}

static unsigned int rank_of(unsigned int info)
{
	unsigned int type = ELF64_ST_TYPE(info), bind = ELF64_ST_BIND(info);
	unsigned int rank = bind == STB_LOCAL  ? RANK_LOCAL
			    : bind == STB_WEAK ? RANK_WEAK
					       : RANK_GLOBAL;

	return type == STT_NOTYPE ? rank : rank + RANK_FUNC;
}

static int add_symbol(struct symtab *t, const struct elf_file *f, const struct elf_section *symtab,
		      const uint8_t *p, uint64_t index, uint32_t names)
{
	const struct elf_section *code = code_of(f, symtab, p, index);
	uint64_t name = ELF_GET(f, p, Sym, st_name), start = ELF_GET(f, p, Sym, st_value);
	unsigned int info = (unsigned int)ELF_GET(f, p, Sym, st_info);

	if (!code || !name || name >= t->names_len - names || !t->names[names + name])
		return 0;
	if (ELF64_ST_TYPE(info) == STT_NOTYPE && is_mark(f, t->names + names + name))
		return 0;
	if (f->machine == EM_ARM && ELF64_ST_TYPE(info) != STT_NOTYPE)
		start &= ~(uint64_t)1; /* set: Thumb code */
	if (f->type == ET_REL)
		start += code->addr;
	if (start < code->addr || start - code->addr >= code->size)
		return 0;
	return symtab_add(t, start, ELF_GET(f, p, Sym, st_size), code->addr + code->size,
			  names + (uint32_t)name, rank_of(info));
}

int elf_add_symbols(struct symtab *t, const struct elf_file *f, uint32_t type, uint32_t *names,
		    struct err *err)
{
	const struct elf_section *s = elf_section_of_type(f, type), *strings;
	uint32_t first = (uint32_t)t->names_len;
	size_t entry = ELF_SIZE(f, Sym), n, i;
	uint8_t *table;
	int ret = 0;

	if (names)
		*names = first;
	if (!s)
		return 0;
	strings = linked(f, s);
	if (!strings)
		return err_set(err, EX_DATAERR, "%s: %s has no table of names within the file",
			       f->path, elf_section_name(f, s));
	table = elf_section_read(f, s, err);
	if (!table)
		return -1;
	n = s->size / entry;
	if (add_names(t, f, strings, err))
		ret = -1;
	for (i = 1; i < n && !ret; i++)
		if (add_symbol(t, f, s, table + i * entry, i, first))
			ret = err_nomem(err);
	free(table);
	return ret;
}

void elf_symbol_values(const struct elf_file *f, const char *const names[], uint64_t values[],
		       size_t n)
{
	const struct elf_section *s = elf_section_of_type(f, SHT_SYMTAB);
	const struct elf_section *strings = s ? linked(f, s) : NULL;
	size_t entry = ELF_SIZE(f, Sym), i, j;
	struct symtab t = {0};
	uint8_t *table = strings ? elf_section_read(f, s, NULL) : NULL;

	memset(values, 0, n * sizeof(*values));
	if (table && !add_names(&t, f, strings, NULL)) {
		for (i = 1; i < s->size / entry; i++) {
			const uint8_t *p = table + i * entry;
			uint64_t name = ELF_GET(f, p, Sym, st_name);

			for (j = 0; j < n && name < t.names_len; j++)
				if (!strcmp(t.names + name, names[j]))
					values[j] = ELF_GET(f, p, Sym, st_value);
		}
	}
	free(table);
	symtab_fini(&t);
}
