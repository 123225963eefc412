/* SPDX-License-Identifier: BSD-2-Clause */
/* What a summary has found, and how it is written. */
#ifndef PMCSTAT_SUMMARY_RESULTS_H
#define PMCSTAT_SUMMARY_RESULTS_H

#include <stdbool.h>

#include "pmcstat/options/options.h"
#include "pmcstat/summary/summary_metrics.h"

struct metric_result {
	const char *missing; /* the event that cannot be counted; NULL: all can */
	unsigned int runs;
	double mean, squares; /* of the runs: the sum of squared differences from the mean */
	double share;	      /* the least part of the time that an event had a counter */
	bool scaled;	      /* a count of a part of the time was scaled to all of it */
	bool apart;	      /* its events were in no group */
	bool in_user_mode[METRIC_EVENTS]; /* where the user may not count the kernel */
};

struct summary_results {
	struct metric_result *v; /* of each metric */
	char why[1200];		 /* the first event that is missing is so; "": none is */
	unsigned int runs;	 /* of the command */
	int command_status;	 /* the first that was not 0, as a shell has it */
};

/*
 * Writes a summary of a command where the options want it, as text or JSON.  The exit status; what
 * went wrong was said.
 */
int summary_results_write(const struct summary_results *s, char **command, bool deviates,
			  const struct count_options *options);

#endif
