// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pmcstat/output_files.h"

static int make_directory(const char *path, struct err *err)
{
	if (!mkdir(path, 0777) || errno == EEXIST)
		return 0;
	return err_set(err, EX_CANTCREAT, "%s: %s", path, strerror(errno));
}

static struct sink *open_file(struct cg_files *ops, const char *subdir, const char *name,
			      struct err *err)
{
	struct output_files *f = (struct output_files *)ops;
	struct sink *sink;
	int n = snprintf(f->path, sizeof(f->path), "%s/%s", f->dir, subdir);

	if (n + strlen(name) + 2 > sizeof(f->path)) {
		err_set(err, EX_CANTCREAT, "%s/%s/%s: %s", f->dir, subdir, name,
			strerror(ENAMETOOLONG));
		return NULL;
	}
	if (make_directory(f->dir, err) || make_directory(f->path, err))
		return NULL;
	snprintf(f->path + n, sizeof(f->path) - (size_t)n, "/%s", name);
	f->fd = open(f->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (f->fd < 0) {
		err_set(err, EX_CANTCREAT, "%s: %s", f->path, strerror(errno));
		return NULL;
	}
	sink = sink_to_fd(f->fd);
	if (!sink) {
		close(f->fd);
		err_nomem(err);
	}
	return sink;
}

static int close_file(struct cg_files *ops, struct sink *sink, struct err *err)
{
	struct output_files *f = (struct output_files *)ops;
	int failed = sink_flush(sink);

	sink_free(sink);
	/* Only close tells of a delayed failure. */
	if (close(f->fd) && !failed)
		failed = errno;
	return failed ? err_set(err, EX_IOERR, "%s: %s", f->path, strerror(failed)) : 0;
}

void output_files_init(struct output_files *files, const char *dir)
{
	*files = (struct output_files){
		.ops = {open_file, close_file}, .dir = dir ? dir : ".", .fd = -1};
}
