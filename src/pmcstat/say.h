/* SPDX-License-Identifier: BSD-2-Clause */
/* What pmcstat says to its user besides reports: on standard error, each line with its name. */
#ifndef PMCSTAT_SAY_H
#define PMCSTAT_SAY_H

#include "base/err.h"

/* Prints an error and its hint.  The error's sysexits(3) code, EX_SOFTWARE if it has none. */
int say_error(const struct err *err);

void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Of a log that nobody closed nobody knows what would have come. */
void say_unclosed(const char *log);

/* Prints each line of a text that ends with a newline. */
void say_lines(const char *text);

/* Prints the last failure of libpmc.  Its sysexits(3) code. */
int say_pmc_error(void);

#endif
