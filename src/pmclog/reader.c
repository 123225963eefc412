// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/open_files.h"
#include "pmclog/reader_int.h"

enum {
	/* Stays in a core's own cache, so that reading costs one copy and no memory traffic. */
	BUFFER = 256 * 1024,
	OLD_HEADER = 12,
	OLD_INITIALIZE = 2,
	OLD_INITIALIZE_LENGTH = 20,
	/*
	 * Whoever sends a compressed log can have its reader use memory: each byte of it may bring
	 * so many of what readers keep of records.  A busy machine's bring 5.
	 */
	KEPT_RATIO = 128,
};

/* Less than that, in bytes, is no harm. */
#define KEPT_LEAST (64u << 20)

struct pmclog_reader {
	uint8_t *buf;
	size_t pos, end, cap; /* buf[pos] to buf[end] are the bytes to come */
	struct pmclog_reader_stats stats;
	uint64_t kept;			 /* of their bytes what readers keep, about */
	struct pmclogint_source *source; /* NULL: fed */
	bool fed_all;
	bool is_limited, keeps_unknown;
	double from, to;	  /* seconds of samples that are wanted, where they are limited */
	enum pmclog_result final; /* OK: not ended yet */
	struct err err;		  /* of final */
	struct pmclogint_decoder decoder;
	char name[];
};

static struct pmclog_reader *reader_new(const char *name, size_t cap, struct err *err)
{
	size_t len = strlen(name) + 1;
	struct pmclog_reader *r = calloc(1, sizeof(*r) + len);

	if (!r || (cap && !(r->buf = malloc(cap)))) {
		free(r);
		err_nomem(err);
		return NULL;
	}
	r->cap = cap;
	memcpy(r->name, name, len);
	return r;
}

static struct pmclog_reader *open_source(int fd, bool take, const char *name, struct err *err)
{
	struct pmclogint_source *s = pmclogint_source_new(fd, take);
	struct pmclog_reader *r;

	if (!s) {
		err_nomem(err);
		return NULL;
	}
	if (!(r = reader_new(name, BUFFER, err))) {
		pmclogint_source_free(s);
		return NULL;
	}
	r->source = s;
	return r;
}

struct pmclog_reader *pmclog_reader_open(const char *path, struct err *err)
{
	int fd;

	if (!strcmp(path, "-"))
		return open_source(STDIN_FILENO, false, "standard input", err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		open_files_fail(err, EX_NOINPUT, "%s: cannot open", path);
		return NULL;
	}
	return open_source(fd, true, path, err);
}

struct pmclog_reader *pmclog_reader_open_fd(int fd, const char *name, struct err *err)
{
	return open_source(fd, false, name, err);
}

struct pmclog_reader *pmclog_reader_open_feed(const char *name, struct err *err)
{
	return reader_new(name, 0, err);
}

void pmclog_reader_close(struct pmclog_reader *r)
{
	if (!r)
		return;
	pmclogint_source_free(r->source);
	free(r->buf);
	free(r);
}

const struct pmclog_reader_stats *pmclog_reader_stats(const struct pmclog_reader *r)
{
	return &r->stats;
}

uint64_t pmclog_reader_size(const struct pmclog_reader *r)
{
	return r->source ? pmclogint_source_size(r->source) : 0;
}

void pmclog_reader_grows(struct pmclog_reader *r, bool grows)
{
	if (r->source)
		pmclogint_source_grows(r->source, grows);
}

void pmclog_reader_limit(struct pmclog_reader *r, double from, double to)
{
	r->is_limited = r->source && (from > 0 || to > 0);
	r->from = from;
	r->to = to;
}

uint64_t pmclog_ticks_at(const struct pmclog_record *init, double seconds, uint64_t otherwise)
{
	double ticks = seconds * (double)init->u.init.tsc_freq;

	if (seconds <= 0)
		return otherwise;
	return ticks < (double)(UINT64_MAX - init->tsc) ? init->tsc + (uint64_t)ticks : UINT64_MAX;
}

