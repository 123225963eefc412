// SPDX-License-Identifier: BSD-2-Clause
#include <limits.h>
#include <stdint.h>

#include "callgraph/output/gzip.h"

int cg_gzip_init(struct cg_gzip *g, struct sink *sink)
{
	*g = (struct cg_gzip){.sink = sink};
	/* 16 asks for gzip's header; the rest is zlib's default. */
	return deflateInit2(&g->stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8,
			    Z_DEFAULT_STRATEGY) == Z_OK
		       ? 0
		       : -1;
}

static void run(struct cg_gzip *g, int flush)
{
	unsigned char out[16384];

	do {
		g->stream.next_out = out;
		g->stream.avail_out = sizeof(out);
		deflate(&g->stream, flush);
		sink_write(g->sink, out, sizeof(out) - g->stream.avail_out);
	} while (!g->stream.avail_out);
}

void cg_gzip_write(struct cg_gzip *g, const void *data, size_t len)
{
	g->stream.next_in = (void *)(uintptr_t)data;
	while (len) {
		g->stream.avail_in = len > UINT_MAX / 2 ? UINT_MAX / 2 : (uInt)len;
		len -= g->stream.avail_in;
		run(g, Z_NO_FLUSH);
	}
}

void cg_gzip_fini(struct cg_gzip *g)
{
	run(g, Z_FINISH);
	deflateEnd(&g->stream);
}
