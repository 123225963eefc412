// SPDX-License-Identifier: BSD-2-Clause
/*
 * Targets: events on every thread of a process, none missed and none doubled.
 *
 * An event is inherited by the threads that its thread creates from then on.  So while threads are
 * being attached one by one, a thread that appears may or may not have come with events.  The
 * side-band tells: its events are opened first on every thread, so that a thread born of an
 * attached one has a FORK record whose time says what it inherited.  A thread that is listed and
 * has no such record was born of one that was not attached yet (perf_coverage.c).
 *
 * Events that a thread inherited go with those of the attach that they came from.  So before an
 * attach ends, what it alone had covered of other attaches is given events of theirs.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "pmc/perf/perf_errors.h"
#include "pmc/perf/perf_session.h"
#include "pmc/perf/proc_snapshot.h"

/* How often a whole attach is tried that met a thread at its birth. */
enum { TRIES_MAX = 5 };

/* A thread is listed a moment before its FORK record is written. */
static const struct timespec record_delay = {0, 5000000};

/* Of the PMC's group, one that it leads. */
struct member {
	struct perf_pmc *p;
	struct perf_event_attr attr;
};

struct attach {
	struct perf_session *s;
	struct perf_pmc *p; /* NULL: the side-band alone */
	pid_t pid;
	struct perf_target *target;
	bool descend;
	pid_t without; /* an attach that is about to end, 0: none */
	struct perf_event_attr attr, sideband, switches, exits, watcher;
	VEC(struct member) members;
	struct proc_cpus cpus; /* of the PMC's events */
	size_t opened;	       /* threads */
	int error_cpu;	       /* where an event could not be opened */
	const struct perf_pmc *error_pmc; /* whose that was; NULL: p's */
};

/* Opens the side-band of a thread: on every CPU, at once on.  0 or -errno. */
static int open_sideband(struct attach *a, pid_t tid)
{
	struct perf_session *s = a->s;
	size_t i;
	int r;

	for (i = 0; i < s->rings.v.n; i++) {
		r = perf_rings_open_event(&s->rings, &a->sideband,
					  &(struct perf_spot){tid, s->rings.v.v[i], -1}, a->pid,
					  a->target->source, &a->target->fds);
		if (r && r != -ENODEV) {
			a->error_cpu = s->rings.v.v[i]->cpu;
			return r;
		}
	}
	return 0;
}

/* An event without a ring, on all CPUs. */
static int open_plain(const struct attach *a, struct perf_event_attr *attr, pid_t tid, int lead,
		      struct perf_fds *fds)
{
	int fd = perf_open_grouped(attr, tid, -1, lead);

	if (fd < 0)
		return fd;
	if (vec_push(&fds->v, (struct perf_fd){fd, -1, a->pid})) {
		close(fd);
		return -ENOMEM;
	}
	return 0;
}

/* How many events each PMC of the group has. */
static void cut_group(const struct attach *a, size_t n)
{
	struct pmc *const *m;

	perf_rings_cut_events(&a->s->rings, &a->p->fds, n);
	vec_each(m, &a->p->pmc->members)
		perf_rings_cut_events(&a->s->rings, &((struct perf_pmc *)(*m)->priv)->fds, n);
}

/* The events of the members beside the last of their leader; that goes too where one fails. */
static int open_members(struct attach *a, pid_t tid, const struct perf_ring *ring)
{
	const struct perf_fds *fds = &a->p->fds;
	struct member *m;
	int r = 0;

	vec_each(m, &a->members) {
		const struct perf_spot spot = {tid, ring, fds->v.v[fds->v.n - 1].fd};

		r = ring ? perf_rings_open_event(&a->s->rings, &m->attr, &spot, a->pid,
						 m->p->source, &m->p->fds)
			 : open_plain(a, &m->attr, tid, spot.lead, &m->p->fds);
		if (!r)
			continue;
		a->error_pmc = m->p;
		cut_group(a, fds->v.n - 1);
		break;
	}
	return r;
}

static int open_counting(struct attach *a, pid_t tid)
{
	int r = open_plain(a, &a->attr, tid, -1, &a->p->fds);

	a->error_cpu = -1;
	return r ? r : open_members(a, tid, NULL);
}

