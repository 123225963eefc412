/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A source file of a packed log.
 *
 * The bytes of its block: the version; the path, as debug information has it; why the file cannot
 * be read, "" where it can; how many objects are older than the file, and their paths; its lines up
 * to the end, each as how many before it are left out, and its text.  Numbers are unsigned LEB128,
 * texts end with a NUL.
 */
#ifndef CALLGRAPH_PACKED_SOURCE_H
#define CALLGRAPH_PACKED_SOURCE_H

#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

enum { CG_PACKED_SOURCE_VERSION = 1 };

struct cg_packed_line {
	uint32_t line; /* from 1 */
	const char *text;
};

struct cg_packed_source {
	uint8_t *bytes; /* own; all texts are in them */
	const char *path, *problem;
	VEC(const char *) older;
	VEC(struct cg_packed_line) lines; /* ascending */
};

/*
 * Reads a block, which may come from anybody.  Takes bytes, which are for free().  0, or -1 with
 * err set: they are none (EX_DATAERR), or out of memory.
 */
int cg_packed_source_read(struct cg_packed_source *s, uint8_t *bytes, size_t len, struct err *err);
void cg_packed_source_fini(struct cg_packed_source *s);

/* The text of a line; NULL: it is not there. */
const char *cg_packed_source_line(const struct cg_packed_source *s, uint32_t line);

#endif
