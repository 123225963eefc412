// SPDX-License-Identifier: BSD-2-Clause
#include "pmccontrol/control.h"
#include "pmc/pmc.h"

static int list_event(const struct pmc_event_info *info, void *arg)
{
	sink_printf(arg, "%-28s %c %12llu  %s\n", info->name, info->works ? ' ' : '-',
		    (unsigned long long)info->default_rate, info->summary);
	return 0;
}

int control_write_events(struct sink *sink)
{
	sink_printf(sink, "%-28s   %12s  %s\n", "EVENT (-: not on this machine)", "DEFAULT RATE",
		    "");
	return pmc_each_event(true, list_event, sink);
}
