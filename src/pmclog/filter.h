/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which records of a log are kept when only some of its samples are wanted.
 *
 * Samples, counts (PROCCSW, PROCEXIT) and losses (DROPNOTIFY) are held against each criterion that
 * they say something of.  What targets ran for in all of the log (PMCDETACH) is left out where
 * samples are chosen by more than their event.  Every other record is kept, since samples need it:
 * events, processes, names and what is mapped.
 */
#ifndef PMCLOG_FILTER_H
#define PMCLOG_FILTER_H

#include "base/vec.h"
#include "pmclog/reader.h"

struct pmclog_range {
	uint32_t first, last;
};

typedef VEC(struct pmclog_range) pmclog_ranges;

/* Names of processes or of threads. */
struct pmclog_name {
	const char *text;
	bool is_pattern; /* as fnmatch(3) has it, for the whole name; else any part of it */
};

/* A list that is empty asks nothing.  Texts are borrowed. */
struct pmclog_criteria {
	pmclog_ranges pids, tids, cpus;
	VEC(const char *) events; /* as allocated or as the user wrote it; case does not matter */
	VEC(struct pmclog_name) processes, threads;
	double from, to; /* seconds from the log's first record; to 0: its end */
	bool negated;	 /* what meets any criterion is left out, instead of what fails one */
	/* Nothing of after to is kept but what names samples before it. */
	bool cut;
};

void pmclog_criteria_fini(struct pmclog_criteria *c);

struct pmclog_filter;

/* c is borrowed.  NULL when out of memory. */
struct pmclog_filter *pmclog_filter_new(const struct pmclog_criteria *c);
void pmclog_filter_free(struct pmclog_filter *f); /* NULL is legal */

/* Whether the next record of the log is kept, in *keep.  0, or -1 with err set. */
int pmclog_filter_record(struct pmclog_filter *f, const struct pmclog_record *rec, bool *keep,
			 struct err *err);

/*
 * Behind the last record of the log of that name: -1 with err set where a criterion names an event
 * that no PMC had, or a time behind the log's end.  left_out: ticks of the last that was not read.
 */
int pmclog_filter_check(const struct pmclog_filter *f, const char *name, uint64_t left_out,
			struct err *err);

#endif
