/* SPDX-License-Identifier: BSD-2-Clause */
/* Machine instructions as text, by libcapstone where it was found when this was built. */
#ifndef CALLGRAPH_DISASM_H
#define CALLGRAPH_DISASM_H

#include <stddef.h>
#include <stdint.h>

struct disasm;

/*
 * For an ELF machine (EM_X86_64 ...).  NULL when out of memory or when it cannot be disassembled;
 * then *why says so, and is NULL when out of memory.
 */
struct disasm *disasm_new(uint16_t machine, const char **why);
void disasm_free(struct disasm *d); /* NULL is legal */

/* The bytes of the instruction at code, whose text goes into text; 0 when there is none. */
size_t disasm_one(struct disasm *d, const uint8_t *code, size_t len, uint64_t address, char *text,
		  size_t size);

/* The bytes of every instruction of a machine; 0 when they differ. */
size_t disasm_width(uint16_t machine);

#endif
