// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "base/numbers.h"

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
