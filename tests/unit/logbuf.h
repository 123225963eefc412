/* SPDX-License-Identifier: BSD-2-Clause */
/* Logs for tests: written into an unlinked file, read back from it, or put together byte by byte.
 */
#ifndef LOGBUF_H
#define LOGBUF_H

#include <fcntl.h>
#include <sys/mman.h>

#include "pmclog/reader.h"
#include "pmclog/writer.h"
#include "unit.h"

/* An empty anonymous file. */
static inline int logbuf_file(void)
{
	return memfd_create("log", MFD_CLOEXEC);
}

/* The bytes of the file at fd, *len of them; to be freed. */
static inline uint8_t *logbuf_bytes(int fd, size_t *len)
{
	off_t size = lseek(fd, 0, SEEK_END);
	uint8_t *p = malloc((size_t)size + 1);

	*len = 0;
	if (p && pread(fd, p, (size_t)size, 0) == (ssize_t)size)
		*len = (size_t)size;
	return p;
}

/* A log put together by hand, in either byte order. */
struct logbuf {
	uint8_t b[64 * 1024];
	size_t n;
	bool big;
	size_t record; /* where the record begins that is being made */
};

static inline void logbuf_int(struct logbuf *l, uint64_t v, int bytes)
{
	int i;

	for (i = 0; i < bytes; i++)
		l->b[l->n++] = (uint8_t)(v >> 8 * (l->big ? bytes - 1 - i : i));
}

static inline void logbuf_u32(struct logbuf *l, uint32_t v)
{
	logbuf_int(l, v, 4);
}

/* The time of a record, and the time of day: 64 bits as the machine stores them. */
static inline void logbuf_stored(struct logbuf *l, uint64_t v)
{
	logbuf_int(l, v, 8);
}

/* Any other 64 bits: two words, the low one first. */
static inline void logbuf_u64(struct logbuf *l, uint64_t v)
{
	logbuf_u32(l, (uint32_t)v);
	logbuf_u32(l, (uint32_t)(v >> 32));
}

static inline void logbuf_pointer(struct logbuf *l, uint64_t v, int bytes)
{
	if (bytes == 8)
		logbuf_u64(l, v);
	else
		logbuf_u32(l, (uint32_t)v);
}

/* A text of size bytes, its rest zero. */
static inline void logbuf_text(struct logbuf *l, const char *s, size_t size)
{
	memset(l->b + l->n, 0, size);
	memcpy(l->b + l->n, s, strlen(s) < size ? strlen(s) : size);
	l->n += size;
}

static inline void logbuf_header(struct logbuf *l, uint32_t type, uint32_t len)
{
	l->record = l->n;
	logbuf_u32(l, PMCLOG_WIRE_HEADER(type, len));
}

/* Begins a record of version 9 and later; its length comes from logbuf_end(). */
static inline void logbuf_begin(struct logbuf *l, uint32_t type, uint64_t tsc)
{
	logbuf_header(l, type, 0);
	logbuf_u32(l, 0);
	logbuf_stored(l, tsc);
}

/* Begins a record of versions 1 to 5. */
static inline void logbuf_begin_old(struct logbuf *l, uint32_t type, uint32_t sec, uint32_t nsec)
{
	logbuf_header(l, type, 0);
	logbuf_u32(l, sec);
	logbuf_u32(l, nsec);
}

static inline void logbuf_end(struct logbuf *l)
{
	uint32_t len = (uint32_t)(l->n - l->record), type = l->b[l->record + (l->big ? 1 : 2)];
	size_t end = l->n;

	l->n = l->record;
	logbuf_u32(l, PMCLOG_WIRE_HEADER(type, len));
	l->n = end;
}

static inline void logbuf_init(struct logbuf *l, uint32_t version)
{
	logbuf_begin(l, PMCLOG_WIRE_INITIALIZE, 1);
	logbuf_u32(l, version);
	logbuf_u32(l, 0x400);
	logbuf_u64(l, 1000000000);
	logbuf_stored(l, 1700000000);
	logbuf_stored(l, 5);
	logbuf_text(l, "cpu", 64);
	logbuf_end(l);
}

/* A reader that has been fed all of l. */
static inline struct pmclog_reader *logbuf_reader(const struct logbuf *l)
{
	struct pmclog_reader *r = pmclog_reader_open_feed("t.log", NULL);

	if (r && !pmclog_reader_feed(r, l->b, l->n, NULL))
		pmclog_reader_feed_end(r);
	return r;
}

#endif
