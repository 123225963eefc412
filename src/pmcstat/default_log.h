/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where a log goes that got no name: pmcstat.log in the working directory, or where that is there
 * already pmcstat.2.log and so on.
 */
#ifndef PMCSTAT_DEFAULT_LOG_H
#define PMCSTAT_DEFAULT_LOG_H

#include "base/err.h"

enum { DEFAULT_LOG_SIZE = 32 }; /* bytes of a name */

/* Makes the next one, which was not there.  A descriptor, or -1 with err set and no name. */
int default_log_create(char name[DEFAULT_LOG_SIZE], struct err *err);

/* The name of the one that was written last.  0, or -1 with err set: there is none. */
int default_log_newest(char name[DEFAULT_LOG_SIZE], struct err *err);

#endif
