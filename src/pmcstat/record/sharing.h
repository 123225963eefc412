/* SPDX-License-Identifier: BSD-2-Clause */
/* What is said, when a recording has ended, of sampling PMCs that had a counter at times only. */
#ifndef PMCSTAT_SHARING_H
#define PMCSTAT_SHARING_H

#include <stdbool.h>
#include <stddef.h>

#include "pmc/pmc.h"

/* False: there is nothing to say, each had a counter all of its time. */
bool sharing_tell(const pmc_id_t *ids, size_t n);

#endif
