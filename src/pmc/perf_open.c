// SPDX-License-Identifier: BSD-2-Clause
/* Events and rings: perf_event_open(2), mmap(2) and what the kernel has to say to them. */
#include <asm/perf_regs.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "pmc/perf_errors.h"
#include "pmc/perf_session.h"
#include "pmc/perf_window.h"

/* A list of maps or of processes, and what is opened for one of its lines. */
enum { SPARE_FDS = 2 };

/* That an event can tell: its count, the times that it was enabled and ran, what it lost. */
enum { READ_WORDS = 4 };

enum {
	EXEC_RING_BYTES = 256 * 1024,
	/* A gap of up to 8 KB that the kernel leaves at random, and what it has around it. */
	EXEC_STACK_BYTES = 16 * 1024,
};

/* The bit of the stack pointer in attr.sample_regs_user. */
#if defined(__x86_64__)
#define STACK_POINTER (1ull << PERF_REG_X86_SP)
#elif defined(__aarch64__)
#define STACK_POINTER (1ull << PERF_REG_ARM64_SP)
#else
#define STACK_POINTER 0
#endif

uint64_t perf_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static int sys_open(struct perf_event_attr *attr, pid_t pid, int cpu, int leader)
{
	long fd;

	do
		fd = syscall(SYS_perf_event_open, attr, pid, cpu, leader, PERF_FLAG_FD_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : (int)fd;
}

static bool leaves_room(int fd)
{
	struct rlimit lim;

	return getrlimit(RLIMIT_NOFILE, &lim) || (rlim_t)fd + SPARE_FDS < lim.rlim_cur;
}

static bool raise_limit(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur == lim.rlim_max)
		return false;
	lim.rlim_cur = lim.rlim_max;
	return !setrlimit(RLIMIT_NOFILE, &lim);
}

int perf_open_grouped(struct perf_event_attr *attr, pid_t pid, int cpu, int leader)
{
	int fd = sys_open(attr, pid, cpu, leader);

	if (fd == -EMFILE && raise_limit())
		fd = sys_open(attr, pid, cpu, leader);
	if (fd < 0 || leaves_room(fd) || (raise_limit() && leaves_room(fd)))
		return fd;
	close(fd);
	return -EMFILE;
}

int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	return perf_open_grouped(attr, pid, cpu, -1);
}

/* What all events here have in common: sample type, clock, ids behind every record. */
static void attr_init(const struct perf_session *s, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->sample_type = PERF_RING_SAMPLE_TYPE;
	attr->sample_id_all = 1;
	attr->disabled = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	attr->watermark = 1;
	attr->wakeup_watermark = (uint32_t)(s->ring_pages * (size_t)s->page_size / 4);
	if (s->has.format_lost)
		attr->read_format = PERF_FORMAT_LOST_BIT;
}

