// SPDX-License-Identifier: BSD-2-Clause
/* What targets ran for, as the kernel counted it, and of how many CPUs samples are. */
#include "callgraph/model/state.h"

enum {
	SLACK_NS = 50000000, /* accounts are of ticks, and samples of the clock by chance */
};

int cg_ran_add(struct cg_builder *b, const struct pmclog_record *rec)
{
	uint32_t i = cg_process_of(b, rec->u.attach.pid);
	struct cg_process *proc;

	if (i == CG_NONE)
		return -1;
	proc = &b->processes.v[i];
	if (rec->type == PMCLOG_WIRE_PMCATTACH) {
		/* A merged log has the end of one file before the beginning of the next one. */
		if (proc->has_ran) {
			proc->user_before += proc->user;
			proc->system_before += proc->system;
		}
		proc->attached = true;
		proc->has_ran = false;
	} else if (rec->u.attach.has_times) {
		proc->has_ran = true;
		proc->user = rec->u.attach.user;
		proc->system = rec->u.attach.system;
	}
	return 0;
}

/* Whether some samples of the time chosen are left out. */
static bool selects_some(const struct cg_select *s)
{
	return s && (s->pids.n || s->tids.n || s->cpus.n || s->comms.n);
}

static bool selects(const struct cg_select *s)
{
	return selects_some(s) || (s && (s->time_from > 0 || s->time_to > 0));
}

/*
 * Whether samples of a clock stand for more: processes that nobody waited for, as daemons and what
 * a target leaves behind, are in no account of their parents.
 */
static bool lacks_some(const struct cg_profile *p, const struct cg_ran *ran)
{
	const double most = (double)(ran->user + ran->system) * 1.1 + SLACK_NS;
	const struct cg_event *e;

	vec_each(e, &p->events)
		if (!e->frequency &&
		    (double)e->samples * (double)cg_event_nanoseconds(e) > most)
			return true;
	return false;
}

void cg_ran_count_cpus(struct cg_builder *b)
{
	const struct cg_pmc *pmc;
	struct cg_event *e;

	vec_each(e, &b->p.events)
		e->whole_cpus = 0;
	if (selects_some(b->select))
		return;
	vec_each(pmc, &b->pmcs)
		if (pmc->event != CG_NONE && !cg_pmc_is_of_processes(pmc))
			b->p.events.v[pmc->event].whole_cpus++;
	/* Of processes as well, or of machines that did not begin at once. */
	vec_each(pmc, &b->pmcs)
		if (pmc->event != CG_NONE && (cg_pmc_is_of_processes(pmc) || pmc->host))
			b->p.events.v[pmc->event].whole_cpus = 0;
}

void cg_ran_measure(struct cg_builder *b)
{
	struct cg_ran ran = {0};
	const struct cg_process *proc;
	const struct cg_pmc *pmc;

	b->p.ran = ran;
	if (selects(b->select) || b->forgot)
		return;
	vec_each(pmc, &b->pmcs)
		if (!cg_pmc_is_of_processes(pmc))
			return;
	vec_each(proc, &b->processes) {
		if (!proc->attached)
			continue;
		if (!proc->has_ran)
			return;
		ran.known = true;
		ran.user += proc->user_before + proc->user;
		ran.system += proc->system_before + proc->system;
	}
	if (lacks_some(&b->p, &ran))
		ran = (struct cg_ran){0};
	b->p.ran = ran;
}