int pmclog_check_seconds(const char *option, double from, double to, double length, struct err *err)
{
	char end[32] = "";

	if (from <= length)
		return 0;
	if (to > 0)
		snprintf(end, sizeof(end), "%g", to);
	return err_set(err, EX_USAGE, "%s%g..%s is behind its end: it is %.3f s long", option, from,
		       end, length);
}

struct pmclog_left_out pmclog_reader_left_out(const struct pmclog_reader *r)
{
	return r->source ? *pmclogint_source_left_out(r->source) : (struct pmclog_left_out){0};
}

struct pmclog_machine pmclog_reader_machine(const struct pmclog_reader *r)
{
	return r->source ? pmclogint_source_machine(r->source) : (struct pmclog_machine){0};
}

/*
 * INITIALIZE tells what a second is.  Of other layouts blocks do not know the times; in logs of
 * FreeBSD any sample may show where a program is.
 */
static void limit(struct pmclog_reader *r, const struct pmclog_record *init)
{
	r->is_limited = false;
	if (!r->decoder.old && !r->decoder.big && init->u.init.tsc_freq &&
	    init->u.init.maps_at_exec)
		pmclogint_source_limit(r->source, pmclog_ticks_at(init, r->from, 0),
				       pmclog_ticks_at(init, r->to, UINT64_MAX));
}

/* Moves what is left to the front, so that a multiple of 8 in the log stays one in memory. */
static void compact(struct pmclog_reader *r)
{
	size_t front = r->stats.bytes & 7, left = r->end - r->pos;

	if (r->pos <= front)
		return;
	memmove(r->buf + front, r->buf + r->pos, left);
	r->pos = front;
	r->end = front + left;
}

int pmclog_reader_feed(struct pmclog_reader *r, const void *data, size_t len, struct err *err)
{
	size_t want;
	uint8_t *p;

	if (r->source || r->fed_all)
		return err_set(err, EX_SOFTWARE, "%s: not open for feeding", r->name);
	compact(r);
	if (len > SIZE_MAX / 4 - r->end)
		return err_nomem(err);
	if (len > r->cap - r->end) {
		want = r->end + len > 2 * r->cap ? r->end + len : 2 * r->cap;
		if (!(p = realloc(r->buf, want)))
			return err_nomem(err);
		r->buf = p;
		r->cap = want;
	}
	if (len)
		memcpy(r->buf + r->end, data, len);
	r->end += len;
	return 0;
}

void pmclog_reader_keep_unknown(struct pmclog_reader *r)
{
	r->keeps_unknown = true;
}

const char *pmclog_reader_name(const struct pmclog_reader *r)
{
	return r->name;
}

void pmclog_reader_feed_end(struct pmclog_reader *r)
{
	r->fed_all = true;
}

/* Makes res the result from now on; r->err holds the bare fact. */
static enum pmclog_result finish(struct pmclog_reader *r, enum pmclog_result res)
{
	r->final = res;
	if (res == PMCLOG_RESULT_EOF)
		return res;
	if (pmclog_reader_left_out(r).samples)
		err_wrap(&r->err, "of those that were read");
	if (res == PMCLOG_RESULT_ERROR || !r->stats.records)
		err_wrap(&r->err, "%s", r->name);
	else
		err_wrap(&r->err, "%s: record %" PRIu64 " at 0x%" PRIx64, r->name,
			 r->stats.records + 1, r->stats.bytes);
	return res;
}

/* As finish(), naming the record also when it is the log's first. */
static enum pmclog_result finish_record(struct pmclog_reader *r, enum pmclog_result res)
{
	if (!r->stats.records)
		err_wrap(&r->err, "record 1 at 0x0");
	return finish(r, res);
}

/* The log has ended with less than a whole record in the buffer. */
static enum pmclog_result ended(struct pmclog_reader *r, size_t want)
{
	size_t left = r->end - r->pos;