static void attr_dummy(const struct perf_session *s, struct perf_event_attr *attr)
{
	attr_init(s, attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
}

/* A kernel refuses, with EINVAL, bits that it does not know; each is tried alone, newest first. */
void perf_probe_features(struct perf_session *s)
{
	struct perf_event_attr attr;
	int fd;

	attr_dummy(s, &attr);
	attr.read_format = PERF_FORMAT_LOST_BIT;
	fd = perf_open(&attr, 0, -1);
	if ((s->has.format_lost = fd >= 0))
		close(fd);
	attr_dummy(s, &attr);
	attr.inherit = attr.inherit_thread = 1;
	fd = perf_open(&attr, 0, -1);
	if ((s->has.inherit_thread = fd >= 0))
		close(fd);
	attr_dummy(s, &attr);
	attr.mmap2 = attr.build_id = 1;
	fd = perf_open(&attr, 0, -1);
	if ((s->has.build_id = fd >= 0))
		close(fd);
	attr_dummy(s, &attr);
	attr.ksymbol = 1;
	fd = perf_open(&attr, 0, -1);
	if ((s->has.ksymbol = fd >= 0))
		close(fd);
	attr_dummy(s, &attr);
	attr.inherit = 1;
	attr.sample_type |= PERF_SAMPLE_READ;
	fd = perf_open(&attr, 0, -1);
	if ((s->has.inherit_read = fd >= 0))
		close(fd);
	s->has.exits = -EAGAIN;
}

static void attr_inherit(const struct perf_session *s, struct perf_event_attr *attr, bool descend)
{
	attr->inherit = 1;
	attr->inherit_thread = !descend && s->has.inherit_thread;
}

void perf_attr_of_pmc(const struct perf_session *s, const struct perf_pmc *p,
		      struct perf_event_attr *attr)
{
	const struct pmc *pmc = p->pmc;
	const struct pmc_eventspec *e = &pmc->event;

	attr_init(s, attr);
	attr->type = e->type;
	attr->config = e->config;
	attr->config1 = e->config1;
	attr->config2 = e->config2;
	attr->precise_ip = e->precise;
	attr->exclude_kernel = e->exclude_kernel;
	attr->exclude_user = e->exclude_user;
	attr->exclude_hv = !p->no_exclude && !e->hypervisor;
	attr->exclude_guest = !p->no_exclude && !e->guest;
	attr->exclude_host = e->guest && !e->host;
	/* In process scope it is no target. */
	attr->exclude_idle = e->not_idle && PMC_IS_SYSTEM_MODE(pmc->mode);
	attr->exclude_callchain_kernel = e->exclude_kernel;
	/* The first event of a group says how all of it starts, stops and takes turns. */
	attr->disabled = !pmc->leader;
	attr->enable_on_exec = pmc->flags & PMC_F_START_ON_EXEC && !pmc->leader;
	attr->pinned = pmc->flags & PMC_F_NO_SHARING && !perf_has_tellers(pmc) && !pmc->leader;
	attr->exclusive = e->exclusive && !perf_has_tellers(pmc);
	if (PMC_IS_VIRTUAL_MODE(pmc->mode))
		attr_inherit(s, attr, pmc->flags & PMC_F_DESCENDANTS);
	attr->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (PMC_IS_COUNTING_MODE(pmc->mode)) {
		attr->read_format &= ~PERF_FORMAT_LOST_BIT;
		return;
	}
	if (pmc->flags & PMC_F_CALLCHAIN) {
		attr->sample_type |= PERF_SAMPLE_CALLCHAIN;
		attr->sample_max_stack =
			(uint16_t)(pmc->max_depth < s->max_stack ? pmc->max_depth : s->max_stack);
		attr->exclude_callchain_user = pmc->unwind == PMC_UNWIND_OFF;
	}
	if (p->unwinds)
		perf_window_attr(pmc, s->ring_pages * (size_t)s->page_size, attr);
	attr->freq = !!(pmc->flags & PMC_F_FREQUENCY);
	attr->sample_period = pmc->rate;
}

bool perf_has_tellers(const struct pmc *pmc)
{
	return pmc->flags & PMC_F_LOG_PROCCSW ||
	       (pmc->flags & PMC_F_LOG_PROCEXIT && pmc->flags & PMC_F_DESCENDANTS);
}

/* Each is a sample, which has the counts of all of its group. */
static void attr_teller(const struct perf_session *s, const struct perf_pmc *p,
			struct perf_event_attr *attr)
{
	attr_init(s, attr);
	attr->sample_period = 1;
	attr->sample_type |= PERF_SAMPLE_READ;
	attr->read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID;
	attr->enable_on_exec = !!(p->pmc->flags & PMC_F_START_ON_EXEC);
	attr_inherit(s, attr, p->pmc->flags & PMC_F_DESCENDANTS);
}

void perf_attr_of_switches(const struct perf_session *s, const struct perf_pmc *p,
			   struct perf_event_attr *attr)
{
	attr_teller(s, p, attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	attr->pinned = !!(p->pmc->flags & PMC_F_NO_SHARING);
	attr->exclusive = p->pmc->event.exclusive;
}

void perf_attr_of_watcher(const struct perf_session *s, const struct perf_pmc *p,
			  struct perf_event_attr *attr)
{
	perf_attr_of_switches(s, p, attr);
	attr->read_format = PERF_FORMAT_ID;
	attr->pinned = attr->exclusive = 0;
}

void perf_attr_of_exits(const struct perf_session *s, const struct perf_pmc *p,
			struct perf_event_attr *attr)
{
	attr_teller(s, p, attr);
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = p->exit_event;
}

void perf_attr_of_sideband(const struct perf_session *s, bool system, bool descend,
			   struct perf_event_attr *attr)
{
	attr_dummy(s, attr);
	attr->mmap = attr->mmap2 = 1;
	attr->build_id = s->has.build_id;
	attr->comm = attr->comm_exec = 1;
	attr->task = 1;
	if (system)
		attr->ksymbol = s->has.ksymbol;
	else
		attr_inherit(s, attr, descend);
}

static int map_ring(const struct perf_session *s, struct perf_ring *ring, size_t pages)
{
	size_t bytes = (pages + 1) * (size_t)s->page_size;
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);

	if (p == MAP_FAILED)
		return -errno;
	ring->ctl = p;
	ring->data = (unsigned char *)p + s->page_size;
	ring->size = pages * (size_t)s->page_size;
	ring->map_size = bytes;
	return 0;
}

/*
 * A ring belongs to an idle event on ourselves, so that it outlives every target and every PMC and
 * needs no privilege: an event of any task may write to a ring of its CPU.  1: it does not fit.
 */
static int open_ring(struct perf_session *s, int cpu, struct err *err)
{
	struct perf_ring *ring = calloc(1, sizeof(*ring));
	struct perf_event_attr attr;
	int r;

	if (!ring || vec_reserve(&s->rings, s->rings.n + 1)) {
		free(ring);
		return err_nomem(err);
	}
	attr_dummy(s, &attr);
	ring->cpu = cpu;
	ring->fd = perf_open(&attr, getpid(), cpu);
	if (ring->fd < 0) {
		r = ring->fd;
		free(ring);
		/* A CPU that went off since we looked has nothing to tell. */
		return r == -ENODEV ? 0 : perf_errors_open(s, err, -r, NULL, getpid(), cpu);
	}
	r = map_ring(s, ring, s->ring_pages);
	if (!r) {
		s->rings.v[s->rings.n++] = ring;
		return 0;
	}
	close(ring->fd);
	free(ring);
	if ((r == -EPERM || r == -ENOMEM) && s->ring_pages > 1)
		return 1;
	return perf_errors_ring(s, err, -r, cpu);
}

/*
 * The rings of all CPUs have one size, the largest that the kernel allows: it refuses with EPERM
 * what is above perf_event_mlock_kb and RLIMIT_MEMLOCK together.
 */
int perf_rings_open(struct perf_session *s, struct err *err)
{
	int *cpu, r = 0;

	if (s->rings.n)
		return 0;
	s->merge.heap = calloc(s->online.cpus.n, sizeof(struct perf_ring *));
	if (!s->merge.heap)
		return err_nomem(err);
	for (;;) {
		vec_each(cpu, &s->online.cpus)
			if (!r)
				r = open_ring(s, *cpu, err);
		if (!r)
			break;
		perf_rings_free(s);
		if (r < 0)
			return r;
		s->ring_pages /= 2;
		s->merge.heap = calloc(s->online.cpus.n, sizeof(struct perf_ring *));
		if (!s->merge.heap)
			return err_nomem(err);
		r = 0;
	}
	perf_pump_wake(s);
	return 0;
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

int perf_open_to_ring(struct perf_session *s, struct perf_event_attr *attr, pid_t pid,
		      const struct perf_ring *ring, int lead, pid_t target, uint32_t owner,
		      struct perf_fds *fds)
{
	uint64_t id;
	int error, fd = perf_open_grouped(attr, pid, ring->cpu, lead);

	if (fd < 0)
		return fd;
	if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) || ioctl(fd, PERF_EVENT_IOC_ID, &id)) {
		error = -errno;
		close(fd);
		return error;
	}
	if (perf_record_add_id(&s->records, id, owner) ||
	    vec_push(&fds->v, (struct perf_fd){fd, ring->cpu, target})) {
		close(fd);
		return -ENOMEM;
	}
	return 0;
}

