/* SPDX-License-Identifier: BSD-2-Clause */
/* --kgmon: a profile of the kernel's text that gprof reads, counted by the collector. */
#ifndef PMCSTAT_KGMON_H
#define PMCSTAT_KGMON_H

#include <stddef.h>

#include "base/err.h"
#include "pmc/pmc.h"

/*
 * Writes the samples of PMCs with PMC_F_KGMON, all added up, to a gmon.out file, "-" is standard
 * output.  nanoseconds lie between samples; 0: the event is no clock.
 */
int kgmon_write(const char *file, const pmc_id_t *ids, size_t n, uint64_t nanoseconds,
		struct err *err);

#endif
