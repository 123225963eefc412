// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/vec.h"
#include "pmclog/container.h"
#include "pmclog/pack/pack.h"
#include "pmclog/reader_int.h"

static const char gzip_magic[] = {0x1f, (char)0x8b}, blocks_magic[] = "PMCZ";

enum {
	PACKED = 64 * 1024, /* bytes of gzip stream read at once */
	BLOCK_HEADER = sizeof(struct pmclog_pack_header),
};

enum kind { KIND_UNKNOWN, KIND_CONTAINER, KIND_PLAIN, KIND_GZIP, KIND_BLOCKS };

/* A packed log. */
struct blocks {
	struct pmclog_unpacker *unpacker;
	VEC(uint8_t) block; /* what was read of it, the header first */
	size_t want;	    /* bytes that it has, as far as is known */
	bool has_header;    /* and it is right */
	struct pmclog_pack_header header;
	uint64_t n, at;	 /* whole blocks before it, and their bytes */
	bool is_limited; /* only samples from then to then are wanted, in ticks */
	uint64_t from, to;
	bool skips; /* samples, until a block begins afresh */
	struct pmclog_left_out left_out;
	const uint8_t *records; /* unpacked, and not given yet */
	size_t nrecords;
};

struct pmclogint_source {
	int fd;
	bool take;
	bool grows;	/* more may come behind the end */
	uint64_t taken; /* bytes that were read */
	enum kind kind;
	uint8_t head[4]; /* the first bytes of the stream, until kind is known */
	size_t nhead;
	bool in_member; /* inside a gzip member */
	bool has_members; /* one was read to its end */
	bool damaged;	/* what came out of it before that has been given */
	z_stream z;
	uint8_t *packed;
	struct pmclogint_container container; /* before a plain log */
	struct blocks blocks;
};

struct pmclogint_source *pmclogint_source_new(int fd, bool take)
{
	struct pmclogint_source *s = calloc(1, sizeof(*s));

	if (!s) {
		if (take)
			close(fd);
		return NULL;
	}
	s->fd = fd;
	s->take = take;
	/* Advice only: pipes refuse it. */
	posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	return s;
}

void pmclogint_source_free(struct pmclogint_source *s)
{
	if (!s)
		return;
	if (s->kind == KIND_GZIP)
		inflateEnd(&s->z);
	free(s->packed);
	pmclog_unpacker_free(s->blocks.unpacker);
	vec_free(&s->blocks.block);
	if (s->take)
		close(s->fd);
	free(s);
}

