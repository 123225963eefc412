/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tar files as POSIX has them (ustar; pax headers for names and sizes that have no room there).
 *
 * Nothing of the machine that writes them is in them: no owner, and of modes whether a file can be
 * executed.
 */
#ifndef BASE_TAR_H
#define BASE_TAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sink.h"

struct tar_member {
	const char *name; /* relative; that of a directory ends with a slash */
	uint64_t size;	  /* bytes; of a directory 0 */
	int64_t time;	  /* of its last change, seconds since 1970 */
	bool executable;
};

/* Begins a member; its bytes follow by sink_write(). */
void tar_begin(struct sink *sink, const struct tar_member *member);

/* Ends a member of size bytes. */
void tar_end(struct sink *sink, uint64_t size);

/* Ends the file: without this it is not whole. */
void tar_close(struct sink *sink);

#endif
