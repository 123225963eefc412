// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_LIBZSTD
#include <zstd.h>
#endif

#include "perfdata/perf_data_int.h"

enum { BUFFER = 4 * 65536, HEADER = sizeof(struct perf_event_header) };

#ifdef HAVE_LIBZSTD
/* One stream of zstd over all compressed records. */
struct perf_data_unpack {
	ZSTD_DStream *zstd;
	bool is_full;	 /* zstd has more than there was room for */
	size_t from, to; /* records that were not taken yet */
	uint8_t bytes[BUFFER];
};
#endif

int perf_data_stream_init(struct perf_data_stream *s, const struct perf_data_input *in,
			  struct err *err)
{
	*s = (struct perf_data_stream){.in = in, .left = UINT64_MAX};
	s->buf = malloc(BUFFER);
	if (!s->buf)
		return err_nomem(err);
	memcpy(s->buf, in->head, in->head_len);
	s->to = in->head_len;
	return 0;
}

void perf_data_stream_fini(struct perf_data_stream *s)
{
#ifdef HAVE_LIBZSTD
	if (s->unpack)
		ZSTD_freeDStream(s->unpack->zstd);
	free(s->unpack);
#endif
	free(s->buf);
}

/* Reads until there are n bytes, or the file has ended.  -1 with err set: it cannot be read. */
static int fill(struct perf_data_stream *s, size_t n, struct err *err)
{
	if (BUFFER - s->from < n) {
		memmove(s->buf, s->buf + s->from, s->to - s->from);
		s->to -= s->from;
		s->from = 0;
	}
	while (s->to - s->from < n) {
		ssize_t got = read(s->in->fd, s->buf + s->to, BUFFER - s->to);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_set(err, errno == EISDIR ? EX_NOINPUT : EX_IOERR,
				       "cannot read: %s", strerror(errno));
		if (!got)
			break;
		s->to += (size_t)got;
	}
	return 0;
}

const void *perf_data_stream_take(struct perf_data_stream *s, size_t n, const char *what,
				  struct err *err)
{
	const void *bytes;
	size_t have;

	if (fill(s, n, err))
		return NULL;
	have = s->to - s->from;
	if (have > s->left)
		have = (size_t)s->left;
	if (have < n) {
		err_set(err, EX_DATAERR, "%s at 0x%" PRIx64 ": there are %zu of its %zu bytes",
			what, s->at, have, n);
		return NULL;
	}
	bytes = s->buf + s->from;
	s->from += n;
	s->at += n;
	if (s->left != UINT64_MAX)
		s->left -= n;
	return bytes;
}

int perf_data_stream_seek(struct perf_data_stream *s, uint64_t offset, uint64_t length,
			  struct err *err)
{
	if (offset > INT64_MAX || lseek(s->in->fd, (off_t)offset, SEEK_SET) < 0)
		return err_set(err, EX_IOERR, "cannot go to its records at 0x%" PRIx64 ": %s",
			       offset, strerror(offset > INT64_MAX ? EOVERFLOW : errno));
	s->from = s->to = 0;
	s->at = offset;
	s->left = length;
	return 0;
}

/* Whether no byte is left.  -1: that cannot be found out. */
static int has_ended(struct perf_data_stream *s, struct err *err)
{
	if (!s->left)
		return 1;
	if (fill(s, 1, err))
		return -1;
	return s->to == s->from;
}

/* What AUX tracers and tracepoints have behind their records. */
static int skip(struct perf_data_stream *s, uint64_t n, struct err *err)
{
	uint64_t want = n;

	while (want) {
		size_t part = want < 65536 ? (size_t)want : 65536;

		if (!perf_data_stream_take(s, part, "what is behind a record", err))
			return -1;
		want -= part;
	}
	s->skipped += n;
	return 0;
}

static int check_size(const struct perf_data_stream *s, const struct perf_event_header *h,
		      struct err *err)
{
	if (h->size >= HEADER)
		return 0;
	return err_set(err, EX_DATAERR,
		       "record at 0x%" PRIx64 ": length %u is below the 8-byte header", s->offset,
		       h->size);
}

/* ---- Compressed records. */

#ifdef HAVE_LIBZSTD
/* The whole record that has been unpacked.  1; 0: there is none; -1 with err set. */
static int take_unpacked(struct perf_data_stream *s, struct err *err)
{
	struct perf_data_unpack *u = s->unpack;
	struct perf_event_header *h = (void *)s->record;

	if (!u || u->to - u->from < HEADER)
		return 0;
	memcpy(h, u->bytes + u->from, HEADER);
	if (check_size(s, h, err))
		return -1;
	if (u->to - u->from < h->size)
		return 0;
	memcpy(s->record, u->bytes + u->from, h->size);
	u->from += h->size;
	return 1;
}

