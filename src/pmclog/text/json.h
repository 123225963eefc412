/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records as JSON: one object a line, as man/pmclog.5 specifies.
 */
#ifndef PMCLOG_JSON_H
#define PMCLOG_JSON_H

#include "base/sink.h"
#include "pmclog/reader.h"

void pmclog_json_record(struct sink *s, const struct pmclog_record *rec);

#endif
