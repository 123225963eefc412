/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state of the perf collector, shared by its files: collector_perf.c (the operations),
 * perf_attach.c (targets), perf_pump.c (the thread that reads).  What it is made of (perf_pmc.h,
 * perf_rings.h, perf_share.h, perf_watch.h) knows nothing of it.
 *
 * Everything here is used under c->log_lock, but for what is set once by open: see perf_pump.c.
 */
#ifndef PMC_PERF_SESSION_H
#define PMC_PERF_SESSION_H

#include <poll.h>
#include <pthread.h>

#include "pmc/collector.h"
#include "pmc/perf/perf_coverage.h"
#include "pmc/perf/perf_pmc.h"
#include "pmc/perf/perf_ran.h"
#include "pmc/perf/perf_rings.h"
#include "pmc/perf/perf_self.h"
#include "pmc/perf/perf_share.h"
#include "pmc/perf/perf_watch.h"

/* A process, and all it will create, that tells of its maps, names, forks and exits. */
struct perf_target {
	pid_t pid;
	bool descend;
	uint32_t source;
	unsigned int users; /* PMCs */
	struct perf_fds fds;
	bool on_exec;	  /* only PMCs that start at exec, which tells all; no snapshot */
	bool snapshotted; /* in the present log */
	struct perf_ran ran;
};

struct perf_session {
	struct pmc_collector *c;
	struct perf_rings rings;
	struct perf_pmcs pmcs;
	struct perf_share share;
	struct perf_watch watch;
	VEC(struct perf_target *) targets;
	struct perf_coverage sideband; /* of targets */
	struct perf_fds system_fds; /* side-band of the whole machine */
	bool system_snapshotted;    /* in the present log */
	uint64_t last_round;	    /* time of the pump's previous round */
	uint64_t last_flush;	    /* time when it last gave the log to the kernel */
	bool logging;
	struct perf_self_choice self_choice; /* under the lock of pmc_state.c alone */

	pthread_t pump;
	pid_t pump_tid;
	VEC(struct pollfd) polled; /* the pump's own; the first is rings.wake_fd */
	size_t polled_execs; /* its last ones */
	bool pump_runs;
	bool pump_ends;
};

/* perf_attach.c */
int perf_attach(struct perf_session *s, struct perf_pmc *p, pid_t pid, struct err *err);
/* 0, or -1 with err set: what other targets need could not be given to them, so nothing changed. */
int perf_detach(struct perf_session *s, struct perf_pmc *p, pid_t pid, struct err *err);
/* From all targets. */
void perf_detach_all(struct perf_session *s, struct perf_pmc *p);
/* Opens events that tell of the whole machine; they stay until close. */
int perf_sideband_system(struct perf_session *s, struct err *err);
void perf_sideband_ioctl(struct perf_session *s, unsigned long request);
void perf_targets_free(struct perf_session *s);
/* Writes what runs already and the log does not know yet; the kernel too at the start of a log. */
int perf_snapshot(struct perf_session *s, bool log_begins, struct err *err);
/* Writes what each target ran for, but for what it has written of it already. */
void perf_tell_ran(struct perf_session *s, uint64_t now);

/* perf_pump.c */
int perf_pump_start(struct perf_session *s, struct err *err);
void perf_pump_join(struct perf_session *s);
/* One round, under the lock: what is older than the round before it comes into the log. */
void perf_pump_round(struct perf_session *s);
/* Tells what was lost and no record has told. */
void perf_account_lost(struct perf_session *s);

#endif
