/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a kernel tells a thread's events that it exits. */
#ifndef PMC_PERF_EXITS_H
#define PMC_PERF_EXITS_H

#include <stdint.h>

/*
 * Tries it with a thread of ours, in less than a millisecond: 1, 0, or -errno where that cannot be
 * tried.  tracepoint: the number of sched:sched_process_exit.
 *
 * From "perf: Fix sample vs do_exit()" of June 2025 on a kernel takes a thread's events away before
 * it releases its memory; Linux 6.16 tells of the exit before that, while the 6.1, 6.6, 6.12 and
 * others that were given the fix, as those of Debian 12 and 13 were, tell of it when they are gone.
 */
int perf_exits_are_told(uint64_t tracepoint);

#endif
