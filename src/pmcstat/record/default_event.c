// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "pmc/pmc.h"
#include "pmcstat/record/default_event.h"

/* Ends the search at cycles: 1 where they count, else 2. */
static int judge(const struct pmc_event_info *info, void *arg)
{
	const char *event = arg;

	if (strcmp(info->name, event) != 0)
		return 0;
	return info->works > 0 ? 1 : 2;
}

const char *default_event(void)
{
	static char cycles[] = "cycles";

	return pmc_each_event(true, judge, cycles) == 1 ? cycles : "cpu-clock";
}
