/* SPDX-License-Identifier: BSD-2-Clause */
/* Which options go together. */
#ifndef PMCSTAT_OPTION_RULES_H
#define PMCSTAT_OPTION_RULES_H

#include "pmcstat/options.h"

struct rule {
	bool broken;
	const char *text;
};

/* Whether one of n rules is broken; err says which. */
bool rules_are_broken(const struct rule *rules, size_t n, struct err *err);

/* What -p and -s go with, and what needs them.  0, or -1 with err set. */
int rules_of_counting(const struct options *o, struct err *err);

#endif
