/* SPDX-License-Identifier: BSD-2-Clause */
/* The file of -O. */
#ifndef PMCSTAT_LOG_FILE_H
#define PMCSTAT_LOG_FILE_H

#include "base/err.h"

/*
 * Opens it to be written anew.  A log takes the place of a log alone: where its name is forgotten,
 * as in "-O ./program", it would be the program.  A descriptor, or -1 with err set.
 */
int log_file_open(const char *name, struct err *err);

#endif
