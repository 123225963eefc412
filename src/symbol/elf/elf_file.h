/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ELF files of either class and byte order, by libelf, from a file or from memory.
 *
 * Nothing is mapped, so that a file that shrinks meanwhile is a read error and not a signal.  What
 * libelf allocates by is checked against the size of the file first, and bounded.
 */
#ifndef SYMBOL_ELF_FILE_H
#define SYMBOL_ELF_FILE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/build_id.h"
#include "base/err.h"
#include "base/vec.h"

/* A PT_LOAD. */
struct elf_segment {
	uint64_t offset, vaddr, filesz, memsz;
	bool exec;
};

struct elf_file {
	const char *path;   /* for messages; borrowed */
	const uint8_t *mem; /* borrowed; NULL: read from fd */
	int fd;
	uint64_t size;
	Elf *elf;
	bool is64, is_big_endian;
	uint16_t type, machine;
	uint64_t entry;			    /* address of the first instruction */
	uint64_t linker_offset, linker_len; /* where PT_INTERP's path is; len 0: none */
	uint8_t build_id[BUILD_ID_MAX];
	size_t build_id_len;
	VEC(struct elf_segment) segments;
	VEC(GElf_Shdr) sections; /* a module's have the addresses that the kernel gives them */
	const char *names;	 /* of the sections; the last byte is NUL */
	size_t names_len;
	uint64_t taken; /* bytes of sections that elf holds */
};

/*
 * Opens a regular file, never waiting for what is none.  0, or -1 with err set: EX_NOINPUT when it
 * cannot be opened, EX_DATAERR when it is no ELF file or damaged, EX_OSERR when out of memory.
 */
int elf_file_open(struct elf_file *f, const char *path, struct err *err);

/* The same of a file that is open already; takes fd. */
int elf_file_adopt(struct elf_file *f, const char *path, int fd, struct err *err);

/* The same of len bytes of memory, which must outlive f. */
int elf_file_memory(struct elf_file *f, const char *path, const void *mem, size_t len,
		    struct err *err);

void elf_file_close(struct elf_file *f);

/* Reads all of [offset, offset + len).  0 or -1. */
int elf_file_read(const struct elf_file *f, uint64_t offset, void *buf, size_t len);

/* Whether the file holds all of the section's bytes; what occupies no space in it is not held. */
bool elf_section_held(const struct elf_file *f, const GElf_Shdr *s);

/*
 * A section of f: as a table for the gelf functions, or as the bytes that the file has.  Of
 * s->sh_size bytes, valid until f is closed; NULL with err set.
 */
Elf_Data *elf_section_table(struct elf_file *f, const GElf_Shdr *s, struct err *err);
Elf_Data *elf_section_bytes(struct elf_file *f, const GElf_Shdr *s, struct err *err);

const char *elf_section_name(const struct elf_file *f, const GElf_Shdr *s);

/* The first section of that type or name; NULL for none. */
const GElf_Shdr *elf_section_of_type(const struct elf_file *f, uint32_t type);
const GElf_Shdr *elf_section_of_name(const struct elf_file *f, const char *name);

/* Whether any executable section has bytes in the file: not so in separate debug files. */
bool elf_file_has_code(const struct elf_file *f);

#endif
