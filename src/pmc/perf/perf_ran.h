/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How long a target ran while it was recorded, by the kernel's own accounts.
 *
 * It tells of a process for as long as that is there, dead ones until their parents have waited for
 * them.  So a target that ended and is gone has no times, and of what a target created those that
 * nobody waited for are missing.
 */
#ifndef PMC_PERF_RAN_H
#define PMC_PERF_RAN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"
#include "pmc/perf/perf_tasks.h"
#include "pmclog/writer.h"

/* What a process that ran already when its target was recorded had run for until then. */
struct perf_ran_before {
	pid_t pid;
	uint64_t started;
	struct pmclog_times times;
};

/* Of a target.  A zeroed one knows of nothing before, and has told nothing. */
struct perf_ran {
	VEC(struct perf_ran_before) before;
	struct pmclog_times told; /* by earlier files of the log */
};

void perf_ran_fini(struct perf_ran *ran);

/*
 * Notes what one of the target's processes, which runs already, ran for before: with its children,
 * if they are the target's too.  0, or -1 when out of memory.
 */
int perf_ran_begin(struct perf_ran *ran, pid_t pid, bool children);

/*
 * What the target ran for since, but for what this was told of it already.  tasks: all that live,
 * of which those that it created count as well; NULL: none does.  False: it is not known.
 */
bool perf_ran_tell(struct perf_ran *ran, pid_t pid, const struct perf_tasks *tasks,
		   struct pmclog_times *times);

#endif
