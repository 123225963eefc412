// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>

#include "pmclog/drops.h"
#include "pmcstat/status.h"

void status_update(struct status_line *s, const struct pmc_log_stats *stats)
{
	if (!s->started)
		return;
	s->shown = true;
	fprintf(stderr, "\r\033[K%.1f s, %" PRIu64 " samples, log %.1f MB, lost %" PRIu64,
		status_now() - s->started, stats->samples, (double)stats->bytes / 1e6,
		pmclog_drops_with(stats->drops, PMCLOG_DROP_RING));
}
