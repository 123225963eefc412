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

/*
 * When the event of a CPU was seen to run, and how long it had been enabled by then, in ns.  The
 * kernel ends it with its CPU, for good: its time stands still from then on.
 */
struct perf_seen {
	uint64_t at; /* 0: nobody looks */
	uint64_t enabled;
	bool told; /* that there can be no new one */
};

/* Whether it is time to look: so often that is, or nobody does. */
bool perf_seen_is_due(const struct perf_seen *seen, uint64_t now);
/*
 * Whether the event has stood still meanwhile, and its CPU is online, by the time that it had been
 * enabled for after the time before; else it is seen now.
 */
bool perf_seen_stands_still(struct perf_seen *seen, int cpu, uint64_t before, uint64_t enabled);

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
