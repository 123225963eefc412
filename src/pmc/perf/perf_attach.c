// SPDX-License-Identifier: BSD-2-Clause
/*
 * An event is inherited by the threads that its thread creates from then on.  So while threads are
 * being attached one by one, a thread that appears may or may not have come with events.  The
 * side-band tells: its events are opened first on every thread, so that a thread born of an
 * attached one has a FORK record whose time says what it inherited.  A thread that is listed and
 * has no such record was born of one that was not attached yet (perf_coverage.c).
 */
#include "pmc/perf/perf_attach.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "pmc/perf/perf_errors.h"

/* How often a whole attach is tried that met a thread at its birth. */
enum { TRIES_MAX = 5 };

/* A thread is listed a moment before its FORK record is written. */
static const struct timespec record_delay = {0, 5000000};

/* Whether the processes that the target has created and will create are covered with it. */
static bool descends(const struct perf_attach *a)
{
	return a->p ? a->p->pmc->flags & PMC_F_DESCENDANTS : a->target->descend;
}

/* Opens the side-band of a thread: on every CPU, at once on.  0 or -errno. */
static int open_sideband(struct perf_attach *a, pid_t tid)
{
	struct perf_rings *rings = a->targets->rings;
	size_t i;
	int r;

	for (i = 0; i < rings->v.n; i++) {
		r = perf_rings_open_event(rings, &a->sideband,
					  &(struct perf_spot){tid, rings->v.v[i], -1},
					  a->target->pid, a->target->source, &a->target->fds);
		if (r && r != -ENODEV) {
			a->error_cpu = rings->v.v[i]->cpu;
			return r;
		}
	}
	return 0;
}

/* An event of a PMC, that writes to a ring. */
static int open_to_ring(const struct perf_attach *a, struct perf_event_attr *attr,
			const struct perf_spot *spot, const struct perf_pmc *p,
			struct perf_fds *fds)
{
	return perf_rings_open_event(a->targets->rings, attr, spot, a->target->pid, p->source, fds);
}

/* An event without a ring, on all CPUs. */
static int open_plain(const struct perf_attach *a, struct perf_event_attr *attr, pid_t tid,
		      int lead, struct perf_fds *fds)
{
	int fd = perf_open_grouped(attr, tid, -1, lead);

	if (fd < 0)
		return fd;
	if (vec_push(&fds->v, (struct perf_fd){fd, -1, a->target->pid})) {
		close(fd);
		return -ENOMEM;
	}
	return 0;
}

/* How many events each PMC of the group has. */
static void cut_group(const struct perf_attach *a, size_t n)
{
	struct pmc *const *m;

	perf_rings_cut_events(a->targets->rings, &a->p->fds, n);
	vec_each(m, &a->p->pmc->members)
		perf_rings_cut_events(a->targets->rings, &((struct perf_pmc *)(*m)->priv)->fds, n);
}

/* The events of the members beside the last of their leader; that goes too where one fails. */
static int open_members(struct perf_attach *a, pid_t tid, const struct perf_ring *ring)
{
	const struct perf_fds *fds = &a->p->fds;
	struct perf_attach_member *m;
	int r = 0;

	vec_each(m, &a->members) {
		const struct perf_spot spot = {tid, ring, fds->v.v[fds->v.n - 1].fd};

		r = ring ? open_to_ring(a, &m->attr, &spot, m->p, &m->p->fds)
			 : open_plain(a, &m->attr, tid, spot.lead, &m->p->fds);
		if (!r)
			continue;
		a->error_pmc = m->p;
		cut_group(a, fds->v.n - 1);
		break;
	}
	return r;
}

static int open_counting(struct perf_attach *a, pid_t tid)
{
	int r = open_plain(a, &a->attr, tid, -1, &a->p->fds);

	a->error_cpu = -1;
	return r ? r : open_members(a, tid, NULL);
}

/* The event for a CPU, in a group with those that tell its count. */
static int open_on_cpu(struct perf_attach *a, pid_t tid, const struct perf_ring *ring)
{
	struct perf_spot alone = {tid, ring, -1}, grouped = alone;
	struct perf_pmc *p = a->p;
	int r;

	if (perf_logs_counts(p->pmc)) {
		r = open_to_ring(a, &a->switches, &alone, p, &p->samplers);
		if (r)
			return r;
		grouped.lead = p->samplers.v.v[p->samplers.v.n - 1].fd;
		r = open_to_ring(a, &a->exits, &grouped, p, &p->samplers);
		if (r)
			return r;
	}
	r = open_to_ring(a, &a->attr, &grouped, p, &p->fds);
	if (!r && p->tally && p->tally->shares && p->pmc->flags & PMC_F_LOG_PROCCSW)
		r = open_to_ring(a, &a->watcher, &alone, p, &p->watchers);
	return r ? r : open_members(a, tid, ring);
}

