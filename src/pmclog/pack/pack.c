// SPDX-License-Identifier: BSD-2-Clause
#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

#include "pmclog/pack/pack_int.h"

typedef VEC(uint8_t) bytes;

struct pmclog_packer {
	struct pack_model model;
	bytes columns[NCOLUMNS];
	bytes out; /* the block */
	enum pmclog_pack_method method;
	struct pack_squeezer *squeezer;
	bool failed;
	uint64_t offset; /* bytes packed */
	uint64_t first, last;
};

struct pmclog_packer *pmclog_packer_new(enum pmclog_pack_method method, int level)
{
	struct pmclog_packer *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->method = method;
	p->squeezer = pack_squeezer_new(method, level);
	if (p->squeezer)
		return p;
	pmclog_packer_free(p);
	return NULL;
}

void pmclog_packer_free(struct pmclog_packer *p)
{
	int i;

	if (!p)
		return;
	pack_squeezer_free(p->squeezer);
	pack_model_fini(&p->model);
	for (i = 0; i < NCOLUMNS; i++)
		vec_free(&p->columns[i]);
	vec_free(&p->out);
	free(p);
}

/* The columns have room for all that a block can need: see begin(). */
static inline void put(struct pmclog_packer *p, enum pack_column c, uint8_t v)
{
	p->columns[c].v[p->columns[c].n++] = v;
}

static void put_bytes(struct pmclog_packer *p, enum pack_column c, const void *data, size_t len)
{
	memcpy(p->columns[c].v + p->columns[c].n, data, len);
	p->columns[c].n += len;
}

static size_t varint(uint8_t *to, uint64_t v)
{
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		to[n++] = (uint8_t)(v | 0x80);
	to[n++] = (uint8_t)v;
	return n;
}

static inline void put_varint(struct pmclog_packer *p, enum pack_column c, uint64_t v)
{
	p->columns[c].n += varint(p->columns[c].v + p->columns[c].n, v);
}

/* The sample's context: its number, UINT32_MAX when out of memory. */
static uint32_t put_context(struct pmclog_packer *p, const struct pack_context *c,
			    const uint8_t *raw)
{
	struct pack_model *m = &p->model;
	const struct pack_context *known;
	struct table_iter it;
	uint32_t i, rank;

	for (i = table_first(&m->context_table, pack_context_hash(c), &it); i != TABLE_NONE;
	     i = table_next(&m->context_table, &it)) {
		known = &m->contexts.v[i];
		if (known->pid == c->pid && known->tid == c->tid && known->pmcid == c->pmcid &&
		    known->cpuflags == c->cpuflags)
			break;
	}
	if (i == TABLE_NONE) {
		uint32_t flags = pack_le32(c->cpuflags);

		put(p, COLUMN_CONTEXT, CONTEXT_NEW);
		put_bytes(p, COLUMN_NEW_CONTEXT, raw, CONTEXT_BYTES - sizeof(flags));
		put_bytes(p, COLUMN_NEW_CONTEXT, &flags, sizeof(flags));
		i = pack_context_add(m, c);
		rank = UINT32_MAX;
	} else {
		for (rank = 0; rank < m->nrecent && m->recent[rank] != i;)
			rank++;
		if (rank < m->nrecent) {
			put(p, COLUMN_CONTEXT, (uint8_t)rank);
		} else {
			put(p, COLUMN_CONTEXT, CONTEXT_OLD);
			put_varint(p, COLUMN_NEW_CONTEXT, i);
		}
	}
	pack_context_touch(m, rank, i);
	return i;
}

static void put_time(struct pmclog_packer *p, struct pack_clock *clock, uint64_t tsc)
{
	uint64_t v = pack_zigzag(tsc - pack_time_expected(clock));
	uint8_t size = 0;

	for (; v; v >>= 8)
		put(p, size++ ? COLUMN_TIME_HIGH : COLUMN_TIME_LOW, (uint8_t)v);
	put(p, COLUMN_TIME_SIZE, size);
	pack_time_learn(clock, tsc);
}

/* A frame that is not in the thread's chain before: its node, NO_NODE when out of memory. */
static uint32_t put_frame(struct pmclog_packer *p, enum pack_column column, struct pack_place place,
			  uint64_t pc)
{
	struct pack_model *m = &p->model;
	uint32_t node = *place.prediction, rank;

	if (node != NO_NODE && m->nodes.v[node].pc == pc) {
		put(p, column, FRAME_PREDICTED);
		return node;
	}
	rank = pack_callee_rank(m, place.caller, pc);
	if (rank != UINT32_MAX) {
		put(p, column, (uint8_t)(1 + rank));
		return pack_callee_hit(m, place.caller, rank);
	}
	put(p, column, FRAME_NEW);
	put_varint(p, COLUMN_ADDRESS, pack_zigzag(pc - m->nodes.v[place.caller].last));
	return pack_callee_add(m, place.caller, pc);
}

