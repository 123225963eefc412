// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>

#include "base/date.h"

void date_text(char text[DATE_SIZE], time_t t)
{
	struct tm tm;

	if (!gmtime_r(&t, &tm) || !strftime(text, DATE_SIZE, "%Y-%m-%d %H:%M:%S UTC", &tm))
		snprintf(text, DATE_SIZE, "%lld s", (long long)t);
}
