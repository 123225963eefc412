/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The appendix of a log: typed blocks behind CLOSELOG, compressed, each in records of its own.
 */
#ifndef PMCLOG_APPENDIX_H
#define PMCLOG_APPENDIX_H

#include "base/sink.h"
#include "base/vec.h"
#include "pmclog/reader.h"

/* A block of which records are read.  A zeroed one is ready for the first. */
struct pmclog_appendix {
	VEC(uint8_t) packed;
};

/*
 * Writes a block of data in records with the time tsc.  0, or -1 with err set when out of memory;
 * sinks remember failed writes.
 */
int pmclog_appendix_write(struct sink *sink, enum pmclog_appendix_type type, uint64_t tsc,
			  const void *data, size_t len, struct err *err);

/*
 * Takes an APPENDIX record.  Once its block is whole, *block is that for free(), *len bytes; NULL
 * before.  0, or -1 with err set: a block that cannot be one (EX_DATAERR), or out of memory.
 */
int pmclog_appendix_add(struct pmclog_appendix *a, const struct pmclog_record *rec, uint8_t **block,
			size_t *len, struct err *err);

void pmclog_appendix_fini(struct pmclog_appendix *a);

#endif
