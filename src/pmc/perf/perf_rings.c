// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/perf/perf_rings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/event_fd.h"
#include "base/open_files.h"
#include "pmc/perf/unwind/perf_unwind.h"
#include "pmc/perf/unwind/perf_window.h"

#define EXECS "sched:sched_process_exec"

int perf_rings_init(struct perf_rings *r, struct pmc_log_stats *stats, struct err *err)
{
	struct timespec tick; /* that this clock moves in: those of the scheduler */

	r->records.stats = stats;
	r->wake_fd = event_fd_new();
	if (r->wake_fd < 0)
		return open_files_fail(err, EX_OSERR, "eventfd");
	if (!clock_getres(CLOCK_MONOTONIC_COARSE, &tick))
		r->records.tick = (uint64_t)tick.tv_nsec;
	r->records.images = proc_images_new();
	return r->records.images ? 0 : err_nomem(err);
}

static int map_ring(const struct perf_machine *m, struct perf_ring *ring, size_t pages)
{
	size_t bytes = (pages + 1) * (size_t)m->page_size;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	ring->ctl = p;
	ring->data = (unsigned char *)p + m->page_size;
	ring->size = pages * (size_t)m->page_size;
	ring->map_size = bytes;
	return 0;
}

static struct perf_ring *ring_new(int cpu)
{
	struct perf_ring *ring = calloc(1, sizeof(*ring));

	if (ring) {
		ring->cpu = cpu;
		ring->heir = -1;
	}
	return ring;
}

/*
 * A ring belongs to an idle event on ourselves, so that it outlives every target and every PMC and
 * needs no privilege: an event of any task may write to a ring of its CPU.  1: it does not fit.
 */
static int open_ring(struct perf_rings *r, int cpu, struct perf_failure *f)
{
	struct perf_ring *ring = ring_new(cpu);
	struct perf_event_attr attr;
	int error;

	*f = (struct perf_failure){.error = ENOMEM, .pid = getpid(), .cpu = cpu};
	if (!ring || vec_reserve(&r->v, r->v.n + 1)) {
		free(ring);
		return -1;
	}
	perf_attr_of_nothing(&r->machine, &attr);
	ring->fd = perf_open(&attr, getpid(), cpu);
	if (ring->fd < 0) {
		f->error = -ring->fd;
		free(ring);
		/* A CPU that went off since we looked has nothing to tell. */
		return f->error == ENODEV ? 0 : -1;
	}
	error = map_ring(&r->machine, ring, r->machine.ring_pages);
	if (!error) {
		r->v.v[r->v.n++] = ring;
		return 0;
	}
	close(ring->fd);
	free(ring);
	if ((error == -EPERM || error == -ENOMEM) && r->machine.ring_pages > 1)
		return 1;
	f->error = -error;
	f->mapping = true;
	return -1;
}

/* All of one size; 1: that does not fit. */
static int open_rings(struct perf_rings *r, struct perf_failure *f)
{
	const struct proc_cpus *online = &r->machine.online;
	int *cpu, result = 0;

	*f = (struct perf_failure){.error = ENOMEM};
	r->merge.heap = calloc(online->cpus.n, sizeof(struct perf_ring *));
	if (!r->merge.heap)
		return -1;
	vec_each(cpu, &online->cpus)
		if (!result)
			result = open_ring(r, *cpu, f);
	return result;
}

static void free_ring(struct perf_ring *ring)
{
	if (ring->ctl)
		munmap(ring->ctl, ring->map_size);
	if (ring->heir >= 0)
		close(ring->heir);
	close(ring->fd);
	free(ring);
}

static void close_rings(struct perf_rings *r)
{
	struct perf_ring **ring;

	vec_each(ring, &r->v)
		free_ring(*ring);
	vec_free(&r->v);
	free(r->merge.heap);
	r->merge.heap = NULL;
}

/*
 * The rings of all CPUs have one size, the largest that the kernel allows: it refuses with EPERM
 * what is above perf_event_mlock_kb and RLIMIT_MEMLOCK together.
 */
int perf_rings_open(struct perf_rings *r, struct perf_failure *f)
{
	int result;

	if (r->v.n)
		return 0;
	while ((result = open_rings(r, f)) > 0) {
		close_rings(r);
		r->machine.ring_pages /= 2;
	}
	if (result)
		close_rings(r);
	else
		perf_rings_wake(r);
	return result;
}

int perf_rings_unwind(struct perf_rings *r, size_t lockable)
{
	if (!r->unwind)
		r->unwind = perf_unwind_new(&r->records);
	if (!r->unwind)
		return -1;
	if (!r->v.n)
		r->machine.ring_pages = perf_window_ring_pages(
			r->machine.online.cpus.n, (size_t)r->machine.page_size, lockable);
	return 0;
}

