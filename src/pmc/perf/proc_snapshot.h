/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What was there before recording began: processes with their threads and executable maps, the
 * kernel and its modules.  Read from /proc and /sys, written as the records that would have told.
 *
 * The side-band must be on before, so that nothing falls between; what both tell is told twice.
 */
#ifndef PMC_PROC_SNAPSHOT_H
#define PMC_PROC_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"
#include "pmc/perf/perf_jit.h"
#include "pmc/perf/perf_tasks.h"
#include "pmc/perf/proc_images.h"
#include "pmclog/writer.h"

/* A kernel module. */
struct proc_module {
	uint64_t start, length;
	char name[64];
};

/* A zeroed one is empty; vec_free() v. */
struct proc_modules {
	VEC(struct proc_module) v;
};

#define PROC_MODULES "/proc/modules"

struct proc_snapshot {
	struct pmclog_writer *writer;
	struct proc_images *images;
	struct perf_tasks *tasks;     /* gets every thread that is written */
	struct perf_jit *jit;	      /* and this every map */
	struct proc_modules *modules; /* becomes what is loaded; for proc_snapshot_kernel() */
	uint64_t now;		      /* the time of all records */
	bool arguments;		      /* PROCEXEC is to have them */
};

/*
 * Understands a line of /proc/PID/maps, which map->path then points into; map->pid stays.  False:
 * not executable, or not such a line.
 */
bool proc_parse_map(char *line, struct proc_map *map);

/* 0, or -1 with errno set.  A process that is gone is left out. */
int proc_snapshot_process(struct proc_snapshot *s, pid_t pid, uint32_t pmcid);
int proc_snapshot_all(struct proc_snapshot *s);
int proc_snapshot_kernel(struct proc_snapshot *s);

#define PROC_KALLSYMS "/proc/kallsyms"

/*
 * Where the code of the kernel that runs here begins, at _text; 0: that is hidden.  It goes on to
 * _einittext at least: what ran at boot alone has called what CPU 0 does while it is idle.  A
 * length of 0: where it ends is hidden.
 */
uint64_t proc_kernel_code(const char *kallsyms, uint64_t *length);

/* Writes what has changed since known was; known becomes what file says now. */
int proc_snapshot_modules(const struct proc_snapshot *s, const char *file,
			  struct proc_modules *known);

#endif
