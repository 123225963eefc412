// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/perf/perf_watch.h"

void perf_watch_look(struct perf_watch *w, uint64_t now)
{
	struct perf_record_reader *r = w->records;
	const struct proc_snapshot shot = {.writer = r->writer, .now = now};
	struct perf_tally **tally;

	w->last = now;
	vec_each(tally, &r->tallies)
		r->stats->drops[PMCLOG_DROP_SWITCH] += perf_tally_look(*tally, r->writer, now);
	perf_jit_tell(&r->jit, r->writer, now);
	r->nomem |= proc_snapshot_modules(&shot, PROC_MODULES, &w->modules) != 0;
}

void perf_watch_fini(struct perf_watch *w)
{
	vec_free(&w->modules.v);
}
