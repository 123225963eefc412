// SPDX-License-Identifier: BSD-2-Clause
/* The symbol tables of ELF files. */
#include <inttypes.h>

#include "symbol/image.h"

/* The section that s links to, if the file holds it. */
static const GElf_Shdr *linked(const struct elf_file *f, const GElf_Shdr *s)
{
	const GElf_Shdr *to;

	if (!s->sh_link || s->sh_link >= f->sections.n)
		return NULL;
	to = &f->sections.v[s->sh_link];
	return elf_section_held(f, to) ? to : NULL;
}

int elf_add_names(struct symtab *t, const struct elf_file *f, uint64_t offset, uint64_t size,
		  struct err *err)
{
	char *names;

	if (size > UINT32_MAX / 2 - t->names_len)
		return err_set(err, EX_DATAERR, "%s: %" PRIu64 " bytes of symbol names", f->path,
			       size);
	names = realloc(t->own_names, t->names_len + size + 1);
	if (!names)
		return err_nomem(err);
	t->names = t->own_names = names;
	names += t->names_len;
	if (elf_file_read(f, offset, names, size)) {
		*names = '\0';
		return err_set(err, EX_DATAERR, "%s: cannot read the symbol names", f->path);
	}
	names[size] = '\0';
	t->names_len += size + 1;
	return 0;
}

/* Appends the texts of a string table to t's names. */
static int add_names(struct symtab *t, const struct elf_file *f, const GElf_Shdr *s,
		     struct err *err)
{
	return elf_add_names(t, f, s->sh_offset, s->sh_size, err);
}

/* A table of symbols that is being read. */
struct reading {
	struct elf_file *f;
	Elf_Data *syms;
	Elf_Data *indices; /* of the sections of symbols where they do not fit; NULL: none */
	uint32_t names;	   /* where the texts of its names begin */
};

static Elf_Data *indices_of(struct elf_file *f, const GElf_Shdr *symtab)
{
	size_t index = (size_t)(symtab - f->sections.v);
	const GElf_Shdr *s;

	vec_each(s, &f->sections)
		if (s->sh_type == SHT_SYMTAB_SHNDX && s->sh_link == index)
			return elf_section_table(f, s, NULL);
	return NULL;
}

/* Labels that mark code and data within functions, or that assemblers left behind. */
static bool is_mark(const struct elf_file *f, const char *name)
{
	if (name[0] == '.' && name[1] == 'L')
		return true;
	return name[0] == '$' &&
	       (f->machine == EM_ARM || f->machine == EM_AARCH64 || f->machine == EM_RISCV);
}

/* The code section of a symbol; NULL for other symbols. */
static const GElf_Shdr *code_of(const struct reading *r, int index, const GElf_Sym *sym)
{
	const struct elf_file *f = r->f;
	unsigned int type = GELF_ST_TYPE(sym->st_info);
	uint32_t shndx = sym->st_shndx;
	const GElf_Shdr *s;
	GElf_Sym same;

	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
		return NULL;
	if (shndx == SHN_XINDEX) {
		if (!gelf_getsymshndx(r->syms, r->indices, index, &same, &shndx))
			return NULL;
	} else if (shndx >= SHN_LORESERVE) {
		return NULL;
	}
	if (shndx == SHN_UNDEF || shndx >= f->sections.n)
		return NULL;
	s = &f->sections.v[shndx];
	return s->sh_flags & SHF_EXECINSTR && s->sh_addr + s->sh_size >= s->sh_addr ? s : NULL;
}

static unsigned int rank_of(unsigned int info)
{
	unsigned int type = ELF64_ST_TYPE(info), bind = ELF64_ST_BIND(info);
	unsigned int rank = bind == STB_LOCAL  ? RANK_LOCAL
			    : bind == STB_WEAK ? RANK_WEAK
					       : RANK_GLOBAL;

	return type == STT_NOTYPE ? rank : rank + RANK_FUNC;
}

static int add_symbol(struct symtab *t, const struct reading *r, int index, const GElf_Sym *sym)
{
	const struct elf_file *f = r->f;
	const GElf_Shdr *code = code_of(r, index, sym);
	unsigned int type = GELF_ST_TYPE(sym->st_info);
	uint64_t start = sym->st_value;

	if (!code || !sym->st_name || sym->st_name >= t->names_len - r->names ||
	    !t->names[r->names + sym->st_name])
		return 0;
	if (type == STT_NOTYPE && is_mark(f, t->names + r->names + sym->st_name))
		return 0;
	if (f->machine == EM_ARM && type != STT_NOTYPE)
		start &= ~(uint64_t)1; /* set: Thumb code */
	if (f->type == ET_REL)
		start += code->sh_addr;
	if (start < code->sh_addr || start - code->sh_addr >= code->sh_size)
		return 0;
	return symtab_add(t, start, sym->st_size, code->sh_addr + code->sh_size,
			  r->names + sym->st_name, rank_of(sym->st_info));
}

int elf_add_symbols(struct symtab *t, struct elf_file *f, uint32_t type, uint32_t *names,
		    struct err *err)
{
	const GElf_Shdr *s = elf_section_of_type(f, type), *strings;
	struct reading r = {.f = f, .names = (uint32_t)t->names_len};
	GElf_Sym sym;
	int i;

	if (names)
		*names = r.names;
	if (!s)
		return 0;
	strings = linked(f, s);
	if (!strings)
		return err_set(err, EX_DATAERR, "%s: %s has no table of names within the file",
			       f->path, elf_section_name(f, s));
	r.syms = elf_section_table(f, s, err);
	if (!r.syms || add_names(t, f, strings, err))
		return -1;
	r.indices = indices_of(f, s);
	for (i = 1; gelf_getsym(r.syms, i, &sym); i++)
		if (add_symbol(t, &r, i, &sym))
			return err_nomem(err);
	return 0;
}

void elf_symbol_values(struct elf_file *f, const char *const names[], uint64_t values[], size_t n)
{
	const GElf_Shdr *s = elf_section_of_type(f, SHT_SYMTAB);
	const GElf_Shdr *strings = s ? linked(f, s) : NULL;
	Elf_Data *syms = strings ? elf_section_table(f, s, NULL) : NULL;
	struct symtab t = {0};
	GElf_Sym sym;
	size_t j;
	int i;

	memset(values, 0, n * sizeof(*values));
	if (syms && !add_names(&t, f, strings, NULL))
		for (i = 1; gelf_getsym(syms, i, &sym); i++)
			for (j = 0; j < n && sym.st_name < t.names_len; j++)
				if (!strcmp(t.names + sym.st_name, names[j]))
					values[j] = sym.st_value;
	symtab_fini(&t);
}
