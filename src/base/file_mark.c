// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_mark.h"

static bool is_marked(const struct file_mark *m, const struct stat *st)
{
	return st->st_dev == m->device && st->st_ino == m->inode &&
	       st->st_mtim.tv_sec == m->written.tv_sec && st->st_mtim.tv_nsec == m->written.tv_nsec;
}

int file_mark_take(struct file_mark *m, int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return -1;
	*m = (struct file_mark){.device = st.st_dev, .inode = st.st_ino, .written = st.st_mtim};
	return 0;
}

bool file_mark_is_of(const struct file_mark *m, int fd)
{
	struct stat st;

	return !fstat(fd, &st) && is_marked(m, &st);
}

int file_mark_delete(const struct file_mark *m, int directory, const char *name)
{
	struct stat st;

	if (!fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW)) {
		if (!is_marked(m, &st))
			return 0;
		if (!unlinkat(directory, name, 0))
			return 1;
	}
	return errno == ENOENT ? 1 : -1;
}
