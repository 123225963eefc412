// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/open_files.h"
#include "pmcstat/output_files.h"
#include "pmcstat/say.h"

static int make_directory(const char *path, struct err *err)
{
	if (!mkdir(path, 0777) || errno == EEXIST)
		return 0;
	return err_set(err, EX_CANTCREAT, "%s: %s", path, strerror(errno));
}

int output_file_check(const char *path, int mode, struct err *err)
{
	char dir[PATH_MAX];

	if (!strcmp(path, "-") || !eaccess(path, mode))
		return 0;
	snprintf(dir, sizeof(dir), "%s", path);
	if (errno != ENOENT || eaccess(dirname(dir), W_OK | X_OK))
		return err_set(err, EX_CANTCREAT, "%s: %s", path, strerror(errno));
	return 0;
}

int output_file_open(const char *file, struct err *err)
{
	int fd;

	if (!strcmp(file, "-"))
		return STDOUT_FILENO;
	fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		open_files_fail(err, EX_CANTCREAT, "%s", file);
	return fd;
}

int output_file_close(const char *file, int fd, struct sink *sink, struct err *err)
{
	int failed = sink ? sink_flush(sink) : 0;

	sink_free(sink);
	/* Only close tells of a delayed failure. */
	if (fd != STDOUT_FILENO && close(fd) && !failed)
		failed = errno;
	if (!failed)
		return 0;
	return err_unwritten(err, fd == STDOUT_FILENO ? "standard output" : file, failed);
}

/* Sets the path to DIR/subdir/name, and makes the directories. */
static int make_path(struct output_files *f, const char *subdir, const char *name, struct err *err)
{
	int n = snprintf(f->path, sizeof(f->path), "%s/%s", f->dir, subdir);

	if (n + strlen(name) + 2 > sizeof(f->path))
		return err_set(err, EX_CANTCREAT, "%s/%s/%s: %s", f->dir, subdir, name,
			       strerror(ENAMETOOLONG));
	if (make_directory(f->dir, err) || make_directory(f->path, err))
		return -1;
	snprintf(f->path + n, sizeof(f->path) - (size_t)n, "/%s", name);
	return 0;
}

static struct sink *open_file(struct cg_files *ops, const char *subdir, const char *name,
			      struct err *err)
{
	struct output_files *f = (struct output_files *)ops;
	struct sink *sink;

	if (subdir && make_path(f, subdir, name, err))
		return NULL;
	if (!subdir)
		snprintf(f->path, sizeof(f->path), "%s", name);
	f->fd = output_file_open(f->path, err);
	if (f->fd < 0)
		return NULL;
	sink = sink_to_fd(f->fd);
	if (!sink) {
		output_file_close(f->path, f->fd, NULL, NULL);
		err_nomem(err);
	}
	return sink;
}

/* What was there before is whole without what is written behind it, but not with a part of that. */
static struct sink *append_file(struct cg_files *ops, const char *name, struct err *err)
{
	struct output_files *f = (struct output_files *)ops;
	struct sink *sink = NULL;
	struct stat st;
	sigset_t all;

	snprintf(f->path, sizeof(f->path), "%s", name);
	f->fd = open(name, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (f->fd < 0 || fstat(f->fd, &st))
		err_set(err, EX_CANTCREAT, "%s: %s", name, strerror(errno));
	else if (!(sink = sink_to_fd(f->fd)))
		err_nomem(err);
	if (!sink) {
		if (f->fd >= 0)
			close(f->fd);
		return NULL;
	}
	f->kept = st.st_size;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &f->signals);
	return sink;
}

/* Takes away what was appended, unless that is good. */
static void end_appending(struct output_files *f, bool is_good)
{
	if (f->kept < 0)
		return;
	if (!is_good && ftruncate(f->fd, f->kept))
		say("%s: cannot be cut to the %jd bytes that it had: %s", f->path,
		    (intmax_t)f->kept, strerror(errno));
	f->kept = -1;
	pthread_sigmask(SIG_SETMASK, &f->signals, NULL);
}

static int close_file(struct cg_files *ops, struct sink *sink, struct err *err)
{
	struct output_files *f = (struct output_files *)ops;

	end_appending(f, !sink_flush(sink));
	return output_file_close(f->path, f->fd, sink, err);
}

static void discard_file(struct cg_files *ops, struct sink *sink)
{
	struct output_files *f = (struct output_files *)ops;
	struct stat st;

	if (f->fd != STDOUT_FILENO && !fstat(f->fd, &st) && S_ISREG(st.st_mode))
		unlink(f->path);
	output_file_close(f->path, f->fd, sink, NULL);
}

static void remark(struct cg_files *ops, const char *line)
{
	(void)ops;
	say_lines(line);
}

void output_files_init(struct output_files *files, const char *dir)
{
	*files = (struct output_files){
		.ops = {open_file, close_file, discard_file, remark, append_file},
		.dir = dir ? dir : ".",
		.fd = -1,
		.kept = -1};
}
