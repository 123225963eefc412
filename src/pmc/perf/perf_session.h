/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state of the perf collector, shared by its files: collector_perf.c (the operations),
 * perf_attach.c (targets), perf_share.c, perf_ran.c, perf_watch.c, perf_pump.c (the thread that
 * reads).  Events (perf_event.h, perf_attr.h), PMCs (perf_pmc.h) and rings (perf_rings.h) know
 * nothing of it.
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
#include "pmc/perf/perf_rings.h"
#include "pmc/perf/perf_self.h"
#include "pmc/proc_list.h"
#include "pmc/perf/proc_snapshot.h"

/* What a process that ran already when its target was recorded had run for until then. */
struct perf_before {
	pid_t pid;
	uint64_t started;
	struct pmclog_times times;
};

/* A process, and all it will create, that tells of its maps, names, forks and exits. */
struct perf_target {
	pid_t pid;
	bool descend;
	uint32_t source;
	unsigned int users; /* PMCs */
	struct perf_fds fds;
	bool on_exec;	  /* only PMCs that start at exec, which tells all; no snapshot */
	bool snapshotted; /* in the present log */
	VEC(struct perf_before) before; /* there then */
	struct pmclog_times told;	/* what earlier files of the log say that it ran for */
};

struct perf_session {
	struct pmc_collector *c;
	struct perf_rings rings;
	struct perf_pmcs pmcs;
	VEC(struct perf_target *) targets;
	struct perf_coverage sideband; /* of targets */
	struct perf_fds system_fds; /* side-band of the whole machine */
	bool system_snapshotted;    /* in the present log */
	uint64_t last_round;	    /* time of the pump's previous round */
	uint64_t last_flush;	     /* time when it last gave the log to the kernel */
	uint64_t next_share;	     /* time when it is to ask for shares of counters */
	uint64_t last_watch;	     /* time when it last looked for these: */
	struct proc_modules modules; /* loaded, as the log has them */
	struct proc_cpus late_cpus;  /* came online after the rings were made */
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

/* perf_watch.c: what no record of the kernel tells, looked for once a second. */
void perf_watch(struct perf_session *s, uint64_t now);

/* perf_share.c: how long PMCs had counters, from the beginning of a log to its end. */
void perf_share_begin(struct perf_session *s);
void perf_share_round(struct perf_session *s, uint64_t now);
void perf_share_end(struct perf_session *s);
/* The end of a file of the log, and the beginning of the next one. */
void perf_share_turn(struct perf_session *s);
/* The same of one PMC, before its events go (last), or in between. */
void perf_share_tell(struct perf_session *s, struct perf_pmc *p, bool last);
/*
 * For a PMC of PMC_F_NO_SHARING: whether there is a counter for it beside those of the others that
 * are allocated.  0, or -1 with err set.
 */
int perf_share_check(struct perf_session *s, const struct perf_pmc *p, struct err *err);

/*
 * For a PMC that is to be a member of a group: whether all of it can have counters at once.  0, or
 * -1 with err set.
 */
int perf_share_check_group(struct perf_session *s, const struct perf_pmc *p, struct err *err);

/* perf_pump.c */
int perf_pump_start(struct perf_session *s, struct err *err);
void perf_pump_join(struct perf_session *s);
/* One round, under the lock: what is older than the round before it comes into the log. */
void perf_pump_round(struct perf_session *s);
/* Tells what was lost and no record has told. */
void perf_account_lost(struct perf_session *s);

#endif
