/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bytes of a log as they stand in its file: packed, or as gzip(1) has them.
 *
 * What is given at once becomes a piece that is whole: a file that is cut off behind any piece can
 * be read up to there.
 */
#ifndef PMCLOG_ENCODER_H
#define PMCLOG_ENCODER_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum pmclog_compression {
	PMCLOG_COMPRESS_NONE,
	PMCLOG_COMPRESS_ZLIB, /* packed, by deflate */
	PMCLOG_COMPRESS_ZSTD, /* packed, by Zstandard: faster, where libzstd is */
	PMCLOG_COMPRESS_GZIP, /* not packed: a gzip member each piece */
};

/*
 * By its name: "zlib".  0, or -1 with err set: EX_USAGE for what is none, EX_UNAVAILABLE for what
 * this build lacks.
 */
int pmclog_compression_find(const char *name, enum pmclog_compression *how, struct err *err);

struct pmclog_encoder;

/* level is the method's own, from 1 on.  NULL when out of memory. */
struct pmclog_encoder *pmclog_encoder_new(enum pmclog_compression how, int level);
void pmclog_encoder_free(struct pmclog_encoder *e); /* NULL is legal */

/*
 * Makes a piece of up to PMCLOG_PACK_BLOCK bytes, best of whole records.  It is valid until the
 * next call.  0, or -1 with err set, when nothing more can be encoded.
 */
int pmclog_encoder_encode(struct pmclog_encoder *e, const void *records, size_t len,
			  const uint8_t **piece, size_t *piece_len, struct err *err);

#endif
