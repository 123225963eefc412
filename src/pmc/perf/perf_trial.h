/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What counters count of a known load, for counters.h.
 *
 * The events are no PMCs: no log, target or row has them, and they are gone when a run ends.  They
 * count in the calling thread, in user mode, which perf_event_paranoid allows up to 2.
 */
#ifndef PMC_PERF_TRIAL_H
#define PMC_PERF_TRIAL_H

#include "pmc/counters.h"

extern const struct counters_trial perf_trial;

/* As many at once as the kernel would give a thread if nobody else had any. */
unsigned int perf_trial_max(void);

#endif
