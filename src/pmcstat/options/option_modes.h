/* SPDX-License-Identifier: BSD-2-Clause */
/* What kinds of PMCs the options ask for. */
#ifndef PMCSTAT_OPTION_MODES_H
#define PMCSTAT_OPTION_MODES_H

#include "pmcstat/options/options.h"

/* What -E and -W toggle, for counting in process scope alone. */
#define OPTIONS_LOG_FLAGS (PMC_F_LOG_PROCEXIT | PMC_F_LOG_PROCCSW)

/* Whether a PMC of this kind was asked for. */
bool options_have(const struct record_options *o, bool (*is_kind)(enum pmc_mode mode));
/* Whether a counting PMC is to log counts of processes or threads: -E, -W. */
bool options_log_counts(const struct record_options *o);
bool mode_is_counting(enum pmc_mode mode);
bool mode_is_sampling(enum pmc_mode mode);
bool mode_is_system(enum pmc_mode mode);
bool mode_is_process(enum pmc_mode mode);

#endif
