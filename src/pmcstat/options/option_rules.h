/* SPDX-License-Identifier: BSD-2-Clause */
/* Which options go together, in FreeBSD's words where it has the same rule. */
#ifndef PMCSTAT_OPTION_RULES_H
#define PMCSTAT_OPTION_RULES_H

#include "pmcstat/options/options.h"

/* 0, or -1 with err set (EX_USAGE) to the first rule that is broken. */
int options_check(const struct options *o, struct err *err);

#endif
