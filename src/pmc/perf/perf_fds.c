// SPDX-License-Identifier: BSD-2-Clause
/* Open events: those of a target or of a PMC, started and read. */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pmc/perf/perf_pmc.h"

void perf_fds_ioctl(const struct perf_fds *fds, pid_t target, unsigned long request)
{
	const struct perf_fd *f;

	/* An event whose thread or CPU is gone may refuse; nothing is lost by that. */
	vec_each(f, &fds->v)
		if (!target || f->target == target)
			ioctl(f->fd, request, 0);
}

void perf_pmc_ioctl(const struct perf_pmc *p, pid_t target, unsigned long request)
{
	/* Who watches must not see more than there is to be told. */
	if (request != PERF_EVENT_IOC_ENABLE)
		perf_fds_ioctl(&p->watchers, target, request);
	perf_fds_ioctl(&p->fds, target, request);
	perf_fds_ioctl(&p->samplers, target, request);
	if (request == PERF_EVENT_IOC_ENABLE)
		perf_fds_ioctl(&p->watchers, target, request);
}

/* A thread's times come to those of all: it ran no longer than it was enabled. */
static void times_add(struct pmc_count *sum, uint64_t enabled, uint64_t running)
{
	sum->enabled += enabled;
	sum->running += running < enabled ? running : enabled;
}

/*
 * The sums over threads.  Where a thread has an event for each CPU, one behind the other, each of
 * them is enabled all of its time, whatever CPU it is on: the time is that of the last one enabled,
 * and what others ran before that is left out.
 */
int perf_fds_sum(const struct perf_fds *fds, pid_t target, struct pmc_count *sum)
{
	const struct perf_fd *f;
	uint64_t enabled = 0, running = 0;

	sum->value = sum->enabled = sum->running = 0;
	vec_each(f, &fds->v) {
		uint64_t v[PERF_READ_WORDS];
		ssize_t n;

		if (target && f->target != target)
			continue;
		n = read(f->fd, v, sizeof(v));
		if (n < (ssize_t)(3 * sizeof(*v)))
			return n < 0 ? -errno : -ENODATA;
		sum->value += v[0];
		if (f == fds->v.v || f->cpu <= f[-1].cpu) {
			times_add(sum, enabled, running);
			enabled = v[1];
			running = 0;
		} else if (v[1] < enabled) {
			enabled = v[1];
		}
		running += v[2];
	}
	times_add(sum, enabled, running);
	return 0;
}

int perf_pmc_sum(const struct perf_pmc *p, pid_t target, struct pmc_count *sum)
{
	const struct perf_pmc *leader = p->pmc->leader ? p->pmc->leader->priv : NULL;
	int r = 0;

	if (leader && p->pmc->flags & PMC_F_NO_SHARING)
		r = perf_fds_sum(&leader->fds, target, sum);
	return r ? r : perf_fds_sum(&p->fds, target, sum);
}

void perf_pmc_keep(struct perf_pmc *p, pid_t target)
{
	struct pmc_count sum;

	if (perf_pmc_sum(p, target, &sum))
		return;
	if (PMC_IS_COUNTING_MODE(p->pmc->mode))
		p->base += sum.value;
	p->enabled += sum.enabled;
	p->running += sum.running;
}

int perf_pmc_total(const struct perf_pmc *p, struct pmc_count *total)
{
	int r = perf_pmc_sum(p, 0, total);

	if (r)
		return r;
	total->value += p->base;
	total->enabled += p->enabled;
	total->running += p->running;
	return 0;
}
