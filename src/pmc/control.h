/* SPDX-License-Identifier: BSD-2-Clause */
/* What pmccontrol shows.  Each returns the exit status that goes with it. */
#ifndef PMC_CONTROL_H
#define PMC_CONTROL_H

#include "base/sink.h"

/* The events that can be named, with their default rates; pmcstat -L is the same. */
int control_write_events(struct sink *sink);

/* A line for each PMU of each CPU that is online: whether its counters count there. */
int control_write_counters(struct sink *sink);

/* What the kernel tells of its profiling since it was started. */
int control_write_statistics(struct sink *sink);

#endif
