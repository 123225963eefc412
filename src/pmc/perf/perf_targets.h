/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Targets: the processes that PMCs are attached to, with what tells of their maps, names, forks and
 * exits, their side-band; or that of the whole machine.
 *
 * All is under the collector's log_lock, but for what is set once: see perf_pump.c.
 */
#ifndef PMC_PERF_TARGETS_H
#define PMC_PERF_TARGETS_H

#include "pmc/perf/perf_coverage.h"
#include "pmc/perf/perf_pmc.h"
#include "pmc/perf/perf_ran.h"
#include "pmc/perf/perf_rings.h"
#include "pmc/perf/proc_snapshot.h"

/* A process, and all it will create if it descends. */
struct perf_target {
	pid_t pid;
	bool descend;
	uint32_t source;
	unsigned int users;  /* PMCs */
	struct perf_fds fds; /* its side-band */
	bool on_exec;	     /* only PMCs that start at exec, which tells all; no snapshot */
	bool snapshotted;    /* in the present log */
	struct perf_ran ran;
};

struct perf_targets {
	/* Borrowed. */
	struct perf_rings *rings; /* their records have a writer while there is a log */
	const struct perf_pmcs *pmcs;
	pid_t pump_tid; /* a thread of ours, which gets no events */

	VEC(struct perf_target *) v;
	struct perf_coverage sideband; /* of targets */
	struct perf_fds system_fds;    /* side-band of the whole machine, instead of theirs */
	uint32_t system_source;
	struct proc_cpus late_cpus;    /* came online after the rings were made, which was told */
	bool system_snapshotted;       /* in the present log */
};

void perf_targets_fini(struct perf_targets *ts);

/* A PMC's events on all threads of a process; 0, or -1 with err set and nothing opened. */
int perf_targets_attach(struct perf_targets *ts, struct perf_pmc *p, pid_t pid, struct err *err);
/* 0, or -1 with err set: what other targets need could not be given to them, so nothing changed. */
int perf_targets_detach(struct perf_targets *ts, struct perf_pmc *p, pid_t pid, struct err *err);
/* From all targets. */
void perf_targets_detach_all(struct perf_targets *ts, struct perf_pmc *p);
/* Opens events that tell of the whole machine; they stay until fini. */
int perf_targets_open_system(struct perf_targets *ts, struct err *err);

/*
 * The same, anew, of CPUs that were off; and what runs is told anew, for what it did there since
 * they are back nobody has told.
 */
void perf_targets_renew_system(struct perf_targets *ts, const struct proc_cpus *cpus);

/*
 * A log begins, which w writes: has what is open tell, and writes what runs already.  modules
 * becomes what is loaded.  The records get their writer after that.
 */
int perf_targets_begin_log(struct perf_targets *ts, struct pmclog_writer *w,
			   struct proc_modules *modules, struct err *err);
void perf_targets_end_log(struct perf_targets *ts);
/* Writes what each target ran for, but for what it has written of it already. */
void perf_targets_tell_ran(struct perf_targets *ts, uint64_t now);
/* Of the side-bands: perf_rings_ask_lost(). */
void perf_targets_ask_lost(const struct perf_targets *ts);

#endif
