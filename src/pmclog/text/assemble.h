/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A script (script.h) becomes a log, as pmclog-text(5) has it: statement by statement, so that
 * neither is held in memory.
 */
#ifndef PMCLOG_ASSEMBLE_H
#define PMCLOG_ASSEMBLE_H

#include <stdio.h>

#include "base/err.h"
#include "pmclog/text/script.h"

/* What has been read of a script, and what is written of it. */
struct pmclogint_assembly {
	struct script *script;
	struct script_player player;
	struct pmclog_writer *writer; /* borrowed */
	bool begun;		      /* the log's first record is written */
	bool has_pmc;		      /* the script has allocated one */
	uint32_t first;		      /* the PMC of statements that name none */
};

/* Begins with a script of that name; writer is borrowed.  0, or -1 with err set. */
int pmclogint_assembly_init(struct pmclogint_assembly *a, struct pmclog_writer *writer,
			    const char *name, bool damage, struct err *err);
void pmclogint_assembly_fini(struct pmclogint_assembly *a);

/* Takes the next line, as pmclog_script_add() does, and writes what it says as soon as it can. */
int pmclogint_assembly_add(struct pmclogint_assembly *a, char *line, size_t len, struct err *err);

/* Writes what is left.  0, or -1 with err set. */
int pmclogint_assembly_end(struct pmclogint_assembly *a, struct err *err);

/* The PMC that a statement means which names none: UINT32_MAX is none. */
uint32_t pmclogint_assembly_pmc(const struct pmclogint_assembly *a, enum script_kind kind);

/*
 * Writes the log of the script in text to fd, which is empty and stays open.  Names are for
 * messages.  0, or -1 with err set, when what was said before is written.
 */
int pmclog_assemble(FILE *text, const char *name, int fd, const char *output, struct err *err);

#endif
