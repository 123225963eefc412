/* SPDX-License-Identifier: BSD-2-Clause */
/* What arguments of options mean.  0, or -1 with err set: EX_USAGE, if it is not said otherwise. */
#ifndef PMCSTAT_OPTION_VALUES_H
#define PMCSTAT_OPTION_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/numbers.h"

/* Sets err: option what has the argument arg, which is not what it wants.  -1. */
int option_refuse(struct err *err, const char *what, const char *arg, const char *want);

/* A whole number from min to max. */
int option_number(const char *what, const char *arg, uint64_t min, uint64_t max, uint64_t *value,
		  struct err *err);

/* A list of numbers and ranges, "0,2-5", which goes to those in list, in ascending order. */
int option_numbers(const char *what, const char *arg, uint64_t max, numbers *list, struct err *err);

/*
 * A place of symbols that is not there (EX_NOINPUT) would only be missed as names, after a long
 * recording.
 */
int option_check_place(const char *option, const char *path, bool is_directory, struct err *err);

#endif
