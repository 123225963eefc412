/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What pmccontrol shows and does, and pmcstat in part.  0, or -1 with err set; without err it is
 * told by pmc_error(), and pmc_init() comes first.
 */
#ifndef PMCCONTROL_CONTROL_H
#define PMCCONTROL_CONTROL_H

#include <stdbool.h>

#include "base/err.h"
#include "base/sink.h"

/* The events that can be named, with their default rates; pmcstat -L is the same. */
int control_write_events(struct sink *sink);

/* What is known of an event, or else of each whose name or summary has the text in it. */
int control_describe(const char *event, struct sink *sink, struct err *err);

/* The rows of each CPU that is online, and what they are used for. */
int control_write_counters(struct sink *sink);

/* What the driver has counted, and what the kernel tells of its profiling. */
int control_write_statistics(struct sink *sink);

/* Enables or disables a row of a CPU; -1 is all of them. */
int control_switch(int cpu, int row, bool enable);

#endif
