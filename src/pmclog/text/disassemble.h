/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records as a script (script.h), as pmclog-text(5) has it: what pmclog_assemble() makes of it are
 * the same records, byte for byte.
 */
#ifndef PMCLOG_DISASSEMBLE_H
#define PMCLOG_DISASSEMBLE_H

#include "base/sink.h"
#include "pmclog/reader.h"

struct pmclog_disassembler;

/* Writes to out, which is borrowed.  NULL with err set. */
struct pmclog_disassembler *pmclog_disassembler_new(struct sink *out, struct err *err);
void pmclog_disassembler_free(struct pmclog_disassembler *d); /* NULL is legal */

/* Writes the log's next record; of a type that is not known, too.  0, or -1 with err set. */
int pmclog_disassembler_record(struct pmclog_disassembler *d, const struct pmclog_record *rec,
			       struct err *err);

#endif
