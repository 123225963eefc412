// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdlib.h>
#include <zlib.h>

#include "pmclog/pack/pack_int.h"

/* What is left of a column. */
struct cursor {
	const uint8_t *p, *end;
};

struct pmclog_unpacker {
	struct pack_model model;
	struct pmclog_pack_header h; /* of the block, as this machine has it */
	bool begun;
	uint64_t offset; /* bytes unpacked */
	VEC(uint8_t) columns;
	struct cursor cursor[NCOLUMNS];
	struct pack_unsqueezer *unsqueezer;
	size_t n; /* bytes of the block unpacked */
	uint8_t records[PMCLOG_PACK_BLOCK];
};

struct pmclog_unpacker *pmclog_unpacker_new(void)
{
	struct pmclog_unpacker *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->unsqueezer = pack_unsqueezer_new();
	if (u->unsqueezer)
		return u;
	pmclog_unpacker_free(u);
	return NULL;
}

void pmclog_unpacker_free(struct pmclog_unpacker *u)
{
	if (!u)
		return;
	pack_unsqueezer_free(u->unsqueezer);
	pack_model_fini(&u->model);
	vec_free(&u->columns);
	free(u);
}

/* Bytes that the columns of a block can have in all: see pack.c. */
static size_t most(const struct pmclog_unpacker *u)
{
	return 2 * (size_t)u->h.records + 1024;
}

static void take_header(struct pmclog_pack_header *h, const uint8_t *header)
{
	memcpy(h, header, sizeof(*h));
	h->magic = pack_le32(h->magic);
	h->flags = header[offsetof(struct pmclog_pack_header, flags)];
	h->length = pack_le32(h->length);
	h->records = pack_le32(h->records);
	h->offset = pack_le64(h->offset);
	h->first = pack_le64(h->first);
	h->last = pack_le64(h->last);
	h->crc = pack_le32(h->crc);
	h->header_crc = pack_le32(h->header_crc);
}

static uint32_t header_crc(const uint8_t *header)
{
	return (uint32_t)crc32(0, header, offsetof(struct pmclog_pack_header, header_crc));
}

bool pmclog_pack_header_read(const uint8_t header[sizeof(struct pmclog_pack_header)],
			     struct pmclog_pack_header *h)
{
	take_header(h, header);
	return h->magic == PMCLOG_PACK_MAGIC && header_crc(header) == h->header_crc;
}

/* Whether the block follows those before it, or can be the first that is read. */
static int check_order(struct pmclog_unpacker *u, struct err *err)
{
	if (!u->begun && !(u->h.flags & PMCLOG_PACK_IS_FRESH))
		return err_set(err, EX_DATAERR, "it needs the blocks before it, which are missing");
	if (!u->begun)
		u->offset = u->h.offset;
	if (u->h.offset == u->offset)
		return 0;
	return err_set(err, EX_DATAERR,
		       "its records begin at 0x%" PRIx64 ", those before it end at 0x%" PRIx64
		       ": blocks are missing, or there twice",
		       u->h.offset, u->offset);
}

int pmclog_unpacker_header(struct pmclog_unpacker *u,
			   const uint8_t header[sizeof(struct pmclog_pack_header)], size_t *length,
			   struct err *err)
{
	const struct pmclog_pack_header *h = &u->h;
	uint32_t crc = header_crc(header);

