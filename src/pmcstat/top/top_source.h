/* SPDX-License-Identifier: BSD-2-Clause */
/* Where top's records come from: a recording's pipe, the file that it writes, or a log by name. */
#ifndef PMCSTAT_TOP_SOURCE_H
#define PMCSTAT_TOP_SOURCE_H

#include "callgraph/model/builder.h"
#include "pmclog/reader.h"
#include "pmcstat/top/relay.h"

struct top_source {
	struct pmclog_reader *reader;
	struct relay *relay; /* of a pipe */
	bool ends;	     /* nothing is written to it any more */

	/* Of a log by name. */
	bool is_replay;
	struct pmclog_record ahead; /* read, but its time has not come */
	bool has_ahead, has_zero;
	uint64_t zero; /* the ticks of the first record */
	double tick;   /* seconds */
};

/* *fd becomes the pipe's writing end, the caller's.  Each: 0, or -1 with err set. */
int top_source_pipe(struct top_source *s, int *fd, struct err *err);
int top_source_file(struct top_source *s, const char *path, struct err *err);
/* A pipe is shown as it comes, a file as it was recorded. */
int top_source_log(struct top_source *s, const char *path, struct err *err);
void top_source_close(struct top_source *s);

/* Readable when there is something to take before its time; -1: never. */
int top_source_event_fd(const struct top_source *s);

/* What writes the pipe or the file ends now: what is there then is all. */
void top_source_end(struct top_source *s);

/*
 * Adds to the builder what has come; of a log by name only records up to a time, in seconds from
 * its first record on.  *over: there will be no more.  0, or -1 with err set, and then it is over.
 */
int top_source_read(struct top_source *s, struct cg_builder *b, double until, bool *over,
		    struct err *err);

/* Whether the end of the log, where it is over, is the one that its recorder gave it. */
bool top_source_is_closed(const struct top_source *s);

/* The time of the next record of a log by name. */
double top_source_next(const struct top_source *s);

#endif
