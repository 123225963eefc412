/* SPDX-License-Identifier: BSD-2-Clause */
/* What is sampled where nobody said what. */
#ifndef PMCSTAT_DEFAULT_EVENT_H
#define PMCSTAT_DEFAULT_EVENT_H

/* "cycles" where this machine counts them for this user, else "cpu-clock".  After pmc_init(). */
const char *default_event(void);

#endif
