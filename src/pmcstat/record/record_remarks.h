/* SPDX-License-Identifier: BSD-2-Clause */
/* What is said at the end of a recording: what it lacks, and why. */
#ifndef PMCSTAT_RECORD_REMARKS_H
#define PMCSTAT_RECORD_REMARKS_H

#include "pmcstat/options/options.h"
#include "pmcstat/record/record_command.h"

/* What was lost, in one sentence each. */
void record_remarks_losses(const struct pmc_log_stats *stats);

/* Threads that were just being created when their process was attached to. */
void record_remarks_partial(void);

/* Whose samples of a whole machine nobody can tell. */
void record_remarks_nameless(const struct record_options *options);

/* Why there are so few samples of the command, or none; first: the first PMC, not yet released. */
void record_remarks_few(const struct record_options *options, const struct record_command *command,
			const struct pmc_log_stats *stats, pmc_id_t first);

/*
 * Where a clock samples CPUs: that samples are missing, as of one that sleeps on some kernels and
 * hosts, or whose host has other work for it.  What is idle is too little then.
 */
void record_remarks_asleep(const struct record_options *o, const struct pmc_log_stats *stats,
			   const pmc_id_t *pmcs, size_t n);

/* That a program is one that the kernel takes the PMCs from, if it is; whether it is. */
bool record_remarks_hidden(const char *name);

/*
 * What was not counted of the command, which has been reaped, and why; counted: seconds of a clock
 * on it and its children, below 0: none was counted.
 */
void record_remarks_uncounted(const struct record_command *command, double counted);

/* Where the log is, and how much of its time the command ran. */
void record_remarks_end(const struct record_command *command, const char *log);

#endif
