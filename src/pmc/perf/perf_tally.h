/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What each process has counted of one PMC, for PROCEXIT and PROCCSW records.
 *
 * Counts come with samples: each time that a thread leaves a CPU, and a last time when it exits,
 * its event there tells what it has counted.  Where nothing but one process has events, their sum
 * tells its count at exit.  (PERF_RECORD_READ would tell the same once a thread, but Linux 6.1 and
 * 6.12 write none, and 6.18 writes it from any CPU into the ring of the event's CPU, which garbles
 * that ring.)
 */
#ifndef PMC_PERF_TALLY_H
#define PMC_PERF_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "pmclog/writer.h"

/* A thread's part of an event, which is on one CPU. */
struct perf_tally_event {
	uint64_t id;
	uint64_t value; /* at the last sample */
};

struct perf_tally_thread {
	uint32_t tid;
	bool leaves; /* its last sample has come */
	VEC(struct perf_tally_event) events;
};

struct perf_tally_process {
	uint32_t pid;	 /* 0: is gone */
	bool incomplete; /* a count is not known */
	uint64_t value;	 /* of all its threads, those that have exited too */
	VEC(struct perf_tally_thread) threads;
};

struct perf_tally {
	uint32_t pmcid, flags; /* PMC_F_* */
	/* The events' sum for a process, 0 or -errno; NULL: they count its children, too. */
	int (*read)(void *arg, uint32_t pid, uint64_t *value);
	void *arg;
	/*
	 * The PMC has no counter at times, and samples are missing: each process has a count, and
	 * what that lacks is told.  Of others one that lacks something has none.
	 */
	bool shares;
	uint64_t switches; /* that threads made: see perf_tally_switch() */
	uint64_t counted;  /* of them, those with a count */
	uint64_t told;	   /* of the others, those that the log has */
	uint64_t looked;   /* switches at the last perf_tally_look() */
	struct table by_pid;
	VEC(struct perf_tally_process) processes;
	size_t gone; /* of them */
	bool nomem;  /* a count could not be noted down */
};

struct perf_tally_sample {
	uint64_t time;
	uint32_t pid, tid;
	uint64_t id;	/* of the PMC's event */
	uint64_t value; /* that it has on this thread */
	bool last;	/* the thread exits */
};

void perf_tally_fini(struct perf_tally *t);

/* A log begins.  Processes that have counted may have had threads exit unseen. */
void perf_tally_resume(struct perf_tally *t);

/* The effect of a sample and of the kernel's records.  w: NULL writes nothing. */
void perf_tally_sample(struct perf_tally *t, struct pmclog_writer *w,
		       const struct perf_tally_sample *s);
void perf_tally_fork(struct perf_tally *t, uint32_t parent, uint32_t pid);
void perf_tally_exec(struct perf_tally *t, uint32_t pid);
/* The process has the PMC from now on. */
void perf_tally_attach(struct perf_tally *t, uint32_t pid);
/* A thread left a CPU, whether the PMC had a counter or not. */
void perf_tally_switch(struct perf_tally *t);
/*
 * Tells the log of switches without a count.  How many they are since the last call.  look: now and
 * then, of those that were there at the last look already, for counts come a moment later.
 */
uint64_t perf_tally_look(struct perf_tally *t, struct pmclog_writer *w, uint64_t time);
uint64_t perf_tally_end(struct perf_tally *t, struct pmclog_writer *w, uint64_t time);
/*
 * last: the process is gone with this thread.  True: the PMC had no counter then, and the counts
 * lack something; the log has that, too.
 */
bool perf_tally_exit(struct perf_tally *t, struct pmclog_writer *w, uint64_t time, uint32_t pid,
		     uint32_t tid, bool last);

#endif
