/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How much of the stack goes with each sample, and into rings of which size.
 */
#ifndef PMC_PERF_WINDOW_H
#define PMC_PERF_WINDOW_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>

#include "pmc/collector.h"

/*
 * Whether the samples of a PMC are to have registers and stack, where the kernel knows how to.
 * With PMC_UNWIND_AUTO only where they come slowly enough that none is lost for it.
 */
bool perf_window_wanted(const struct pmc *pmc);

/* Bytes of the stack, for rings of so many bytes. */
unsigned int perf_window_bytes(const struct pmc *pmc, size_t ring);

/*
 * Adds them to the attributes of the PMC's events.  The kernel's own chain of the user's frames
 * stays: it is what there is of samples that there is no time to unwind.
 */
void perf_window_attr(const struct pmc *pmc, size_t ring, struct perf_event_attr *attr);

/* A CPU's ring for execs, which is beside the one for samples. */
enum { PERF_EXEC_RING_BYTES = 256 << 10 };

/* Pages of a ring of each of so many CPUs, where all together may lock so many bytes. */
size_t perf_window_ring_pages(size_t cpus, size_t page_size, size_t lockable);

#endif