/* How many frames from the outermost on a chain has in common with the n addresses at pcs. */
static uint32_t count_same(const struct pack_chain *chain, const uint8_t *pcs, uint32_t n)
{
	uint32_t same = 0;

	while (same < n && same < chain->n &&
	       !memcmp(&chain->pcs[chain->room - 1 - same], pcs + 8 * (size_t)(n - 1 - same), 8))
		same++;
	return same;
}

/* The n program counters at pcs, the leaf first. */
static int put_chain(struct pmclog_packer *p, struct pack_chain *chain, const uint8_t *pcs,
		     uint32_t n)
{
	uint32_t same = count_same(chain, pcs, n), i, node;
	struct pack_place place;

	put_varint(p, COLUMN_POPS, chain->n - same);
	put_varint(p, COLUMN_PUSHES, n - same);
	chain->n = same;
	if (same == n)
		return 0;
	if (pack_chain_reserve(chain, n))
		return -1;
	place = pack_place_of(&p->model, chain);
	for (i = same; i < n; i++) {
		node = put_frame(p, i == n - 1 ? COLUMN_LEAF : COLUMN_INNER, place,
				 pack_u64(pcs + 8 * (size_t)(n - 1 - i)));
		if (node == NO_NODE)
			return -1;
		pack_push(&p->model, &place, node);
	}
	chain->n = n;
	return 0;
}

/* A sample of len bytes, whose layout was checked.  0, or -1 when out of memory. */
static int put_sample(struct pmclog_packer *p, const uint8_t *rec, size_t len)
{
	const size_t fixed = sizeof(struct pmclog_wire_callchain);
	uint32_t cpuflags = pack_u32(rec + 28), n = (uint32_t)(len - fixed) / 8, i;
	uint32_t words = cpuflags >> PMCLOG_CC_TRAILER_SHIFT & PMCLOG_CC_TRAILER_MASK;
	uint32_t end = cpuflags >> PMCLOG_CC_END_SHIFT & PMCLOG_CC_END_MASK;
	struct pack_context c = {.pid = pack_u32(rec + 16),
				 .tid = pack_u32(rec + 20),
				 .pmcid = pack_u32(rec + 24),
				 .cpuflags = cpuflags & CONTEXT_CPUFLAGS};

	i = put_context(p, &c, rec + 16);
	if (i == UINT32_MAX)
		return -1;
	put_time(p, &p->model.clocks.v[p->model.contexts.v[i].clock], pack_u64(rec + 8));
	put(p, COLUMN_FLAGS, (uint8_t)(end | (words ? FLAG_TRAILER : 0)));
	if (words) {
		put(p, COLUMN_TRAILER, (uint8_t)words);
		put_bytes(p, COLUMN_TRAILER, rec + len - 8 * (size_t)words, 8 * (size_t)words);
	}
	return put_chain(p, &p->model.chains[p->model.contexts.v[i].chain], rec + fixed, n - words);
}

/* Whether a record of len bytes is a sample that the columns can say: its other bits are clear. */
static bool is_sample(const uint8_t *rec, size_t len)
{
	const uint32_t said = CONTEXT_CPUFLAGS | PMCLOG_CC_END_MASK << PMCLOG_CC_END_SHIFT |
			      PMCLOG_CC_TRAILER_MASK << PMCLOG_CC_TRAILER_SHIFT;
	uint32_t cpuflags;

	if (len < sizeof(struct pmclog_wire_callchain) || len % 8 || len > PMCLOG_MAX_RECORD ||
	    pack_u32(rec) != PMCLOG_WIRE_HEADER(PMCLOG_WIRE_CALLCHAIN, len) || pack_u32(rec + 4))
		return false;
	cpuflags = pack_u32(rec + 28);
	return !(cpuflags & ~said) &&
	       (cpuflags >> PMCLOG_CC_TRAILER_SHIFT & PMCLOG_CC_TRAILER_MASK) <= (len - 32) / 8;
}

/* Bytes as they stand. */
static void put_literal(struct pmclog_packer *p, const uint8_t *data, size_t len)
{
	put(p, COLUMN_CONTEXT, CONTEXT_LITERAL);
	put_varint(p, COLUMN_LITERAL, len);
	put_bytes(p, COLUMN_LITERAL, data, len);
}

/* The length of the record at data, and takes note of its time; all of len where it is none. */
static size_t frame(struct pmclog_packer *p, const uint8_t *data, size_t len)
{
	uint32_t h = len >= sizeof(struct pmclog_wire_header) ? pack_u32(data) : 0, n = h & 0xffff;
	uint64_t tsc;

	if (h >> 24 != PMCLOG_WIRE_MAGIC || n < sizeof(struct pmclog_wire_header) || n > len) {
		p->first = 0;
		p->last = UINT64_MAX;
		return len;
	}
	tsc = pack_u64(data + 8);
	p->first = tsc < p->first ? tsc : p->first;
	p->last = tsc > p->last ? tsc : p->last;
	return n;
}

