/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The arguments of programs, which no record of perf has.
 *
 * The tracepoint of exec(2) samples the new program's stack, on which the kernel has just put them.
 * One time in four a page between is not there yet and ends the sample; then /proc tells, which
 * must be asked at once: the process may be gone in a millisecond.  So these records have rings of
 * their own, each of them wakes the pump, and none of them takes room from samples.
 */
#ifndef PMC_PERF_EXECS_H
#define PMC_PERF_EXECS_H

#include <stdbool.h>

#include "base/vec.h"
#include "pmc/perf/perf_ring.h"

/* An exec: the process, when it was, and its arguments as PROCEXEC has them. */
struct perf_exec {
	uint32_t pid;
	uint64_t time;
	uint64_t asked;	 /* when /proc told; 0: the record did */
	char *arguments; /* NULL: not known */
	size_t len;
};

struct perf_execs {
	bool wanted; /* else records are thrown away */
	VEC(struct perf_ring *) rings;
	struct perf_merge merge;
	VEC(struct perf_exec) list; /* in order of time */
	uint64_t lost;		    /* when execs were last found to be lost */
};

/* What a record of the rings tells, at the time now. */
void perf_execs_record(struct perf_execs *execs, const struct perf_event_header *record,
		       uint64_t now);

/* Takes in what the rings have. */
void perf_execs_read(struct perf_execs *execs);

/* The exec of a process that renamed it at the time since; NULL: nothing is known of it. */
const struct perf_exec *perf_execs_find(const struct perf_execs *execs, uint32_t pid,
					uint64_t since);

/* Gives up what is too old to be asked for, seen from the time now. */
void perf_execs_expire(struct perf_execs *execs, uint64_t now);

/* All but the rings. */
void perf_execs_fini(struct perf_execs *execs);

#endif
