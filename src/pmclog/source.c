// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "pmclog/reader_int.h"

enum {
	PACKED = 64 * 1024, /* bytes of gzip stream read at once */
	GZIP_MAGIC0 = 0x1f,
	GZIP_MAGIC1 = 0x8b,
};

enum kind { KIND_UNKNOWN, KIND_PLAIN, KIND_GZIP };

struct pmclogint_source {
	int fd;
	bool take;
	enum kind kind;
	uint8_t head[2]; /* the first bytes of the stream, until kind is known */
	size_t nhead;
	bool in_member; /* inside a gzip member */
	bool damaged;	/* what came out of it before that has been given */
	z_stream z;
	uint8_t *packed;
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
	if (s->take)
		close(s->fd);
	free(s);
}

uint64_t pmclogint_source_size(const struct pmclogint_source *s)
{
	struct stat st;

	if (s->kind == KIND_GZIP || fstat(s->fd, &st) || !S_ISREG(st.st_mode))
		return 0;
	return (uint64_t)st.st_size;
}

static enum pmclog_result read_fd(int fd, void *to, size_t cap, size_t *got, struct err *err)
{
	ssize_t n;

	do
		n = read(fd, to, cap);
	while (n < 0 && errno == EINTR);
	if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
		return PMCLOG_RESULT_NEED_DATA;
	if (n < 0) {
		err_set(err, errno == EISDIR ? EX_NOINPUT : EX_IOERR, "cannot read: %s",
			strerror(errno));
		return PMCLOG_RESULT_ERROR;
	}
	*got = (size_t)n;
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

/* Reads the first two bytes, which tell a gzip stream from a log. */
static enum pmclog_result find_kind(struct pmclogint_source *s, struct err *err)
{
	enum pmclog_result res;
	size_t got;

	while (s->nhead < 2 && (!s->nhead || s->head[0] == GZIP_MAGIC0)) {
		res = read_fd(s->fd, s->head + s->nhead, 2 - s->nhead, &got, err);
		if (res == PMCLOG_RESULT_EOF)
			break;
		if (res != PMCLOG_RESULT_OK)
			return res;
		s->nhead += got;
	}
	if (s->nhead == 2 && s->head[0] == GZIP_MAGIC0 && s->head[1] == GZIP_MAGIC1)
		return start_gzip(s, err);
	s->kind = KIND_PLAIN;
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
	res = read_fd(s->fd, s->packed, PACKED, &got, err);
	if (res == PMCLOG_RESULT_EOF)
		return gzip_end(s, err);
	if (res == PMCLOG_RESULT_OK) {
		s->z.next_in = s->packed;
		s->z.avail_in = (uInt)got;
	}
	return res;
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
		if (!s->in_member && inflateReset(&s->z) == Z_OK)
			s->in_member = true;
		z = inflate(&s->z, Z_NO_FLUSH);
		if (z == Z_MEM_ERROR) {
			err_nomem(err);
			return PMCLOG_RESULT_ERROR;
		}
		s->in_member = z != Z_STREAM_END;
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
	if (s->kind == KIND_GZIP)
		return read_gzip(s, to, cap, got, err);
	if (s->nhead) {
		memcpy(to, s->head, s->nhead);
		*got = s->nhead;
		s->nhead = 0;
		return PMCLOG_RESULT_OK;
	}
	return read_fd(s->fd, to, cap, got, err);
}
