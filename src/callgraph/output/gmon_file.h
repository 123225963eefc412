/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bytes of one gmon.out file.
 *
 * A histogram has bins of equal width, and readers share a bin's samples among the functions that
 * it overlaps.  Bins are 2 bytes wide in the GNU dialect, what gprof counts addresses in, and 8 in
 * BSD's, so that readers of 16-bit counters find each count in the first 2; they are wider only
 * where a file would have more than 64 MB of them.  A sample goes into a bin within its function
 * where that has one, so that shares stay exact.
 *
 * The GNU dialect has a histogram for each part of the text with samples, not one of all the text.
 * Its counters are of 16 bits, and gprof adds histograms of the same range up: functions with a
 * larger count have as many of their own as it takes.
 */
#ifndef CALLGRAPH_GMON_FILE_H
#define CALLGRAPH_GMON_FILE_H

#include "base/sink.h"
#include "base/vec.h"
#include "symbol/symbol.h"

/* Samples at an address. */
struct gmon_hit {
	uint64_t address;
	uint64_t start, end; /* of its function; start == end: not known */
	uint64_t count;
};

struct gmon_arc {
	uint64_t from, self; /* the address of the call, the start of the called function */
	uint64_t count;
};

struct gmon_file {
	struct symbol_layout layout;
	bool bsd;	  /* 4.4BSD's dialect, with 64-bit counters */
	uint32_t rate;	  /* samples a unit */
	const char *unit; /* "seconds"; BSD's dialect has no other */
	char unit_letter; /* short for it */
	VEC(struct gmon_hit) hits;
	VEC(struct gmon_arc) arcs;
};

/* Time is told in seconds, anything else (nanoseconds between samples: 0) in samples. */
void gmon_file_set_rate(struct gmon_file *f, uint64_t nanoseconds);

/* There is at least one hit; they are sorted and rounded.  0, or -1 when out of memory. */
int gmon_file_write(struct gmon_file *f, struct sink *sink);

void gmon_file_fini(struct gmon_file *f);

#endif
