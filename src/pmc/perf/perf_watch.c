// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/perf/perf_watch.h"

#include "base/proc_text.h"

/* CPUs without rings.  Events cannot follow there: each is opened on the CPUs of its time. */
static void watch_cpus(struct perf_watch *w)
{
	struct proc_cpus now = {0};
	char text[4096];
	const int *cpu;

	if (proc_read_text("/sys/devices/system/cpu/online", text, sizeof(text)) > 0 &&
	    proc_parse_cpus(text, &now))
		vec_each(cpu, &now.cpus)
			if (!proc_cpus_have(w->online, *cpu) &&
			    !proc_cpus_have(&w->late_cpus, *cpu) &&
			    !vec_push(&w->late_cpus.cpus, *cpu))
				perf_record_drop(w->records, *cpu, PMCLOG_DROP_LATE_CPU);
	vec_free(&now.cpus);
}

void perf_watch_look(struct perf_watch *w, uint64_t now)
{
	struct perf_record_reader *r = w->records;
	const struct proc_snapshot shot = {.writer = r->writer, .now = now};
	struct perf_tally **tally;

	w->last = now;
	watch_cpus(w);
	vec_each(tally, &r->tallies)
		r->stats->drops[PMCLOG_DROP_SWITCH] += perf_tally_look(*tally, r->writer, now);
	perf_jit_tell(&r->jit, r->writer, now);
	r->nomem |= proc_snapshot_modules(&shot, PROC_MODULES, &w->modules) != 0;
}

void perf_watch_fini(struct perf_watch *w)
{
	vec_free(&w->late_cpus.cpus);
	vec_free(&w->modules.v);
}
