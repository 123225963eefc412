/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The rings of all CPUs, which the kernel writes records into: made, given to events, read in order
 * of time into the log, and what of them was lost.  Beside each is one for execs (perf_execs.h).
 *
 * All is under the collector's log_lock, but for what is set once: see perf_pump.c.
 */
#ifndef PMC_PERF_RINGS_H
#define PMC_PERF_RINGS_H

#include "pmc/perf/perf_attr.h"
#include "pmc/perf/perf_record.h"
#include "pmc/perf/perf_ring.h"

struct perf_rings {
	struct perf_machine machine;
	VEC(struct perf_ring *) v; /* all at once, and then they stay */
	struct perf_merge merge;
	struct perf_record_reader records;
	struct perf_unwind *unwind; /* NULL: no samples have stacks */
	uint64_t drained;	    /* time up to which the log has what there was */
	int wake_fd;		    /* eventfd of perf_rings_wake() */
};

/* Of a zeroed one; the caller fills in the machine.  0, or -1 with err set; fini is due anyway. */
int perf_rings_init(struct perf_rings *r, struct pmc_log_stats *stats, struct err *err);
void perf_rings_fini(struct perf_rings *r);

/* Makes those of all CPUs that are online, unless they are there.  0, or -1 with *f set. */
int perf_rings_open(struct perf_rings *r, struct perf_failure *f);
/* Makes those that execs come in; without the right to have them there are none. */
void perf_rings_open_execs(struct perf_rings *r);
/*
 * Has samples' stacks unwound, and rings that are still to be made as large as that takes, where
 * all together may lock so many bytes.  0, or -1 when out of memory.
 */
int perf_rings_unwind(struct perf_rings *r, size_t lockable);
/* The ring of a CPU; NULL: it was not online. */
struct perf_ring *perf_rings_find(const struct perf_rings *r, int cpu);
/* Wakes who waits for records: there is a new ring, or something else to look at. */
void perf_rings_wake(const struct perf_rings *r);

/* What perf_event_open(2) calls pid, cpu and group_fd, the second by its ring. */
struct perf_spot {
	pid_t pid;
	const struct perf_ring *ring;
	int lead; /* -1: in no group */
};

/* Opens an event there, which writes to that ring, and notes its id: 0 or -errno. */
int perf_rings_open_event(struct perf_rings *r, struct perf_event_attr *attr,
			  const struct perf_spot *spot, pid_t target, uint32_t source,
			  struct perf_fds *fds);
/* Opens one anew in the place of f, whose CPU was off.  0, or -errno: f is as before. */
int perf_rings_renew_event(struct perf_rings *r, struct perf_event_attr *attr, uint32_t source,
			   struct perf_fd *f);
/* Has execs told again on CPUs that were off. */
void perf_rings_renew_execs(struct perf_rings *r);
/* Closes the events of target (0: all); what they lost is added to their rings. */
void perf_rings_close_events(struct perf_rings *r, struct perf_fds *fds, pid_t target);
/* Closes all but the first n. */
void perf_rings_cut_events(struct perf_rings *r, struct perf_fds *fds, size_t n);
/* Those of a PMC, with those of its members. */
void perf_rings_close_pmc(struct perf_rings *r, struct perf_pmc *p, pid_t target);

/* Reads what the rings have of before the time bound. */
void perf_rings_drain(struct perf_rings *r, uint64_t bound);

/*
 * A LOST record is written with the next record that finds room.  What was lost since, or was never
 * followed by one, only the events themselves know: these are asked first, and what they and those
 * that are closed know besides the records is told then.
 */
void perf_rings_ask_lost(struct perf_rings *r, const struct perf_fds *fds);
void perf_rings_tell_lost(struct perf_rings *r);

#endif
