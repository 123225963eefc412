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

/*
 * Starts a PMC with the members of its group, by new events: an event that does not run and whose
 * CPU was off meanwhile seems to run and never does.  0, or -1 with err set.
 */
int perf_system_start(struct perf_targets *ts, struct perf_pmc *p, struct err *err);
/* It is stopped: nobody looks any more. */
void perf_system_stop(struct perf_pmc *p);

/*
 * Whether its event, or that of who leads its group, has stood still for some of the time since the
 * last look, and its CPU is online.  Of a PMC that counts no lock is needed.
 */
bool perf_system_stands_still(const struct perf_pmc *p);

/*
 * Opens what stands still anew, of all that sample, or count as well.  What may be missing since
 * the CPU is back is told: samples in the log and the stats, a count by its times.  So is a CPU
 * that is new, where those that sample should be there, too.
 */
void perf_system_look(struct perf_targets *ts, bool counts);

#endif
