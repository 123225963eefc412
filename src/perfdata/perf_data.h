/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What perf record has recorded, as a log of ours: a file, or what it wrote to a pipe.
 *
 * Records are brought into the layout in which our own collector asks the kernel for them, put in
 * order of time, and go the way of its records from there on: src/pmc/perf/ unwinds stacks and
 * writes the log.  No size or offset of the file is believed, and memory is bounded by the size of
 * what was read.
 */
#ifndef PERFDATA_PERF_DATA_H
#define PERFDATA_PERF_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "pmclog/writer.h"

/* Bytes of a file's beginning that perf_data_is() looks at. */
enum { PERF_DATA_MAGIC = 8 };

/* Whether these are the first bytes of what perf record wrote, in either byte order. */
bool perf_data_is(const void *bytes, size_t len);

struct perf_data_input {
	int fd;		  /* borrowed; at the beginning of the data, or behind head */
	const char *name; /* for messages */
	/* The first bytes where they have been read already; else 0 of them. */
	const void *head;
	size_t head_len;
	/* Takes a sentence on what is not in the log, or is in it otherwise than perf shows it. */
	void (*say)(void *arg, const char *sentence);
	/* Called now and then while fd is read: for progress; NULL is legal. */
	void (*tell)(void *arg);
	void *arg;
};

/*
 * Writes all of it to w, which is not flushed at the end.  -1 with err set: EX_DATAERR for what is
 * damaged or cannot be read here, when all that is before it has been written; EX_IOERR; EX_OSERR.
 */
int perf_data_convert(const struct perf_data_input *in, struct pmclog_writer *w, struct err *err);

#endif
