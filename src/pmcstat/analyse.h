/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From a log to reports: records go into a profile, or as text to standard output when no output
 * was asked for.
 */
#ifndef PMCSTAT_ANALYSE_H
#define PMCSTAT_ANALYSE_H

#include "pmclog/reader.h"
#include "pmcstat/options/options.h"

struct analysis;

/* NULL with err set.  options is borrowed. */
struct analysis *analysis_new(const struct report_options *options, struct err *err);
void analysis_free(struct analysis *a); /* NULL is legal */

/* Takes every record that the reader can give now.  The reader's last result. */
enum pmclog_result analysis_read(struct analysis *a, struct pmclog_reader *r, struct err *err);

/* Writes the outputs.  0, or -1 with err set. */
int analysis_report(struct analysis *a, struct err *err);

/* All of it for a log by name.  A sysexits(3) code; what went wrong is printed. */
int analyse_log(const struct report_options *options, const char *path);

#endif
