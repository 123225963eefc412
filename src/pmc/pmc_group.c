// SPDX-License-Identifier: BSD-2-Clause
/*
 * Groups: PMCs that are attached, started and stopped as one.
 *
 * A collector is asked for each of them.  One whose PMCs have counters of their own has no more to
 * do; one that has them take turns does it for all when it is asked for the leader.
 */
#include <string.h>

#include "pmc/pmcint.h"

static size_t target_index(const struct pmc *pmc, pid_t pid)
{
	size_t i;

	for (i = 0; i < pmc->targets.n && pmc->targets.v[i] != pid; i++)
		;
	return i;
}

bool pmcint_has_target(const struct pmc *pmc, pid_t pid)
{
	return target_index(pmc, pid) < pmc->targets.n;
}

static int attach(struct pmcint *s, struct pmc *pmc, pid_t pid, struct err *err)
{
	if (vec_reserve(&pmc->targets, pmc->targets.n + 1))
		return err_nomem(err);
	if (s->collector.ops->attach(&s->collector, pmc, pid, err))
		return -1;
	pmc->targets.v[pmc->targets.n++] = pid;
	return 0;
}

static int detach(struct pmcint *s, struct pmc *pmc, pid_t pid, struct err *err)
{
	if (s->collector.ops->detach(&s->collector, pmc, pid, err) && err)
		return -1;
	vec_remove(&pmc->targets, target_index(pmc, pid), 1);
	return 0;
}

int pmcint_group_attach(struct pmcint *s, struct pmc *pmc, pid_t pid, struct err *err)
{
	size_t n = 0;

	if (attach(s, pmc, pid, err))
		return -1;
	while (n < pmc->members.n && !attach(s, pmc->members.v[n], pid, err))
		n++;
	if (n < pmc->members.n) {
		while (n-- > 0)
			detach(s, pmc->members.v[n], pid, NULL);
		detach(s, pmc, pid, NULL);
		return -1;
	}
	pmcint_log_attach(s, pmc, pid);
	for (n = 0; n < pmc->members.n; n++)
		pmcint_log_attach(s, pmc->members.v[n], pid);
	return 0;
}

int pmcint_group_detach(struct pmcint *s, struct pmc *pmc, pid_t pid, struct err *err)
{
	struct pmc *const *m;

	if (detach(s, pmc, pid, err))
		return -1;
	vec_each(m, &pmc->members)
		detach(s, *m, pid, NULL);
	return 0;
}

int pmcint_group_start(struct pmcint *s, struct pmc *pmc, struct err *err)
{
	struct pmc *const *m;
	int r = 0;

	vec_each(m, &pmc->members) {
		if (!r)
			r = s->collector.ops->start(&s->collector, *m, err);
		(*m)->running = !r;
	}
	if (!r)
		r = s->collector.ops->start(&s->collector, pmc, err);
	pmc->running = !r;
	if (r)
		pmcint_group_stop(s, pmc, NULL);
	return r;
}

int pmcint_group_stop(struct pmcint *s, struct pmc *pmc, struct err *err)
{
	struct pmc *const *m;

	if (pmc->running && s->collector.ops->stop(&s->collector, pmc, err) && err)
		return -1;
	pmc->running = false;
	vec_each(m, &pmc->members) {
		if ((*m)->running)
			s->collector.ops->stop(&s->collector, *m, NULL);
		(*m)->running = false;
	}
	return 0;
}
