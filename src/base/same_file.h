/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether two names are of one file. */
#ifndef BASE_SAME_FILE_H
#define BASE_SAME_FILE_H

#include <stdbool.h>

/*
 * Whether what is written to a and to b would end in one regular file; neither need be there yet.
 * "-" is none.
 */
bool is_same_file(const char *a, const char *b);

#endif
