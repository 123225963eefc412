/* SPDX-License-Identifier: BSD-2-Clause */
/* The one line that shows a recording to be alive: on a terminal, rewritten in place. */
#ifndef PMCSTAT_STATUS_H
#define PMCSTAT_STATUS_H

#include <stdbool.h>

#include "pmc/pmc.h"

struct status_line {
	double started; /* monotonic seconds; 0: no line is shown */
	bool shown;
};

/* Shows a line from now on if standard error is a terminal. */
void status_start(struct status_line *s);
void status_update(struct status_line *s, const struct pmc_log_stats *stats);
/* Takes the line away. */
void status_end(struct status_line *s);

/* Seconds of the monotonic clock. */
double status_now(void);

#endif
