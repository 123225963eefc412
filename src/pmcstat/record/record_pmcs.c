// SPDX-License-Identifier: BSD-2-Clause
#include "pmcstat/record/record_pmcs.h"
#include "pmcstat/say.h"

/* What is being allocated, and for whom. */
struct allocation {
	struct record_pmcs *pmcs;
	const struct record_options *options;
	struct counting *counting;
};

static uint32_t flags_of(const struct record_options *o, const struct pmc_request *r)
{
	uint32_t flags = r->flags;

	/* What runs already need not call exec. */
	if (o->command && !o->targets.n && PMC_IS_VIRTUAL_MODE(r->mode))
		flags |= PMC_F_START_ON_EXEC;
	if (flags & PMC_F_LOG_PROCEXIT && !o->no_arguments)
		flags |= PMC_F_LOG_ARGUMENTS;
	if (o->no_sharing)
		flags |= PMC_F_NO_SHARING;
	if (o->kgmon)
		flags = PMC_F_KGMON | (flags & PMC_F_FREQUENCY);
	return flags;
}

/* leader: of the group that the PMC is a member of; PMC_ID_INVALID: it leads, or is alone. */
static int allocate_one(const struct allocation *a, const struct pmc_request *r, int cpu,
			pmc_id_t leader)
{
	struct err err = {0};
	pmc_id_t id;

	if (r->member ? pmc_allocate_member(leader, r->spec, &id, r->rate)
		      : pmc_allocate(r->spec, r->mode, flags_of(a->options, r), cpu, &id, r->rate))
		return say_pmc_error();
	if (vec_push(&a->pmcs->all, id) || (!r->member && vec_push(&a->pmcs->leaders, id))) {
		err_nomem(&err);
		return say_error(&err);
	}
	if (PMC_IS_COUNTING_MODE(r->mode) &&
	    counting_add(a->counting, id, r, record_pmc_nanoseconds(r) != 0, &err))
		return say_error(&err);
	return 0;
}

/* A PMC, and those that are members of its group. */
static int allocate_group(const struct allocation *a, const struct pmc_request *r, int cpu)
{
	const struct pmc_request *end = a->options->requests.v + a->options->requests.n;
	int status = allocate_one(a, r, cpu, PMC_ID_INVALID);
	pmc_id_t leader;

	if (status)
		return status;
	leader = a->pmcs->all.v[a->pmcs->all.n - 1];
	while (++r < end && r->member && !status)
		status = allocate_one(a, r, cpu, leader);
	return status;
}

/* One PMC in process scope, one for each CPU in system scope. */
static int allocate(const struct allocation *a, const struct pmc_request *r)
{
	const uint32_t *cpu;
	int i, status = 0, n = pmc_ncpu();

	if (r->member)
		return 0;
	if (PMC_IS_VIRTUAL_MODE(r->mode))
		return allocate_group(a, r, PMC_CPU_ANY);
	if (r->cpus.n) {
		vec_each(cpu, &r->cpus)
			if (!status)
				status = allocate_group(a, r, (int)*cpu);
		return status;
	}
	for (i = 0; i < n && !status; i++)
		if (pmc_cpu_is_online(i))
			status = allocate_group(a, r, i);
	return status;
}

int record_pmcs_allocate(struct record_pmcs *pmcs, const struct record_options *options,
			 struct counting *counting)
{
	struct allocation a = {.pmcs = pmcs, .options = options, .counting = counting};
	const struct pmc_request *r;
	int status = 0;

	vec_each(r, &options->requests)
		if (!status)
			status = allocate(&a, r);
	return status;
}

int record_pmcs_start(const struct record_pmcs *pmcs)
{
	const pmc_id_t *id;

	vec_each(id, &pmcs->leaders)
		if (pmc_start(*id))
			return say_pmc_error();
	return 0;
}

void record_pmcs_stop(const struct record_pmcs *pmcs)
{
	const pmc_id_t *id;

	vec_each(id, &pmcs->leaders)
		pmc_stop(*id);
}

void record_pmcs_release(const struct record_pmcs *pmcs)
{
	const pmc_id_t *id;

	vec_each(id, &pmcs->leaders)
		pmc_release(*id);
}

void record_pmcs_fini(struct record_pmcs *pmcs)
{
	vec_free(&pmcs->all);
	vec_free(&pmcs->leaders);
}

bool record_pmc_is_virtual(pmc_id_t id)
{
	return PMC_IS_VIRTUAL_MODE((enum pmc_mode)PMC_ID_TO_MODE(id));
}

int record_pmcs_attach(const struct record_pmcs *pmcs, pid_t pid)
{
	const pmc_id_t *id;

	vec_each(id, &pmcs->leaders)
		if (record_pmc_is_virtual(*id) && pmc_attach_running(*id, pid))
			return -1;
	return 0;
}

void record_pmcs_detach(const struct record_pmcs *pmcs, pid_t pid)
{
	const pmc_id_t *id;

	vec_each(id, &pmcs->leaders)
		if (record_pmc_is_virtual(*id))
			pmc_detach(*id, pid);
}

bool record_pmc_is_clock(const struct pmc_request *r)
{
	struct cg_event e = {.whole = r->spec};

	return cg_event_is_clock(&e);
}

uint64_t record_pmc_nanoseconds(const struct pmc_request *r)
{
	struct cg_event e = {.whole = r->spec, .spec = r->spec, .rate = r->rate};

	if (!e.rate && pmc_default_rate(r->spec, &e.rate))
		return 0;
	e.frequency = (r->flags & PMC_F_FREQUENCY) != 0;
	return cg_event_nanoseconds(&e);
}