	if (!left && r->decoder.appendix_left) {
		err_set(&r->err, EX_DATAERR,
			"the log ends before the last %" PRIu64
			" bytes of a block of type %" PRIu32,
			r->decoder.appendix_left, r->decoder.appendix);
		return finish_record(r, PMCLOG_RESULT_TRUNCATED);
	}
	if (!left && r->stats.records)
		return finish(r, PMCLOG_RESULT_EOF);
	if (!left) {
		err_set(&r->err, EX_DATAERR, "empty, no INITIALIZE record");
		return finish(r, PMCLOG_RESULT_TRUNCATED);
	}
	if (left < 4)
		err_set(&r->err, EX_DATAERR, "the log ends after %zu bytes of a record's header",
			left);
	else
		err_set(&r->err, EX_DATAERR, "the log ends after %zu of the record's %zu bytes",
			left, want);
	return finish_record(r, PMCLOG_RESULT_TRUNCATED);
}

/* Whether a compressed log has more in it than logs that were recorded. */
static bool is_bomb(struct pmclog_reader *r)
{
	uint64_t packed = pmclogint_source_packed(r->source);

	if (!packed || r->kept < KEPT_LEAST || r->kept / KEPT_RATIO < packed)
		return false;
	err_set(&r->err, EX_DATAERR,
		"%" PRIu64 " compressed bytes have become %" PRIu64
		" of records without their call chains, %" PRIu64
		" times as many; %d times is the most",
		packed, r->kept, r->kept / packed, KEPT_RATIO);
	return true;
}

/* Counts a record into kept.  Of equal call chains readers keep one. */
static inline void keep(struct pmclog_reader *r, const struct pmclog_record *rec)
{
	if (rec->type == PMCLOG_WIRE_CALLCHAIN)
		r->kept += sizeof(struct pmclog_wire_callchain);
	else if (rec->type == PMCLOG_WIRE_APPENDIX)
		r->kept += (uint64_t)rec->length * PMCLOGINT_APPENDIX_RATIO;
	else
		r->kept += rec->length;
}

/* Gets at least want bytes into the buffer. */
static enum pmclog_result need(struct pmclog_reader *r, size_t want)
{
	enum pmclog_result res;
	size_t got;

	while (r->end - r->pos < want) {
		if (!r->source)
			return r->fed_all ? ended(r, want) : PMCLOG_RESULT_NEED_DATA;
		compact(r);
		res = pmclogint_source_read(r->source, r->buf + r->end, r->cap - r->end, &got,
					    &r->err);
		if (res == PMCLOG_RESULT_EOF)
			return ended(r, want);
		if (res == PMCLOG_RESULT_NEED_DATA)
			return res;
		if (res != PMCLOG_RESULT_OK)
			return finish(r, res);
		if (is_bomb(r))
			return finish_record(r, PMCLOG_RESULT_CORRUPT);
		r->end += got;
	}
	return PMCLOG_RESULT_OK;
}

/* Learns byte order and layout from the four bytes that every log begins with. */
static enum pmclog_result detect(struct pmclog_reader *r)
{
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	const uint8_t *p = r->buf + r->pos;
	struct pmclogint_decoder *d = &r->decoder;
	uint32_t h, type, len;

	if (p[3] != PMCLOG_WIRE_MAGIC && p[0] != PMCLOG_WIRE_MAGIC) {
		err_set(&r->err, EX_DATAERR,
			"not a pmclog stream: its bytes 0 and 3 are 0x%02x and 0x%02x, neither is "
			"the "
			"magic 0x%02x",
			p[0], p[3], PMCLOG_WIRE_MAGIC);
		if (!memcmp(p, "PERF", 4))
			err_hint(&r->err, "perf record wrote it: pmclog convert FILE >NEW.log");
		return finish(r, PMCLOG_RESULT_CORRUPT);
	}
	d->big = p[3] != PMCLOG_WIRE_MAGIC;
	d->swap = d->big != big;
	memcpy(&h, p, sizeof(h));
	h = d->swap ? __builtin_bswap32(h) : h;
	type = h >> 16 & 0xff;
	len = h & 0xffff;
	d->old = type == OLD_INITIALIZE && len == OLD_INITIALIZE_LENGTH;
	d->header = d->old ? OLD_HEADER : sizeof(struct pmclog_wire_header);
	if (!d->old && type != PMCLOG_WIRE_INITIALIZE) {
		err_set(&r->err, EX_DATAERR,
			"a log begins with INITIALIZE, not with type %" PRIu32
			" of length %" PRIu32,
			type, len);
		return finish_record(r, PMCLOG_RESULT_CORRUPT);
	}
	return PMCLOG_RESULT_OK;
}

