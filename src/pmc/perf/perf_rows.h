/* SPDX-License-Identifier: BSD-2-Clause */
/* The classes of counters that perf has here. */
#ifndef PMC_PERF_ROWS_H
#define PMC_PERF_ROWS_H

#include "pmc/collector.h"

/* Adds the classes of counters that there are; page_size: bytes of a page of the kernel's. */
void perf_cpu_info(long page_size, struct pmc_cpuinfo *info);

/* How many counters can count a general event of the hardware at once. */
uint32_t perf_rows_of_event(uint64_t config);

#endif
