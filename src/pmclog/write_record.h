/* SPDX-License-Identifier: BSD-2-Clause */
/* What the reader has of a record, written again. */
#ifndef PMCLOG_WRITE_RECORD_H
#define PMCLOG_WRITE_RECORD_H

#include "pmclog/reader.h"
#include "pmclog/writer.h"

/* false: no recorder of ours writes such a record. */
bool pmclog_write_record(struct pmclog_writer *w, const struct pmclog_record *rec);

#endif
