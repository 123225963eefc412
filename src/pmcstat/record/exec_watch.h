/* SPDX-License-Identifier: BSD-2-Clause */
/* Hears of every program that starts on the machine, where this user may (cn_proc). */
#ifndef PMCSTAT_EXEC_WATCH_H
#define PMCSTAT_EXEC_WATCH_H

#include <stdbool.h>

/* A descriptor that becomes readable, or -1: not permitted, or not in this kernel. */
int exec_watch_open(void);

/* Reads all there is.  Whether a process may have a new name. */
bool exec_watch_heard(int fd);

#endif