static int open_on_cpus(struct perf_attach *a, pid_t tid)
{
	int *cpu, r;

	vec_each(cpu, &a->cpus.cpus) {
		const struct perf_ring *ring = perf_rings_find(a->targets->rings, *cpu);

		r = ring ? open_on_cpu(a, tid, ring) : 0;
		if (r && r != -ENODEV) {
			a->error_cpu = *cpu;
			return r;
		}
	}
	return 0;
}

static struct perf_coverage_view sideband_view(const struct perf_attach *a)
{
	return (struct perf_coverage_view){.coverage = &a->targets->sideband,
					   .tasks = &a->targets->rings->records.tasks,
					   .without = a->p ? 0 : a->without};
}

/* Unless it has it: what two tell is told twice, so in doubt it is opened.  0 or -errno. */
static int cover_sideband(struct perf_attach *a, const struct proc_thread *t)
{
	const struct perf_coverage_view view = sideband_view(a);
	struct perf_cover cover = {.tid = t->tid,
				   .pid = t->pid,
				   .target = a->target->pid,
				   .descend = a->target->descend,
				   .begin = perf_now()};
	int r;

	if (a->targets->system_fds.v.n || perf_coverage_of(&view, t->tid) == PERF_COVERED)
		return 0;
	r = open_sideband(a, t->tid);
	cover.end = perf_now();
	if (r && r != -ESRCH)
		return r;
	return perf_coverage_note(&a->targets->sideband, &cover) ? -ENOMEM : 0;
}

/* 0 also when the thread is gone; else -errno. */
static int open_thread(void *arg, const struct proc_thread *t)
{
	struct perf_attach *a = arg;
	struct perf_cover cover = {
		.tid = t->tid, .pid = t->pid, .target = a->target->pid, .descend = descends(a)};
	int r = cover_sideband(a, t);

	if (r || !a->p)
		return r;
	cover.begin = perf_now();
	r = PMC_IS_SAMPLING_MODE(a->p->pmc->mode) || perf_logs_counts(a->p->pmc)
		    ? open_on_cpus(a, t->tid)
		    : open_counting(a, t->tid);
	cover.end = perf_now();
	if (a->p->tally)
		perf_tally_attach(a->p->tally, (uint32_t)t->pid);
	if (r && r != -ESRCH)
		return r;
	/* One that is dead but listed is noted too, lest it be tried for ever. */
	a->opened += !r;
	return perf_coverage_note(&a->p->coverage, &cover) ? -ENOMEM : 0;
}

static void drop_pump(const struct perf_targets *ts, struct proc_threads *list)
{
	size_t i;

	for (i = list->threads.n; i-- > 0;)
		if (list->threads.v[i].tid == ts->pump_tid)
			vec_remove(&list->threads, i, 1);
}

/* The threads of the target but our own, with descendants those of the whole tree. */
static int list_threads(void *arg, struct proc_threads *list)
{
	const struct perf_attach *a = arg;
	struct proc_pids pids = {0};
	pid_t *pid;
	int r;

	r = descends(a) ? proc_list_tree(a->target->pid, &pids)
			: vec_push(&pids.pids, a->target->pid);
	vec_each(pid, &pids.pids)
		if (!r)
			r = proc_list_threads(*pid, list);
	r = r ? -errno : 0;
	vec_free(&pids.pids);
	drop_pump(a->targets, list);
	return r;
}

static void drain_records(void *arg)
{
	const struct perf_attach *a = arg;

	perf_rings_drain(a->targets->rings, perf_now());
}

static void await_record(void *arg)
{
	(void)arg;
	nanosleep(&record_delay, NULL);
}

static const struct perf_coverage_ops attach_ops = {.list = list_threads,
						    .lives = proc_thread_lives,
						    .drain = drain_records,
						    .wait = await_record,
						    .open = open_thread};

/* Whether nobody has the FORK records of the target's threads come. */
static bool is_untold(struct perf_attach *a)
{
	const struct perf_coverage_view view = sideband_view(a);
	struct proc_threads list = {0};
	const struct proc_thread *t;
	bool untold = !a->targets->system_fds.v.n && !list_threads(a, &list);

	vec_each(t, &list.threads)
		untold &= perf_coverage_of(&view, t->tid) == PERF_UNCOVERED;
	vec_free(&list.threads);
	return untold;
}

