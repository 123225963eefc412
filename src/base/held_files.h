/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Files that stay open so that they can be read when their names are gone: the recorder had them
 * open while they were mapped, and the report of the same process asks for what was in them.
 *
 * One list for the process and all of its threads.  A deleted file takes room on its disk for as
 * long as it is held, so the oldest are given up for new ones.
 */
#ifndef BASE_HELD_FILES_H
#define BASE_HELD_FILES_H

#include <stdbool.h>

#include "base/build_id.h"

/* Which file it is, as records of maps say it. */
struct held_file {
	uint64_t device; /* major number << 32, and minor */
	uint64_t inode;
	uint8_t build_id[BUILD_ID_MAX];
	size_t build_id_len; /* 0: it has none, and the inode tells */
};

/* From now on files are held. */
void held_files_begin(void);
/* From now on none is.  Whether any was. */
bool held_files_end(void);

/* Holds the file that fd has, which stays the caller's, unless there is no room for another. */
void held_files_add(const struct held_file *file, int fd);

/* A descriptor of it, the caller's own; -1: it is not held. */
int held_files_open(const struct held_file *file);

#endif
