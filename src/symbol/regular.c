// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/open_files.h"
#include "symbol/regular.h"

/* Looks before it opens, since to open a device can do something, and again in case it changed. */
int regular_open(const char *path, uint64_t *size, struct err *err)
{
	struct stat st;
	int fd;

	if (stat(path, &st))
		return open_files_fail(err, EX_NOINPUT, "cannot open %s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, EX_NOINPUT, "cannot open %s: not a regular file", path);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return open_files_fail(err, EX_NOINPUT, "cannot open %s", path);
	if (!fstat(fd, &st) && S_ISREG(st.st_mode)) {
		*size = (uint64_t)st.st_size;
		return fd;
	}
	close(fd);
	return err_set(err, EX_NOINPUT, "cannot open %s: not a regular file", path);
}

bool regular_is_missing(const struct err *err)
{
	return err->error == ENOENT || err->error == ENOTDIR;
}
