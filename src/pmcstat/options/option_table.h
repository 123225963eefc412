/* SPDX-License-Identifier: BSD-2-Clause */
/* The options but for those of outputs, which outputs.h has. */
#ifndef PMCSTAT_OPTION_TABLE_H
#define PMCSTAT_OPTION_TABLE_H

#include <stddef.h>

#include "pmcstat/options/options.h"

/* An option's effect.  0, or -1 with err set. */
typedef int option_set_fn(struct options *o, const char *arg, struct err *err);

/* An option; without a name, a heading of the help text. */
struct option_row {
	char letter; /* 0: long only */
	const char *name;
	const char *arg; /* NULL: takes none; with = before it: may be left out */
	const char *help;
	option_set_fn *set; /* NULL: only the field is set */
	size_t field;	    /* where in struct options: a text with an argument, a bool without */
	bool is_of_outputs; /* a heading: the options of outputs come first below it */
	bool repeats;	    /* its value is for what follows, or joins those before it */
};

enum { OPTION_ROWS_MAX = 128 };
extern const struct option_row option_rows[];
extern const size_t option_row_count; /* at most OPTION_ROWS_MAX */

/* -R; of two logs the first is what the second is compared with. */
option_set_fn option_read_log;

#endif