/* Of the execs of the whole machine, each at once. */
static void attr_of_execs(const struct perf_session *s, uint64_t tracepoint,
			  struct perf_event_attr *attr)
{
	attr_init(s, attr);
	attr->type = PERF_TYPE_TRACEPOINT;
	attr->config = tracepoint;
	attr->sample_period = 1;
	attr->disabled = 0;
	attr->watermark = 0;
	attr->wakeup_events = 1;
	attr->read_format = 0;
	if (!STACK_POINTER)
		return;
	attr->sample_type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	attr->sample_regs_user = STACK_POINTER;
	attr->sample_stack_user = EXEC_STACK_BYTES;
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
	if (!map_ring(s, ring, EXEC_RING_BYTES / (size_t)s->page_size))
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
	attr_of_execs(s, event.config, &attr);
	execs->merge.heap = calloc(s->online.cpus.n, sizeof(struct perf_ring *));
	if (!execs->merge.heap || vec_reserve(&execs->rings, s->online.cpus.n))
		return;
	vec_each(cpu, &s->online.cpus) {
		ring = open_exec_ring(s, &attr, *cpu);
		if (ring)
			execs->rings.v[execs->rings.n++] = ring;
	}
}

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
	perf_fds_ioctl(&p->tellers, target, request);
	if (request == PERF_EVENT_IOC_ENABLE)
		perf_fds_ioctl(&p->watchers, target, request);
}

void perf_pmc_close(struct perf_session *s, struct perf_pmc *p, pid_t target)
{
	struct pmc *const *m;

	vec_each(m, &p->pmc->members)
		perf_fds_close(s, &((struct perf_pmc *)(*m)->priv)->fds, target);
	perf_fds_close(s, &p->fds, target);
	perf_fds_close(s, &p->tellers, target);
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
