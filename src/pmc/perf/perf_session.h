/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The perf collector: collector_perf.c, the operations, and perf_pump.c, the thread that reads.
 * What it is made of knows nothing of it.
 *
 * Everything here is used under c->log_lock, but for what is set once by open: see perf_pump.c.
 */
#ifndef PMC_PERF_SESSION_H
#define PMC_PERF_SESSION_H

#include <poll.h>
#include <pthread.h>

#include "pmc/collector.h"
#include "pmc/perf/perf_pmc.h"
#include "pmc/perf/perf_rings.h"
#include "pmc/perf/perf_self.h"
#include "pmc/perf/perf_share.h"
#include "pmc/perf/perf_targets.h"
#include "pmc/perf/perf_watch.h"

struct perf_session {
	struct pmc_collector *c;
	struct perf_rings rings;
	struct perf_pmcs pmcs;
	struct perf_targets targets;
	struct perf_share share;
	struct perf_watch watch;
	uint64_t last_round; /* time of the pump's previous round */
	uint64_t last_flush; /* time when it last gave the log to the kernel */
	bool logging;
	struct perf_self_choice self_choice; /* under the lock of pmc_state.c alone */

	pthread_t pump;
	VEC(struct pollfd) polled; /* the pump's own; the first is rings.wake_fd */
	size_t polled_execs;	   /* its last ones */
	bool pump_runs;
	bool pump_ends; /* it is to: atomic */
};

int perf_pump_start(struct perf_session *s, struct err *err);
void perf_pump_join(struct perf_session *s);
/* One round, under the lock: what is older than the round before it comes into the log. */
void perf_pump_round(struct perf_session *s);
/* Tells the log what was lost and no record has told. */
void perf_pump_tell_lost(struct perf_session *s);

#endif
