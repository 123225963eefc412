// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "base/numbers.h"

size_t numbers_take_hex(const char *text, uint64_t *number)
{
	size_t n;

	for (*number = 0, n = 0;; n++) {
		unsigned char c = (unsigned char)text[n];

		if (c >= '0' && c <= '9')
			c = (unsigned char)(c - '0');
		else if ((c | 32) >= 'a' && (c | 32) <= 'f')
			c = (unsigned char)((c | 32) - 'a' + 10);
		else
			return n;
		if (*number >> 60)
			return 0;
		*number = *number << 4 | c;
	}
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

void numbers_sort(numbers *list)
{
	if (list->n)
		qsort(list->v, list->n, sizeof(*list->v), by_number);
}

bool numbers_take_range(const char **text, uint64_t *first, uint64_t *last)
{
	const char *p = *text;
	char *end;

	*first = *last = strtoull(p, &end, 10);
	if (end != p && *end == '-') {
		p = end + 1;
		*last = strtoull(p, &end, 10);
	}
	if (end == p || (*end && *end != ',') || *first > *last)
		return false;
	*text = end + (*end == ',');
	return true;
}

bool numbers_seconds_range(const char *text, double *from, double *to)
{
	const char *dots = strstr(text, "..");
	bool good = dots && (dots > text || dots[2]);
	char *end;

	*from = *to = 0;
	if (good && dots > text) {
		*from = strtod(text, &end);
		/* A number takes the first dot for its own: 1..3 */
		good = (end == dots || end == dots + 1) && *from >= 0 && *from < 1e12;
	}
	if (good && dots[2]) {
		*to = strtod(dots + 2, &end);
		good = !*end && *to > *from && *to < 1e12;
	}
	return good;
}
