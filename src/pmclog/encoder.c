// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/vec.h"
#include "pmclog/encoder.h"
#include "pmclog/pack/pack.h"

enum { GZIP_FRAMING = 16 };

struct pmclog_encoder {
	struct pmclog_packer *packer; /* NULL: gzip */
	z_stream z;
	bool z_ready;
	VEC(uint8_t) member;
};

int pmclog_compression_find(const char *name, enum pmclog_compression *how, struct err *err)
{
	static const char *const names[] = {
		[PMCLOG_COMPRESS_NONE] = "none",
		[PMCLOG_COMPRESS_ZLIB] = "zlib",
		[PMCLOG_COMPRESS_ZSTD] = "zstd",
		[PMCLOG_COMPRESS_GZIP] = "gzip",
	};
	const size_t n = sizeof(names) / sizeof(names[0]);
	size_t i = 0;

	while (i < n && strcmp(name, names[i]) != 0)
		i++;
	if (i == n)
		return err_set(err, EX_USAGE,
			       "a log is compressed by zlib, zstd or gzip, not by \"%s\"", name);
	if (i == PMCLOG_COMPRESS_ZSTD && !pmclog_pack_knows(PMCLOG_PACK_ZSTD)) {
		err_set(err, EX_UNAVAILABLE, "this pmcstat was built without libzstd");
		return err_hint(err, "zlib is there");
	}
	*how = (enum pmclog_compression)i;
	return 0;
}

struct pmclog_encoder *pmclog_encoder_new(enum pmclog_compression how, int level)
{
	struct pmclog_encoder *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	if (how == PMCLOG_COMPRESS_GZIP)
		e->z_ready = deflateInit2(&e->z, level, Z_DEFLATED, GZIP_FRAMING + MAX_WBITS, 8,
					  Z_DEFAULT_STRATEGY) == Z_OK;
	else
		e->packer = pmclog_packer_new(
			how == PMCLOG_COMPRESS_ZSTD ? PMCLOG_PACK_ZSTD : PMCLOG_PACK_ZLIB, level);
	if (e->z_ready || e->packer)
		return e;
	pmclog_encoder_free(e);
	return NULL;
}

void pmclog_encoder_free(struct pmclog_encoder *e)
{
	if (!e)
		return;
	if (e->z_ready)
		deflateEnd(&e->z);
	pmclog_packer_free(e->packer);
	vec_free(&e->member);
	free(e);
}

int pmclog_encoder_encode(struct pmclog_encoder *e, const void *records, size_t len,
			  const uint8_t **piece, size_t *piece_len, struct err *err)
{
	size_t room;

	if (e->packer)
		return pmclog_packer_pack(e->packer, records, len, piece, piece_len, err);
	deflateReset(&e->z);
	room = deflateBound(&e->z, len);
	if (vec_reserve(&e->member, room))
		return err_nomem(err);
	e->z.next_in = (Bytef *)(uintptr_t)records;
	e->z.avail_in = (uInt)len;
	e->z.next_out = e->member.v;
	e->z.avail_out = (uInt)room;
	if (deflate(&e->z, Z_FINISH) != Z_STREAM_END)
		return err_set(err, EX_SOFTWARE, "zlib did not compress %zu bytes", len);
	*piece = e->member.v;
	*piece_len = room - e->z.avail_out;
	return 0;
}
