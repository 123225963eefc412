// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "pmclog/drops.h"
#include "pmcstat/status.h"

double status_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

void status_start(struct status_line *s)
{
	if (isatty(STDERR_FILENO))
		s->started = status_now();
}

void status_update(struct status_line *s, const struct pmc_log_stats *stats)
{
	if (!s->started)
		return;
	s->shown = true;
	fprintf(stderr, "\r\033[K%.1f s, %" PRIu64 " samples, log %.1f MB, lost %" PRIu64,
		status_now() - s->started, stats->samples, (double)stats->bytes / 1e6,
		pmclog_drops_with(stats->drops, PMCLOG_DROP_RING));
}

void status_step(struct status_line *s, const char *what, uint64_t done, uint64_t total)
{
	double now;

	if (!s->started || (now = status_now()) < s->next)
		return;
	if (s->next == 0 && now < s->started + 1)
		return;
	s->next = now + 0.2;
	s->shown = true;
	fprintf(stderr, "\r\033[K%.200s", what);
	if (total)
		fprintf(stderr, ": %.0f%%", 100.0 * (double)done / (double)total);
}

void status_end(struct status_line *s)
{
	if (s->shown)
		fputs("\r\033[K", stderr);
	s->shown = false;
}
