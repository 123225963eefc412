/* SPDX-License-Identifier: BSD-2-Clause */
/* Sections as they were before a linker compressed them, or left them to be relocated. */
#ifndef SYMBOL_UNPACK_H
#define SYMBOL_UNPACK_H

#include "symbol/elf/elf_file.h"

/*
 * The bytes of a section, decompressed (by zlib, in both of its ways, or zstd), with a NUL behind
 * them, for free().  NULL with err set, also for a section of more than max bytes.
 */
uint8_t *unpack_section(struct elf_file *f, const GElf_Shdr *s, uint64_t max, size_t *size,
			struct err *err);

/* Applies the relocations of a section of an object file to its bytes.  0, or -1 with err set. */
int elf_relocate(struct elf_file *f, const GElf_Shdr *s, uint8_t *bytes, size_t size,
		 struct err *err);

#endif