/* The event for a CPU, in a group with those that tell its count. */
static int open_on_cpu(struct attach *a, pid_t tid, const struct perf_ring *ring)
{
	struct perf_spot alone = {tid, ring, -1}, grouped = alone;
	struct perf_pmc *p = a->p;
	int r;

	if (perf_logs_counts(p->pmc)) {
		r = perf_rings_open_event(&a->s->rings, &a->switches, &alone, a->pid, p->source,
					  &p->samplers);
		if (r)
			return r;
		grouped.lead = p->samplers.v.v[p->samplers.v.n - 1].fd;
		r = perf_rings_open_event(&a->s->rings, &a->exits, &grouped, a->pid, p->source,
					  &p->samplers);
		if (r)
			return r;
	}
	r = perf_rings_open_event(&a->s->rings, &a->attr, &grouped, a->pid, p->source, &p->fds);
	if (!r && p->tally && p->tally->shares && p->pmc->flags & PMC_F_LOG_PROCCSW)
		r = perf_rings_open_event(&a->s->rings, &a->watcher, &alone, a->pid, p->source,
					  &p->watchers);
	return r ? r : open_members(a, tid, ring);
}

static int open_on_cpus(struct attach *a, pid_t tid)
{
	struct perf_session *s = a->s;
	int *cpu, r;

	vec_each(cpu, &a->cpus.cpus) {
		const struct perf_ring *ring = perf_rings_find(&s->rings, *cpu);

		r = ring ? open_on_cpu(a, tid, ring) : 0;
		if (r && r != -ENODEV) {
			a->error_cpu = *cpu;
			return r;
		}
	}
	return 0;
}

static struct perf_coverage_view sideband_view(const struct attach *a)
{
	return (struct perf_coverage_view){.coverage = &a->s->sideband,
					   .tasks = &a->s->rings.records.tasks,
					   .without = a->p ? 0 : a->without};
}

/* Unless it has it: what two tell is told twice, so in doubt it is opened.  0 or -errno. */
static int cover_sideband(struct attach *a, const struct proc_thread *t)
{
	const struct perf_coverage_view view = sideband_view(a);
	struct perf_cover cover = {.tid = t->tid,
				   .pid = t->pid,
				   .target = a->pid,
				   .descend = a->target->descend,
				   .begin = perf_now()};
	int r;

	if (a->s->system_fds.v.n || perf_coverage_of(&view, t->tid) == PERF_COVERED)
		return 0;
	r = open_sideband(a, t->tid);
	cover.end = perf_now();
	if (r && r != -ESRCH)
		return r;
	return perf_coverage_note(&a->s->sideband, &cover) ? -ENOMEM : 0;
}

