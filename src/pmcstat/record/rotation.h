/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * --rotate: a log in several files, each of which is one of its own.
 *
 * The files of out.log are out.000001.log and so on, from one behind the highest that is there.
 * None that is there is written to, and none is deleted that this recording has not made.
 * Where the log goes to another host each has a connection of its own.
 */
#ifndef PMCSTAT_ROTATION_H
#define PMCSTAT_ROTATION_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file_mark.h"
#include "base/vec.h"

/* When a file ends and the next one begins; zeroed: never. */
struct rotation {
	uint64_t bytes; /* that it has; 0: not by size */
	double seconds; /* that it is of; 0: not by time */
	uint64_t keep;	/* files that are there at most; 0: all */
};

static inline bool rotation_is_asked(const struct rotation *r)
{
	return r->bytes || r->seconds > 0;
}

/* Understands "100M,10".  0, or -1 with err set (EX_USAGE). */
int rotation_parse(struct rotation *r, const char *arg, struct err *err);

/* The name of a file; false: it is too long. */
bool rotation_name(char path[PATH_MAX], const char *log, uint64_t number);

struct rotated_file {
	uint64_t number;
	struct file_mark mark; /* of one that has ended */
};

/* The files of a log; name and how are set, all else begins zeroed. */
struct rotated_log {
	const char *name;
	const struct rotation *how;
	char path[PATH_MAX];		/* of the last one */
	uint64_t last;			/* its number; 0: there is none yet */
	VEC(struct rotated_file) files; /* oldest first, where some are to be deleted */
	uint64_t head;			/* bytes that the last one began with */
	double due;			/* by time: when it is over */
	double again; /* when the next connection is tried, for the last one failed */
	double pause; /* seconds, until then */
};

/* Makes the next file, or connection.  A descriptor, or -1 with err set. */
int rotated_log_create(struct rotated_log *l, struct err *err);
/* The last file has its beginning. */
void rotated_log_begins(struct rotated_log *l, int fd);
/* The file before the last one, which fd is of, has its end. */
void rotated_log_ended(struct rotated_log *l, int fd);
/* A connection has failed or could not be made: the next one is not tried at once. */
void rotated_log_pause(struct rotated_log *l);
/* Whether it is over; asked: it is to be. */
bool rotated_log_is_due(const struct rotated_log *l, int fd, bool asked);
/* Seconds until that is to be asked again. */
double rotated_log_wait(const struct rotated_log *l);
/* Deletes those that are not kept.  0, or -1 with err set, for the last that could not be. */
int rotated_log_delete(struct rotated_log *l, struct err *err);
void rotated_log_fini(struct rotated_log *l);

#endif