	take_header(&u->h, header);
	if (h->magic != PMCLOG_PACK_MAGIC)
		return err_set(err, EX_DATAERR, "magic 0x%08" PRIx32 " is not 0x%08x", h->magic,
			       PMCLOG_PACK_MAGIC);
	if (h->version != PMCLOG_PACK_VERSION || h->method < PMCLOG_PACK_ZLIB ||
	    h->method > PMCLOG_PACK_ZSTD)
		return err_set(err, EX_DATAERR,
			       "version %u, method %u is not known: version %u, methods %u and %u "
			       "are",
			       h->version, h->method, PMCLOG_PACK_VERSION, PMCLOG_PACK_ZLIB,
			       PMCLOG_PACK_ZSTD);
	if (!pmclog_pack_knows((enum pmclog_pack_method)h->method))
		return err_set(err, EX_UNAVAILABLE,
			       "it is packed by zstd, which this pmcstat was built without");
	if (crc != h->header_crc)
		return err_set(err, EX_DATAERR,
			       "its header's checksum is 0x%08" PRIx32 ", not 0x%08" PRIx32, crc,
			       h->header_crc);
	if (h->records > PMCLOG_PACK_BLOCK || h->length > most(u))
		return err_set(err, EX_DATAERR,
			       "%" PRIu32 " bytes for %" PRIu32 " bytes of records cannot be",
			       h->length, h->records);
	if (h->records / PMCLOG_PACK_RATIO > h->length)
		return err_set(err, EX_DATAERR,
			       "%" PRIu32 " bytes of records in %" PRIu32
			       " bytes are more than the %u times as many that can be",
			       h->records, h->length, PMCLOG_PACK_RATIO);
	if (check_order(u, err))
		return -1;
	*length = h->length;
	return 0;
}

static bool take(struct cursor *c, uint8_t *v)
{
	if (c->p == c->end)
		return false;
	*v = *c->p++;
	return true;
}

static bool take_bytes(struct cursor *c, void *to, size_t len)
{
	if ((size_t)(c->end - c->p) < len)
		return false;
	memcpy(to, c->p, len);
	c->p += len;
	return true;
}

