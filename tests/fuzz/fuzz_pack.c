// SPDX-License-Identifier: BSD-2-Clause
/*
 * Packed logs.  The lowest bit of the first byte chooses: 0: any bytes are packed, in pieces of the
 * size that the other bits say, and must come back; 1: they are the columns of two blocks, with
 * right checksums, behind what the header says of their size; the next bit chooses the method.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "pmclog/pack/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = sizeof(struct pmclog_pack_header) };

static void round_trip(enum pmclog_pack_method method, const uint8_t *data, size_t size,
		       size_t piece)
{
	struct pmclog_packer *p = pmclog_packer_new(method, 1);
	struct pmclog_unpacker *u = pmclog_unpacker_new();
	const uint8_t *block, *records;
	size_t n, len, length, got;

	if (!p || !u)
		abort();
	for (; size; data += n, size -= n) {
		n = pmclog_pack_whole(data, size < piece ? size : piece);
		n = n ? n : size < PMCLOG_PACK_BLOCK ? size : PMCLOG_PACK_BLOCK;
		if (pmclog_packer_pack(p, data, n, &block, &len, NULL) ||
		    pmclog_unpacker_header(u, block, &length, NULL) || length != len - HEADER ||
		    pmclog_unpacker_block(u, block + HEADER, &records, &got, NULL) || got != n ||
		    memcmp(records, data, n))
			abort();
	}
	pmclog_packer_free(p);
	pmclog_unpacker_free(u);
}

/* The same without the samples: no more than what the header says. */
static void skip_samples(const uint8_t *header, const uint8_t *columns)
{
	struct pmclog_unpacker *u = pmclog_unpacker_new();
	struct pmclog_pack_header h;
	const uint8_t *records;
	uint64_t samples;
	size_t len;

	if (!u || !pmclog_pack_header_read(header, &h))
		abort();
	if (!pmclog_unpacker_header(u, header, &len, NULL) &&
	    !pmclog_unpacker_others(u, columns, &records, &len, &samples, NULL) &&
	    (len > h.records || samples > h.length * (uint64_t)PMCLOG_PACK_RATIO))
		abort();
	pmclog_unpacker_free(u);
}

/* A block of these columns; false: it was refused. */
static bool unpack(struct pmclog_unpacker *u, enum pmclog_pack_method method,
		   const uint8_t *columns, size_t size, uint32_t records, uint64_t *offset)
{
	struct pmclog_pack_header h = {.magic = PMCLOG_PACK_MAGIC,
				       .version = PMCLOG_PACK_VERSION,
				       .method = (uint8_t)method,
				       .flags = *offset ? 0 : PMCLOG_PACK_IS_FRESH,
				       .length = (uint32_t)size,
				       .records = records,
				       .offset = *offset,
				       .crc = (uint32_t)crc32(0, columns, (uInt)size)};
	const uint8_t *unpacked;
	uint8_t raw[HEADER];
	size_t len;

	h.header_crc = (uint32_t)crc32(0, (const uint8_t *)&h, HEADER - 4);
	memcpy(raw, &h, HEADER);
	skip_samples(raw, columns);
	if (pmclog_unpacker_header(u, raw, &len, NULL) ||
	    pmclog_unpacker_block(u, columns, &unpacked, &len, NULL))
		return false;
	if (len != records)
		abort();
	*offset += len;
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum pmclog_pack_method method = PMCLOG_PACK_ZLIB;
	struct pmclog_unpacker *u;
	uint64_t offset = 0;
	uint8_t choice;

	if (!size)
		return 0;
	choice = *data++;
	size--;
	if (!(choice & 1)) {
		size_t piece = choice ? choice * 64u : PMCLOG_PACK_BLOCK;

		round_trip(PMCLOG_PACK_ZLIB, data, size, piece);
		if (pmclog_pack_knows(PMCLOG_PACK_ZSTD))
			round_trip(PMCLOG_PACK_ZSTD, data, size, piece);
		return 0;
	}
	if (choice & 2 && pmclog_pack_knows(PMCLOG_PACK_ZSTD))
		method = PMCLOG_PACK_ZSTD;
	u = pmclog_unpacker_new();
	if (!u)
		abort();
	/* As much as the columns say, and the same again with what they have taught. */
	if (size >= 4 &&
	    unpack(u, method, data + 4, size - 4,
		   (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)(data[2] & 3) << 16,
		   &offset))
		unpack(u, method, data + 4, size - 4, (uint32_t)offset, &offset);
	pmclog_unpacker_free(u);
	return 0;
}