struct perf_attach_extent perf_attach_extent(const struct perf_attach *a)
{
	const struct perf_pmc *p = a->p;

	if (!p)
		return (struct perf_attach_extent){a->targets->sideband.v.n, a->target->fds.v.n, 0,
						   0};
	return (struct perf_attach_extent){p->coverage.v.n, p->fds.v.n, p->samplers.v.n,
					   p->watchers.v.n};
}

void perf_attach_cut(const struct perf_attach *a, const struct perf_attach_extent *e)
{
	struct perf_pmc *p = a->p;

	perf_coverage_cut(p ? &p->coverage : &a->targets->sideband, e->notes);
	if (!p) {
		perf_rings_cut_events(a->targets->rings, &a->target->fds, e->fds);
		return;
	}
	cut_group(a, e->fds);
	perf_rings_cut_events(a->targets->rings, &p->samplers, e->samplers);
	perf_rings_cut_events(a->targets->rings, &p->watchers, e->watchers);
}

int perf_attach_cover(struct perf_attach *a)
{
	const struct perf_coverage *coverage = a->p ? &a->p->coverage : &a->targets->sideband;
	const struct perf_attach_extent before = perf_attach_extent(a);
	unsigned int tries;
	int r;

	a->run = (struct perf_coverage_run){
		.view = {coverage, &a->targets->rings->records.tasks, a->without,
			 is_untold(a) ? perf_now() : 0},
		.ops = &attach_ops,
		.arg = a,
	};
	for (tries = 1;; tries++) {
		a->run.takes_unclear = tries == TRIES_MAX;
		a->opened = 0;
		r = perf_coverage_complete(&a->run);
		if (!r)
			break;
		perf_attach_cut(a, &before);
		if (r != PERF_COVERAGE_UNCLEAR)
			return r;
	}
	a->targets->rings->records.stats->partial += a->run.partial;
	return 0;
}

static int prepare_members(struct perf_attach *a)
{
	struct pmc *const *m;

	vec_each(m, &a->p->pmc->members) {
		struct perf_attach_member member = {.p = (*m)->priv};

		perf_attr_of_pmc(&a->targets->rings->machine, member.p, &member.attr);
		if (vec_push(&a->members, member))
			return -1;
	}
	return 0;
}

void perf_attach_fini(struct perf_attach *a)
{
	vec_free(&a->cpus.cpus);
	vec_free(&a->members);
}

int perf_attach_init(struct perf_attach *a, struct err *err)
{
	const struct perf_machine *m = &a->targets->rings->machine;
	const struct pmc *pmc = a->p ? a->p->pmc : NULL;
	int *cpu;

	perf_attr_of_sideband(m, false, a->target->descend, &a->sideband);
	a->sideband.disabled = 0;
	if (!pmc)
		return 0;
	perf_attr_of_pmc(m, a->p, &a->attr);
	perf_attr_of_switches(m, a->p, &a->switches);
	perf_attr_of_exits(m, a->p, &a->exits);
	perf_attr_of_watcher(m, a->p, &a->watcher);
	if (prepare_members(a))
		return err_nomem(err);
	if (pmc->event.cpus[0] && !proc_parse_cpus(pmc->event.cpus, &a->cpus))
		return err_set(err, EX_SOFTWARE, "%s: \"%s\" is no list of CPUs", pmc->event.name,
			       pmc->event.cpus);
	if (!a->cpus.cpus.n)
		vec_each(cpu, &m->online.cpus)
			if (vec_push(&a->cpus.cpus, *cpu))
				return err_nomem(err);
	return 0;
}

int perf_attach_failed(const struct perf_attach *a, int r, struct err *err)
{
	const struct perf_targets *ts = a->targets;
	const struct perf_failure failure = {.error = -r,
					     .pmc = a->error_pmc ? a->error_pmc : a->p,
					     .pid = a->target->pid,
					     .cpu = a->error_cpu};

	if (r != PERF_COVERAGE_ENDLESS)
		return perf_errors_open(&ts->rings->machine, ts->pmcs, &failure, err);
	err_set(err, EX_TEMPFAIL,
		"process %d creates threads faster than they can be attached: %zu of them had no "
		"events yet when it was given up",
		(int)a->target->pid, a->run.left);
	return err_hint(err, "stop it while it is attached, or attach to it before it begins");
}