/* Unpacks more: there is room, since no record is longer than a quarter of it. */
static int unpack_more(struct perf_data_stream *s, struct err *err)
{
	struct perf_data_unpack *u = s->unpack;
	ZSTD_inBuffer in = {s->packed, s->npacked, 0};
	ZSTD_outBuffer out;
	size_t r;

	if (!u) {
		u = s->unpack = calloc(1, sizeof(*u));
		if (!u || !(u->zstd = ZSTD_createDStream()))
			return err_nomem(err);
	}
	memmove(u->bytes, u->bytes + u->from, u->to - u->from);
	u->to -= u->from;
	u->from = 0;
	out = (ZSTD_outBuffer){u->bytes, BUFFER, u->to};
	r = ZSTD_decompressStream(u->zstd, &out, &in);
	if (ZSTD_isError(r) || (out.pos == u->to && !in.pos && !u->is_full))
		return err_set(err, EX_DATAERR, "record at 0x%" PRIx64 ": cannot be unpacked: %s",
			       s->offset,
			       ZSTD_isError(r) ? ZSTD_getErrorName(r) : "zstd makes nothing of it");
	s->unpacked += out.pos - u->to;
	u->is_full = out.pos == out.size;
	u->to = out.pos;
	s->packed += in.pos;
	s->npacked -= in.pos;
	return 0;
}

static bool has_packed(const struct perf_data_stream *s)
{
	return s->npacked || (s->unpack && s->unpack->is_full);
}

static int check_unpacked(const struct perf_data_stream *s, struct err *err)
{
	if (!s->unpack || s->unpack->to == s->unpack->from)
		return 0;
	return err_set(err, EX_DATAERR,
		       "record at 0x%" PRIx64 ": what is packed ends inside a record", s->offset);
}
#else
static int take_unpacked(struct perf_data_stream *s, struct err *err)
{
	(void)s;
	(void)err;
	return 0;
}

static int unpack_more(struct perf_data_stream *s, struct err *err)
{
	err_set(err, EX_DATAERR,
		"record at 0x%" PRIx64
		": it is packed by zstd, which this pmcstat was built without",
		s->offset);
	return err_hint(err, "perf inject -i FILE -o OTHER writes it unpacked");
}

static bool has_packed(const struct perf_data_stream *s)
{
	return s->npacked;
}

static int check_unpacked(const struct perf_data_stream *s, struct err *err)
{
	(void)s;
	(void)err;
	return 0;
}
#endif

/* ---- All records. */

static bool is_packed(const struct perf_event_header *h)
{
	return h->type == PERF_DATA_COMPRESSED || h->type == PERF_DATA_COMPRESSED2;
}

/* Finds the compressed bytes of the record that was taken.  -1: they are not all there. */
static int open_packed(struct perf_data_stream *s, const struct perf_event_header *h,
		       struct err *err)
{
	const uint8_t *body = s->packed;
	uint64_t n = h->size - HEADER;

	if (h->type == PERF_DATA_COMPRESSED2) {
		uint64_t room = n;

		if (room >= sizeof(n))
			memcpy(&n, body, sizeof(n));
		if (room < sizeof(n) || n > room - sizeof(n))
			return err_set(err, EX_DATAERR,
				       "record at 0x%" PRIx64
				       ": %u bytes have no room for the packed "
				       "ones that it says it has",
				       s->offset, h->size);
		body += sizeof(n);
	}
	s->packed = body;
	s->npacked = (size_t)n;
	return 0;
}

/* The bytes that are behind a record and not counted in it. */
static uint64_t bytes_behind(const struct perf_event_header *h)
{
	uint64_t wide = 0;
	uint32_t n = 0;

	if (h->type == PERF_DATA_AUXTRACE && h->size >= HEADER + sizeof(wide))
		memcpy(&wide, h + 1, sizeof(wide));
	if (h->type != PERF_DATA_HEADER_TRACING_DATA || h->size < HEADER + sizeof(n))
		return wide;
	memcpy(&n, h + 1, sizeof(n));
	return ((uint64_t)n + 7) & ~UINT64_C(7);
}

/* The next record as it is in the file.  1; 0 at the end; -1 with err set. */
static int take_plain(struct perf_data_stream *s, struct err *err)
{
	struct perf_event_header *h = (void *)s->record;
	const void *bytes;
	int end = has_ended(s, err);

	if (end)
		return end < 0 ? -1 : 0;
	s->offset = s->at;
	bytes = perf_data_stream_take(s, HEADER, "the header of a record", err);
	if (!bytes)
		return -1;
	memcpy(h, bytes, HEADER);
	if (check_size(s, h, err))
		return -1;
	bytes = perf_data_stream_take(s, h->size - HEADER, "a record", err);
	if (!bytes)
		return -1;
	/* They stay in the buffer until more is read. */
	s->packed = bytes;
	if (!is_packed(h))
		memcpy(h + 1, bytes, h->size - HEADER);
	return 1;
}

int perf_data_stream_next(struct perf_data_stream *s, const struct perf_event_header **record,
			  struct err *err)
{
	const struct perf_event_header *h = *record = (const void *)s->record;
	int r;

	for (;;) {
		if ((r = take_unpacked(s, err)))
			return r;
		if (has_packed(s)) {
			if (unpack_more(s, err))
				return -1;
			continue;
		}
		r = take_plain(s, err);
		if (r <= 0)
			return r || check_unpacked(s, err) ? -1 : 0;
		if (!is_packed(h))
			return skip(s, bytes_behind(h), err) ? -1 : 1;
		if (open_packed(s, h, err))
			return -1;
	}
}