struct perf_ring *perf_rings_find(const struct perf_rings *r, int cpu)
{
	size_t i;

	for (i = 0; i < r->v.n; i++)
		if (r->v.v[i]->cpu == cpu)
			return r->v.v[i];
	return NULL;
}

void perf_rings_wake(const struct perf_rings *r)
{
	event_fd_signal(r->wake_fd);
}

int perf_rings_open_event(struct perf_rings *r, struct perf_event_attr *attr,
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
	if (perf_record_add_id(&r->records, id, source) ||
	    vec_push(&fds->v, (struct perf_fd){fd, ring->cpu, target})) {
		close(fd);
		return -ENOMEM;
	}
	return 0;
}

static struct perf_ring *open_exec_ring(const struct perf_machine *m, struct perf_event_attr *attr,
					int cpu)
{
	struct perf_ring *ring = ring_new(cpu);

	if (!ring)
		return NULL;
	ring->fd = perf_open(attr, -1, cpu);
	if (ring->fd < 0) {
		free(ring);
		return NULL;
	}
	if (!map_ring(m, ring, PERF_EXEC_RING_BYTES / (size_t)m->page_size)) {
		ring->seen.at = perf_now();
		return ring;
	}
	free_ring(ring);
	return NULL;
}

static void close_execs(struct perf_execs *execs)
{
	struct perf_ring **ring;

	vec_each(ring, &execs->rings)
		free_ring(*ring);
	vec_free(&execs->rings);
	free(execs->merge.heap);
	execs->merge.heap = NULL;
}

void perf_rings_open_execs(struct perf_rings *r)
{
	const struct proc_cpus *online = &r->machine.online;
	struct perf_execs *execs = &r->records.execs;
	struct perf_event_attr attr;
	struct pmc_eventspec event;
	struct perf_ring *ring;
	int *cpu;

	if (execs->rings.n || pmc_event_parse(EXECS, &event, NULL))
		return;
	perf_attr_of_execs(&r->machine, event.config, &attr);
	execs->merge.heap = calloc(online->cpus.n, sizeof(struct perf_ring *));
	if (execs->merge.heap && !vec_reserve(&execs->rings, online->cpus.n))
		vec_each(cpu, &online->cpus) {
			ring = open_exec_ring(&r->machine, &attr, *cpu);
			if (ring)
				execs->rings.v[execs->rings.n++] = ring;
		}
	if (!execs->rings.n)
		close_execs(execs);
}

/* Sees how long the event of a ring of execs has been enabled; false: it cannot be read. */
static bool exec_enabled(const struct perf_ring *ring, uint64_t *enabled)
{
	uint64_t v[2];

	if (read(ring->heir >= 0 ? ring->heir : ring->fd, v, sizeof(v)) != sizeof(v))
		return false;
	*enabled = v[1];
	return true;
}

/* Where it fails /proc is asked for arguments, as where there are no such rings. */
static void renew_exec(struct perf_ring *ring, struct perf_event_attr *attr)
{
	int fd = perf_open(attr, -1, ring->cpu);

	if (fd >= 0 && ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd)) {
		close(fd);
		fd = -1;
	}
	if (fd < 0)
		return;
	if (ring->heir >= 0)
		close(ring->heir);
	ring->heir = fd;
	ring->seen = (struct perf_seen){.at = perf_now()};
}

void perf_rings_renew_execs(struct perf_rings *r)
{
	struct perf_event_attr attr;
	struct pmc_eventspec event;
	struct perf_ring **ring;
	uint64_t before, enabled;

	if (!r->records.execs.rings.n || pmc_event_parse(EXECS, &event, NULL))
		return;
	perf_attr_of_execs(&r->machine, event.config, &attr);
	vec_each(ring, &r->records.execs.rings) {
		before = perf_now();
		if (perf_seen_is_due(&(*ring)->seen, before) && exec_enabled(*ring, &enabled) &&
		    perf_seen_stands_still(&(*ring)->seen, (*ring)->cpu, before, enabled))
			renew_exec(*ring, &attr);
	}
}

void perf_rings_fini(struct perf_rings *r)
{
	close_rings(r);
	close_execs(&r->records.execs);
	perf_unwind_free(r->unwind);
	perf_record_reader_fini(&r->records);
	proc_images_free(r->records.images);
	vec_free(&r->machine.online.cpus);
	if (r->wake_fd >= 0)
		close(r->wake_fd);
}

/* ---- From the rings to the log. ---- */

static void emit(void *arg, struct perf_ring *ring, const struct perf_event_header *record)
{
	struct perf_rings *r = arg;

	/* It may be a queue of the unwinder. */
	ring = perf_rings_find(r, ring->cpu);
	ring->told += perf_record_read(&r->records, (uint32_t)ring->cpu, record);
}

