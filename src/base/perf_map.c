// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/numbers.h"
#include "base/perf_map.h"

bool perf_map_is_anonymous(const char *path)
{
	/* "//anon" is the kernel's word, and "[anon:NAME]" where prctl(2) has named it. */
	static const char *const prefixes[] = {
		"//anon",  "[anon", "[heap]",	 "[stack",
		"/memfd:", "/SYSV", "/dev/zero", "/anon_hugepage",
	};
	size_t i;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
		if (!strncmp(path, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

int perf_map_open(int dir, uint32_t pid, uid_t owner, time_t since)
{
	char name[32];
	struct stat st;
	int fd;

	snprintf(name, sizeof(name), "perf-%u.map", pid);
	/* O_NONBLOCK: it may be a fifo. */
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -1;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && (st.st_uid == owner || !st.st_uid) &&
	    st.st_mtime >= since)
		return fd;
	close(fd);
	return -1;
}

/* A hexadecimal number, with or without 0x, and the blank behind it; NULL: none. */
static char *take_number(char *p, uint64_t *value)
{
	size_t n;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		p += 2;
	n = numbers_take_hex(p, value);
	return n && p[n] == ' ' ? p + n + 1 : NULL;
}

/* Makes a symbol of a line without its end; names it where it lies.  False: it is none. */
static bool parse_line(char *line, struct perf_map_symbol *s)
{
	char *p = take_number(line, &s->start);

	p = p ? take_number(p, &s->size) : NULL;
	if (!p || !*p || !s->size || s->size > UINT64_MAX - s->start)
		return false;
	s->name = p;
	/* A name must not be able to drive a terminal. */
	for (; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	return true;
}

int perf_map_read(int fd, int (*each)(void *arg, uint32_t line, const struct perf_map_symbol *s),
		  void *arg)
{
	char buf[PERF_MAP_LINE_MAX * 8];
	struct perf_map_symbol s;
	size_t have = 0, total = 0;
	bool too_long = false;
	uint32_t number = 0;
	int r = 0;

	while (!r && total < PERF_MAP_SIZE_MAX) {
		ssize_t n = pread(fd, buf + have, sizeof(buf) - have, (off_t)total);
		char *line = buf, *end;

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		total += (size_t)n;
		have += (size_t)n;
		/* A line without its end may be half written: it is none. */
		while (!r && (end = memchr(line, '\n', (size_t)(buf + have - line)))) {
			*end = '\0';
			if (!too_long && end - line < PERF_MAP_LINE_MAX &&
			    strlen(line) == (size_t)(end - line) && parse_line(line, &s))
				r = each(arg, number, &s);
			too_long = false;
			number++;
			line = end + 1;
		}
		have = (size_t)(buf + have - line);
		memmove(buf, line, have);
		if (have >= PERF_MAP_LINE_MAX) {
			too_long = true;
			have = 0;
		}
	}
	return r;
}
