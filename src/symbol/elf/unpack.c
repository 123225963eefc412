// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <zlib.h>

#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "symbol/elf/unpack.h"

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

/* What deflate can at most make of a byte. */
enum { DEFLATE_RATIO = 1032 };

/* How a section is packed. */
struct packing {
	uint32_t type; /* 0: not at all */
	uint64_t size; /* when unpacked */
	size_t header; /* bytes before what is packed */
};

static int damaged(const struct elf_file *f, const GElf_Shdr *s, const char *what, struct err *err)
{
	return err_set(err, EX_DATAERR, "%s: the section %s of %" PRIu64 " bytes %s", f->path,
		       elf_section_name(f, s), s->sh_size, what);
}

static int packing_of(struct elf_file *f, const GElf_Shdr *s, struct packing *p, struct err *err)
{
	uint8_t old[12];
	GElf_Chdr header;

	*p = (struct packing){.size = s->sh_size};
	if (s->sh_flags & SHF_COMPRESSED) {
		p->header = gelf_fsize(f->elf, ELF_T_CHDR, 1, EV_CURRENT);
		if (s->sh_size < p->header ||
		    !gelf_getchdr(elf_getscn(f->elf, (size_t)(s - f->sections.v)), &header))
			return damaged(f, s, "is compressed without a header", err);
		p->type = header.ch_type;
		p->size = header.ch_size;
		if (!p->type)
			return damaged(f, s, "is compressed in no known way", err);
	} else if (!strncmp(elf_section_name(f, s), ".zdebug_", 8)) {
		uint64_t size = 0;
		int i;

		if (s->sh_size < sizeof(old) || elf_file_read(f, s->sh_offset, old, sizeof(old)) ||
		    memcmp(old, "ZLIB", 4))
			return damaged(f, s, "is compressed without a header", err);
		for (i = 4; i < 12; i++)
			size = size << 8 | old[i];
		*p = (struct packing){ELFCOMPRESS_ZLIB, size, sizeof(old)};
	}
	return 0;
}

/* Whether all of to was filled. */
static bool inflate_all(uint8_t *to, uint64_t size, const uint8_t *from, uint64_t len)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)from, .next_out = to};
	int ret = inflateInit(&z);
	uint64_t in = len, out = size;

	while (ret == Z_OK) {
		uInt give = in < UINT32_MAX ? (uInt)in : UINT32_MAX;
		uInt take = out < UINT32_MAX ? (uInt)out : UINT32_MAX;

		z.avail_in = give;
		z.avail_out = take;
		ret = inflate(&z, Z_NO_FLUSH);
		in -= give - z.avail_in;
		out -= take - z.avail_out;
	}
	inflateEnd(&z);
	return ret == Z_STREAM_END && !out;
}

static bool zstd_all(uint8_t *to, uint64_t size, const uint8_t *from, uint64_t len)
{
#ifdef HAVE_LIBZSTD
	return ZSTD_decompress(to, size, from, len) == size;
#else
	(void)to, (void)size, (void)from, (void)len;
	return false;
#endif
}

static int check_size(const struct elf_file *f, const GElf_Shdr *s, const struct packing *p,
		      uint64_t max, struct err *err)
{
	uint64_t packed = s->sh_size - p->header;

	if (!elf_section_held(f, s))
		return damaged(f, s, "is not within the file", err);
#ifndef HAVE_LIBZSTD
	if (p->type == ELFCOMPRESS_ZSTD)
		return damaged(f, s, "is compressed with zstd, which this pmcstat is built without",
			       err);
#endif
	if (p->type > ELFCOMPRESS_ZSTD)
		return damaged(f, s, "is compressed in no known way", err);
	if (p->size > max)
		return err_set(err, EX_DATAERR,
			       "%s: the section %s has %" PRIu64 " bytes, more than the %" PRIu64
			       " that are read",
			       f->path, elf_section_name(f, s), p->size, max);
	if (p->type == ELFCOMPRESS_ZLIB && p->size / DEFLATE_RATIO > packed)
		return damaged(f, s, "cannot have become so small by compression", err);
	return 0;
}

uint8_t *unpack_section(struct elf_file *f, const GElf_Shdr *s, uint64_t max, size_t *size,
			struct err *err)
{
	uint8_t *packed = NULL, *bytes = NULL;
	struct packing p;
	bool ok;

	if (packing_of(f, s, &p, err) || check_size(f, s, &p, max, err))
		return NULL;
	bytes = malloc(p.size + 1);
	if (p.type)
		packed = malloc(s->sh_size);
	if (!bytes || (p.type && !packed)) {
		free(bytes);
		free(packed);
		err_nomem(err);
		return NULL;
	}
	ok = !elf_file_read(f, s->sh_offset, p.type ? packed : bytes, s->sh_size);
	if (ok && p.type)
		ok = (p.type == ELFCOMPRESS_ZLIB ? inflate_all : zstd_all)(
			bytes, p.size, packed + p.header, s->sh_size - p.header);
	free(packed);
	if (!ok) {
		damaged(f, s, "cannot be read or decompressed", err);
		free(bytes);
		return NULL;
	}
	bytes[p.size] = 0;
	*size = p.size;
	return bytes;
}

/* What a relocation does with the address of a symbol. */
struct action {
	enum { RELOC_UNKNOWN, RELOC_NOTHING, RELOC_SET, RELOC_ADD, RELOC_SUBTRACT } what;
	unsigned int width; /* bytes */
};

