/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code that profiled processes compile while they run.
 *
 * JIT compilers name it in /tmp/perf-PID.map, which nobody has when the log is read elsewhere or
 * later.  So the names go into the log, when a process ends or the recording does.  There may be
 * 50,000 of them and a log of a minute has samples in 200: noting the addresses that were sampled
 * costs a few instructions for each, and only their functions are written.
 */
#ifndef PMC_PERF_JIT_H
#define PMC_PERF_JIT_H

#include <stdint.h>

#include "pmc/perf/proc_images.h"
#include "pmclog/writer.h"

enum { PERF_JIT_BUCKETS = 256 };

/* A zeroed one knows of no process.  What it has no memory for is left out: names are a service. */
struct perf_jit {
	struct perf_jit_process *bucket[PERF_JIT_BUCKETS]; /* by pid */
	size_t processes, pcs;				   /* how many in all */
};

/* A process maps executable memory; of interest is only what no file holds. */
void perf_jit_map(struct perf_jit *jit, const struct proc_map *map);

/* Notes the addresses of a sample that are in such memory. */
void perf_jit_sample(struct perf_jit *jit, const struct pmclog_chain *chain);

/* The child has its parent's memory. */
void perf_jit_fork(struct perf_jit *jit, uint32_t parent, uint32_t child);

/* A process has ended or called exec(2): writes its names, if w is not NULL, and forgets it. */
void perf_jit_end(struct perf_jit *jit, uint32_t pid, struct pmclog_writer *w, uint64_t time);

/* The same for all processes. */
void perf_jit_end_all(struct perf_jit *jit, struct pmclog_writer *w, uint64_t time);

/*
 * The log goes on in another file: writes the names of all processes to the present one, for its
 * samples alone.
 */
void perf_jit_turn(struct perf_jit *jit, struct pmclog_writer *w, uint64_t time);

/* Writes names of what was sampled first since it last did, for those who read the log live. */
void perf_jit_tell(struct perf_jit *jit, struct pmclog_writer *w, uint64_t time);

#endif
