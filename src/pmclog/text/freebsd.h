/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What FreeBSD's readers of logs reject, crash at or never reach, record by record.
 *
 * The rules are those of libpmc and pmcstat of FreeBSD 12 to 15.  Records longer than theirs, and
 * chains deeper, our reader refuses, too.
 */
#ifndef PMCLOG_FREEBSD_H
#define PMCLOG_FREEBSD_H

#include "base/hash.h"
#include "base/vec.h"
#include "pmclog/reader.h"

enum pmclog_freebsd_fault {
	PMCLOG_FREEBSD_VERSION,	   /* a log of neither version 9 nor 10 */
	PMCLOG_FREEBSD_TYPE,	   /* a type that most of them do not know */
	PMCLOG_FREEBSD_PMC,	   /* a PMC that no record announced */
	PMCLOG_FREEBSD_MAP,	   /* a MAP_OUT that ends where it begins, or before */
	PMCLOG_FREEBSD_BEHIND_END, /* behind CLOSELOG, where they stop */
	PMCLOG_FREEBSD_NFAULTS
};

struct pmclog_freebsd_finding {
	uint64_t records;	/* that have the fault */
	uint64_t index, offset; /* of the first one: its number from 1, and where it is */
	enum pmclog_wire_type type; /* the same */
};

/* A zeroed one is ready. */
struct pmclog_freebsd {
	struct pmclog_freebsd_finding found[PMCLOG_FREEBSD_NFAULTS];
	VEC(uint32_t) pmcs; /* that were announced */
	struct table pmc_of_id;
	bool closed;
};

/* Looks at one record, in their order.  0, or -1 with err set when out of memory. */
int pmclog_freebsd_see(struct pmclog_freebsd *f, const struct pmclog_record *rec, struct err *err);

/* "names a PMC that ...": what a record does, and what that does to their tools. */
const char *pmclog_freebsd_fault_text(enum pmclog_freebsd_fault fault);

void pmclog_freebsd_fini(struct pmclog_freebsd *f);

#endif
