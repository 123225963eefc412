/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ELF files of either class and byte order, read by pread(2) or from memory.
 *
 * Nothing is mapped, so that a file that shrinks meanwhile is a read error and not a signal; every
 * offset and length is checked against the size of the file.
 */
#ifndef SYMBOL_ELF_FILE_H
#define SYMBOL_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/build_id.h"
#include "base/err.h"
#include "base/vec.h"

/* A PT_LOAD. */
struct elf_segment {
	uint64_t offset, vaddr, filesz, memsz;
	bool exec;
};

struct elf_section {
	uint32_t name, type, link;
	uint64_t flags, addr, offset, size, entsize, align;
};

struct elf_file {
	const char *path;   /* for messages; borrowed */
	const uint8_t *mem; /* borrowed; NULL: read from fd */
	int fd;
	uint64_t size;
	bool is64, swap;
	uint16_t type, machine;
	uint8_t build_id[BUILD_ID_MAX];
	size_t build_id_len;
	VEC(struct elf_segment) segments;
	VEC(struct elf_section) sections;
	char *names; /* of the sections, NUL-terminated */
	size_t names_len;
};

/*
 * Opens a regular file, never waiting for what is none.  0, or -1 with err set: EX_NOINPUT when it
 * cannot be opened, EX_DATAERR when it is no ELF file or damaged, EX_OSERR when out of memory.
 */
int elf_file_open(struct elf_file *f, const char *path, struct err *err);

/* The same of len bytes of memory, which must outlive f. */
int elf_file_memory(struct elf_file *f, const char *path, const void *mem, size_t len,
		    struct err *err);

void elf_file_close(struct elf_file *f);

/* Reads all of [offset, offset + len).  0 or -1. */
int elf_file_read(const struct elf_file *f, uint64_t offset, void *buf, size_t len);

/* Whether the file holds all of the section's bytes; what occupies no space in it is not held. */
bool elf_section_held(const struct elf_file *f, const struct elf_section *s);

/* The bytes of a section, to be freed; NULL with err set. */
uint8_t *elf_section_read(const struct elf_file *f, const struct elf_section *s, struct err *err);

const char *elf_section_name(const struct elf_file *f, const struct elf_section *s);

/* The first section of that type or name; NULL for none. */
const struct elf_section *elf_section_of_type(const struct elf_file *f, uint32_t type);
const struct elf_section *elf_section_of_name(const struct elf_file *f, const char *name);

/* Whether any executable section has bytes in the file: not so in separate debug files. */
bool elf_file_has_code(const struct elf_file *f);

/* An unsigned integer of the file's byte order. */
static inline uint64_t elf_get(const struct elf_file *f, const uint8_t *p, size_t size)
{
	uint16_t h;
	uint32_t w;
	uint64_t x;

	switch (size) {
	case 1: return *p;
	case 2: memcpy(&h, p, 2); return f->swap ? __builtin_bswap16(h) : h;
	case 4: memcpy(&w, p, 4); return f->swap ? __builtin_bswap32(w) : w;
	default: memcpy(&x, p, 8); return f->swap ? __builtin_bswap64(x) : x;
	}
}

/* ELF_SIZE(f, Sym) is the size of the file's Elf32_Sym or Elf64_Sym. */
#define ELF_SIZE(f, type) ((f)->is64 ? sizeof(Elf64_##type) : sizeof(Elf32_##type))

/* ELF_GET(f, p, Sym, st_name) is a field of the one at p. */
#define ELF_GET(f, p, type, field)                                     \
	((f)->is64 ? elf_get((f), (p) + offsetof(Elf64_##type, field), \
			     sizeof(((Elf64_##type *)0)->field))       \
		   : elf_get((f), (p) + offsetof(Elf32_##type, field), \
			     sizeof(((Elf32_##type *)0)->field)))

#endif
