// SPDX-License-Identifier: BSD-2-Clause
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/open_files.h"
#include "pmcstat/log_socket.h"
#include "pmcstat/record/rotation.h"
#include "pmcstat/status.h"

enum {
	TRIES = 1000, /* files that others make at the same time */
	DIGITS = 6,   /* at least */
	KEEP_MAX = 1000000,
};

/* Seconds: a file by size is looked at so often. */
#define LOOK 0.1

/* Seconds until a connection is tried again: at first, and when that has failed often. */
#define AGAIN	  1
#define AGAIN_MAX 10

static const struct unit {
	char letter;
	bool is_time;
	double of;
} units[] = {
	{'K', false, 1 << 10}, {'M', false, 1 << 20}, {'G', false, 1 << 30}, {'s', true, 1},
	{'m', true, 60},       {'h', true, 3600},     {'d', true, 86400},
};

static int refuse(const char *arg, struct err *err)
{
	err_set(err, EX_USAGE, "--rotate \"%s\" is not a size like 100M or a time like 10m", arg);
	return err_hint(err, "units are K, M and G (1024 bytes and on) or s, m, h and d; a number "
			     "behind a comma says how many files are kept, as in 100M,10");
}

/* Takes the size or time that arg begins with; what is behind it, NULL where it is none. */
static const char *take_limit(struct rotation *r, const char *arg)
{
	const struct unit *u = units, *end = units + sizeof(units) / sizeof(units[0]);
	char *behind;
	double v = strtod(arg, &behind);

	if (strspn(arg, "0123456789.") != (size_t)(behind - arg) || !*behind)
		return NULL;
	while (u < end && u->letter != *behind)
		u++;
	if (u == end)
		return NULL;
	v *= u->of;
	if (u->is_time ? v < LOOK || v > 1e9 : v < 1024 || v > 1e18)
		return NULL;
	if (u->is_time)
		r->seconds = v;
	else
		r->bytes = (uint64_t)v;
	return behind + 1;
}

int rotation_parse(struct rotation *r, const char *arg, struct err *err)
{
	const char *behind;
	char *end;

	*r = (struct rotation){0};
	behind = take_limit(r, arg);
	if (!behind || (*behind && *behind != ','))
		return refuse(arg, err);
	if (!*behind)
		return 0;
	r->keep = strtoull(++behind, &end, 10);
	if (*behind < '0' || *behind > '9' || *end || !r->keep || r->keep > KEEP_MAX)
		return refuse(arg, err);
	return 0;
}

/* Where the number goes: before the extension, with that of a compressed file before it. */
static size_t stem_of(const char *log)
{
	static const char *const packed[] = {".gz", ".zst", ".xz"};
	const char *slash = strrchr(log, '/'), *base = slash ? slash + 1 : log;
	size_t end = strlen(log), first = (size_t)(base - log), at, i;

	for (at = end; at > first + 1 && log[at - 1] != '.';)
		at--;
	if (at <= first + 1)
		return end;
	for (i = 0; i < sizeof(packed) / sizeof(packed[0]); i++)
		if (!strcmp(log + at - 1, packed[i]))
			break;
	end = at - 1;
	if (i == sizeof(packed) / sizeof(packed[0]))
		return end;
	for (at = end; at > first + 1 && log[at - 1] != '.';)
		at--;
	return at > first + 1 ? at - 1 : end;
}

bool rotation_name(char path[PATH_MAX], const char *log, uint64_t number)
{
	size_t stem = stem_of(log);

	return snprintf(path, PATH_MAX, "%.*s.%0*" PRIu64 "%s", (int)stem, log, DIGITS, number,
			log + stem) < PATH_MAX;
}

/* The number in a file's name; 0: it is none of the log's. */
static uint64_t number_of(const char *file, const char *stem, size_t len, const char *extension)
{
	char *end;
	uint64_t n;

	if (strncmp(file, stem, len) != 0 || file[len] != '.' ||
	    strspn(file + len + 1, "0123456789") < DIGITS)
		return 0;
	n = strtoull(file + len + 1, &end, 10);
	return strcmp(end, extension) || n == UINT64_MAX ? 0 : n;
}

