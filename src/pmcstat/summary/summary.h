/* SPDX-License-Identifier: BSD-2-Clause */
/* --summary: runs a command and tells how it used the machine. */
#ifndef PMCSTAT_SUMMARY_H
#define PMCSTAT_SUMMARY_H

#include "pmcstat/options/options.h"

/*
 * Each group of events is counted in so many runs, 0: all in one.  The exit status: the command's,
 * or that of what went wrong, which was said.
 */
int summary(const struct record_options *record, const struct count_options *count,
	    unsigned int runs, bool quiet);

#endif
