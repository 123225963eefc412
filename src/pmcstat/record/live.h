/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Analysis while recording: the log goes into a pipe, and a thread reads from its other end what -R
 * would read from a file.
 */
#ifndef PMCSTAT_LIVE_H
#define PMCSTAT_LIVE_H

#include "pmcstat/options/options.h"

struct live;

/* Starts the thread; *fd becomes the pipe's writing end, the caller's.  NULL with err set. */
struct live *live_start(const struct report_options *options, int *fd, struct err *err);

/*
 * After the writing end was closed: waits for the thread, writes the reports if asked to.  A
 * sysexits(3) code; what went wrong is printed.  NULL is legal.
 */
int live_finish(struct live *live, bool report);

#endif
