/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the parts of the reader say to each other: framing (reader.c), the layouts of a record's
 * bytes (reader_v9.c, reader_old.c), and where bytes come from (source.c).
 */
#ifndef PMCLOG_READER_INT_H
#define PMCLOG_READER_INT_H

#include <string.h>

#include "pmclog/reader.h"

/* So many bytes may come of one of an appendix: whoever sends a log has its reader use them. */
#define PMCLOGINT_APPENDIX_RATIO 32

/* What the records before have told about the layout of the next one. */
struct pmclogint_decoder {
	bool swap;			/* the log's byte order is not this machine's */
	bool big;			/* the log's byte order is big endian */
	bool old;			/* versions 1 to 5 */
	bool copies;			/* program counters are not as this machine has them */
	uint8_t ptr;			/* bytes of a pointer; 0: not known yet */
	uint32_t header;		/* bytes of a record's header */
	uint32_t major;			/* 0 before INITIALIZE */
	uint32_t appendix;		/* the type of the block that is not whole yet, and */
	uint64_t appendix_left;		/* the bytes of it to come; 0: none is begun */
	uint64_t foreign;		/* as in struct pmclog_reader_stats */
	uint64_t pcs[PMCLOG_MAX_DEPTH]; /* a chain that cannot be used where it lies */
	struct {
		uint64_t pcs[PMCLOG_MAX_FRAMES];
		uint8_t guessed[PMCLOG_MAX_FRAMES / 8], exact[PMCLOG_MAX_FRAMES / 8];
	} unfolded; /* a chain that repeats frames */
};

enum pmclogint_decoded { DECODED_OK = 0, DECODED_UNKNOWN = 1, DECODED_CORRUPT = -1 };

/*
 * Decodes the rec->length bytes at rec->raw, whose header has been checked and whose wire type is
 * type, into rec.  On DECODED_CORRUPT err holds the bare fact.
 */
enum pmclogint_decoded pmclogint_decode_v9(struct pmclogint_decoder *d, uint32_t type,
					   struct pmclog_record *rec, struct err *err);
enum pmclogint_decoded pmclogint_decode_old(struct pmclogint_decoder *d, uint32_t type,
					    struct pmclog_record *rec, struct err *err);

/* The text at offset at of the record, at most max bytes with its NUL.  -1 with err set. */
int pmclogint_text(const struct pmclog_record *rec, uint32_t at, uint32_t max, const char *what,
		   struct pmclog_text *text, struct err *err);

/*
 * The program counters of a chain from offset at to the record's end, in the form that this machine
 * has them in.  -1 with err set.
 */
int pmclogint_pcs(struct pmclogint_decoder *d, struct pmclog_record *rec, uint32_t at,
		  struct err *err);

static inline uint32_t pmclogint_u32(const struct pmclogint_decoder *d,
				     const struct pmclog_record *rec, uint32_t at)
{
	uint32_t v;

	memcpy(&v, (const uint8_t *)rec->raw + at, sizeof(v));
	return d->swap ? __builtin_bswap32(v) : v;
}

/* A number that the kernel stored as it stands: a record's time, and the time of day. */
static inline uint64_t pmclogint_stored(const struct pmclogint_decoder *d,
					const struct pmclog_record *rec, uint32_t at)
{
	uint64_t v;

	memcpy(&v, (const uint8_t *)rec->raw + at, sizeof(v));
	return d->swap ? __builtin_bswap64(v) : v;
}

/* Any other 64 bits: two words, the low one first in either byte order. */
static inline uint64_t pmclogint_u64(const struct pmclogint_decoder *d,
				     const struct pmclog_record *rec, uint32_t at)
{
	if (__builtin_expect(d->big, 0))
		return pmclogint_u32(d, rec, at) | (uint64_t)pmclogint_u32(d, rec, at + 4) << 32;
	return pmclogint_stored(d, rec, at);
}

static inline uint64_t pmclogint_pointer(const struct pmclogint_decoder *d,
					 const struct pmclog_record *rec, uint32_t at)
{
	return d->ptr == 4 ? pmclogint_u32(d, rec, at) : pmclogint_u64(d, rec, at);
}

/* Whether the 8 bytes at offset at can be one address: user half, or kernel half, of 48 bits. */
static inline bool pmclogint_is_address(const struct pmclogint_decoder *d,
					const struct pmclog_record *rec, uint32_t at)
{
	uint64_t v = rec->length >= at + 8 ? pmclogint_u64(d, rec, at) : 1ull << 48;

	return v >> 47 == 0 || v >> 47 == 0x1ffff;
}

/* A file descriptor, through zlib where it holds a gzip stream, unpacked where it is packed. */
struct pmclogint_source;

/* Whether a log, plain or packed, may begin so. */
bool pmclogint_begins_log(const uint8_t head[4]);

/* fd is closed with the source when take is true, also on failure.  NULL when out of memory. */
struct pmclogint_source *pmclogint_source_new(int fd, bool take);
void pmclogint_source_free(struct pmclogint_source *s);

/*
 * Reads up to cap bytes.  OK with *got > 0, or NEED_DATA, EOF, or a failure with the bare fact in
 * err.
 */
enum pmclog_result pmclogint_source_read(struct pmclogint_source *s, void *to, size_t cap,
					 size_t *got, struct err *err);

/* As pmclog_reader_grows(). */
void pmclogint_source_grows(struct pmclogint_source *s, bool grows);

/* From now on samples from then to then are wanted, in ticks; others may be left out. */
void pmclogint_source_limit(struct pmclogint_source *s, uint64_t from, uint64_t to);
/* What was left out for that, up to now. */
const struct pmclog_left_out *pmclogint_source_left_out(const struct pmclogint_source *s);

/* As pmclog_reader_machine(). */
struct pmclog_machine pmclogint_source_machine(const struct pmclogint_source *s);

/* As pmclog_reader_size(). */
uint64_t pmclogint_source_size(const struct pmclogint_source *s);

/* Bytes of a compressed log that were read until now; 0: it is none. */
uint64_t pmclogint_source_packed(const struct pmclogint_source *s);

#endif