/* 0 also when the thread is gone; else -errno. */
static int open_thread(void *arg, const struct proc_thread *t)
{
	struct attach *a = arg;
	struct perf_cover cover = {
		.tid = t->tid, .pid = t->pid, .target = a->pid, .descend = a->descend};
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

static void drop_pump(const struct perf_session *s, struct proc_threads *list)
{
	size_t i;

	for (i = list->threads.n; i-- > 0;)
		if (list->threads.v[i].tid == s->pump_tid)
			vec_remove(&list->threads, i, 1);
}

/* The threads of the target but our own, with descendants those of the whole tree. */
static int list_threads(void *arg, struct proc_threads *list)
{
	const struct attach *a = arg;
	struct proc_pids pids = {0};
	pid_t *pid;
	int r;

	r = a->descend ? proc_list_tree(a->pid, &pids) : vec_push(&pids.pids, a->pid);
	vec_each(pid, &pids.pids)
		if (!r)
			r = proc_list_threads(*pid, list);
	r = r ? -errno : 0;
	vec_free(&pids.pids);
	drop_pump(a->s, list);
	return r;
}

static void drain_records(void *arg)
{
	struct perf_session *s = ((struct attach *)arg)->s;

	perf_rings_drain(&s->rings, perf_now());
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
static bool is_untold(struct attach *a)
{
	const struct perf_coverage_view view = sideband_view(a);
	struct proc_threads list = {0};
	const struct proc_thread *t;
	bool untold = !a->s->system_fds.v.n && !list_threads(a, &list);

	vec_each(t, &list.threads)
		untold &= perf_coverage_of(&view, t->tid) == PERF_UNCOVERED;
	vec_free(&list.threads);
	return untold;
}

/* How much is open: of the PMC, or without one of the target's side-band. */
struct extent {
	size_t notes, fds, samplers, watchers;
};

static struct extent extent_of(const struct attach *a)
{
	const struct perf_pmc *p = a->p;

	if (!p)
		return (struct extent){a->s->sideband.v.n, a->target->fds.v.n, 0, 0};
	return (struct extent){p->coverage.v.n, p->fds.v.n, p->samplers.v.n, p->watchers.v.n};
}

/* Closes what was opened since. */
static void cut_to(const struct attach *a, const struct extent *e)
{
	struct perf_pmc *p = a->p;

	perf_coverage_cut(p ? &p->coverage : &a->s->sideband, e->notes);
	if (!p) {
		perf_rings_cut_events(&a->s->rings, &a->target->fds, e->fds);
		return;
	}
	cut_group(a, e->fds);
	perf_rings_cut_events(&a->s->rings, &p->samplers, e->samplers);
	perf_rings_cut_events(&a->s->rings, &p->watchers, e->watchers);
}

/*
 * Opens the PMC's events, or without one the side-band, on all threads of the target that have
 * none.  0, -errno or PERF_COVERAGE_ENDLESS; then what was opened here is closed.
 */
static int cover_target(struct attach *a, struct perf_coverage_run *run)
{
	const struct perf_coverage *coverage = a->p ? &a->p->coverage : &a->s->sideband;
	const struct extent before = extent_of(a);
	unsigned int tries;
	int r;

	*run = (struct perf_coverage_run){
		.view = {coverage, &a->s->rings.records.tasks, a->without,
			 is_untold(a) ? perf_now() : 0},
		.ops = &attach_ops,
		.arg = a,
	};
	for (tries = 1;; tries++) {
		run->takes_unclear = tries == TRIES_MAX;
		a->opened = 0;
		r = perf_coverage_complete(run);
		if (!r)
			break;
		cut_to(a, &before);
		if (r != PERF_COVERAGE_UNCLEAR)
			return r;
	}
	a->s->c->stats.partial += run->partial;
	return 0;
}

static void target_free(struct perf_session *s, struct perf_target *t)
{
	perf_rings_close_events(&s->rings, &t->fds, 0);
	perf_ran_fini(&t->ran);
	free(t);
}

void perf_targets_free(struct perf_session *s)
{
	size_t i;

	for (i = 0; i < s->targets.n; i++)
		target_free(s, s->targets.v[i]);
	vec_free(&s->targets);
}

static struct perf_target *find_target(const struct perf_session *s, pid_t pid)
{
	size_t i;

	for (i = 0; i < s->targets.n; i++)
		if (s->targets.v[i]->pid == pid)
			return s->targets.v[i];
	return NULL;
}

/* A side-band that follows children takes the place of one that does not. */
static struct perf_target *target_of(struct perf_session *s, const struct pmc *pmc, pid_t pid)
{
	bool descend = pmc->flags & PMC_F_DESCENDANTS;
	struct perf_target *t = find_target(s, pid);
	struct perf_source source = {.pmcid = pmc->id, .flags = pmc->flags & PMC_F_DESCENDANTS};
	uint32_t index;

	if (t && (t->descend || !descend))
		return t;
	index = perf_record_add_source(&s->rings.records, &source);
	if (index == UINT32_MAX)
		return NULL;
	if (t) {
		perf_rings_close_events(&s->rings, &t->fds, 0);
		perf_coverage_forget(&s->sideband, pid);
	} else {
		t = calloc(1, sizeof(*t));
		if (!t || vec_push(&s->targets, t)) {
			free(t);
			return NULL;
		}
		t->pid = pid;
		t->on_exec = true;
	}
	t->descend = descend;
	t->snapshotted = false;
	t->source = index;
	return t;
}

static void target_unuse(struct perf_session *s, pid_t pid)
{
	size_t i;

	for (i = 0; i < s->targets.n; i++)
		if (s->targets.v[i]->pid == pid && !--s->targets.v[i]->users) {
			perf_coverage_forget(&s->sideband, pid);
			target_free(s, s->targets.v[i]);
			vec_remove(&s->targets, i, 1);
			return;
		}
}

static int prepare_members(struct attach *a)
{
	struct pmc *const *m;

	vec_each(m, &a->p->pmc->members) {
		struct member member = {.p = (*m)->priv};

		perf_attr_of_pmc(&a->s->rings.machine, member.p, &member.attr);
		if (vec_push(&a->members, member))
			return -1;
	}
	return 0;
}

static void attach_fini(struct attach *a)
{
	vec_free(&a->cpus.cpus);
	vec_free(&a->members);
}

/* The CPUs and attributes of what is to be opened. */
static int attach_prepare(struct attach *a, struct err *err)
{
	struct perf_session *s = a->s;
	const struct pmc *pmc = a->p ? a->p->pmc : NULL;
	int *cpu;

	perf_attr_of_sideband(&s->rings.machine, false, a->target->descend, &a->sideband);
	a->sideband.disabled = 0;
	if (!pmc)
		return 0;
	perf_attr_of_pmc(&s->rings.machine, a->p, &a->attr);
	perf_attr_of_switches(&s->rings.machine, a->p, &a->switches);
	perf_attr_of_exits(&s->rings.machine, a->p, &a->exits);
	perf_attr_of_watcher(&s->rings.machine, a->p, &a->watcher);
	if (prepare_members(a))
		return err_nomem(err);
	if (pmc->event.cpus[0] && !proc_parse_cpus(pmc->event.cpus, &a->cpus))
		return err_set(err, EX_SOFTWARE, "%s: \"%s\" is no list of CPUs", pmc->event.name,
			       pmc->event.cpus);
	if (!a->cpus.cpus.n)
		vec_each(cpu, &s->rings.machine.online.cpus)
			if (vec_push(&a->cpus.cpus, *cpu))
				return err_nomem(err);
	return 0;
}

/* What cover_target() has failed with, in words. */
static int cannot_cover(const struct attach *a, const struct perf_coverage_run *run, int r,
			struct err *err)
{
	const struct perf_failure failure = {.error = -r,
					     .pmc = a->error_pmc ? a->error_pmc : a->p,
					     .pid = a->pid,
					     .cpu = a->error_cpu};

	if (r != PERF_COVERAGE_ENDLESS)
		return perf_errors_open(&a->s->rings.machine, &a->s->pmcs, &failure, err);
	err_set(err, EX_TEMPFAIL,
		"process %d creates threads faster than they can be attached: %zu of them had no "
		"events yet when it was given up",
		(int)a->pid, run->left);
	return err_hint(err, "stop it while it is attached, or attach to it before it begins");
}

/*
 * Side-bands that other targets have by inheritance from this one alone are opened anew, while this
 * is still on.  Where that fails their maps and forks are not told from here on.
 */
static void give_sideband_back(struct perf_session *s, const struct perf_target *leaving)
{
	struct perf_coverage_run run;
	size_t i;
	int r;

	if (!leaving->descend || leaving->users > 1 || s->system_fds.v.n)
		return;
	for (i = 0; i < s->targets.n; i++) {
		struct perf_target *t = s->targets.v[i];
		struct attach a = {.s = s,
				   .pid = t->pid,
				   .target = t,
				   .descend = t->descend,
				   .without = leaving->pid};

		if (t == leaving || attach_prepare(&a, NULL))
			continue;
		r = cover_target(&a, &run);
		s->c->stats.drops[PMCLOG_DROP_RECORD] += r && r != -ESRCH;
		if (!s->logging)
			perf_fds_ioctl(&t->fds, 0, PERF_EVENT_IOC_DISABLE);
	}
}

static void target_leave(struct perf_session *s, pid_t pid)
{
	const struct perf_target *t = find_target(s, pid);

	if (!t)
		return;
	give_sideband_back(s, t);
	target_unuse(s, pid);
}

/* Those of other targets that have the PMC's events by this one alone get events of their own. */
static int give_events_back(struct perf_session *s, struct perf_pmc *p, pid_t leaving,
			    struct err *err)
{
	const struct attach whole = {.s = s, .p = p};
	const struct extent before = extent_of(&whole);
	struct perf_coverage_run run;
	const pid_t *pid;
	int r = 0;

	if (!(p->pmc->flags & PMC_F_DESCENDANTS))
		return 0;
	vec_each(pid, &p->pmc->targets) {
		struct attach a = {.s = s,
				   .p = p,
				   .pid = *pid,
				   .target = find_target(s, *pid),
				   .descend = true,
				   .without = leaving};

		if (r || *pid == leaving || !a.target)
			continue;
		r = attach_prepare(&a, err);
		if (!r && (r = cover_target(&a, &run)))
			r = r == -ESRCH ? 0 : cannot_cover(&a, &run, r, err);
		attach_fini(&a);
	}
	if (r)
		cut_to(&whole, &before);
	return r ? -1 : 0;
}

/* Ends what an attach has opened of the PMC. */
static void close_target(struct perf_session *s, struct perf_pmc *p, pid_t pid)
{
	perf_rings_close_pmc(&s->rings, p, pid);
	perf_coverage_forget(&p->coverage, pid);
}

/* The target's side-band and the PMC's events; 0, or -1 with nothing opened. */
static int attach_target(struct attach *a, struct err *err)
{
	struct perf_coverage_run run = {0};
	int r = attach_prepare(a, err);

	if (r)
		return r;
	r = cover_target(a, &run);
	if (!r && !a->opened && !run.had)
		r = -ESRCH;
	/* The words are found with files open, so those of the attach are closed before. */
	if (r) {
		close_target(a->s, a->p, a->pid);
		return cannot_cover(a, &run, r, err);
	}
	if (a->s->logging && perf_snapshot(a->s, false, err)) {
		close_target(a->s, a->p, a->pid);
		return -1;
	}
	return 0;
}

int perf_attach(struct perf_session *s, struct perf_pmc *p, pid_t pid, struct err *err)
{
	struct attach a = {.s = s,
			   .p = p,
			   .pid = pid,
			   .descend = p->pmc->flags & PMC_F_DESCENDANTS};
	struct perf_failure failure;
	int r;

	if (perf_rings_open(&s->rings, &failure))
		return perf_errors_open(&s->rings.machine, &s->pmcs, &failure, err);
	a.target = target_of(s, p->pmc, pid);
	if (!a.target)
		return err_nomem(err);
	a.target->users++;
	a.target->on_exec &= !!(p->pmc->flags & PMC_F_START_ON_EXEC);
	perf_sideband_ioctl(s, PERF_EVENT_IOC_ENABLE);
	r = attach_target(&a, err);
	if (r)
		target_leave(s, pid);
	else if (p->pmc->running)
		perf_pmc_ioctl(p, pid, PERF_EVENT_IOC_ENABLE);
	if (!s->logging)
		perf_sideband_ioctl(s, PERF_EVENT_IOC_DISABLE);
	attach_fini(&a);
	return r;
}

/* What a target has counted is the PMC's. */
static void keep_count(struct perf_pmc *p, pid_t target)
{
	struct pmc_count sum;

	if (perf_pmc_sum(p, target, &sum))
		return;
	if (PMC_IS_COUNTING_MODE(p->pmc->mode))
		p->base += sum.value;
	p->enabled += sum.enabled;
	p->running += sum.running;
}

int perf_detach(struct perf_session *s, struct perf_pmc *p, pid_t pid, struct err *err)
{
	struct pmc *const *m;
	const pid_t *other;

	if (give_events_back(s, p, pid, err))
		return -1;
	perf_pmc_ioctl(p, pid, PERF_EVENT_IOC_DISABLE);
	vec_each(other, &p->pmc->targets)
		if (*other != pid && p->pmc->running)
			perf_pmc_ioctl(p, *other, PERF_EVENT_IOC_ENABLE);
	perf_rings_drain(&s->rings, perf_now());
	keep_count(p, pid);
	vec_each(m, &p->pmc->members)
		keep_count((*m)->priv, pid);
	close_target(s, p, pid);
	target_leave(s, pid);
	return 0;
}

void perf_detach_all(struct perf_session *s, struct perf_pmc *p)
{
	const pid_t *pid;

	perf_rings_close_pmc(&s->rings, p, 0);
	vec_each(pid, &p->pmc->targets)
		target_leave(s, *pid);
}

int perf_sideband_system(struct perf_session *s, struct err *err)
{
	struct perf_source source = {.pmcid = UINT32_MAX, .flags = PMC_F_DESCENDANTS};
	struct perf_failure failure;
	struct perf_event_attr attr;
	uint32_t index;
	size_t i;
	int r = 0;

	if (s->system_fds.v.n)
		return 0;
	if (perf_rings_open(&s->rings, &failure))
		return perf_errors_open(&s->rings.machine, &s->pmcs, &failure, err);
	index = perf_record_add_source(&s->rings.records, &source);
	if (index == UINT32_MAX)
		return err_nomem(err);
	perf_attr_of_sideband(&s->rings.machine, true, true, &attr);
	for (i = 0; i < s->rings.v.n; i++) {
		r = perf_rings_open_event(&s->rings, &attr,
					  &(struct perf_spot){-1, s->rings.v.v[i], -1}, 0, index,
					  &s->system_fds);
		if (!r || r == -ENODEV)
			continue;
		perf_rings_close_events(&s->rings, &s->system_fds, 0);
		failure =
			(struct perf_failure){.error = -r, .pid = -1, .cpu = s->rings.v.v[i]->cpu};
		return perf_errors_open(&s->rings.machine, &s->pmcs, &failure, err);
	}
	r = 0;
	if (s->logging) {
		perf_fds_ioctl(&s->system_fds, 0, PERF_EVENT_IOC_ENABLE);
		r = perf_snapshot(s, false, err);
	}
	for (i = 0; i < s->targets.n; i++)
		perf_rings_close_events(&s->rings, &s->targets.v[i]->fds, 0);
	perf_coverage_forget(&s->sideband, 0);
	return r;
}

void perf_sideband_ioctl(struct perf_session *s, unsigned long request)
{
	size_t i;

	perf_fds_ioctl(&s->system_fds, 0, request);
	for (i = 0; i < s->targets.n; i++)
		perf_fds_ioctl(&s->targets.v[i]->fds, 0, request);
}

static int snapshot_target(struct proc_snapshot *shot, const struct perf_session *s,
			   struct perf_target *t)
{
	struct proc_pids pids = {0};
	pid_t *pid;
	int r;

	t->ran.before.n = 0;
	r = t->descend ? proc_list_tree(t->pid, &pids) : vec_push(&pids.pids, t->pid);
	vec_each(pid, &pids.pids) {
		if (!r)
			r = perf_ran_begin(&t->ran, *pid, t->descend);
		if (!r)
			r = proc_snapshot_process(shot, *pid,
						  s->rings.records.sources.v[t->source].pmcid);
	}
	vec_free(&pids.pids);
	t->snapshotted = true;
	return r;
}

int perf_snapshot(struct perf_session *s, bool log_begins, struct err *err)
{
	struct proc_snapshot shot = {.writer = s->c->writer,
				     .images = s->rings.records.images,
				     .tasks = &s->rings.records.tasks,
				     .jit = &s->rings.records.jit,
				     .modules = &s->watch.modules,
				     .now = perf_now(),
				     .arguments = s->rings.records.execs.wanted};
	size_t i;
	int r = 0;

	perf_rings_drain(&s->rings, shot.now);
	if (log_begins) {
		/* The side-band may have been off since the last log: who lives is listed anew. */
		perf_tasks_clear(&s->rings.records.tasks);
		perf_jit_end_all(&s->rings.records.jit, NULL, 0);
		r = proc_snapshot_kernel(&shot);
	}
	if (!r && s->system_fds.v.n && !s->system_snapshotted) {
		r = proc_snapshot_all(&shot);
		s->system_snapshotted = true;
	}
	for (i = 0; !r && !s->system_fds.v.n && i < s->targets.n; i++)
		if (!s->targets.v[i]->snapshotted && !s->targets.v[i]->on_exec)
			r = snapshot_target(&shot, s, s->targets.v[i]);
	if (!r)
		return 0;
	r = errno;
	err_set(err, EX_OSERR, "what runs already cannot be read from /proc: %s", strerror(r));
	return err_errno(err, r);
}

void perf_tell_ran(struct perf_session *s, uint64_t now)
{
	struct perf_record_reader *r = &s->rings.records;
	struct perf_target *const *each;
	struct pmclog_times times;

	vec_each(each, &s->targets) {
		struct perf_target *t = *each;

		/* Whose a process is that descends from one of several nothing tells. */
		if (t->descend && s->targets.n > 1)
			continue;
		if (perf_ran_tell(&t->ran, t->pid, t->descend ? &r->tasks : NULL, &times))
			pmclog_write_detach(r->writer, now, r->sources.v[t->source].pmcid,
					    (uint32_t)t->pid, &times);
	}
}
