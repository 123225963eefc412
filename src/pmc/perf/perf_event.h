/* SPDX-License-Identifier: BSD-2-Clause */
/* perf_event_open(2) as all of the collector calls it. */
#ifndef PMC_PERF_EVENT_H
#define PMC_PERF_EVENT_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct perf_pmc;

uint64_t perf_now(void); /* CLOCK_MONOTONIC, the clock of all records */

/* What the kernel refused, for perf_errors.h. */
struct perf_failure {
	int error;		    /* errno */
	const struct perf_pmc *pmc; /* whose event it was; NULL: the side-band's, or a ring's */
	pid_t pid;		    /* as of perf_event_open(2), like the next */
	int cpu;
	bool mapping; /* not the event, but its ring, even at its smallest */
};

/*
 * perf_event_open(2): a descriptor or -errno.  Raises RLIMIT_NOFILE where that helps, and leaves
 * room for the few files that are read while events are open.
 */
int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu);
/* The same in the group of leader, a descriptor; -1: as a new one. */
int perf_open_grouped(struct perf_event_attr *attr, pid_t pid, int cpu, int leader);

#endif
