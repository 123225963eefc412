// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * How long perf paused a PMC that interrupted too often.  Nobody tells an event's owner that it
 * goes on: that shows in its next sample, which comes as long after as its samples had come one
 * after the other before the pause.  Where perf lets through one sample a tick that is not known,
 * and no length is told.  Nor is more than a tick, with which pauses end at the latest: the thread
 * may have been off the CPU.
 */
#include <linux/jiffies.h>

#include "log_int.h"

void hwpmc_pace_pause(struct hwpmc_source *source, u32 pmcid)
{
	struct hwpmc_pace *pace = &source->paces[pmcid % HWPMC_ROWS_MAX];

	if (pace->pmcid == pmcid)
		pace->paused = true;
}

bool hwpmc_pace_other(struct hwpmc_pace *pace, const struct pmclog_wire_callchain *sample,
		      const struct hwpmc_clock *clock, struct hwpmc_pause *pause)
{
	const struct hwpmc_pace was = *pace;
	u64 now = sample->h.tsc, between = was.last - was.before;

	*pace = (struct hwpmc_pace){.last = now, .pmcid = sample->pmcid, .tid = sample->tid};
	if (!was.paused || was.pmcid != sample->pmcid || !was.before ||
	    (s64)(now - was.last - between) <= 0)
		return false;
	pause->end = now - between;
	pause->ns = hwpmc_clock_ns(clock, pause->end) - hwpmc_clock_ns(clock, was.last);
	pause->ns = min_t(u64, pause->ns, TICK_NSEC);
	return true;
}