uint64_t pmclogint_source_size(const struct pmclogint_source *s)
{
	struct stat st;

	if (s->kind > KIND_PLAIN || fstat(s->fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	return (uint64_t)st.st_size - s->container.bytes;
}

uint64_t pmclogint_source_packed(const struct pmclogint_source *s)
{
	return s->kind > KIND_PLAIN ? s->taken : 0;
}

void pmclogint_source_grows(struct pmclogint_source *s, bool grows)
{
	s->grows = grows;
}

void pmclogint_source_limit(struct pmclogint_source *s, uint64_t from, uint64_t to)
{
	s->blocks.is_limited = true;
	s->blocks.from = from;
	s->blocks.to = to;
}

const struct pmclog_left_out *pmclogint_source_left_out(const struct pmclogint_source *s)
{
	return &s->blocks.left_out;
}

struct pmclog_machine pmclogint_source_machine(const struct pmclogint_source *s)
{
	return pmclogint_container_machine(&s->container);
}

static enum pmclog_result read_fd(struct pmclogint_source *s, void *to, size_t cap, size_t *got,
				  struct err *err)
{
	ssize_t n;

	do
		n = read(s->fd, to, cap);
	while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return PMCLOG_RESULT_NEED_DATA;
	if (n < 0) {
		err_set(err, errno == EISDIR ? EX_NOINPUT : EX_IOERR, "cannot read: %s",
			strerror(errno));
		return PMCLOG_RESULT_ERROR;
	}
	*got = (size_t)n;
	s->taken += *got;
	if (!n && s->grows)
		return PMCLOG_RESULT_NEED_DATA;
	return n ? PMCLOG_RESULT_OK : PMCLOG_RESULT_EOF;
}

static enum pmclog_result start_gzip(struct pmclogint_source *s, struct err *err)
{
	/* 16: gzip framing only; 15: the largest window. */
	if (!(s->packed = malloc(PACKED)) || inflateInit2(&s->z, 16 + 15) != Z_OK) {
		err_nomem(err);
		return PMCLOG_RESULT_ERROR;
	}
	s->kind = KIND_GZIP;
	s->in_member = true;
	memcpy(s->packed, s->head, s->nhead);
	s->z.next_in = s->packed;
	s->z.avail_in = (uInt)s->nhead;
	return PMCLOG_RESULT_OK;
}

static enum pmclog_result start_blocks(struct pmclogint_source *s, struct err *err)
{
	struct blocks *b = &s->blocks;

	b->unpacker = pmclog_unpacker_new();
	if (!b->unpacker || vec_reserve(&b->block, BLOCK_HEADER)) {
		err_nomem(err);
		return PMCLOG_RESULT_ERROR;
	}
	s->kind = KIND_BLOCKS;
	memcpy(b->block.v, s->head, s->nhead);
	b->block.n = s->nhead;
	b->want = BLOCK_HEADER;
	return PMCLOG_RESULT_OK;
}

static enum pmclog_result start_container(struct pmclogint_source *s, struct err *err)
{
	s->kind = KIND_CONTAINER;
	if (pmclogint_container_take(&s->container, s->head, s->nhead, err))
		return PMCLOG_RESULT_CORRUPT;
	s->nhead = 0;
	return PMCLOG_RESULT_OK;
}

/* Reads up to the log that follows. */
static enum pmclog_result skip_container(struct pmclogint_source *s, struct err *err)
{
	enum pmclog_result res;
	uint8_t bytes[256];
	size_t want, got;

	while ((want = pmclogint_container_want(&s->container))) {
		res = read_fd(s, bytes, want < sizeof(bytes) ? want : sizeof(bytes), &got, err);
		if (res == PMCLOG_RESULT_EOF) {
			err_set(err, EX_DATAERR,
				"ends after %" PRIu64
				" bytes of what FreeBSD's pmc record writes before a log",
				s->container.bytes);
			return PMCLOG_RESULT_TRUNCATED;
		}
		if (res != PMCLOG_RESULT_OK)
			return res;
		if (pmclogint_container_take(&s->container, bytes, got, err))
			return PMCLOG_RESULT_CORRUPT;
	}
	s->kind = KIND_PLAIN;
	return PMCLOG_RESULT_OK;
}

/* Whether the first bytes, as far as they were read, are those of that magic. */
static bool begins(const struct pmclogint_source *s, const char *magic, size_t len)
{
	return !memcmp(s->head, magic, s->nhead < len ? s->nhead : len);
}

bool pmclogint_begins_log(const uint8_t head[4])
{
	/* Of a little-endian and of a big-endian machine, packed. */
	return head[3] == PMCLOG_WIRE_MAGIC || head[0] == PMCLOG_WIRE_MAGIC ||
	       !memcmp(head, gzip_magic, 2) || !memcmp(head, blocks_magic, 4);
}

/* Reads the first bytes, which tell gzip streams and packed logs from plain ones. */
static enum pmclog_result find_kind(struct pmclogint_source *s, struct err *err)
{
	enum pmclog_result res;
	size_t want, got;

	for (;;) {
		want = begins(s, gzip_magic, 2) ? 2 : 0;
		if (begins(s, blocks_magic, 4) || pmclogint_container_begins(s->head, s->nhead))
			want = 4;
		if (want <= s->nhead)
			break;
		/* No more than is needed: a pipe may have no more for long. */
		res = read_fd(s, s->head + s->nhead, s->nhead ? want - s->nhead : 1, &got, err);
		if (res == PMCLOG_RESULT_EOF)
			break;
		if (res != PMCLOG_RESULT_OK)
			return res;
		s->nhead += got;
	}
	if (want == 4 && s->nhead == 4 && begins(s, blocks_magic, 4))
		return start_blocks(s, err);
	if (want == 4 && s->nhead == 4)
		return start_container(s, err);
	if (want == 2 && s->nhead == 2)
		return start_gzip(s, err);
	s->kind = KIND_PLAIN;
	return PMCLOG_RESULT_OK;
}

/* The rest of a block's header, and of the block.  OK: there is all of it. */
static enum pmclog_result fill_block(struct pmclogint_source *s, struct err *err)
{
	struct blocks *b = &s->blocks;
	enum pmclog_result res;
	size_t got;

	while (b->block.n < b->want) {
		res = read_fd(s, b->block.v + b->block.n, b->want - b->block.n, &got, err);
		if (res == PMCLOG_RESULT_EOF && b->block.n) {
			err_set(err, EX_DATAERR, "the log ends after %zu of its %zu bytes",
				b->block.n, b->want);
			return PMCLOG_RESULT_TRUNCATED;
		}
		if (res != PMCLOG_RESULT_OK)
			return res;
		b->block.n += got;
	}
	return PMCLOG_RESULT_OK;
}

/*
 * Whether samples of a wanted time may be in a block from this one, whose header was read, to the
 * next that begins afresh: all of them have to be unpacked then.
 */
static bool is_wanted(const struct pmclogint_source *s)
{
	const struct blocks *b = &s->blocks;
	off_t at = lseek(s->fd, 0, SEEK_CUR) - BLOCK_HEADER, begin = at;
	struct pmclog_pack_header h;
	uint8_t raw[BLOCK_HEADER];

	if (at < 0)
		return true;
	while (pread(s->fd, raw, sizeof(raw), at) == (ssize_t)sizeof(raw)) {
		if (!pmclog_pack_header_read(raw, &h))
			return true;
		if (at > begin && h.flags & PMCLOG_PACK_IS_FRESH)
			return false;
		if (h.first < b->to && h.last >= b->from)
			return true;
		at += (off_t)sizeof(raw) + h.length;
	}
	return false;
}

/* Unpacks the block that has been read. */
static int unpack_block(struct blocks *b, struct err *err)
{
	uint64_t samples;

	if (!b->skips)
		return pmclog_unpacker_block(b->unpacker, b->block.v + BLOCK_HEADER, &b->records,
					     &b->nrecords, err);
	if (pmclog_unpacker_others(b->unpacker, b->block.v + BLOCK_HEADER, &b->records,
				   &b->nrecords, &samples, err))
		return -1;
	b->left_out.samples += samples;
	if (samples && b->header.last > b->left_out.last)
		b->left_out.last = b->header.last;
	return 0;
}

/* The next block, unpacked; err holds the bare fact. */
static enum pmclog_result next_block(struct pmclogint_source *s, struct err *err)
{
	struct blocks *b = &s->blocks;
	enum pmclog_result res = fill_block(s, err);
	size_t length;

	if (res == PMCLOG_RESULT_OK && !b->has_header) {
		if (pmclog_unpacker_header(b->unpacker, b->block.v, &length, err))
			return PMCLOG_RESULT_CORRUPT;
		b->has_header = pmclog_pack_header_read(b->block.v, &b->header);
		if (b->header.flags & PMCLOG_PACK_IS_FRESH)
			b->skips = b->is_limited && !s->grows && !is_wanted(s);
		b->want += length;
		if (vec_reserve(&b->block, b->want)) {
			err_nomem(err);
			return PMCLOG_RESULT_ERROR;
		}
		res = fill_block(s, err);
	}
	if (res != PMCLOG_RESULT_OK)
		return res;
	if (unpack_block(b, err))
		return err->code == EX_DATAERR ? PMCLOG_RESULT_CORRUPT : PMCLOG_RESULT_ERROR;
	b->n++;
	b->at += b->want;
	b->block.n = 0;
	b->want = BLOCK_HEADER;
	b->has_header = false;
	return PMCLOG_RESULT_OK;
}

static enum pmclog_result read_blocks(struct pmclogint_source *s, void *to, size_t cap, size_t *got,
				      struct err *err)
{
	struct blocks *b = &s->blocks;
	enum pmclog_result res;

	while (!b->nrecords) {
		res = next_block(s, err);
		if (res > PMCLOG_RESULT_EOF && err->code == EX_DATAERR)
			err_wrap(err, "block %" PRIu64 " at 0x%" PRIx64, b->n + 1, b->at);
		if (res != PMCLOG_RESULT_OK)
			return res;
	}
	*got = b->nrecords < cap ? b->nrecords : cap;
	memcpy(to, b->records, *got);
	b->records += *got;
	b->nrecords -= *got;
	return PMCLOG_RESULT_OK;
}

/* What the end of the compressed bytes means. */
static enum pmclog_result gzip_end(const struct pmclogint_source *s, struct err *err)
{
	if (!s->in_member)
		return PMCLOG_RESULT_EOF;
	err_set(err, EX_DATAERR, "the gzip stream ends early");
	return PMCLOG_RESULT_TRUNCATED;
}

/* Makes compressed bytes available. */
static enum pmclog_result fill_packed(struct pmclogint_source *s, struct err *err)
{
	enum pmclog_result res;
	size_t got;

	if (s->z.avail_in)
		return PMCLOG_RESULT_OK;
	res = read_fd(s, s->packed, PACKED, &got, err);
	if (res == PMCLOG_RESULT_EOF)
		return gzip_end(s, err);
	if (res == PMCLOG_RESULT_OK) {
		s->z.next_in = s->packed;
		s->z.avail_in = (uInt)got;
	}
	return res;
}

/* Tapes and block devices pad a member with zeros, which gzip(1) skips.  Whether more is behind. */
static bool skip_padding(struct pmclogint_source *s)
{
	for (; s->z.avail_in && !*s->z.next_in; s->z.avail_in--)
		s->z.next_in++;
	return s->z.avail_in;
}

static enum pmclog_result read_gzip(struct pmclogint_source *s, void *to, size_t cap, size_t *got,
				    struct err *err)
{
	enum pmclog_result res;
	int z;

	s->z.next_out = to;
	s->z.avail_out = (uInt)cap;
	do {
		if (s->damaged) {
			err_set(err, EX_DATAERR, "the gzip stream is damaged: %s",
				s->z.msg ? s->z.msg : "unknown cause");
			return PMCLOG_RESULT_CORRUPT;
		}
		if ((res = fill_packed(s, err)) != PMCLOG_RESULT_OK)
			return res;
		if (s->has_members && !s->in_member && !skip_padding(s))
			continue;
		if (!s->in_member && inflateReset(&s->z) == Z_OK)
			s->in_member = true;
		z = inflate(&s->z, Z_NO_FLUSH);
		if (z == Z_MEM_ERROR) {
			err_nomem(err);
			return PMCLOG_RESULT_ERROR;
		}
		s->in_member = z != Z_STREAM_END;
		s->has_members |= !s->in_member;
		s->damaged = s->in_member && z != Z_OK && z != Z_BUF_ERROR;
	} while (s->z.avail_out == cap);
	*got = cap - s->z.avail_out;
	return PMCLOG_RESULT_OK;
}

enum pmclog_result pmclogint_source_read(struct pmclogint_source *s, void *to, size_t cap,
					 size_t *got, struct err *err)
{
	enum pmclog_result res;

	if (s->kind == KIND_UNKNOWN && (res = find_kind(s, err)) != PMCLOG_RESULT_OK)
		return res;
	if (s->kind == KIND_CONTAINER && (res = skip_container(s, err)) != PMCLOG_RESULT_OK)
		return res;
	if (s->kind == KIND_GZIP)
		return read_gzip(s, to, cap, got, err);
	if (s->kind == KIND_BLOCKS)
		return read_blocks(s, to, cap, got, err);
	if (s->nhead) {
		memcpy(to, s->head, s->nhead);
		*got = s->nhead;
		s->nhead = 0;
		return PMCLOG_RESULT_OK;
	}
	return read_fd(s, to, cap, got, err);
}