/* The highest number of those that are there. */
static uint64_t highest(const char *log)
{
	const char *slash = strrchr(log, '/'), *base = slash ? slash + 1 : log;
	size_t stem = stem_of(log), len = stem - (size_t)(base - log);
	char directory[PATH_MAX] = ".";
	const struct dirent *d;
	uint64_t most = 0, n;
	DIR *dir;

	if (slash)
		snprintf(directory, sizeof(directory), "%.*s/", (int)(slash - log), log);
	dir = opendir(directory);
	while (dir && (d = readdir(dir)))
		if ((n = number_of(d->d_name, base, len, log + stem)) > most)
			most = n;
	if (dir)
		closedir(dir);
	return most;
}

/* A device or pipe has no files beside it. */
static int check_name(const char *name, struct err *err)
{
	struct stat st;

	if (strlen(name) + DIGITS * 4 > PATH_MAX)
		return err_set(err, EX_CANTCREAT, "%s: %s", name, strerror(ENAMETOOLONG));
	if (stat(name, &st) || S_ISREG(st.st_mode))
		return 0;
	err_set(err, EX_CANTCREAT, "%s is not a file: a log in several cannot be named after it",
		name);
	return err_hint(err, "without --rotate all of the log goes there");
}

/* The first one is waited for as any is; later ones have a recording that waits for them. */
static int connect_next(struct rotated_log *l, struct err *err)
{
	int fd = l->path[0] ? log_socket_open_soon(l->name, err) : log_socket_open(l->name, err);

	snprintf(l->path, sizeof(l->path), "%s", l->name);
	if (fd < 0)
		rotated_log_pause(l);
	return fd;
}

void rotated_log_pause(struct rotated_log *l)
{
	double now = status_now();

	l->pause = now - l->again > AGAIN_MAX ? AGAIN : fmin(2 * l->pause, AGAIN_MAX);
	l->again = now + l->pause;
}

int rotated_log_create(struct rotated_log *l, struct err *err)
{
	uint64_t number = l->last ? l->last : highest(l->name);
	int fd = -1, tries;

	if (log_socket_is(l->name))
		return connect_next(l, err);
	if (!l->last && check_name(l->name, err))
		return -1;
	for (tries = 0; fd < 0 && tries < TRIES; tries++) {
		if (!rotation_name(l->path, l->name, ++number))
			errno = ENAMETOOLONG;
		else
			fd = open(l->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0)
		return open_files_fail(err, EX_CANTCREAT, "%s", l->path);
	l->last = number;
	if (!l->how->keep || !vec_push(&l->files, (struct rotated_file){.number = number}))
		return fd;
	close(fd);
	return err_nomem(err);
}

/* Bytes of the last one. */
static uint64_t bytes_of(const struct rotated_log *l, int fd)
{
	struct stat st;

	if (log_socket_is(l->name))
		return log_socket_bytes(fd);
	return fstat(fd, &st) ? 0 : (uint64_t)st.st_size;
}

void rotated_log_begins(struct rotated_log *l, int fd)
{
	double now = status_now();

	l->head = l->how->bytes ? bytes_of(l, fd) : 0;
	l->due += l->how->seconds;
	/* The first one; or this process was stopped for long. */
	if (l->due < now)
		l->due = now + l->how->seconds;
}

void rotated_log_ended(struct rotated_log *l, int fd)
{
	if (l->files.n > 1)
		file_mark_take(&l->files.v[l->files.n - 2].mark, fd);
}

bool rotated_log_is_due(const struct rotated_log *l, int fd, bool asked)
{
	double now = status_now();
	uint64_t bytes;

	if (now < l->again || asked)
		return now >= l->again;
	if (!l->how->bytes)
		return now >= l->due;
	/* What is in each file must not be all that there is in it. */
	bytes = bytes_of(l, fd);
	return bytes >= l->how->bytes && bytes >= 2 * l->head;
}

double rotated_log_wait(const struct rotated_log *l)
{
	return l->how->bytes ? LOOK : fmax(l->due, l->again) - status_now();
}

int rotated_log_delete(struct rotated_log *l, struct err *err)
{
	char path[PATH_MAX];
	int r = 0;

	while (l->how->keep && l->files.n > l->how->keep) {
		struct rotated_file f = l->files.v[0];

		vec_remove(&l->files, 0, 1);
		if (rotation_name(path, l->name, f.number) &&
		    file_mark_delete(&f.mark, AT_FDCWD, path) < 0)
			r = err_set(err, EX_IOERR, "%s: cannot delete it: %s", path,
				    strerror(errno));
	}
	return r;
}

void rotated_log_fini(struct rotated_log *l)
{
	vec_free(&l->files);
}
