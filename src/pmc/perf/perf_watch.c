// SPDX-License-Identifier: BSD-2-Clause
/* What changes in the machine while it is recorded, and no event of the kernel tells. */
#include "pmc/perf/perf_session.h"

/* CPUs without rings.  Events cannot follow there: each is opened on the CPUs of its time. */
static void watch_cpus(struct perf_session *s)
{
	struct proc_cpus now = {0};
	char text[4096];
	const int *cpu;

	if (proc_read_text("/sys/devices/system/cpu/online", text, sizeof(text)) > 0 &&
	    proc_parse_cpus(text, &now))
		vec_each(cpu, &now.cpus)
			if (!proc_cpus_have(&s->rings.machine.online, *cpu) &&
			    !proc_cpus_have(&s->late_cpus, *cpu) &&
			    !vec_push(&s->late_cpus.cpus, *cpu))
				s->c->stats.late_cpus++;
	vec_free(&now.cpus);
}

void perf_watch(struct perf_session *s, uint64_t now)
{
	const struct proc_snapshot shot = {.writer = s->c->writer, .now = now};
	struct perf_tally **tally;

	s->last_watch = now;
	watch_cpus(s);
	vec_each(tally, &s->rings.records.tallies)
		s->c->stats.drops[PMCLOG_DROP_SWITCH] +=
			perf_tally_look(*tally, s->c->writer, now);
	perf_jit_tell(&s->rings.records.jit, s->c->writer, now);
	s->rings.records.nomem |= proc_snapshot_modules(&shot, PROC_MODULES, &s->modules) != 0;
}