/* Byte by byte: near the end of the column, and where it is longer than 8 bytes. */
static bool take_any_varint(struct cursor *c, uint64_t *v)
{
	unsigned int shift = 0;
	uint8_t b;

	*v = 0;
	do {
		if (shift > 63 || !take(c, &b))
			return false;
		*v |= (uint64_t)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	return true;
}

/* All bytes at once: the end of a loop over them is what the CPU guesses wrong. */
static inline bool take_varint(struct cursor *c, uint64_t *v)
{
	uint64_t w, last;

	if (c->p < c->end && *c->p < 0x80) {
		*v = *c->p++;
		return true;
	}
	if (c->end - c->p < 8)
		return take_any_varint(c, v);
	w = pack_u64(c->p);
	last = ~w & 0x8080808080808080u;
	if (!last)
		return take_any_varint(c, v);
	c->p += (size_t)__builtin_ctzll(last) / 8 + 1;
	w &= (last ^ (last - 1)) & 0x7f7f7f7f7f7f7f7fu;
	w = (w & 0x007f007f007f007fu) | (w & 0x7f007f007f007f00u) >> 1;
	w = (w & 0x00003fff00003fffu) | (w & 0x3fff00003fff0000u) >> 2;
	*v = (w & 0x0fffffffu) | (w & 0x0fffffff00000000u) >> 4;
	return true;
}

/* A column at p to raw bytes at to.  0, 1: it is damaged, or -1 when out of memory. */
static int open_column(struct pmclog_unpacker *u, const uint8_t *p, size_t packed, uint8_t *to,
		       size_t raw)
{
	if (packed != raw)
		return pack_unsqueeze(u->unsqueezer, (enum pmclog_pack_method)u->h.method, p,
				      packed, to, raw);
	if (raw)
		memcpy(to, p, raw);
	return 0;
}

static int out_of_line(struct err *err)
{
	return err_set(err, EX_DATAERR, "its columns do not fit each other or their lengths");
}

/* Takes the columns apart, and has those read that are wanted, a bit each. */
static int open_columns(struct pmclog_unpacker *u, const uint8_t *block, uint32_t wanted,
			struct err *err)
{
	struct cursor c = {block, block + u->h.length};
	uint64_t raw[NCOLUMNS], packed[NCOLUMNS], sum = 0;
	size_t at = 0;
	int failed, i;

	for (i = 0; i < NCOLUMNS; i++) {
		if (!take_varint(&c, &raw[i]) || !take_varint(&c, &packed[i]) || raw[i] > most(u) ||
		    packed[i] > raw[i])
			return out_of_line(err);
		sum += raw[i];
	}
	if (sum > most(u))
		return out_of_line(err);
	/* Behind the last one there is room for a read of 8 bytes: take_time(). */
	if (vec_reserve(&u->columns, (size_t)sum + 8))
		return err_nomem(err);
	for (i = 0; i < NCOLUMNS; i++) {
		if (packed[i] > (uint64_t)(c.end - c.p))
			return out_of_line(err);
		c.p += packed[i];
		u->cursor[i] = (struct cursor){0};
		if (!(wanted & 1u << i))
			continue;
		failed = open_column(u, c.p - packed[i], (size_t)packed[i], u->columns.v + at,
				     (size_t)raw[i]);
		if (failed)
			return failed < 0 ? err_nomem(err) : out_of_line(err);
		u->cursor[i] = (struct cursor){u->columns.v + at, u->columns.v + at + raw[i]};
		at += (size_t)raw[i];
	}
	return c.p == c.end ? 0 : out_of_line(err);
}

/* What a sample says: 0, 1: the columns are damaged, or -1 when out of memory. */
static int take_context(struct pmclog_unpacker *u, uint8_t symbol, uint32_t *number)
{
	struct pack_model *m = &u->model;
	uint8_t raw[CONTEXT_BYTES];
	uint32_t rank = symbol;
	uint64_t v;

	if (symbol < CONTEXT_RANKS) {
		if (rank >= m->nrecent)
			return 1;
		*number = m->recent[rank];
	} else if (symbol == CONTEXT_OLD) {
		if (!take_varint(&u->cursor[COLUMN_NEW_CONTEXT], &v) || v >= m->contexts.n)
			return 1;
		*number = (uint32_t)v;
		rank = UINT32_MAX;
	} else {
		struct pack_context c = {0};

		if (symbol != CONTEXT_NEW ||
		    !take_bytes(&u->cursor[COLUMN_NEW_CONTEXT], raw, sizeof(raw)))
			return 1;
		c.pid = pack_u32(raw);
		c.tid = pack_u32(raw + 4);
		c.pmcid = pack_u32(raw + 8);
		c.cpuflags = pack_u32(raw + 12);
		*number = pack_context_add(m, &c);
		rank = UINT32_MAX;
	}
	if (*number == UINT32_MAX)
		return -1;
	pack_context_touch(m, rank, *number);
	return 0;
}

static bool take_time(struct pmclog_unpacker *u, struct pack_clock *clock, uint64_t *tsc)
{
	struct cursor *high = &u->cursor[COLUMN_TIME_HIGH];
	uint8_t size, low = 0;
	uint64_t v = 0;

	if (!take(&u->cursor[COLUMN_TIME_SIZE], &size) || size > 8)
		return false;
	if (size) {
		size--;
		if (!take(&u->cursor[COLUMN_TIME_LOW], &low) || high->end - high->p < size)
			return false;
		v = (pack_u64(high->p) & (((uint64_t)1 << 8 * size) - 1)) << 8 | low;
		high->p += size;
	}
	*tsc = pack_time_expected(clock) + pack_unzigzag(v);
	pack_time_learn(clock, *tsc);
	return true;
}

/* The node that a symbol says.  0, 1: the columns are damaged, or -1 when out of memory. */
static inline int take_frame(struct pmclog_unpacker *u, const struct pack_place *place,
			     uint8_t symbol, uint32_t *node)
{
	struct pack_model *m = &u->model;
	uint64_t v;

	if (symbol == FRAME_PREDICTED) {
		*node = *place->prediction;
		return *node == NO_NODE;
	}
	if (symbol != FRAME_NEW) {
		if (symbol > m->nodes.v[place->caller].ncallees)
			return 1;
		*node = pack_callee_hit(m, place->caller, symbol - 1);
		return 0;
	}
	if (!take_varint(&u->cursor[COLUMN_ADDRESS], &v))
		return 1;
	v = m->nodes.v[place->caller].last + pack_unzigzag(v);
	*node = pack_callee_add(m, place->caller, v);
	return *node == NO_NODE ? -1 : 0;
}

/* So many frames, the last of which is the leaf.  As above. */
static int take_frames(struct pmclog_unpacker *u, struct pack_chain *chain, uint32_t n)
{
	struct cursor *inner = &u->cursor[COLUMN_INNER];
	const uint8_t *symbol = inner->p, *end;
	struct pack_place place;
	uint32_t node;
	uint8_t leaf;
	int failed;

	if ((size_t)(inner->end - inner->p) < n - 1 || !take(&u->cursor[COLUMN_LEAF], &leaf))
		return 1;
	end = inner->p += n - 1;
	if (pack_chain_reserve(chain, chain->n + n))
		return -1;
	place = pack_place_of(&u->model, chain);
	while (symbol < end) {
		if ((failed = take_frame(u, &place, *symbol++, &node)))
			return failed;
		pack_push(&u->model, &place, node);
	}
	if ((failed = take_frame(u, &place, leaf, &node)))
		return failed;
	pack_push(&u->model, &place, node);
	chain->n += n;
	return 0;
}

/* The chain of a sample with a trailer of so many words.  As above. */
static int take_chain(struct pmclog_unpacker *u, struct pack_chain *chain, uint32_t words)
{
	const uint64_t most = (PMCLOG_MAX_RECORD - sizeof(struct pmclog_wire_callchain)) / 8;
	uint64_t pops, pushes;

	if (!take_varint(&u->cursor[COLUMN_POPS], &pops) ||
	    !take_varint(&u->cursor[COLUMN_PUSHES], &pushes) || pops > chain->n || pushes > most ||
	    chain->n - pops + pushes + words > most)
		return 1;
	chain->n -= (uint32_t)pops;
	return pushes ? take_frames(u, chain, (uint32_t)pushes) : 0;
}

static void put_u32(uint8_t *to, uint32_t v)
{
	v = pack_le32(v);
	memcpy(to, &v, sizeof(v));
}

static void put_u64(uint8_t *to, uint64_t v)
{
	v = pack_le64(v);
	memcpy(to, &v, sizeof(v));
}

/* The next record, a sample.  0, 1: the columns are damaged, or -1 when out of memory. */
static int take_sample(struct pmclog_unpacker *u, uint8_t symbol)
{
	uint8_t *rec = u->records + u->n, *pcs = rec + sizeof(struct pmclog_wire_callchain);
	const struct pack_context *c;
	struct pack_chain *chain;
	uint8_t flags, words = 0;
	uint32_t number;
	uint64_t tsc;
	size_t len;
	int failed;

	if ((failed = take_context(u, symbol, &number)))
		return failed;
	c = &u->model.contexts.v[number];
	if (!take_time(u, &u->model.clocks.v[c->clock], &tsc) ||
	    !take(&u->cursor[COLUMN_FLAGS], &flags) || flags & ~(FLAG_END | FLAG_TRAILER) ||
	    (flags & FLAG_TRAILER && !take(&u->cursor[COLUMN_TRAILER], &words)))
		return 1;
	chain = &u->model.chains[c->chain];
	if ((failed = take_chain(u, chain, words)))
		return failed;
	len = sizeof(struct pmclog_wire_callchain) + 8 * ((size_t)chain->n + words);
	if (len > u->h.records - u->n)
		return 1;
	put_u32(rec, PMCLOG_WIRE_HEADER(PMCLOG_WIRE_CALLCHAIN, len));
	put_u32(rec + 4, 0);
	put_u64(rec + 8, tsc);
	put_u32(rec + 16, c->pid);
	put_u32(rec + 20, c->tid);
	put_u32(rec + 24, c->pmcid);
	put_u32(rec + 28, c->cpuflags | (uint32_t)(flags & FLAG_END) << PMCLOG_CC_END_SHIFT |
				  (uint32_t)words << PMCLOG_CC_TRAILER_SHIFT);
	if (chain->n)
		memcpy(pcs, chain->pcs + chain->room - chain->n, 8 * (size_t)chain->n);
	u->n += len;
	pcs += 8 * (size_t)chain->n;
	return words && !take_bytes(&u->cursor[COLUMN_TRAILER], pcs, 8 * (size_t)words);
}

static int take_literal(struct pmclog_unpacker *u)
{
	uint64_t len;

	if (!take_varint(&u->cursor[COLUMN_LITERAL], &len) || !len || len > u->h.records - u->n ||
	    !take_bytes(&u->cursor[COLUMN_LITERAL], u->records + u->n, (size_t)len))
		return 1;
	u->n += (size_t)len;
	return 0;
}

/* All records.  As above. */
static int take_records(struct pmclog_unpacker *u)
{
	uint8_t symbol;
	int failed = 0, i;

	for (u->n = 0; u->n < u->h.records && !failed;) {
		if (!take(&u->cursor[COLUMN_CONTEXT], &symbol))
			return 1;
		failed = symbol == CONTEXT_LITERAL ? take_literal(u) : take_sample(u, symbol);
	}
	for (i = 0; i < NCOLUMNS && !failed; i++)
		failed = u->cursor[i].p != u->cursor[i].end;
	return failed;
}

/* Other records alone.  As above. */
static int take_others(struct pmclog_unpacker *u, uint64_t *samples)
{
	const struct cursor *literal = &u->cursor[COLUMN_LITERAL];
	uint8_t symbol;
	int failed = 0;

	for (u->n = 0; !failed && take(&u->cursor[COLUMN_CONTEXT], &symbol);)
		if (symbol == CONTEXT_LITERAL)
			failed = take_literal(u);
		else
			(*samples)++;
	return failed || literal->p != literal->end;
}

/* Checks what follows the header, and opens the columns that are wanted.  0, or -1 with err set. */
static int begin_block(struct pmclog_unpacker *u, const uint8_t *block, uint32_t wanted,
		       struct err *err)
{
	uint32_t crc = (uint32_t)crc32(0, block, u->h.length);

	if (crc != u->h.crc)
		return err_set(err, EX_DATAERR, "its checksum is 0x%08" PRIx32 ", not 0x%08" PRIx32,
			       crc, u->h.crc);
	if (u->h.flags & PMCLOG_PACK_IS_FRESH && pack_model_begin(&u->model))
		return err_nomem(err);
	u->begun = true;
	u->model.bytes += u->h.records;
	if (u->model.bytes > PMCLOG_PACK_FRESH)
		return err_set(err, EX_DATAERR,
			       "%" PRIu64 " bytes of records without one that begins afresh",
			       u->model.bytes);
	return open_columns(u, block, wanted, err);
}

static int end_block(struct pmclog_unpacker *u, int failed, const uint8_t **records, size_t *len,
		     struct err *err)
{
	if (failed)
		return failed < 0 ? err_nomem(err) : out_of_line(err);
	u->offset += u->h.records;
	*records = u->records;
	*len = u->n;
	return 0;
}

int pmclog_unpacker_block(struct pmclog_unpacker *u, const uint8_t *block, const uint8_t **records,
			  size_t *len, struct err *err)
{
	if (begin_block(u, block, UINT32_MAX, err))
		return -1;
	return end_block(u, take_records(u), records, len, err);
}

int pmclog_unpacker_others(struct pmclog_unpacker *u, const uint8_t *block, const uint8_t **records,
			   size_t *len, uint64_t *samples, struct err *err)
{
	*samples = 0;
	if (begin_block(u, block, 1u << COLUMN_CONTEXT | 1u << COLUMN_LITERAL, err))
		return -1;
	return end_block(u, take_others(u, samples), records, len, err);
}
