// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sink.h"
#include "base/vec.h"

enum { BUFFER = 64 * 1024 };

struct sink {
	char *buf;
	size_t n, cap;
	int fd; /* -1: memory */
	int error;
	off_t start;		/* of a file that has places, -1: it has none */
	uint64_t written, kept; /* kept: up to the last place in the file where all is whole */
	VEC(size_t) whole;	/* such places of the buffer */
	bool can_cut;
};

static struct sink *sink_new(int fd)
{
	struct sink *s = calloc(1, sizeof(*s));

	if (!s || !(s->buf = malloc(BUFFER))) {
		free(s);
		return NULL;
	}
	s->cap = BUFFER;
	s->fd = fd;
	s->start = fd >= 0 ? lseek(fd, 0, SEEK_CUR) : -1;
	return s;
}

struct sink *sink_to_fd(int fd)
{
	return sink_new(fd);
}

struct sink *sink_to_memory(void)
{
	return sink_new(-1);
}

void sink_free(struct sink *s)
{
	if (!s)
		return;
	vec_free(&s->whole);
	free(s->buf);
	free(s);
}

/* Goes on from the last place that is in the file. */
static void note_whole(struct sink *s, uint64_t begin)
{
	size_t i = s->whole.n;

	while (i && begin + s->whole.v[i - 1] > s->written)
		i--;
	if (i)
		s->kept = begin + s->whole.v[i - 1];
	s->whole.n = 0;
}

/* After a failed write. */
static void cut_back(struct sink *s)
{
	off_t end = s->start + (off_t)s->written;
	struct stat st;

	if (!s->can_cut || s->kept == s->written || s->start < 0 || fstat(s->fd, &st) ||
	    !S_ISREG(st.st_mode) || lseek(s->fd, 0, SEEK_CUR) != end || st.st_size != end)
		return;
	end = s->start + (off_t)s->kept;
	if (!ftruncate(s->fd, end) && lseek(s->fd, end, SEEK_SET) == end)
		s->written = s->kept;
}

/* Waits where a descriptor that does not block is full: who shares it chose that, not we. */
static void write_out(struct sink *s, const char *data, size_t len)
{
	struct pollfd room = {.fd = s->fd, .events = POLLOUT};
	const uint64_t begin = s->written;

	while (len && !s->error) {
		ssize_t n = write(s->fd, data, len);

		if (n < 0 && errno == EAGAIN)
			poll(&room, 1, -1);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n < 0) {
			s->error = errno;
			break;
		}
		s->written += (uint64_t)n;
		data += n;
		len -= (size_t)n;
	}
	note_whole(s, begin);
	if (s->error)
		cut_back(s);
}

/* Room for len more bytes, or false after an error. */
static bool make_room(struct sink *s, size_t len)
{
	size_t cap = s->cap;
	char *p;

	if (s->error)
		return false;
	if (s->n + len <= cap)
		return true;
	if (s->fd >= 0) {
		write_out(s, s->buf, s->n);
		s->n = 0;
		if (s->error || len <= cap)
			return !s->error;
	}
	while (cap < s->n + len)
		cap *= 2;
	if (!(p = realloc(s->buf, cap))) {
		s->error = ENOMEM;
		return false;
	}
	s->buf = p;
	s->cap = cap;
	return true;
}

void sink_write(struct sink *s, const void *data, size_t len)
{
	/* Nothing may be at no address. */
	if (!len || !make_room(s, len))
		return;
	memcpy(s->buf + s->n, data, len);
	s->n += len;
}

void sink_is_whole(struct sink *s)
{
	s->can_cut = s->fd >= 0;
	/* Without memory for the place, a cut goes back to the one before. */
	if (s->can_cut && !s->error && !vec_reserve(&s->whole, s->whole.n + 1))
		s->whole.v[s->whole.n++] = s->n;
}

uint64_t sink_written(const struct sink *s)
{
	return s->written;
}

void sink_str(struct sink *s, const char *text)
{
	sink_write(s, text, strlen(text));
}

void sink_char(struct sink *s, char c)
{
	sink_write(s, &c, 1);
}

void sink_fill(struct sink *s, char c, size_t count)
{
	if (!make_room(s, count))
		return;
	memset(s->buf + s->n, c, count);
	s->n += count;
}

void sink_u64(struct sink *s, uint64_t v)
{
	char digits[20], *p = digits + sizeof(digits);

	do
		*--p = (char)('0' + v % 10);
	while (v /= 10);
	sink_write(s, p, (size_t)(digits + sizeof(digits) - p));
}

void sink_uleb(struct sink *s, uint64_t v)
{
	for (; v > 0x7f; v >>= 7)
		sink_char(s, (char)(v | 0x80));
	sink_char(s, (char)v);
}

void sink_hex(struct sink *s, uint64_t v)
{
	char digits[18], *p = digits + sizeof(digits);

	do
		*--p = "0123456789abcdef"[v & 15];
	while (v >>= 4);
	*--p = 'x';
	*--p = '0';
	sink_write(s, p, (size_t)(digits + sizeof(digits) - p));
}

void sink_printf(struct sink *s, const char *fmt, ...)
{
	size_t want = 256;
	va_list ap;
	int n;

	for (;;) {
		if (!make_room(s, want))
			return;
		va_start(ap, fmt);
		n = vsnprintf(s->buf + s->n, s->cap - s->n, fmt, ap);
		va_end(ap);
		if (n < 0) {
			s->error = EINVAL;
			return;
		}
		if ((size_t)n < s->cap - s->n)
			break;
		want = (size_t)n + 1;
	}
	s->n += (size_t)n;
}

int sink_flush(struct sink *s)
{
	if (s->fd >= 0 && !s->error) {
		write_out(s, s->buf, s->n);
		s->n = 0;
	}
	return s->error;
}

int sink_end(struct sink *s, const char *name, struct err *err)
{
	int error = sink_flush(s);

	sink_free(s);
	return error ? err_unwritten(err, name, error) : 0;
}

void sink_clear(struct sink *s)
{
	s->n = 0;
}

const char *sink_text(struct sink *s, size_t *len)
{
	bool ok = make_room(s, 1);

	if (len)
		*len = ok ? s->n : 0;
	if (!ok)
		return "";
	s->buf[s->n] = '\0';
	return s->buf;
}
