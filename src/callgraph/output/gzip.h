/* SPDX-License-Identifier: BSD-2-Clause */
/* A sink's bytes compressed on the way, as gzip(1) does; the same bytes give the same file. */
#ifndef CALLGRAPH_GZIP_H
#define CALLGRAPH_GZIP_H

#include <zlib.h>

#include "base/sink.h"

struct cg_gzip {
	struct sink *sink; /* borrowed; remembers failed writes */
	z_stream stream;
};

/* 0, or -1 when out of memory. */
int cg_gzip_init(struct cg_gzip *g, struct sink *sink);
void cg_gzip_write(struct cg_gzip *g, const void *data, size_t len);
/* Writes the end and frees. */
void cg_gzip_fini(struct cg_gzip *g);

#endif
