// SPDX-License-Identifier: BSD-2-Clause
/* Rings: one of each CPU for records, one for execs, and the events that write to them. */
#include <errno.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/event_fd.h"
#include "pmc/perf/perf_session.h"
#include "pmc/perf/perf_window.h"

static int map_ring(const struct perf_session *s, struct perf_ring *ring, size_t pages)
{
	size_t bytes = (pages + 1) * (size_t)s->machine.page_size;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	ring->ctl = p;
	ring->data = (unsigned char *)p + s->machine.page_size;
	ring->size = pages * (size_t)s->machine.page_size;
	ring->map_size = bytes;
	return 0;
}

/*
 * A ring belongs to an idle event on ourselves, so that it outlives every target and every PMC and
 * needs no privilege: an event of any task may write to a ring of its CPU.  1: it does not fit.
 */
static int open_ring(struct perf_session *s, int cpu, struct perf_failure *f)
{
	struct perf_ring *ring = calloc(1, sizeof(*ring));
	struct perf_event_attr attr;
	int r;

	*f = (struct perf_failure){.error = ENOMEM, .pid = getpid(), .cpu = cpu};
	if (!ring || vec_reserve(&s->rings, s->rings.n + 1)) {
		free(ring);
		return -1;
	}
	perf_attr_of_nothing(&s->machine, &attr);
	ring->cpu = cpu;
	ring->fd = perf_open(&attr, getpid(), cpu);
	if (ring->fd < 0) {
		f->error = -ring->fd;
		free(ring);
		/* A CPU that went off since we looked has nothing to tell. */
		return f->error == ENODEV ? 0 : -1;
	}
	r = map_ring(s, ring, s->machine.ring_pages);
	if (!r) {
		s->rings.v[s->rings.n++] = ring;
		return 0;
	}
	close(ring->fd);
	free(ring);
	if ((r == -EPERM || r == -ENOMEM) && s->machine.ring_pages > 1)
		return 1;
	f->error = -r;
	f->mapping = true;
	return -1;
}

/* All of one size; 1: that does not fit. */
static int open_rings(struct perf_session *s, struct perf_failure *f)
{
	const struct proc_cpus *online = &s->machine.online;
	int *cpu, r = 0;

	*f = (struct perf_failure){.error = ENOMEM};
	s->merge.heap = calloc(online->cpus.n, sizeof(struct perf_ring *));
	if (!s->merge.heap)
		return -1;
	vec_each(cpu, &online->cpus)
		if (!r)
			r = open_ring(s, *cpu, f);
	return r;
}

/*
 * The rings of all CPUs have one size, the largest that the kernel allows: it refuses with EPERM
 * what is above perf_event_mlock_kb and RLIMIT_MEMLOCK together.
 */
int perf_rings_open(struct perf_session *s, struct perf_failure *f)
{
	int r;

	if (s->rings.n)
		return 0;
	while ((r = open_rings(s, f)) > 0) {
		perf_rings_free(s);
		s->machine.ring_pages /= 2;
	}
	if (r)
		perf_rings_free(s);
	else
		perf_rings_wake(s);
	return r;
}

struct perf_ring *perf_ring_of(const struct perf_session *s, int cpu)
{
	size_t i;

	for (i = 0; i < s->rings.n; i++)
		if (s->rings.v[i]->cpu == cpu)
			return s->rings.v[i];
	return NULL;
}

static void free_ring(struct perf_ring *ring)
{
	if (ring->ctl)
		munmap(ring->ctl, ring->map_size);
	close(ring->fd);
	free(ring);
}

void perf_rings_free(struct perf_session *s)
{
	size_t i;

	for (i = 0; i < s->rings.n; i++)
		free_ring(s->rings.v[i]);
	vec_free(&s->rings);
	free(s->merge.heap);
	s->merge.heap = NULL;
}

int perf_open_to_ring(struct perf_session *s, struct perf_event_attr *attr,
		      const struct perf_spot *spot, pid_t target, uint32_t source,
		      struct perf_fds *fds)
{
	const struct perf_ring *ring = spot->ring;
	uint64_t id;
	int error, fd = perf_open_grouped(attr, spot->pid, ring->cpu, spot->lead);

	if (fd < 0)
		return fd;
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) || ioctl(fd, PERF_EVENT_IOC_ID, &id)) {
		error = -errno;
		close(fd);
		return error;
	}
	if (perf_record_add_id(&s->records, id, source) ||
	    vec_push(&fds->v, (struct perf_fd){fd, ring->cpu, target})) {
		close(fd);
		return -ENOMEM;
	}
	return 0;
}

static struct perf_ring *open_exec_ring(const struct perf_session *s, struct perf_event_attr *attr,
					int cpu)
{
	struct perf_ring *ring = calloc(1, sizeof(*ring));

	if (!ring)
		return NULL;
	ring->cpu = cpu;
	ring->fd = perf_open(attr, -1, cpu);
	if (ring->fd < 0) {
		free(ring);
		return NULL;
	}
	if (!map_ring(s, ring, PERF_EXEC_RING_BYTES / (size_t)s->machine.page_size))
		return ring;
	free_ring(ring);
	return NULL;
}

void perf_execs_close(struct perf_session *s)
{
	struct perf_execs *execs = &s->records.execs;
	struct perf_ring **ring;

	vec_each(ring, &execs->rings)
		free_ring(*ring);
	vec_free(&execs->rings);
	free(execs->merge.heap);
	execs->merge.heap = NULL;
}

void perf_execs_open(struct perf_session *s)
{
	struct perf_execs *execs = &s->records.execs;
	struct perf_event_attr attr;
	struct pmc_eventspec event;
	struct perf_ring *ring;
	int *cpu;

	if (execs->rings.n || pmc_event_parse("sched:sched_process_exec", &event, NULL))
		return;
	perf_attr_of_execs(&s->machine, event.config, &attr);
	execs->merge.heap = calloc(s->machine.online.cpus.n, sizeof(struct perf_ring *));
	if (!execs->merge.heap || vec_reserve(&execs->rings, s->machine.online.cpus.n))
		return;
	vec_each(cpu, &s->machine.online.cpus) {
		ring = open_exec_ring(s, &attr, *cpu);
		if (ring)
			execs->rings.v[execs->rings.n++] = ring;
	}
}

void perf_rings_wake(struct perf_session *s)
{
	event_fd_signal(s->wake_fd);
}

/* ---- What events lost, and their end. ---- */

/*
 * What an event lost: behind its count or, of a sampling PMC, behind count and times.  0 of a
 * counting one, which has times alone.
 */
static uint64_t fd_lost(const struct perf_session *s, int fd)
{
	uint64_t v[PERF_READ_WORDS];
	ssize_t n = s->machine.has.format_lost ? read(fd, v, sizeof(v)) : 0;

	return n == 2 * sizeof(*v) ? v[1] : n == PERF_READ_WORDS * sizeof(*v) ? v[3] : 0;
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
	for (i = 0; i < s->pmcs.v.n; i++)
		if (PMC_IS_SAMPLING_MODE(s->pmcs.v.v[i]->pmc->mode))
			lost += fds_lost(s, &s->pmcs.v.v[i]->fds, cpu);
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

void perf_pmc_close(struct perf_session *s, struct perf_pmc *p, pid_t target)
{
	struct pmc *const *m;

	vec_each(m, &p->pmc->members)
		perf_fds_close(s, &((struct perf_pmc *)(*m)->priv)->fds, target);
	perf_fds_close(s, &p->fds, target);
	perf_fds_close(s, &p->samplers, target);
	perf_fds_close(s, &p->watchers, target);
}
