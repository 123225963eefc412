// SPDX-License-Identifier: BSD-2-Clause
/* ELF files: headers, segments, where the CFI is; bytes of them by pread(2), never by mmap(2). */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unwind/unwind_int.h"

enum { SEGMENTS_MAX = 1024, SECTIONS_MAX = 4096, NAME_MAX_BYTES = 32 };

static const struct unwindint_machine machines[] = {
	[UNWIND_X86_64] = {.word = 8,
			   .mask = UINT64_MAX,
			   .sp = UNWIND_X86_64_RSP,
			   .fp = UNWIND_X86_64_RBP,
			   .ra = UNWIND_X86_64_RA,
			   .kept = 1 << 3 | 1 << 6 | 1 << 12 | 1 << 13 | 1 << 14 | 1 << 15,
			   .call_bytes = 7},
	[UNWIND_X86] = {.word = 4,
			.mask = UINT32_MAX,
			.sp = UNWIND_X86_ESP,
			.fp = UNWIND_X86_EBP,
			.ra = UNWIND_X86_RA,
			.kept = 1 << 3 | 1 << 5 | 1 << 6 | 1 << 7,
			.call_bytes = 7},
	/* x19 to x29. */
	[UNWIND_ARM64] = {.word = 8,
			  .mask = UINT64_MAX,
			  .sp = UNWIND_ARM64_SP,
			  .fp = UNWIND_ARM64_FP,
			  .ra = UNWIND_ARM64_LR,
			  .kept = 0x3ff80000,
			  .call_bytes = 4},
};

const struct unwindint_machine *unwindint_machine(enum unwind_machine machine)
{
	return &machines[machine];
}

size_t unwindint_read(const struct unwind_image *image, uint64_t offset, void *buf, size_t n)
{
	size_t got = 0;

	if (offset >= image->size)
		return 0;
	if (n > image->size - offset)
		n = (size_t)(image->size - offset);
	if (image->mem) {
		memcpy(buf, image->mem + offset, n);
		return n;
	}
	while (got < n) {
		ssize_t r = pread(image->fd, (char *)buf + got, n - got, (off_t)(offset + got));

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			break;
		got += (size_t)r;
	}
	return got;
}

uint8_t *unwindint_load(const struct unwind_image *image, uint64_t offset, uint64_t length)
{
	uint8_t *bytes;

	if (offset > image->size || length > image->size - offset || !length)
		return NULL;
	bytes = malloc((size_t)length);
	if (bytes && unwindint_read(image, offset, bytes, (size_t)length) != length) {
		free(bytes);
		return NULL;
	}
	return bytes;
}

bool unwindint_offset(const struct unwind_image *image, uint64_t vaddr, uint64_t *offset,
		      uint64_t *left)
{
	const struct unwindint_load *l;

	vec_each(l, &image->loads) {
		if (vaddr - l->vaddr < l->length) {
			*offset = l->offset + (vaddr - l->vaddr);
			*left = l->length - (vaddr - l->vaddr);
			return true;
		}
	}
	return false;
}

/* A cursor over what is at offset in the file, copied to buf. */
static struct dwarf_cursor at(const struct unwind_image *image, uint64_t offset, void *buf,
			      size_t size)
{
	struct dwarf_bytes bytes = {buf, unwindint_read(image, offset, buf, size)};

	return dwarf_cursor(bytes, 0, UNWINDINT_SWAP);
}

/* An address or offset, of the file's class. */
static uint64_t word(const struct unwind_image *image, struct dwarf_cursor *c)
{
	return dwarf_sized(c, image->m->word);
}

static void segment_add(struct unwind_image *image, uint32_t type, uint32_t flags,
			struct unwindint_load l, bool *nomem)
{
	if (l.offset > image->size)
		l.length = 0;
	else if (l.length > image->size - l.offset)
		l.length = image->size - l.offset;
	if (!l.length)
		return;
	if (type == PT_GNU_EH_FRAME)
		image->hdr = (struct unwindint_section){l.offset, l.vaddr, l.length, false};
	if (type != PT_LOAD)
		return;
	if (vec_push(&image->loads, l))
		*nomem = true;
	if (flags & PF_X &&
	    vec_push(&image->exec, (struct unwind_segment){l.offset, l.vaddr, l.length}))
		*nomem = true;
}