void perf_rings_drain(struct perf_rings *r, uint64_t bound)
{
	const uint64_t least = sizeof(struct perf_ring_sample);
	uint64_t now = perf_now();
	size_t i;

	if (bound != UINT64_MAX && bound > r->drained)
		r->drained = bound;
	perf_execs_read(&r->records.execs);
	if (r->unwind) {
		perf_unwind_emit_to(r->unwind, emit, r);
		perf_unwind_drain(r->unwind, &r->merge, r->v.v, r->v.n, bound, now);
	} else {
		perf_ring_drain(&r->merge, r->v.v, r->v.n, bound, now, emit, r);
	}
	for (i = 0; i < r->v.n; i++) {
		struct perf_ring *ring = r->v.v[i];

		/* Nobody knows how many records they were: as many as there may have been. */
		perf_record_lose(&r->records, now, (uint32_t)ring->cpu,
				 (ring->broken + least - 1) / least);
		ring->broken = 0;
	}
	perf_execs_expire(&r->records.execs, bound);
}

/* ---- What events lost, and their end. ---- */

/*
 * What an event lost: behind its count or, of a sampling PMC, behind count and times.  0 of a
 * counting one, which has times alone.
 */
static uint64_t fd_lost(const struct perf_rings *r, int fd)
{
	uint64_t v[PERF_READ_WORDS];
	ssize_t n = r->machine.has.format_lost ? read(fd, v, sizeof(v)) : 0;

	return n == 2 * sizeof(*v) ? v[1] : n == PERF_READ_WORDS * sizeof(*v) ? v[3] : 0;
}

void perf_rings_ask_lost(struct perf_rings *r, const struct perf_fds *fds)
{
	const struct perf_fd *f;
	struct perf_ring *ring;

	vec_each(f, &fds->v) {
		ring = perf_rings_find(r, f->cpu);
		if (ring)
			ring->asked += fd_lost(r, f->fd);
	}
}

void perf_rings_tell_lost(struct perf_rings *r)
{
	struct perf_ring *const *each;

	vec_each(each, &r->v) {
		struct perf_ring *ring = *each;
		uint64_t lost = ring->asked + ring->lost;
		struct pmclog_drop drop = {
			.cpu = (uint32_t)ring->cpu, .cause = PMCLOG_DROP_RING, .pmcid = UINT32_MAX};

		ring->asked = 0;
		if (lost <= ring->told || !r->records.writer)
			continue;
		drop.count = lost - ring->told;
		pmclog_write_dropnotify(r->records.writer, perf_now(), &drop);
		r->records.stats->drops[PMCLOG_DROP_RING] += drop.count;
		ring->told = lost;
	}
}

static void close_event(const struct perf_rings *r, const struct perf_fd *f)
{
	struct perf_ring *ring = perf_rings_find(r, f->cpu);

	if (ring)
		ring->lost += fd_lost(r, f->fd);
	close(f->fd);
}

int perf_rings_renew_event(struct perf_rings *r, struct perf_event_attr *attr, uint32_t source,
			   struct perf_fd *f)
{
	const struct perf_spot spot = {-1, perf_rings_find(r, f->cpu), -1};
	struct perf_fds fresh = {0};
	int error = perf_rings_open_event(r, attr, &spot, f->target, source, &fresh);

	if (!error) {
		close_event(r, f);
		*f = fresh.v.v[0];
	}
	vec_free(&fresh.v);
	return error;
}

void perf_rings_cut_events(struct perf_rings *r, struct perf_fds *fds, size_t n)
{
	while (fds->v.n > n)
		close_event(r, &fds->v.v[--fds->v.n]);
}

void perf_rings_close_events(struct perf_rings *r, struct perf_fds *fds, pid_t target)
{
	size_t i, kept = 0;

	for (i = 0; i < fds->v.n; i++) {
		struct perf_fd *f = &fds->v.v[i];

		if (target && f->target != target) {
			fds->v.v[kept++] = *f;
			continue;
		}
		close_event(r, f);
	}
	fds->v.n = kept;
	if (!kept)
		vec_free(&fds->v);
}

void perf_rings_close_pmc(struct perf_rings *r, struct perf_pmc *p, pid_t target)
{
	struct pmc *const *m;

	vec_each(m, &p->pmc->members)
		perf_rings_close_events(r, &((struct perf_pmc *)(*m)->priv)->fds, target);
	perf_rings_close_events(r, &p->fds, target);
	perf_rings_close_events(r, &p->samplers, target);
	perf_rings_close_events(r, &p->watchers, target);
}
