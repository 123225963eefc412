// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <zlib.h>

#include "pmclog/appendix.h"
#include "pmclog/pack/pack_int.h"
#include "pmclog/reader_int.h"

enum {
	LEVEL = 6,
	LENGTH = 8, /* bytes of the number before the compressed ones */
	CHUNK = (PMCLOG_MAX_RECORD - sizeof(struct pmclog_wire_appendix)) & ~7u,
};

/* The block as it is in records, for free(); NULL when out of memory. */
static uint8_t *pack(const void *data, size_t len, int level, size_t *size)
{
	uLongf n = compressBound(len);
	uint8_t *packed = malloc(LENGTH + n);
	uint64_t length = pack_le64(len);

	if (!packed || compress2(packed + LENGTH, &n, data, len, level) != Z_OK) {
		free(packed);
		return NULL;
	}
	memcpy(packed, &length, LENGTH);
	*size = LENGTH + n;
	return packed;
}

static void write_records(struct sink *sink, enum pmclog_appendix_type type, uint64_t tsc,
			  const uint8_t *packed, size_t left)
{
	while (left) {
		size_t n = left < CHUNK ? left : CHUNK, padded = (n + 7) & ~(size_t)7;
		const struct pmclog_wire_appendix h = {
			.h.header = pack_le32(
				PMCLOG_WIRE_HEADER(PMCLOG_WIRE_APPENDIX, sizeof(h) + padded)),
			.h.tsc = pack_le64(tsc),
			.magic = pack_le32(PMCLOG_APPENDIX_MAGIC),
			.type = pack_le32(type),
			.crc = pack_le32((uint32_t)crc32(0, packed, (uInt)n)),
			.size = pack_le32((uint32_t)n),
			.left = pack_le64(left - n),
		};

		sink_write(sink, &h, sizeof(h));
		sink_write(sink, packed, n);
		sink_fill(sink, '\0', padded - n);
		packed += n;
		left -= n;
	}
}

int pmclog_appendix_write(struct sink *sink, enum pmclog_appendix_type type, uint64_t tsc,
			  const void *data, size_t len, struct err *err)
{
	size_t size;
	uint8_t *packed = pack(data, len, LEVEL, &size);

	/* What would be too small is stored as it is. */
	if (packed && len / PMCLOGINT_APPENDIX_RATIO >= size - LENGTH) {
		free(packed);
		packed = pack(data, len, Z_NO_COMPRESSION, &size);
	}
	if (!packed)
		return err_nomem(err);
	write_records(sink, type, tsc, packed, size);
	free(packed);
	return 0;
}

static int unpack(const uint8_t *packed, size_t size, uint8_t **block, size_t *len, struct err *err)
{
	uint64_t length = 0;
	uLongf n;

	if (size > LENGTH)
		memcpy(&length, packed, LENGTH);
	length = pack_le64(length);
	if (!length)
		return err_set(err, EX_DATAERR, "a block of %zu bytes without any content", size);
	if (length / PMCLOGINT_APPENDIX_RATIO > size - LENGTH)
		return err_set(err, EX_DATAERR,
			       "%zu bytes that are to become %" PRIu64 ", %" PRIu64
			       " times as many; %d times is the most",
			       size - LENGTH, length, length / (size - LENGTH),
			       PMCLOGINT_APPENDIX_RATIO);
	*block = malloc(length);
	if (!*block)
		return err_nomem(err);
	n = length;
	if (uncompress(*block, &n, packed + LENGTH, size - LENGTH) == Z_OK && n == length) {
		*len = n;
		return 0;
	}
	free(*block);
	*block = NULL;
	return err_set(err, EX_DATAERR, "%zu compressed bytes are not %" PRIu64 " in any way", size,
		       length);
}

int pmclog_appendix_add(struct pmclog_appendix *a, const struct pmclog_record *rec, uint8_t **block,
			size_t *len, struct err *err)
{
	size_t n = rec->u.appendix.begins ? 0 : a->packed.n;
	int status;

	*block = NULL;
	a->packed.n = n;
	if (vec_reserve(&a->packed, n + rec->u.appendix.size))
		return err_nomem(err);
	memcpy(a->packed.v + n, rec->u.appendix.bytes, rec->u.appendix.size);
	a->packed.n += rec->u.appendix.size;
	if (rec->u.appendix.left)
		return 0;
	status = unpack(a->packed.v, a->packed.n, block, len, err);
	vec_free(&a->packed);
	return status;
}

void pmclog_appendix_fini(struct pmclog_appendix *a)
{
	vec_free(&a->packed);
}
