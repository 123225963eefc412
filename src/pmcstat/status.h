/* SPDX-License-Identifier: BSD-2-Clause */
/* The line that shows a recording to be alive. */
#ifndef PMCSTAT_STATUS_H
#define PMCSTAT_STATUS_H

#include "base/status.h"
#include "pmc/pmc.h"

void status_update(struct status_line *s, const struct pmc_log_stats *stats);

#endif
