/* SPDX-License-Identifier: BSD-2-Clause */
/* Command lines that mean something else than they say, as habits from elsewhere write them. */
#ifndef PMCSTAT_OPTION_HABITS_H
#define PMCSTAT_OPTION_HABITS_H

#include <getopt.h>

#include "pmcstat/options/options.h"

/* A letter that is none: err becomes what does the same, where another system has the letter. */
int habit_refuse_letter(int letter, struct err *err);

/*
 * A long option that is none ("--flamgraph=x"): err becomes what it could be a slip of, or is the
 * beginning of.
 */
int habit_refuse_long(const struct option *longs, const char *given, struct err *err);

/* Digits and nothing else. */
bool habit_is_number(const char *text);

/* An event that is a number is a process.  0, or -1 with err set. */
int habit_check_event(const char *letter, const char *spec, struct err *err);

/*
 * The file of an output that must have one: not another option, nor perf's rate behind -F.  0, or
 * -1 with err set.
 */
int habit_check_file(const struct cg_output *output, const char *file, struct err *err);

/*
 * bare: an output that was the last option and may name a file, but only behind "=".  What stands
 * behind it is a command, unless a log is read or the real command comes after "--".  0, or -1 with
 * err set.
 */
int habit_check_command(const struct options *o, const struct cg_output *bare, struct err *err);

/* A packed log of a recording without -O is the log itself. */
void habit_name_packed_log(struct options *o);

#endif
