/* SPDX-License-Identifier: BSD-2-Clause */
/* Recording: PMCs on their targets, until the target exits, the time is up or a signal comes. */
#ifndef PMCSTAT_RECORD_H
#define PMCSTAT_RECORD_H

#include "pmcstat/options/options.h"

/*
 * Records as options say, and analyses while or after that where outputs are asked for; argv is for
 * the log to tell.  Requests without an event get one.  The exit status: the command's own (128 +
 * signal when one killed it) when all is well, else a sysexits(3) code; what went wrong is printed.
 */
int record(struct record_options *options, const struct count_options *count,
	   const struct report_options *report, const struct action_options *action, char **argv);

#endif