static struct action action_of(uint16_t machine, uint32_t type)
{
	static const struct {
		uint16_t machine, wide, narrow, other; /* other: of thread-local variables */
	} kinds[] = {
		{EM_X86_64, R_X86_64_64, R_X86_64_32, R_X86_64_DTPOFF64},
		{EM_386, 0, R_386_32, R_386_TLS_LDO_32},
		{EM_AARCH64, R_AARCH64_ABS64, R_AARCH64_ABS32, 0},
		{EM_ARM, 0, R_ARM_ABS32, 0},
		{EM_PPC64, R_PPC64_ADDR64, R_PPC64_ADDR32, R_PPC64_DTPREL64},
		{EM_PPC, 0, R_PPC_ADDR32, 0},
		{EM_S390, R_390_64, R_390_32, R_390_TLS_LDO64},
		{EM_RISCV, R_RISCV_64, R_RISCV_32, 0},
	};
	size_t i;

	if (!type)
		return (struct action){.what = RELOC_NOTHING};
	if (machine == EM_RISCV && type >= R_RISCV_ADD8 && type <= R_RISCV_ADD64)
		return (struct action){RELOC_ADD, 1U << (type - R_RISCV_ADD8)};
	if (machine == EM_RISCV && type >= R_RISCV_SUB8 && type <= R_RISCV_SUB64)
		return (struct action){RELOC_SUBTRACT, 1U << (type - R_RISCV_SUB8)};
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (kinds[i].machine != machine)
			continue;
		if (type == kinds[i].wide || type == kinds[i].narrow)
			return (struct action){RELOC_SET, type == kinds[i].wide ? 8 : 4};
		if (type == kinds[i].other)
			return (struct action){.what = RELOC_NOTHING};
	}
	return (struct action){.what = RELOC_UNKNOWN};
}

/* Where what does not stay in memory is put, such as code for the start: where no code is. */
#define NOWHERE (UINT64_C(1) << 31)

/* The value of a symbol, at the addresses that elf_file gives to sections. */
static uint64_t value_of(const struct elf_file *f, const GElf_Sym *sym)
{
	const GElf_Shdr *s;

	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= f->sections.n)
		return sym->st_value;
	s = &f->sections.v[sym->st_shndx];
	if (s->sh_flags & SHF_ALLOC && !(s->sh_flags & SHF_EXECINSTR))
		return sym->st_value + NOWHERE;
	return sym->st_value + s->sh_addr;
}

static uint64_t get(const uint8_t *bytes, unsigned int width, bool big)
{
	uint64_t v = 0;
	unsigned int i;

	for (i = 0; i < width; i++)
		v |= (uint64_t)bytes[i] << 8 * (big ? width - 1 - i : i);
	return v;
}

static void put(uint8_t *bytes, unsigned int width, bool big, uint64_t v)
{
	unsigned int i;

	for (i = 0; i < width; i++)
		bytes[i] = (uint8_t)(v >> 8 * (big ? width - 1 - i : i));
}

/* Whether it was one that is known and is within the bytes. */
static bool relocate(const struct elf_file *f, Elf_Data *syms, const GElf_Rela *rel, bool addend,
		     uint8_t *bytes, size_t size)
{
	struct action action = action_of(f->machine, (uint32_t)GELF_R_TYPE(rel->r_info));
	bool big = elf_getident(f->elf, NULL)[EI_DATA] == ELFDATA2MSB;
	uint64_t v, was;
	GElf_Sym sym;

	if (action.what == RELOC_UNKNOWN || action.what == RELOC_NOTHING)
		return action.what == RELOC_NOTHING;
	if (rel->r_offset > size || size - rel->r_offset < action.width ||
	    !gelf_getsym(syms, (int)GELF_R_SYM(rel->r_info), &sym))
		return false;
	bytes += rel->r_offset;
	was = get(bytes, action.width, big);
	v = value_of(f, &sym) + (addend ? (uint64_t)rel->r_addend : was);
	if (action.what == RELOC_ADD)
		v = was + v;
	else if (action.what == RELOC_SUBTRACT)
		v = was - v;
	put(bytes, action.width, big, v);
	return true;
}

static int relocate_by(struct elf_file *f, const GElf_Shdr *s, const GElf_Shdr *r, uint8_t *bytes,
		       size_t size, struct err *err)
{
	bool addend = r->sh_type == SHT_RELA;
	Elf_Data *data, *syms;
	GElf_Rela rela;
	GElf_Rel rel;
	int i;

	data = elf_section_table(f, r, err);
	syms = data ? elf_section_table(f, &f->sections.v[r->sh_link], err) : NULL;
	if (!syms)
		return -1;
	for (i = 0;
	     addend ? gelf_getrela(data, i, &rela) != NULL : gelf_getrel(data, i, &rel) != NULL;
	     i++) {
		if (!addend)
			rela = (GElf_Rela){rel.r_offset, rel.r_info, 0};
		if (!relocate(f, syms, &rela, addend, bytes, size))
			return err_set(err, EX_DATAERR,
				       "%s: relocation %d of the section %s, of type %" PRIu64
				       " for machine %d, is not known",
				       f->path, i, elf_section_name(f, s),
				       (uint64_t)GELF_R_TYPE(rela.r_info), f->machine);
	}
	return 0;
}

int elf_relocate(struct elf_file *f, const GElf_Shdr *s, uint8_t *bytes, size_t size,
		 struct err *err)
{
	const GElf_Shdr *r;

	/* No compiler makes more than one, and each takes memory. */
	vec_each(r, &f->sections)
		if ((r->sh_type == SHT_RELA || r->sh_type == SHT_REL) &&
		    r->sh_link < f->sections.n && r->sh_info == (size_t)(s - f->sections.v))
			return relocate_by(f, s, r, bytes, size, err);
	return 0;
}
