/* SPDX-License-Identifier: BSD-2-Clause */
/* How many files this process may have open, and what is said where it may have no more. */
#ifndef BASE_OPEN_FILES_H
#define BASE_OPEN_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* How many are open, found without opening one; *limit: how many may be. */
size_t open_files_count(unsigned long long *limit);

/* Raises the limit as far as this user may.  Whether it was lower. */
bool open_files_raise(void);

/*
 * What did not succeed, and why by errno.  Where that is EMFILE: how many files are open, and the
 * hint what to do.  Always returns -1.
 */
int open_files_fail(struct err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
