/* SPDX-License-Identifier: BSD-2-Clause */
/* Counting: what PMCs have counted, a line an interval, in FreeBSD's columns or as JSON. */
#ifndef PMCSTAT_COUNT_H
#define PMCSTAT_COUNT_H

#include "pmcstat/options/options.h"

struct counting;

/* NULL with err set.  options are borrowed. */
struct counting *counting_new(const struct count_options *options, struct err *err);
void counting_free(struct counting *c); /* NULL is legal */

/* One more column, for a counting PMC that r asked for: a clock or not.  0, or -1 with err set. */
int counting_add(struct counting *c, pmc_id_t id, const struct pmc_request *r, bool is_clock,
		 struct err *err);

/* Creates the file of -o.  0, or -1 with err set. */
int counting_open(struct counting *c, struct err *err);

/* The intervals begin. */
void counting_begin(struct counting *c);

/* Seconds until the next line is due; 0: it is. */
double counting_wait(const struct counting *c);

/*
 * Writes the line that is due, unless that would block: then a later one has its counts too.  0, or
 * an exit status after having said why no more can be written.
 */
int counting_line(struct counting *c);

/*
 * Writes the last line, of PMCs that are stopped, and closes the file.  0, or an exit status: what
 * could not be read or written was said.
 */
int counting_finish(struct counting *c);

/* Whether a PMC is in process scope. */
bool counting_has_processes(const struct counting *c);

/*
 * Seconds that a clock of processes and their descendants has counted; below 0: none is counted, or
 * not all of the time.
 */
double counting_clock(const struct counting *c);

#endif
