/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The threads and processes that the recorder knows to live: names, how many threads a process
 * still has, and who was born of whom.  Keyed by thread id; constant time for each operation.
 */
#ifndef PMC_PERF_TASKS_H
#define PMC_PERF_TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"

struct perf_task {
	uint32_t tid, pid;
	uint32_t parent;     /* thread that created it; 0: not seen */
	uint32_t generation; /* of the process: how often it called exec(2) */
	uint32_t threads;    /* that live; in the entry with tid == pid only */
	bool leader_lives;   /* likewise */
	bool exec_pending;   /* likewise: exec seen, its image not yet */
	uint64_t born;	     /* time of the FORK record; 0: not seen */
	uint64_t exec_time;  /* of the exec that is pending */
	char comm[16];
};

/* A zeroed one is empty. */
struct perf_tasks {
	VEC(struct perf_task) v; /* in no order */
	struct table of_tid;
};

/* NULL: not known.  Valid until the next perf_tasks_add() or perf_tasks_exit(). */
struct perf_task *perf_tasks_find(const struct perf_tasks *t, uint32_t tid);

/*
 * The thread lives now: its entry, new or the one it had; NULL when out of memory or tid is 0.
 * comm is for new entries and may be "".
 */
struct perf_task *perf_tasks_add(struct perf_tasks *t, uint32_t pid, uint32_t tid,
				 const char *comm);

/* The thread is gone.  True: it was the last of its process. */
bool perf_tasks_exit(struct perf_tasks *t, uint32_t pid, uint32_t tid);

/* exec(2) leaves one thread, whose id is pid. */
void perf_tasks_exec(struct perf_tasks *t, uint32_t pid);

void perf_tasks_clear(struct perf_tasks *t);

#endif
