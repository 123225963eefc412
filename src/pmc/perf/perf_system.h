/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PMCs of system scope, each one event on its CPU.
 *
 * The kernel ends the events of a CPU that goes off, for good, and says so to nobody: when the CPU
 * is back their times stand still.  So the times are held against the clock, and the events of a
 * CPU that is back are opened anew.
 */
#ifndef PMC_PERF_SYSTEM_H
#define PMC_PERF_SYSTEM_H

#include "pmc/perf/perf_targets.h"

/* Opens it, with the side-band of the machine where it samples.  0, or -1 with err set. */
int perf_system_open(struct perf_targets *ts, struct perf_pmc *p, struct err *err);

/* It was started, or stopped. */
void perf_system_started(struct perf_pmc *p, bool runs);

/*
 * Whether its event has stood still for some of the time since the last look, and its CPU is
 * online.  What is the PMC's alone is all that it needs: no lock.
 */
bool perf_system_stands_still(struct perf_pmc *p);

/*
 * Opens what stands still anew, of all that sample, or count as well.  What may be missing since
 * the CPU is back is told: samples in the log and the stats, a count by its times.  So is a CPU
 * that is new, where those that sample should be there, too.
 */
void perf_system_look(struct perf_targets *ts, bool counts);

#endif
