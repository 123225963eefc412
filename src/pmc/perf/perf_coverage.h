/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which threads have the events of which attach, and how all threads of a process get them.
 *
 * A thread has what was opened on it, and what the thread that created it had at that moment.  The
 * first is noted here, the second follows from FORK records (perf_tasks.h).  Nothing here calls the
 * kernel, so that tests can say what happens meanwhile.
 */
#ifndef PMC_PERF_COVERAGE_H
#define PMC_PERF_COVERAGE_H

#include "base/hash.h"
#include "base/vec.h"
#include "pmc/perf/perf_tasks.h"
#include "pmc/proc_list.h"

/* Events that were opened on a thread: it has them since some moment between begin and end. */
struct perf_cover {
	pid_t tid; /* 0: they are gone */
	pid_t pid;
	pid_t target; /* the attach whose they are */
	bool descend; /* processes that it creates have them too, not threads alone */
	uint64_t begin, end;
};

/* Those of a PMC, or of the side-band.  A zeroed one is empty. */
struct perf_coverage {
	struct table by_tid; /* index into v */
	VEC(struct perf_cover) v;
};

/* 0, or -1 when out of memory. */
int perf_coverage_note(struct perf_coverage *c, const struct perf_cover *cover);
/* Takes back what belongs to an attach; 0: to any. */
void perf_coverage_forget(struct perf_coverage *c, pid_t target);
/* Takes back all but the first n notes. */
void perf_coverage_cut(struct perf_coverage *c, size_t n);
void perf_coverage_fini(struct perf_coverage *c);

/* Unclear: it was created just while its parent was given events, and may have some of them. */
enum perf_covered { PERF_UNCOVERED, PERF_COVERED, PERF_UNCLEAR };

struct perf_coverage_view {
	const struct perf_coverage *coverage;
	const struct perf_tasks *tasks;
	pid_t without; /* an attach that is about to go counts as gone; 0: none */
	/*
	 * FORK records since then come of threads that this attach has given events, for nothing
	 * else tells of them; 0: something does.
	 */
	uint64_t only_since;
};

enum perf_covered perf_coverage_of(const struct perf_coverage_view *v, pid_t tid);

struct perf_coverage_ops {
	/* The threads that are to be covered; 0 or -errno. */
	int (*list)(void *arg, struct proc_threads *list);
	bool (*lives)(pid_t pid, pid_t tid);
	/* Takes all FORK records so far into the tasks. */
	void (*drain)(void *arg);
	/* Waits a little, for a record that may be on its way. */
	void (*wait)(void *arg);
	/* Opens events on a thread and notes so, also of one that is gone; 0 or -errno. */
	int (*open)(void *arg, const struct proc_thread *t);
};

struct perf_coverage_run {
	struct perf_coverage_view view;
	const struct perf_coverage_ops *ops;
	void *arg;
	bool takes_unclear; /* one that may have some events is left with what it has */
	/* Results: threads. */
	size_t had;	/* events before this began */
	size_t partial; /* of those that are left unclear */
	size_t left;	/* uncovered, when it was given up */
};

/* What perf_coverage_complete() returns besides 0 and -errno. */
enum {
	PERF_COVERAGE_UNCLEAR = 1, /* close what was opened, and do it once more */
	PERF_COVERAGE_ENDLESS,	   /* there were new threads after each of 64 passes */
};

/* Opens events on all threads that have none, until none is found.  0, -errno, or one of these. */
int perf_coverage_complete(struct perf_coverage_run *run);

#endif
