/* SPDX-License-Identifier: BSD-2-Clause */
/* A PMC of the perf collector: its open events, started, read and summed up. */
#ifndef PMC_PERF_PMC_H
#define PMC_PERF_PMC_H

#include "pmc/collector.h"
#include "pmc/perf/perf_coverage.h"
#include "pmc/perf/perf_record.h"
#include "pmc/perf/perf_self.h"

/* That an event can tell: its count, the times that it was enabled and ran, what it lost. */
enum { PERF_READ_WORDS = 4 };

/* An open event. */
struct perf_fd {
	int fd;
	int cpu;      /* -1: any (counting without a ring) */
	pid_t target; /* as given to attach; 0 in system scope */
};

struct perf_fds {
	VEC(struct perf_fd) v;
};

/* A PMC's private part. */
struct perf_pmc {
	struct pmc *pmc;
	uint32_t source; /* index in records.sources */
	struct perf_fds fds;
	uint64_t enabled, running;     /* nanoseconds of events that are closed */
	struct perf_seen seen; /* system scope: who leads a group, for all of it */
	struct pmc_count told;	       /* times that the present log has, or that were before it */
	bool shares;		       /* it has some of this PMC */
	bool starved;		       /* PMC_F_NO_SHARING: it lost its counter, which was told */
	struct perf_coverage coverage; /* by its events */
	bool unwinds;		       /* its samples have registers and stack */
	bool no_exclude;	       /* the PMU cannot tell whom it counts: no exclude bits */
	uint64_t rate;		       /* that the events have */
	uint64_t base;		  /* counting: what to add to the sum of the events (modulo 2^64) */
	struct perf_self self;	  /* PMC_F_SELF: its page */
	bool armed;		  /* PMC_F_START_ON_EXEC: has been started once, by the exec */
	struct perf_tally *tally; /* PMC_F_LOG_PROCEXIT and PMC_F_LOG_PROCCSW; else NULL */
	/*
	 * Of a PMC that perf_logs_counts() is true of, else empty: events of switches and exits,
	 * each of whose samples has the count of an event of fds.
	 */
	struct perf_fds samplers;
	struct perf_fds watchers; /* switches alone, outside of the groups that take turns */
	uint64_t exit_event;	  /* the number of the tracepoint */
};

/* All that are allocated. */
struct perf_pmcs {
	VEC(struct perf_pmc *) v;
};

/* Whether a PMC logs counts that its events do not tell by themselves. */
bool perf_logs_counts(const struct pmc *pmc);
void perf_fds_ioctl(const struct perf_fds *fds, pid_t target, unsigned long request);
/* Of the events of target (0: all). */
int perf_fds_sum(const struct perf_fds *fds, pid_t target, struct pmc_count *sum);
/*
 * The same of a PMC.  -ENODATA: one of its events was pinned and has lost its counter, or the one
 * that leads its group; of such a group that one alone knows.
 */
int perf_pmc_sum(const struct perf_pmc *p, pid_t target, struct pmc_count *sum);
/* The same of all targets, with those that were detached and what the PMC began with. */
int perf_pmc_total(const struct perf_pmc *p, struct pmc_count *total);
/* What those of target (0: all) have counted, and their times, are the PMC's when they close. */
void perf_pmc_keep(struct perf_pmc *p, pid_t target);
/* To all events of a PMC. */
void perf_pmc_ioctl(const struct perf_pmc *p, pid_t target, unsigned long request);

#endif