static int segments_read(struct unwind_image *image, const char *name, uint64_t phoff,
			 uint32_t phentsize, uint32_t phnum, struct err *err)
{
	bool is64 = image->m->word == 8, nomem = false;
	uint32_t size = is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr), i;
	uint8_t buf[sizeof(Elf64_Phdr)];

	if (phentsize != size || phnum > SEGMENTS_MAX)
		return err_set(err, EX_DATAERR,
			       "%s: %u program headers of %u bytes are none of an ELF file", name,
			       phnum, phentsize);
	for (i = 0; i < phnum; i++) {
		struct dwarf_cursor c = at(image, phoff + (uint64_t)i * size, buf, size);
		struct unwindint_load l;
		uint32_t type, flags;

		type = dwarf_u32(&c);
		flags = is64 ? dwarf_u32(&c) : 0;
		l.offset = word(image, &c);
		l.vaddr = word(image, &c);
		word(image, &c);
		l.length = word(image, &c);
		word(image, &c);
		if (!is64)
			flags = dwarf_u32(&c);
		if (c.bad)
			return err_set(err, EX_DATAERR,
				       "%s: program header %u of %u is behind the end of the file",
				       name, i, phnum);
		segment_add(image, type, flags, l, &nomem);
	}
	return nomem ? err_nomem(err) : 0;
}

static enum unwind_machine machine_of(uint8_t elf_class, uint8_t data, uint16_t machine)
{
	if (data != ELFDATA2LSB)
		return UNWIND_NO_MACHINE;
	if (elf_class == ELFCLASS64 && machine == EM_X86_64)
		return UNWIND_X86_64;
	if (elf_class == ELFCLASS64 && machine == EM_AARCH64)
		return UNWIND_ARM64;
	if (elf_class == ELFCLASS32 && machine == EM_386)
		return UNWIND_X86;
	return UNWIND_NO_MACHINE;
}

int unwindint_headers_read(struct unwind_image *image, const char *name, struct err *err)
{
	uint8_t buf[sizeof(Elf64_Ehdr)] = {0};
	struct dwarf_cursor c = at(image, 0, buf, sizeof(buf));
	uint32_t phentsize, phnum;
	uint64_t phoff;
	uint16_t type;

	if (memcmp(buf, ELFMAG, SELFMAG))
		return err_set(err, EX_DATAERR, "%s: no ELF file", name);
	dwarf_skip(&c, EI_NIDENT);
	type = dwarf_u16(&c);
	image->machine = machine_of(buf[EI_CLASS], buf[EI_DATA], dwarf_u16(&c));
	if (image->machine == UNWIND_NO_MACHINE || (type != ET_EXEC && type != ET_DYN))
		return err_set(err, EX_DATAERR, "%s: no program or library of x86-64, x86 or arm64",
			       name);
	image->m = unwindint_machine(image->machine);
	dwarf_u32(&c); /* version */
	image->entry = word(image, &c);
	phoff = word(image, &c);
	image->shoff = word(image, &c);
	dwarf_u32(&c); /* flags */
	dwarf_u16(&c); /* size of this header */
	phentsize = dwarf_u16(&c);
	phnum = dwarf_u16(&c);
	image->shentsize = dwarf_u16(&c);
	image->shnum = dwarf_u16(&c);
	image->shstrndx = dwarf_u16(&c);
	if (c.bad)
		return err_set(err, EX_DATAERR, "%s: the file ends within its ELF header", name);
	return segments_read(image, name, phoff, phentsize, phnum, err);
}

struct section {
	uint32_t name, type;
	uint64_t flags, vaddr, offset, length;
};

static bool section_at(const struct unwind_image *image, uint32_t i, struct section *s)
{
	uint8_t buf[sizeof(Elf64_Shdr)];
	uint32_t size = image->m->word == 8 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	struct dwarf_cursor c;

	if (image->shentsize != size || i >= image->shnum || i >= SECTIONS_MAX)
		return false;
	c = at(image, image->shoff + (uint64_t)i * size, buf, size);
	s->name = dwarf_u32(&c);
	s->type = dwarf_u32(&c);
	s->flags = word(image, &c);
	s->vaddr = word(image, &c);
	s->offset = word(image, &c);
	s->length = word(image, &c);
	return !c.bad;
}

bool unwindint_section(const struct unwind_image *image, const char *name,
		       struct unwindint_section *section)
{
	char text[NAME_MAX_BYTES];
	struct section names, s;
	size_t length = strlen(name) + 1;
	uint32_t i;

	if (length > sizeof(text) || !image->shoff || !section_at(image, image->shstrndx, &names))
		return false;
	for (i = 1; section_at(image, i, &s); i++) {
		if (s.type == SHT_NOBITS || s.name >= names.length ||
		    unwindint_read(image, names.offset + s.name, text, length) != length ||
		    memcmp(text, name, length))
			continue;
		*section = (struct unwindint_section){s.offset, s.vaddr, s.length,
						      s.flags & SHF_COMPRESSED};
		return true;
	}
	return false;
}
