// SPDX-License-Identifier: BSD-2-Clause
/* How columns of packed logs are compressed: each for itself, by the method of its block. */
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "pmclog/pack/pack_int.h"

/* The two ways of deflate; without zlib's own headers and checksums, for a block has its own. */
enum { DEFLATE_TEXT, DEFLATE_SYMBOLS, DEFLATES };

struct pack_squeezer {
	enum pmclog_pack_method method;
	int level;
	z_stream deflate[DEFLATES];
	int deflates; /* of these are ready */
#ifdef HAVE_LIBZSTD
	ZSTD_CCtx *zstd;
#endif
};

struct pack_unsqueezer {
	z_stream inflate;
	bool inflates;
#ifdef HAVE_LIBZSTD
	ZSTD_DCtx *zstd; /* NULL: not needed yet */
#endif
};

bool pmclog_pack_knows(enum pmclog_pack_method method)
{
#ifdef HAVE_LIBZSTD
	if (method == PMCLOG_PACK_ZSTD)
		return true;
#endif
	return method == PMCLOG_PACK_ZLIB;
}

/*
 * Columns whose bytes are symbols have no texts that come again, or only runs: looking for more
 * than these takes longer, and makes them larger.
 */
static int deflate_of(enum pack_column c)
{
	switch (c) {
	case COLUMN_NEW_CONTEXT:
	case COLUMN_TRAILER:
	case COLUMN_ADDRESS:
	case COLUMN_LITERAL: return DEFLATE_TEXT;
	default: return DEFLATE_SYMBOLS;
	}
}

#ifdef HAVE_LIBZSTD
/* Repeats of six symbols and fewer take more bytes, and instructions, than their Huffman codes. */
enum { SHORTEST_REPEAT = 7 };

static bool begin_zstd(struct pack_squeezer *s)
{
	s->zstd = ZSTD_createCCtx();
	return s->zstd &&
	       !ZSTD_isError(ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_compressionLevel, s->level)) &&
	       !ZSTD_isError(ZSTD_CCtx_setParameter(s->zstd, ZSTD_c_minMatch, SHORTEST_REPEAT));
}
#endif

static bool begin_deflate(struct pack_squeezer *s)
{
	static const int strategies[DEFLATES] = {
		[DEFLATE_TEXT] = Z_DEFAULT_STRATEGY, [DEFLATE_SYMBOLS] = Z_RLE};

	for (; s->deflates < DEFLATES; s->deflates++)
		if (deflateInit2(&s->deflate[s->deflates], s->level, Z_DEFLATED, -MAX_WBITS, 8,
				 strategies[s->deflates]) != Z_OK)
			return false;
	return true;
}

struct pack_squeezer *pack_squeezer_new(enum pmclog_pack_method method, int level)
{
	struct pack_squeezer *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->method = method;
	s->level = level;
	if (method == PMCLOG_PACK_ZLIB && begin_deflate(s))
		return s;
#ifdef HAVE_LIBZSTD
	if (method == PMCLOG_PACK_ZSTD && begin_zstd(s))
		return s;
#endif
	pack_squeezer_free(s);
	return NULL;
}

void pack_squeezer_free(struct pack_squeezer *s)
{
	if (!s)
		return;
	while (s->deflates)
		deflateEnd(&s->deflate[--s->deflates]);
#ifdef HAVE_LIBZSTD
	ZSTD_freeCCtx(s->zstd);
#endif
	free(s);
}

size_t pack_squeeze(struct pack_squeezer *s, enum pack_column c, const uint8_t *from, size_t len,
		    uint8_t *to)
{
	z_stream *z = &s->deflate[deflate_of(c)];

#ifdef HAVE_LIBZSTD
	if (s->method == PMCLOG_PACK_ZSTD) {
		size_t n = ZSTD_compress2(s->zstd, to, len, from, len);

		return ZSTD_isError(n) || n >= len ? 0 : n;
	}
#endif
	if (deflateReset(z) != Z_OK)
		return 0;
	z->next_in = (Bytef *)(uintptr_t)from;
	z->avail_in = (uInt)len;
	z->next_out = to;
	z->avail_out = (uInt)len;
	return deflate(z, Z_FINISH) == Z_STREAM_END && z->avail_out ? len - z->avail_out : 0;
}

struct pack_unsqueezer *pack_unsqueezer_new(void)
{
	struct pack_unsqueezer *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->inflates = inflateInit2(&u->inflate, -MAX_WBITS) == Z_OK;
	if (u->inflates)
		return u;
	pack_unsqueezer_free(u);
	return NULL;
}

void pack_unsqueezer_free(struct pack_unsqueezer *u)
{
	if (!u)
		return;
	if (u->inflates)
		inflateEnd(&u->inflate);
#ifdef HAVE_LIBZSTD
	ZSTD_freeDCtx(u->zstd);
#endif
	free(u);
}

#ifdef HAVE_LIBZSTD
static int unsqueeze_zstd(struct pack_unsqueezer *u, const uint8_t *from, size_t len, uint8_t *to,
			  size_t to_len)
{
	if (!u->zstd && !(u->zstd = ZSTD_createDCtx()))
		return -1;
	return ZSTD_decompressDCtx(u->zstd, to, to_len, from, len) != to_len;
}
#endif

int pack_unsqueeze(struct pack_unsqueezer *u, enum pmclog_pack_method method, const uint8_t *from,
		   size_t len, uint8_t *to, size_t to_len)
{
#ifdef HAVE_LIBZSTD
	if (method == PMCLOG_PACK_ZSTD)
		return unsqueeze_zstd(u, from, len, to, to_len);
#endif
	(void)method;
	inflateReset(&u->inflate);
	u->inflate.next_in = (Bytef *)(uintptr_t)from;
	u->inflate.avail_in = (uInt)len;
	u->inflate.next_out = to;
	u->inflate.avail_out = (uInt)to_len;
	switch (inflate(&u->inflate, Z_FINISH)) {
	case Z_STREAM_END: return u->inflate.avail_in || u->inflate.avail_out;
	case Z_MEM_ERROR: return -1;
	default: return 1;
	}
}
