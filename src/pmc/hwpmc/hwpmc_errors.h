/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Why /dev/hwpmc refused, in words, and what to do.  Every function takes the errno of the ioctl,
 * which the API then gives, and returns -1.
 */
#ifndef PMC_HWPMC_ERRORS_H
#define PMC_HWPMC_ERRORS_H

#include "base/err.h"
#include "pmc/collector.h"

/* What can be done without the module. */
#define HWPMC_USE_PERF "--collector=perf does without the module"

int hwpmc_errors_open(struct err *err, int error);
int hwpmc_errors_allocate(struct err *err, int error, const struct pmc *pmc);
int hwpmc_errors_attach(struct err *err, int error, const struct pmc *pmc, pid_t pid);
int hwpmc_errors_start(struct err *err, int error, const struct pmc *pmc);
int hwpmc_errors_rate(struct err *err, int error, const struct pmc *pmc);
/* Any other operation on a PMC; what: "read", "stopped". */
int hwpmc_errors_pmc(struct err *err, int error, const struct pmc *pmc, const char *what);
int hwpmc_errors_admin(struct err *err, int error, int cpu, uint32_t row, bool enable);
int hwpmc_errors_log(struct err *err, int error);
/* An operation without a PMC; what: "the classes of counters". */
int hwpmc_errors_other(struct err *err, int error, const char *what);

#endif