/* The header word h cannot be right: says why. */
static enum pmclog_result bad_header(struct pmclog_reader *r, uint32_t h)
{
	uint32_t magic = h >> 24, len = h & 0xffff;

	if (magic != PMCLOG_WIRE_MAGIC)
		err_set(&r->err, EX_DATAERR, "magic byte 0x%02" PRIx32 " is not 0x%02x", magic,
			PMCLOG_WIRE_MAGIC);
	else if (len < r->decoder.header)
		err_set(&r->err, EX_DATAERR,
			"length %" PRIu32 " is below the %" PRIu32 "-byte header", len,
			r->decoder.header);
	else if (len % 4)
		err_set(&r->err, EX_DATAERR, "length %" PRIu32 " is not a multiple of 4", len);
	else
		err_set(&r->err, EX_DATAERR,
			"length %" PRIu32 " is above the %u bytes that a record may have", len,
			PMCLOG_MAX_RECORD);
	return finish_record(r, PMCLOG_RESULT_CORRUPT);
}

/* Finds the next whole record: its wire type, and rec's raw and length. */
static inline enum pmclog_result frame(struct pmclog_reader *r, struct pmclog_record *rec,
				       uint32_t *type)
{
	enum pmclog_result res;
	uint32_t h, len;

	if (r->end - r->pos < sizeof(h) && (res = need(r, sizeof(h))) != PMCLOG_RESULT_OK)
		return res;
	if (!r->stats.records && (res = detect(r)) != PMCLOG_RESULT_OK)
		return res;
	memcpy(&h, r->buf + r->pos, sizeof(h));
	h = r->decoder.swap ? __builtin_bswap32(h) : h;
	len = h & 0xffff;
	if (h >> 24 != PMCLOG_WIRE_MAGIC || len < r->decoder.header || len % 4 ||
	    len > PMCLOG_MAX_RECORD)
		return bad_header(r, h);
	if (r->end - r->pos < len && (res = need(r, len)) != PMCLOG_RESULT_OK)
		return res;
	rec->raw = r->buf + r->pos;
	rec->length = len;
	*type = h >> 16 & 0xff;
	return PMCLOG_RESULT_OK;
}

/* The next record that this reader knows. */
static enum pmclog_result next(struct pmclog_reader *r, struct pmclog_record *rec)
{
	enum pmclogint_decoded done;
	enum pmclog_result res;
	uint32_t type = 0;

	do {
		if ((res = frame(r, rec, &type)) != PMCLOG_RESULT_OK)
			return res;
		done = r->decoder.old ? pmclogint_decode_old(&r->decoder, type, rec, &r->err)
				      : pmclogint_decode_v9(&r->decoder, type, rec, &r->err);
		if (done == DECODED_CORRUPT)
			return finish_record(r, PMCLOG_RESULT_CORRUPT);
		rec->index = ++r->stats.records;
		rec->offset = r->stats.bytes;
		r->stats.bytes += rec->length;
		r->pos += rec->length;
		r->stats.unknown += done == DECODED_UNKNOWN;
		if (done == DECODED_UNKNOWN)
			rec->type = PMCLOG_WIRE_NTYPES;
		keep(r, rec);
	} while (done == DECODED_UNKNOWN && !r->keeps_unknown);
	if (r->is_limited && rec->type == PMCLOG_WIRE_INITIALIZE)
		limit(r, rec);
	r->stats.closed |= rec->type == PMCLOG_WIRE_CLOSELOG;
	r->stats.foreign = r->decoder.foreign;
	return PMCLOG_RESULT_OK;
}

enum pmclog_result pmclog_reader_next(struct pmclog_reader *r, struct pmclog_record *rec,
				      struct err *err)
{
	enum pmclog_result res = r->final;

	if (res == PMCLOG_RESULT_OK)
		res = next(r, rec);
	if (res > PMCLOG_RESULT_EOF && err)
		*err = r->err;
	return res;
}
