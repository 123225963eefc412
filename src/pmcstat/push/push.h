/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A recording that is pushed to a server: every interval its samples become a profile of pprof, and
 * are forgotten.  One that cannot be sent waits (push_sender.h); the recording never does.
 */
#ifndef PMCSTAT_PUSH_H
#define PMCSTAT_PUSH_H

#include "pmcstat/options/options.h"

struct push;

/*
 * Before anything is recorded.  A profile is pushed every so many seconds, 0: as many as by
 * default; what is in it, report says.  Both options are borrowed.  NULL with err set.
 */
struct push *push_open(const struct push_options *options, const struct report_options *report,
		       double interval, struct err *err);
void push_close(struct push *p); /* NULL is legal */

/* *log_fd becomes what the log is to be written to, the caller's.  0, or -1 with err set. */
int push_start(struct push *p, int *log_fd, struct err *err);

/*
 * Waits until fd is readable, for so many milliseconds at most, and does what is due meanwhile.
 * Whether the recording must stop.
 */
bool push_wait(struct push *p, int fd, int ms);

/* Before the log is closed: from now on its writer is never held up. */
void push_ends(struct push *p);

/* After that: pushes the rest, tells what was not taken.  A sysexits(3) code. */
int push_finish(struct push *p);

#endif
