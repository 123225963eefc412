/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How long targets ran while they were recorded, by the kernel's own accounts.
 *
 * It tells of a process for as long as that is there, dead ones until their parents have waited for
 * them.  So a target that ended and is gone has no times, and of what a target created those that
 * nobody waited for are missing.
 */
#ifndef PMC_PERF_RAN_H
#define PMC_PERF_RAN_H

#include <stdint.h>
#include <sys/types.h>

struct perf_session;
struct perf_target;

/* Notes what a process, which runs already, ran for before.  0, or -1 when out of memory. */
int perf_ran_begin(struct perf_target *t, pid_t pid);

/* Writes what each target ran for since, but for what it has written of it already. */
void perf_ran_tell(struct perf_session *s, uint64_t now);

#endif
