/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SYMBOL_REGULAR_H
#define SYMBOL_REGULAR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/*
 * Opens a regular file for reading, never waiting for or touching what is none.  -1 with err set,
 * code EX_NOINPUT; *size is its size.
 */
int regular_open(const char *path, uint64_t *size, struct err *err);

/* Whether regular_open(), or who called it, failed because there is no such file. */
bool regular_is_missing(const struct err *err);

#endif
