/* SPDX-License-Identifier: BSD-2-Clause */
/* What the reader has of a record, written again. */
#ifndef PMCLOG_WRITE_RECORD_H
#define PMCLOG_WRITE_RECORD_H

#include "pmclog/reader.h"
#include "pmclog/writer.h"

/*
 * Writes a record of the log of that name.  0, or -1 with err set: no recorder of ours writes
 * such a record, or what is written has nowhere to go.
 */
int pmclog_write_record(struct pmclog_writer *w, const struct pmclog_record *rec, const char *name,
			struct err *err);

#endif
