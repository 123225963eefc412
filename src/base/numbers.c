// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "base/numbers.h"

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
