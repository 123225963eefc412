/* SPDX-License-Identifier: BSD-2-Clause */
/* What a summary tells of a command: each metric with its formula and the events it is made of. */
#ifndef PMCSTAT_SUMMARY_METRICS_H
#define PMCSTAT_SUMMARY_METRICS_H

#include <stdbool.h>
#include <stddef.h>

enum { METRIC_EVENTS = 2 };

/* Stands among events for the seconds that a run took. */
#define METRIC_ELAPSED "elapsed"

struct metric {
	const char *name;
	const char *unit; /* "" for a plain number */
	const char *formula;
	const char *events[METRIC_EVENTS]; /* NULL: no more */
	/* Of the events' counts in their order; what is divided by nothing is not a number. */
	double (*value)(const double *counts);
	int digits; /* behind the point */
};

/* In the order in which they are shown; those that are counted together stand together. */
extern const struct metric metrics[];
extern const size_t nmetrics;

/* Whether an event takes one of the CPU's few counters. */
bool metric_event_is_hardware(const char *event);

#endif
