/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes ELF files in memory of a text and a section of CFI, for tests of src/unwind.
 *
 *	struct unwind_elf elf;
 *	unwind_elf_init(&elf, UNWIND_X86_64);
 *	elf.text = code; elf.text_length = sizeof(code);
 *	elf.cfi = bytes; elf.cfi_length = sizeof(bytes);
 *	image = unwind_elf_image(&elf);
 *
 * The text is at UNWIND_ELF_TEXT of both file and memory, .eh_frame at UNWIND_ELF_CFI.
 */
#ifndef UNWIND_ELF_H
#define UNWIND_ELF_H

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/unwind.h"

enum { UNWIND_ELF_TEXT = 0x1000, UNWIND_ELF_CFI = 0x3000, UNWIND_ELF_TEXT_MAX = 0x2000 };

struct unwind_elf {
	enum unwind_machine machine;
	const uint8_t *text, *cfi, *hdr; /* borrowed; NULL: nothing, text: as if all were nop */
	size_t text_length, cfi_length, hdr_length;
	uint64_t entry;
	bool debug;	  /* .debug_frame */
	bool compressed;  /* says that it is */
	bool no_sections; /* as if stripped of all */
};

static inline void unwind_elf_init(struct unwind_elf *e, enum unwind_machine machine)
{
	*e = (struct unwind_elf){.machine = machine, .entry = UINT32_MAX};
}

/* Bytes of a header, as a 32-bit or a 64-bit file has them. */
static inline size_t unwind_elf_put(uint8_t *to, const uint64_t *values, const char *sizes,
				    bool is64)
{
	size_t at = 0;

	/* 1, 2, 4: bytes; w: a word of the machine */
	for (; *sizes; sizes++, values++) {
		size_t n = *sizes == 'w' ? (is64 ? 8 : 4) : (size_t)(*sizes - '0');

		memcpy(to + at, values, n);
		at += n;
	}
	return at;
}

static inline size_t unwind_elf_segment(uint8_t *to, bool is64, uint64_t type, uint64_t flags,
					uint64_t at, uint64_t length)
{
	const uint64_t p64[] = {type, flags, at, at, at, length, length, 1};
	const uint64_t p32[] = {type, at, at, at, length, length, flags, 1};

	return is64 ? unwind_elf_put(to, p64, "44wwwwww", true)
		    : unwind_elf_put(to, p32, "44444444", false);
}

static inline size_t unwind_elf_section(uint8_t *to, bool is64, uint64_t name, uint64_t flags,
					uint64_t vaddr, uint64_t offset, uint64_t length)
{
	const uint64_t s[] = {name, SHT_PROGBITS, flags, vaddr, offset, length, 0, 0, 1, 0};

	return unwind_elf_put(to, s, "44wwww44ww", is64);
}

static inline void unwind_elf_header(const struct unwind_elf *e, uint8_t *to, uint64_t shoff,
				     uint64_t segments)
{
	bool is64 = e->machine != UNWIND_X86;
	uint64_t ident[16] = {0x7f, 'E', 'L', 'F', is64 ? 2 : 1, 1, 1};
	uint64_t machine = e->machine == UNWIND_X86_64 ? EM_X86_64
			   : e->machine == UNWIND_X86  ? EM_386
						       : EM_AARCH64;
	uint64_t size = is64 ? 64 : 52;
	const uint64_t h[] = {ET_DYN,	machine,	1,
			      e->entry, size,		e->no_sections ? 0 : shoff,
			      0,	size,		is64 ? 56 : 32,
			      segments, is64 ? 64 : 40, e->no_sections ? 0 : 3,
			      2};

	to += unwind_elf_put(to, ident, "1111111111111111", is64);
	unwind_elf_put(to, h, "224www4222222", is64);
}

/* The bytes of the file, to be freed; NULL when out of memory. */
static inline uint8_t *unwind_elf_bytes(const struct unwind_elf *e, size_t *length)
{
	static const char names[] = "\0.eh_frame\0.debug_frame\0.names";
	bool is64 = e->machine != UNWIND_X86;
	size_t hdr = UNWIND_ELF_CFI + ((e->cfi_length + 7) & ~(size_t)7);
	size_t strings = hdr + ((e->hdr_length + 7) & ~(size_t)7);
	size_t sections = (strings + sizeof(names) + 7) & ~(size_t)7;
	uint8_t *bytes, *p;

	*length = sections + 3 * 64;
	bytes = p = calloc(1, *length);
	if (!bytes)
		return NULL;
	unwind_elf_header(e, bytes, sections, e->hdr ? 3 : 2);
	p += is64 ? 64 : 52;
	p += unwind_elf_segment(p, is64, PT_LOAD, PF_R | PF_X, UNWIND_ELF_TEXT,
				UNWIND_ELF_TEXT_MAX);
	p += unwind_elf_segment(p, is64, PT_LOAD, PF_R, UNWIND_ELF_CFI, strings - UNWIND_ELF_CFI);
	if (e->hdr)
		unwind_elf_segment(p, is64, PT_GNU_EH_FRAME, PF_R, hdr, e->hdr_length);
	memset(bytes + UNWIND_ELF_TEXT, 0x90, UNWIND_ELF_TEXT_MAX);
	if (e->text)
		memcpy(bytes + UNWIND_ELF_TEXT, e->text, e->text_length);
	if (e->cfi)
		memcpy(bytes + UNWIND_ELF_CFI, e->cfi, e->cfi_length);
	if (e->hdr)
		memcpy(bytes + hdr, e->hdr, e->hdr_length);
	memcpy(bytes + strings, names, sizeof(names));
	p = bytes + sections;
	p += unwind_elf_section(p, is64, 0, 0, 0, 0, 0);
	p += unwind_elf_section(p, is64, e->debug ? 11 : 1, e->compressed ? SHF_COMPRESSED : 0,
				e->debug ? 0 : UNWIND_ELF_CFI, UNWIND_ELF_CFI, e->cfi_length);
	unwind_elf_section(p, is64, 24, 0, 0, strings, sizeof(names));
	return bytes;
}

static inline struct unwind_image *unwind_elf_image(const struct unwind_elf *e)
{
	struct unwind_image *image = NULL;
	size_t length;
	uint8_t *bytes = unwind_elf_bytes(e, &length);

	if (bytes)
		image = unwind_image_of_memory("made", bytes, length, NULL);
	free(bytes);
	return image;
}

#endif