/* Empties the columns and makes room: a record needs at most twice its bytes in each, and some. */
static int begin(struct pmclog_packer *p, size_t len)
{
	int i;

	for (i = 0; i < NCOLUMNS; i++) {
		p->columns[i].n = 0;
		if (vec_reserve(&p->columns[i], 2 * len + 64))
			return -1;
	}
	p->first = UINT64_MAX;
	p->last = 0;
	if (p->offset && p->model.bytes + len <= PMCLOG_PACK_FRESH)
		return 0;
	return pack_model_begin(&p->model);
}

/* Compresses a column behind the block; one that does not get smaller stands as it is. */
static int squeeze(struct pmclog_packer *p, enum pack_column c, size_t *packed)
{
	const bytes *column = &p->columns[c];

	if (vec_reserve(&p->out, p->out.n + column->n))
		return -1;
	*packed = column->n > 8 ? pack_squeeze(p->squeezer, c, column->v, column->n,
					       p->out.v + p->out.n)
				: 0;
	if (!*packed && column->n)
		memcpy(p->out.v + p->out.n, column->v, column->n);
	if (!*packed)
		*packed = column->n;
	p->out.n += *packed;
	return 0;
}

/* The sizes of the columns, then the columns. */
static int put_columns(struct pmclog_packer *p)
{
	uint8_t sizes[NCOLUMNS * 2 * 5];
	size_t n = 0, packed, start = sizeof(struct pmclog_pack_header) + sizeof(sizes);
	enum pack_column i;

	p->out.n = start;
	if (vec_reserve(&p->out, start))
		return -1;
	for (i = 0; i < NCOLUMNS; i++) {
		if (squeeze(p, i, &packed))
			return -1;
		n += varint(sizes + n, p->columns[i].n);
		n += varint(sizes + n, packed);
	}
	memmove(p->out.v + sizeof(struct pmclog_pack_header) + n, p->out.v + start,
		p->out.n - start);
	memcpy(p->out.v + sizeof(struct pmclog_pack_header), sizes, n);
	p->out.n -= sizeof(sizes) - n;
	return 0;
}

static void put_header(struct pmclog_packer *p, size_t len, bool fresh)
{
	const size_t size = sizeof(struct pmclog_pack_header);
	struct pmclog_pack_header h = {
		.magic = pack_le32(PMCLOG_PACK_MAGIC),
		.version = PMCLOG_PACK_VERSION,
		.method = (uint8_t)p->method,
		.length = pack_le32((uint32_t)(p->out.n - size)),
		.records = pack_le32((uint32_t)len),
		.offset = pack_le64(p->offset),
		.first = pack_le64(p->first),
		.last = pack_le64(p->last),
	};
	uint8_t *flags = (uint8_t *)&h.flags;

	flags[0] = fresh ? PMCLOG_PACK_IS_FRESH : 0;
	h.crc = pack_le32((uint32_t)crc32(0, p->out.v + size, (uInt)(p->out.n - size)));
	h.header_crc = pack_le32((uint32_t)crc32(0, (const uint8_t *)&h,
						 offsetof(struct pmclog_pack_header, header_crc)));
	memcpy(p->out.v, &h, size);
}

size_t pmclog_pack_whole(const void *records, size_t len)
{
	const uint8_t *data = records;
	size_t at = 0, n;
	uint32_t h;

	for (; len - at >= sizeof(h); at += n) {
		h = pack_u32(data + at);
		n = h & 0xffff;
		if (h >> 24 != PMCLOG_WIRE_MAGIC || n < sizeof(struct pmclog_wire_header) ||
		    n > PMCLOG_MAX_RECORD)
			return len;
		if (n > len - at)
			break;
	}
	return at;
}

int pmclog_packer_pack(struct pmclog_packer *p, const void *records, size_t len,
		       const uint8_t **block, size_t *block_len, struct err *err)
{
	const uint8_t *data = records;
	bool failed = p->failed || len > PMCLOG_PACK_BLOCK || begin(p, len), fresh;
	size_t at, n;

	fresh = !p->model.bytes;
	for (at = 0; at < len && !failed; at += n) {
		n = frame(p, data + at, len - at);
		if (is_sample(data + at, n))
			failed = put_sample(p, data + at, n);
		else
			put_literal(p, data + at, n);
	}
	p->failed = failed || put_columns(p);
	if (p->failed)
		return err_nomem(err);
	put_header(p, len, fresh);
	p->offset += len;
	p->model.bytes += len;
	*block = p->out.v;
	*block_len = p->out.n;
	return 0;
}
