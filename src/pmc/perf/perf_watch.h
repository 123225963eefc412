/* SPDX-License-Identifier: BSD-2-Clause */
/* What changes in the machine while it is recorded, and no record of the kernel tells. */
#ifndef PMC_PERF_WATCH_H
#define PMC_PERF_WATCH_H

#include "pmc/perf/perf_record.h"
#include "pmc/perf/proc_snapshot.h"
#include "pmc/proc_list.h"

struct perf_watch {
	/* Borrowed. */
	struct perf_record_reader *records; /* its writer is the log's */

	struct proc_modules modules; /* loaded, as the log has them */
	uint64_t last;		     /* time when it last looked */
};

void perf_watch_fini(struct perf_watch *w);

/* Looks, and writes what is news. */
void perf_watch_look(struct perf_watch *w, uint64_t now);

#endif
