/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Top (-T): samples shown while they come, on a terminal as a screen that keys control, elsewhere
 * as text.  The profile belongs to the thread that draws; a pipe that never makes its writer wait
 * carries the log there.
 */
#ifndef PMCSTAT_TOP_H
#define PMCSTAT_TOP_H

#include "pmcstat/options/options.h"

struct top;

/*
 * Takes the terminal, so that a command that is started from now on leaves it alone.  options is
 * borrowed; interval: seconds between two screens, 0: the usual ones.  NULL with err set.
 */
struct top *top_open(const struct report_options *options, double interval, struct err *err);
/* Gives the terminal back.  NULL is legal. */
void top_close(struct top *t);

/*
 * Begins to show.  *log_fd becomes what the log is to be written to, the caller's, where it is
 * negative; else the log is a file, and what is written there is read again by its name, log.  0,
 * or -1 with err set.
 */
int top_start(struct top *t, const char *log, int *log_fd, struct err *err);

/*
 * Waits at most so many milliseconds for fd to become readable, and does meanwhile all that top has
 * to do.  Whether the recording should end, because the user quits or nothing can be shown.
 */
bool top_wait(struct top *t, int fd, int ms);

/* The writer of the log will now close it. */
void top_ends(struct top *t);

/*
 * After that: shows the rest, with why there will be no more, until the user quits or fd becomes
 * readable.  A sysexits(3) code; what went wrong is printed when the terminal is free again.
 */
int top_finish(struct top *t, int fd, const char *why);

/* All of it for a log by name, as it was recorded in time. */
int top_replay(const struct report_options *options, double interval, const char *path);

#endif
