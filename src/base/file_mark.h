/* SPDX-License-Identifier: BSD-2-Clause */
/* A file that was written here and is deleted later: its name may be another one's by then. */
#ifndef BASE_FILE_MARK_H
#define BASE_FILE_MARK_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

struct file_mark {
	dev_t device;
	ino_t inode;
	struct timespec written; /* numbers of inodes are used again */
};

/* Of an open file that nothing more is written to.  0, or -1 with errno set. */
int file_mark_take(struct file_mark *m, int fd);

/* Whether it is the marked file, and nobody has written to it since. */
bool file_mark_is_of(const struct file_mark *m, int fd);

/*
 * Deletes what has the name below directory, or AT_FDCWD, if it is that file.  1: nothing has the
 * name now; 0: another file has it, or somebody has written to it, and it stays; -1: it cannot be
 * deleted, errno says why.
 */
int file_mark_delete(const struct file_mark *m, int directory, const char *name);

#endif
