// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "callgraph/source.h"
#include "symbol/regular.h"

enum {
	BUFFER = 64 << 10,
	MARK_EVERY = 256, /* lines */
	SHOWN = 400,	  /* columns of a line */
	TAB = 8,
};

/* What is behind it is not read. */
#define READ_MOST (UINT64_C(256) << 20)

#define CUT " ..."

struct source {
	int fd;
	time_t changed;
	VEC(uint64_t) marks; /* where lines 1, 1 + MARK_EVERY, ... begin */
	uint32_t line;	     /* the one that begins at at */
	uint64_t at;
	uint64_t buffer_at; /* where the buffer's bytes are in the file */
	size_t buffered;
	char shown[SHOWN + sizeof(CUT)];
	char buffer[BUFFER];
};

struct source *source_open(const char *fsroot, const char *path, struct err *err)
{
	char full[PATH_MAX];
	struct source *s;
	struct stat st;
	uint64_t size;
	int fd;

	if ((size_t)snprintf(full, sizeof(full), "%s%s%s", fsroot ? fsroot : "",
			     fsroot && *path != '/' ? "/" : "", path) >= sizeof(full)) {
		err_set(err, EX_NOINPUT, "cannot open a path of more than %d bytes", PATH_MAX - 1);
		return NULL;
	}
	fd = regular_open(full, &size, err);
	if (fd < 0)
		return NULL;
	s = calloc(1, sizeof(*s));
	if (!s || vec_push(&s->marks, 0)) {
		free(s);
		close(fd);
		err_nomem(err);
		return NULL;
	}
	s->fd = fd;
	s->line = 1;
	if (!fstat(fd, &st))
		s->changed = st.st_mtime;
	return s;
}

void source_close(struct source *s)
{
	if (!s)
		return;
	close(s->fd);
	vec_free(&s->marks);
	free(s);
}

time_t source_changed(const struct source *s)
{
	return s->changed;
}

/* The bytes from at on that are in the buffer, at least one; 0 at the end of what can be read. */
static size_t look(struct source *s, const char **bytes)
{
	ssize_t n;

	if (s->at < s->buffer_at || s->at >= s->buffer_at + s->buffered) {
		if (s->at >= READ_MOST)
			return 0;
		do
			n = pread(s->fd, s->buffer, BUFFER, (off_t)s->at);
		while (n < 0 && errno == EINTR);
		s->buffer_at = s->at;
		s->buffered = n > 0 ? (size_t)n : 0;
	}
	*bytes = s->buffer + (s->at - s->buffer_at);
	return s->buffered - (size_t)(s->at - s->buffer_at);
}

/* Goes to the next line; keep gets what fits of this one.  False at the end of the file. */
static bool pass_line(struct source *s, char *keep, size_t size, size_t *kept)
{
	const char *bytes, *end = NULL;
	size_t n, copy;
	bool any = false;

	for (*kept = 0; !end && (n = look(s, &bytes)); any = true) {
		end = memchr(bytes, '\n', n);
		n = end ? (size_t)(end - bytes) : n;
		copy = n < size - *kept ? n : size - *kept;
		memcpy(keep + *kept, bytes, copy);
		*kept += copy;
		s->at += n + (end != NULL);
	}
	if (!any)
		return false;
	s->line++;
	/* Without memory for a mark the way is only longer. */
	if (s->line % MARK_EVERY == 1 && s->marks.n == s->line / MARK_EVERY)
		(void)vec_push(&s->marks, s->at);
	return true;
}

/* Goes to the nearest place before a line that is known. */
static void rewind_to(struct source *s, uint32_t line)
{
	size_t mark = (line - 1) / MARK_EVERY;

	if (mark >= s->marks.n)
		mark = s->marks.n - 1;
	if (s->line <= line && s->line > mark * MARK_EVERY)
		return;
	s->line = (uint32_t)mark * MARK_EVERY + 1;
	s->at = s->marks.v[mark];
}

/* Makes text of len bytes of a line, of which more were cut off or not. */
static void show(char *shown, const char *text, size_t len, bool cut)
{
	size_t i, n = 0;

	if (!cut && len && text[len - 1] == '\r')
		len--;
	for (i = 0; i < len && n < SHOWN; i++) {
		shown[n++] = text[i] == '\t' ? ' ' : text[i] ? text[i] : '?';
		while (text[i] == '\t' && n % TAB && n < SHOWN)
			shown[n++] = ' ';
	}
	strcpy(shown + n, cut || i < len ? CUT : "");
}

const char *source_line(struct source *s, uint32_t line)
{
	char text[SHOWN + 1];
	size_t n;

	rewind_to(s, line);
	do
		if (!pass_line(s, text, sizeof(text), &n))
			return NULL;
	while (s->line <= line);
	show(s->shown, text, n, n > SHOWN);
	return s->shown;
}
