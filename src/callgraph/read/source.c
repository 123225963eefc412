// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "callgraph/read/source.h"
#include "symbol/regular.h"

enum {
	BUFFER = 64 << 10,
	MARK_LINES = 256, /* the most from mark to mark, so that no place is far from one; and */
	MARK_BYTES = BUFFER,
	SHOWN = 400, /* columns of a line */
	TAB = 8,
};

/* What is behind it is not read. */
#define READ_MOST (UINT64_C(256) << 20)

#define CUT " ..."

/* Where a line begins. */
struct mark {
	uint32_t line;
	uint64_t at;
};

struct source {
	const struct cg_packed_source *packed; /* NULL: it is a file */
	int fd;				       /* of the file; -1 */
	time_t changed;
	VEC(struct mark) marks; /* ascending, the first of line 1 */
	struct mark here;
	uint32_t end;	    /* the first line that there is not; 0: not known yet */
	uint64_t buffer_at; /* where the buffer's bytes are in the file */
	size_t buffered;
	char shown[SHOWN + sizeof(CUT)];
	char buffer[BUFFER];
};

static const struct cg_packed_source *find_packed(const struct cg_profile *p, const char *path)
{
	const struct cg_packed_source *s;

	vec_each(s, &p->sources)
		if (!strcmp(s->path, path))
			return s;
	return NULL;
}

static struct source *open_packed(const struct cg_packed_source *packed, struct err *err)
{
	struct source *s;

	if (*packed->problem) {
		err_set(err, EX_NOINPUT, "%s", packed->problem);
		return NULL;
	}
	s = calloc(1, sizeof(*s));
	if (!s) {
		err_nomem(err);
		return NULL;
	}
	s->packed = packed;
	s->fd = -1;
	return s;
}

static struct source *open_file(const char *fsroot, const char *path, struct err *err)
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
	if (!s || vec_push(&s->marks, (struct mark){1, 0})) {
		free(s);
		close(fd);
		err_nomem(err);
		return NULL;
	}
	s->fd = fd;
	s->here = s->marks.v[0];
	if (!fstat(fd, &st))
		s->changed = st.st_mtime;
	return s;
}

struct source *source_open(const struct cg_profile *p, const char *fsroot, const char *path,
			   struct err *err)
{
	const struct cg_packed_source *packed = p ? find_packed(p, path) : NULL;

	return packed ? open_packed(packed, err) : open_file(fsroot, path, err);
}

void source_close(struct source *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	vec_free(&s->marks);
	free(s);
}

bool source_is_newer(const struct source *s, const char *fsroot, const char *object)
{
	char path[PATH_MAX];
	const char **older;
	struct stat st;

	if (s->packed) {
		vec_each(older, &s->packed->older)
			if (!strcmp(*older, object))
				return true;
		return false;
	}
	if ((size_t)snprintf(path, sizeof(path), "%s%s", fsroot ? fsroot : "", object) >=
	    sizeof(path))
		return false;
	return !stat(path, &st) && s->changed > st.st_mtime;
}

/* The bytes at a place that are in the buffer, at least one; 0 at the end of what can be read. */
static size_t look(struct source *s, uint64_t at, const char **bytes)
{
	ssize_t n;

	if (at < s->buffer_at || at >= s->buffer_at + s->buffered) {
		if (at >= READ_MOST)
			return 0;
		do
			n = pread(s->fd, s->buffer, BUFFER, (off_t)at);
		while (n < 0 && errno == EINTR);
		s->buffer_at = at;
		s->buffered = n > 0 ? (size_t)n : 0;
	}
	*bytes = s->buffer + (at - s->buffer_at);
	return s->buffered - (size_t)(at - s->buffer_at);
}

/* Goes to the next line; false when this is the last. */
static bool pass_line(struct source *s)
{
	const struct mark *last = &s->marks.v[s->marks.n - 1];
	const char *bytes, *end = NULL;
	uint64_t at = s->here.at;
	size_t n;

	while (!end && (n = look(s, at, &bytes))) {
		end = memchr(bytes, '\n', n);
		at += end ? (size_t)(end - bytes) + 1 : n;
	}
	if (!end)
		return false;
	s->here = (struct mark){s->here.line + 1, at};
	/* Without memory for a mark the way is only longer. */
	if (s->here.line > last->line &&
	    (s->here.line - last->line >= MARK_LINES || at - last->at >= MARK_BYTES))
		(void)vec_push(&s->marks, s->here);
	return true;
}

/* Goes to the nearest place before a line that is known. */
static void go_near(struct source *s, uint32_t line)
{
	size_t lo = 0, hi = s->marks.n;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->marks.v[mid].line <= line)
			lo = mid;
		else
			hi = mid;
	}
	if (s->here.line > line || s->here.line < s->marks.v[lo].line)
		s->here = s->marks.v[lo];
}

/* Goes to a line; false when there is none. */
static bool go_to(struct source *s, uint32_t line)
{
	const char *bytes;

	if (s->end && line >= s->end)
		return false;
	go_near(s, line);
	while (s->here.line < line && pass_line(s))
		;
	if (s->here.line == line && look(s, s->here.at, &bytes))
		return true;
	s->end = s->here.line == line ? line : s->here.line + 1;
	return false;
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
	const char *bytes, *end = NULL;
	char text[SHOWN + 1];
	size_t n = 0, more;

	if (s->packed)
		return cg_packed_source_line(s->packed, line);
	if (!go_to(s, line))
		return NULL;
	while (!end && n < sizeof(text) && (more = look(s, s->here.at + n, &bytes))) {
		more = more < sizeof(text) - n ? more : sizeof(text) - n;
		end = memchr(bytes, '\n', more);
		more = end ? (size_t)(end - bytes) : more;
		memcpy(text + n, bytes, more);
		n += more;
	}
	show(s->shown, text, n, n > SHOWN);
	return s->shown;
}
