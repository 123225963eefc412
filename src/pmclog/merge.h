/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Several logs made one, in the order of time, as man/pmclog.1 specifies it under merge.
 *
 * The logs are read side by side, a record of each at a time, so that memory does not grow with
 * them.  Those of one boot of a machine are of one host; hosts are told apart by numbers that are
 * added to pids, tids and CPUs, and PMCs by ids of their own.
 */
#ifndef PMCLOG_MERGE_H
#define PMCLOG_MERGE_H

#include "base/err.h"
#include "pmclog/writer.h"

enum {
	PMCLOG_MERGE_LOGS = 256,
	PMCLOG_MERGE_HOSTS = 64,
	/* A pid or tid of host n is higher by n of these, a CPU by n of those. */
	PMCLOG_MERGE_PIDS = 10000000,
	PMCLOG_MERGE_CPUS = 1000,
	/* The bits of a kernel's address, but for the highest, that n is taken off from. */
	PMCLOG_MERGE_ADDRESS_SHIFT = 57,
};

struct pmclog_merge;

/* Now and then while logs are read: bytes so far, and of all; 0: not known.  May be NULL. */
typedef void pmclog_merge_tell(void *arg, uint64_t done, uint64_t total);

struct pmclog_merge *pmclog_merge_new(void);	/* NULL when out of memory */
void pmclog_merge_free(struct pmclog_merge *m); /* NULL is legal */

/* Opens one more log.  0, or -1 with err set, also where it cannot be merged with the first one. */
int pmclog_merge_add(struct pmclog_merge *m, const char *path, struct err *err);

/*
 * Writes all of them as one.  A log that is damaged is merged up to there.  0, or -1 with err set
 * where that cannot be gone on with.
 */
int pmclog_merge_write(struct pmclog_merge *m, struct pmclog_writer *w, pmclog_merge_tell *tell,
		       void *arg, struct err *err);

/* Afterwards: what is wrong with the log that was added as number i; NULL: nothing. */
const struct err *pmclog_merge_damage(const struct pmclog_merge *m, size_t i);

/* Records of types that are not known, which were left out. */
uint64_t pmclog_merge_unknown(const struct pmclog_merge *m);

#endif
