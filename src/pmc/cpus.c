// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "pmc/pmc.h"

/* Whether a list like "0,2-5" holds n. */
static bool list_holds(const char *list, long n)
{
	char *end;

	do {
		long lo = strtol(list, &end, 10), hi = lo;

		if (end == list)
			return false;
		if (*end == '-')
			hi = strtol(end + 1, &end, 10);
		if (lo <= n && n <= hi)
			return true;
		list = end + 1;
	} while (*end == ',');
	return false;
}

bool pmc_cpu_is_online(int cpu)
{
	char list[4096];
	FILE *f = fopen("/sys/devices/system/cpu/online", "re");
	/* Without sysfs every CPU that the C library counts is taken to be there. */
	bool online = cpu >= 0;

	if (f && fgets(list, sizeof(list), f))
		online = list_holds(list, cpu);
	if (f)
		fclose(f);
	return online;
}
