/* SPDX-License-Identifier: BSD-2-Clause */
/* Events on every thread of a target, none missed and none doubled: for perf_targets.c. */
#ifndef PMC_PERF_ATTACH_H
#define PMC_PERF_ATTACH_H

#include "pmc/perf/perf_targets.h"

/* Of a PMC's group, one that it leads. */
struct perf_attach_member {
	struct perf_pmc *p;
	struct perf_event_attr attr;
};

struct perf_attach {
	/* Of the caller. */
	struct perf_targets *targets;
	struct perf_target *target;
	struct perf_pmc *p; /* NULL: the side-band alone */
	pid_t without;	    /* an attach that is about to end, 0: none */

	struct perf_event_attr attr, sideband, switches, exits, watcher;
	VEC(struct perf_attach_member) members;
	struct proc_cpus cpus; /* of the PMC's events */
	/* Results. */
	struct perf_coverage_run run;
	size_t opened;			  /* threads */
	int error_cpu;			  /* where an event could not be opened */
	const struct perf_pmc *error_pmc; /* whose that was; NULL: p's */
};

/* Finds the CPUs and attributes of what is to be opened.  0, or -1 with err set; fini is due. */
int perf_attach_init(struct perf_attach *a, struct err *err);
void perf_attach_fini(struct perf_attach *a);

/*
 * Opens the PMC's events, or without one the side-band, on all threads of the target that have
 * none.  0, -errno or PERF_COVERAGE_ENDLESS; then what was opened here is closed.
 */
int perf_attach_cover(struct perf_attach *a);
/* What that has failed with, in words.  Always -1. */
int perf_attach_failed(const struct perf_attach *a, int r, struct err *err);

/* How much is open: of the PMC, or without one of the target's side-band. */
struct perf_attach_extent {
	size_t notes, fds, samplers, watchers;
};

struct perf_attach_extent perf_attach_extent(const struct perf_attach *a);
/* Closes what was opened since. */
void perf_attach_cut(const struct perf_attach *a, const struct perf_attach_extent *e);

#endif
