/* SPDX-License-Identifier: BSD-2-Clause */
/* The sources of a packed log: what --annotate could show of its samples, and no more. */
#ifndef CALLGRAPH_PACK_SOURCES_H
#define CALLGRAPH_PACK_SOURCES_H

#include "base/sink.h"
#include "callgraph/model/profile.h"

/* Bytes of text.  A file with which there are more is left out. */
enum { CG_PACK_SOURCES_MOST = 64 << 20 };

/* A line that is wanted of a file; 0: all of them. */
struct cg_pack_line {
	const char *file, *object; /* the object is not that of all lines */
	uint32_t line;
};

/* A zeroed one is empty. */
struct cg_pack_sources {
	VEC(struct cg_pack_line) lines;
	uint64_t bytes;	   /* of text that were written */
	uint32_t left_out; /* files, of which there is more than can be packed */
};

/* Wants all of a file that a sample is in.  0, or -1 when out of memory. */
int cg_pack_sources_add(struct cg_pack_sources *s, const char *file);

/* Wants the lines that instructions in an excerpt are of.  0, or -1 when out of memory. */
int cg_pack_sources_add_lines(struct cg_pack_sources *s, const struct symbol_excerpt *e,
			      const char *object);

/* Writes their blocks, with the time tsc.  0, or -1 with err set when out of memory. */
int cg_pack_sources_write(struct cg_pack_sources *s, const struct cg_profile *p, const char *fsroot,
			  uint64_t tsc, struct sink *sink, struct err *err);

void cg_pack_sources_fini(struct cg_pack_sources *s);

#endif
