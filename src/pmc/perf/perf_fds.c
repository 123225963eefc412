// SPDX-License-Identifier: BSD-2-Clause
/* Open events: those of a target or of a PMC, started, read, closed. */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pmc/perf/perf_session.h"

/* That an event can tell: its count, the times that it was enabled and ran, what it lost. */
enum { READ_WORDS = 4 };

void perf_fds_ioctl(const struct perf_fds *fds, pid_t target, unsigned long request)
{
	const struct perf_fd *f;

	/* An event whose thread or CPU is gone may refuse; nothing is lost by that. */
	vec_each(f, &fds->v)
		if (!target || f->target == target)
			ioctl(f->fd, request, 0);
}

/*
 * What an event lost: behind its count or, of a sampling PMC, behind count and times.  0 of a
 * counting one, which has times alone.
 */
static uint64_t fd_lost(const struct perf_session *s, int fd)
{
	uint64_t v[READ_WORDS];
	ssize_t n = s->has.format_lost ? read(fd, v, sizeof(v)) : 0;

	return n == 2 * sizeof(*v) ? v[1] : n == READ_WORDS * sizeof(*v) ? v[3] : 0;
}

static uint64_t fds_lost(const struct perf_session *s, const struct perf_fds *fds, int cpu)
{
	const struct perf_fd *f;
	uint64_t lost = 0;

	vec_each(f, &fds->v)
		if (f->cpu == cpu)
			lost += fd_lost(s, f->fd);
	return lost;
}

uint64_t perf_ring_lost(const struct perf_session *s, int cpu)
{
	uint64_t lost = fds_lost(s, &s->system_fds, cpu);
	size_t i;

	for (i = 0; i < s->targets.n; i++)
		lost += fds_lost(s, &s->targets.v[i]->fds, cpu);
	for (i = 0; i < s->pmcs.n; i++)
		if (PMC_IS_SAMPLING_MODE(s->pmcs.v[i]->pmc->mode))
			lost += fds_lost(s, &s->pmcs.v[i]->fds, cpu);
	return lost;
}

static void close_event(const struct perf_session *s, const struct perf_fd *f)
{
	struct perf_ring *ring = perf_ring_of(s, f->cpu);

	if (ring)
		ring->lost += fd_lost(s, f->fd);
	close(f->fd);
}

void perf_fds_cut(struct perf_session *s, struct perf_fds *fds, size_t n)
{
	while (fds->v.n > n)
		close_event(s, &fds->v.v[--fds->v.n]);
}

void perf_fds_close(struct perf_session *s, struct perf_fds *fds, pid_t target)
{
	size_t i, kept = 0;

	for (i = 0; i < fds->v.n; i++) {
		struct perf_fd *f = &fds->v.v[i];

		if (target && f->target != target) {
			fds->v.v[kept++] = *f;
			continue;
		}
		close_event(s, f);
	}
	fds->v.n = kept;
	if (!kept)
		vec_free(&fds->v);
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

void perf_pmc_close(struct perf_session *s, struct perf_pmc *p, pid_t target)
{
	struct pmc *const *m;

	vec_each(m, &p->pmc->members)
		perf_fds_close(s, &((struct perf_pmc *)(*m)->priv)->fds, target);
	perf_fds_close(s, &p->fds, target);
	perf_fds_close(s, &p->samplers, target);
	perf_fds_close(s, &p->watchers, target);
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
		uint64_t v[READ_WORDS];
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
