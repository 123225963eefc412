// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "pmcstat/summary/summary_metrics.h"

static double count(const double *c)
{
	return c[0];
}

static double seconds(const double *c)
{
	return c[0] / 1e9;
}

static double ratio(const double *c)
{
	return c[0] / c[1];
}

static double seconds_ratio(const double *c)
{
	return c[0] / 1e9 / c[1];
}

static double percent(const double *c)
{
	return 100 * c[0] / c[1];
}

static double per_thousand(const double *c)
{
	return 1000 * c[0] / c[1];
}

/* By the nanoseconds of a clock. */
static double per_second(const double *c)
{
	return c[0] / (c[1] / 1e9);
}

#define PER_THOUSAND(name, event)                                                          \
	{                                                                                  \
		name, "/1000", "1000 x " event " / instructions", {event, "instructions"}, \
			per_thousand, 3                                                    \
	}
#define PERCENT(name, event, of)                                            \
	{                                                                   \
		name, "%", "100 x " event " / " of, {event, of}, percent, 2 \
	}

/* clang-format off */
const struct metric metrics[] = {
	{"elapsed time", "s", "the clock on the wall", {METRIC_ELAPSED}, count, 3},
	{"CPU time", "s", "task-clock", {"task-clock"}, seconds, 3},
	{"CPUs used", "", "task-clock / elapsed", {"task-clock", METRIC_ELAPSED}, seconds_ratio, 3},
	{"page faults", "", "page-faults", {"page-faults"}, count, 0},
	{"page faults a CPU second", "/s", "page-faults / task-clock",
	 {"page-faults", "task-clock"}, per_second, 1},
	{"major page faults", "", "major-faults", {"major-faults"}, count, 0},
	{"context switches", "", "context-switches", {"context-switches"}, count, 0},
	{"context switches a CPU second", "/s", "context-switches / task-clock",
	 {"context-switches", "task-clock"}, per_second, 1},
	{"migrations to other CPUs", "", "cpu-migrations", {"cpu-migrations"}, count, 0},

	{"instructions", "", "instructions", {"instructions"}, count, 0},
	{"cycles", "", "cycles", {"cycles"}, count, 0},
	{"instructions a cycle (IPC)", "", "instructions / cycles",
	 {"instructions", "cycles"}, ratio, 3},
	{"cycles an instruction (CPI)", "", "cycles / instructions",
	 {"cycles", "instructions"}, ratio, 3},
	{"clock rate", "GHz", "cycles / task-clock", {"cycles", "task-clock"}, ratio, 3},
	PERCENT("cycles in the kernel", "cycles:k", "cycles"),
	PERCENT("cycles stalled for code", "stalled-cycles-frontend", "cycles"),
	PERCENT("cycles stalled for data", "stalled-cycles-backend", "cycles"),
	PER_THOUSAND("branches", "branches"),
	PERCENT("branch mispredict rate", "branch-misses", "branches"),
	PER_THOUSAND("branch mispredicts", "branch-misses"),
	{"data loads an instruction", "", "L1-dcache-loads / instructions",
	 {"L1-dcache-loads", "instructions"}, ratio, 3},
	PERCENT("L1 data cache miss rate", "L1-dcache-load-misses", "L1-dcache-loads"),
	PER_THOUSAND("L1 data cache misses", "L1-dcache-load-misses"),
	PER_THOUSAND("L1 instruction cache misses", "L1-icache-load-misses"),
	PER_THOUSAND("cache references", "cache-references"),
	PERCENT("cache miss rate", "cache-misses", "cache-references"),
	PER_THOUSAND("cache misses", "cache-misses"),
	PER_THOUSAND("data TLB misses", "dTLB-load-misses"),
	PER_THOUSAND("instruction TLB misses", "iTLB-load-misses"),
	PERCENT("loads from other nodes' memory", "node-load-misses", "node-loads"),
};
/* clang-format on */

const size_t nmetrics = sizeof(metrics) / sizeof(metrics[0]);

bool metric_event_is_hardware(const char *event)
{
	static const char *const software[] = {METRIC_ELAPSED,	   "task-clock",
					       "page-faults",	   "major-faults",
					       "context-switches", "cpu-migrations"};
	size_t i;

	for (i = 0; i < sizeof(software) / sizeof(software[0]); i++)
		if (!strcmp(event, software[i]))
			return false;
	return true;
}
