/* SPDX-License-Identifier: BSD-2-Clause */
/* Times of day as people read them. */
#ifndef BASE_DATE_H
#define BASE_DATE_H

#include <time.h>

enum {
	DATE_SIZE = 40,
	DATE_SLACK = 2, /* seconds by which times of files, processes and logs may differ */
};

/* "2026-11-27 06:40:20 UTC" of seconds since 1970; their number where that is no date. */
void date_text(char text[DATE_SIZE], time_t t);

#endif
