/* SPDX-License-Identifier: BSD-2-Clause */
/* Numbers, lists and ranges of them, and how they are written: "81000000", "0,2-5", "1.5..3". */
#ifndef BASE_NUMBERS_H
#define BASE_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef VEC(uint32_t) numbers;

/* Takes a hexadecimal number without 0x: its digits, 0 for none or more than 64 bits. */
size_t numbers_take_hex(const char *text, uint64_t *number);

/* Their sum, or the largest number where that is greater. */
static inline uint64_t numbers_sum(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* Puts them in ascending order. */
void numbers_sort(numbers *list);

/* Takes the first number or range of *text, and the comma behind it.  False: there is none. */
bool numbers_take_range(const char **text, uint64_t *first, uint64_t *last);

/* A range of seconds: "1.5..3", "2..", "..10"; an end that is not said is 0.  False: it is none. */
bool numbers_seconds_range(const char *text, double *from, double *to);

#endif
