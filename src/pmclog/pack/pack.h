/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Packed logs: bytes of a pmclog stream to blocks, and back to the same bytes.  man/pmclog.5
 * specifies them.
 *
 * A block is packed with what the blocks before it have told, unless it begins afresh, as one does
 * at least every PMCLOG_PACK_FRESH bytes of records.  So memory is bounded, and a file that was cut
 * short is readable up to its last whole block.
 */
#ifndef PMCLOG_PACK_H
#define PMCLOG_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define PMCLOG_PACK_MAGIC   0x5a434d50u /* "PMCZ" */
#define PMCLOG_PACK_VERSION 1u
#define PMCLOG_PACK_BLOCK   (256u * 1024) /* bytes of records that are packed at once, at most */
#define PMCLOG_PACK_FRESH   (4096u * 1024)
#define PMCLOG_PACK_RATIO   8192u /* bytes of records for each byte of a block, at most */

enum pmclog_pack_method {
	PMCLOG_PACK_ZLIB = 1,
	PMCLOG_PACK_ZSTD = 2,
};

enum pmclog_pack_flag {
	PMCLOG_PACK_IS_FRESH = 1, /* needs no block before it */
};

/* Little endian; the packed columns follow. */
struct pmclog_pack_header {
	uint32_t magic;
	uint8_t version, method;
	uint16_t flags;
	uint32_t length;      /* bytes that follow this header */
	uint32_t records;     /* bytes of records in it */
	uint64_t offset;      /* bytes of records in the blocks before it */
	uint64_t first, last; /* the earliest and latest time of its records, in ticks */
	uint32_t crc;	      /* of what follows this header */
	uint32_t header_crc;  /* of the header before this member */
};

_Static_assert(sizeof(struct pmclog_pack_header) == 48, "a header has no holes");

struct pmclog_packer;

/* Whether this build has the method: libzstd may be missing. */
bool pmclog_pack_knows(enum pmclog_pack_method method);

/* A method that is known; level is its own, from 1 on.  NULL when out of memory. */
struct pmclog_packer *pmclog_packer_new(enum pmclog_pack_method method, int level);
void pmclog_packer_free(struct pmclog_packer *p); /* NULL is legal */

/* How many of the bytes are whole records; all where they are no records at all. */
size_t pmclog_pack_whole(const void *records, size_t len);

/*
 * Makes a block of up to PMCLOG_PACK_BLOCK bytes, best of whole records.  The block is valid until
 * the next call.  0, or -1 with err set, when nothing more can be packed.
 */
int pmclog_packer_pack(struct pmclog_packer *p, const void *records, size_t len,
		       const uint8_t **block, size_t *block_len, struct err *err);

struct pmclog_unpacker;

struct pmclog_unpacker *pmclog_unpacker_new(void);    /* NULL when out of memory */
void pmclog_unpacker_free(struct pmclog_unpacker *u); /* NULL is legal */

/* Checks the header of the next block; length: how many bytes follow it.  0, or -1 with err set. */
int pmclog_unpacker_header(struct pmclog_unpacker *u,
			   const uint8_t header[sizeof(struct pmclog_pack_header)], size_t *length,
			   struct err *err);

/* Whether the header is one, with its checksum; *h gets it as this machine has numbers. */
bool pmclog_pack_header_read(const uint8_t header[sizeof(struct pmclog_pack_header)],
			     struct pmclog_pack_header *h);

/*
 * What follows that header, to the bytes that were packed, valid until the next call.  0, or -1
 * with err set.
 */
int pmclog_unpacker_block(struct pmclog_unpacker *u, const uint8_t *block, const uint8_t **records,
			  size_t *len, struct err *err);

/*
 * The same without the samples, which are counted in *samples but not unpacked: so all blocks
 * before the next one that begins afresh have to be read.
 */
int pmclog_unpacker_others(struct pmclog_unpacker *u, const uint8_t *block, const uint8_t **records,
			   size_t *len, uint64_t *samples, struct err *err);

#endif
