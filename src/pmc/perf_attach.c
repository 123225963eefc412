// SPDX-License-Identifier: BSD-2-Clause
/*
 * Targets: events on every thread of a process, none missed and none doubled.
 *
 * An event is inherited by the threads that its thread creates from then on.  So while threads are
 * being attached one by one, a thread that appears may or may not have come with events.  The
 * side-band tells: its events are opened first on every thread, so that a thread born of an
 * attached one has a FORK record whose time says what it inherited.  A thread that is listed and
 * has no such record was born of one that was not attached yet.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "pmc/perf_errors.h"
#include "pmc/perf_session.h"
#include "pmc/proc_snapshot.h"

enum {
	PASSES_MAX = 64,    /* lists of threads; the second is mostly the last */
	TRIES_MAX = 5,	    /* of a whole attach, see attach_once() */
	ANCESTORS_MAX = 64, /* steps from a thread to one that was attached */
};

/*
 * A thread is listed a moment before its FORK record is written, which its parent does when it next
 * runs: so long, and so often, a record is waited for before there is taken to be none.
 */
static const struct timespec record_delay = {0, 5000000};
enum { RECORD_WAITS = 20 };

struct attach {
	struct perf_session *s;
	struct perf_pmc *p;
	pid_t pid;
	struct perf_target *target; /* NULL: no side-band is needed */
	bool open_sideband;
	struct perf_event_attr attr, sideband, switches, exits, watcher;
	struct proc_cpus cpus; /* of the PMC's events */
	uint64_t begin;	       /* of the attach */
	size_t opened;	       /* threads */
	size_t covered;	       /* threads that had the PMC already, by another target */
	bool last_try;	       /* a thread that may have some of the events is left so */
	int error_cpu;	       /* where an event could not be opened */
};

enum inheritance { HAS_NOT, HAS, UNCLEAR };

/* The newest entry of a thread: ids are used again. */
static const struct perf_tid *latest(const struct perf_pmc *p, pid_t tid)
{
	const struct perf_tid *e, *found = NULL;
	struct table_iter it;
	uint32_t i, hash = hash_u64((uint64_t)tid);

	for (i = table_first(&p->by_tid, hash, &it); i != TABLE_NONE;
	     i = table_next(&p->by_tid, &it)) {
		e = &p->tids.v[i];
		if (e->tid == tid && (!found || e->begin > found->begin))
			found = e;
	}
	return found;
}

static int note_thread(struct perf_pmc *p, const struct perf_tid *t)
{
	if (p->tids.n >= TABLE_NONE || vec_push(&p->tids, *t))
		return -ENOMEM;
	return table_insert(&p->by_tid, hash_u64((uint64_t)t->tid), (uint32_t)(p->tids.n - 1))
		       ? -ENOMEM
		       : 0;
}

/* Whether a thread has the PMC, by itself or from an ancestor; since when, if so. */
static enum inheritance inherits(const struct attach *a, pid_t tid, unsigned int steps,
				 uint64_t *since)
{
	const struct perf_task *task = perf_tasks_find(&a->s->records.tasks, (uint32_t)tid);
	const struct perf_tid *e = latest(a->p, tid);
	uint64_t parent_since;
	enum inheritance parent;

	if (e && (!task || task->born <= e->end)) {
		*since = e->end;
		return HAS;
	}
	if (!task || !task->born || !task->parent || steps == ANCESTORS_MAX)
		return HAS_NOT;
	*since = task->born;
	e = latest(a->p, (pid_t)task->parent);
	if (e && task->born >= e->begin && task->born <= e->end)
		return UNCLEAR;
	/* A parent that is gone had the side-band, or there were no record, and so the PMC too. */
	if (!e && !perf_tasks_find(&a->s->records.tasks, task->parent) && a->open_sideband &&
	    task->born >= a->begin)
		return HAS;
	parent = inherits(a, (pid_t)task->parent, steps + 1, &parent_since);
	if (parent == HAS && task->born <= parent_since)
		return HAS_NOT;
	*since = task->born;
	return parent;
}

/* Opens the side-band of a thread: on every CPU, at once on.  0 or -errno. */
static int open_sideband(struct attach *a, pid_t tid)
{
	struct perf_session *s = a->s;
	size_t i;
	int r;

	for (i = 0; i < s->rings.n; i++) {
		r = perf_open_to_ring(s, &a->sideband, tid, s->rings.v[i], -1, a->pid,
				      a->target->owner, &a->target->fds);
		if (r && r != -ENODEV) {
			a->error_cpu = s->rings.v[i]->cpu;
			return r;
		}
	}
	return 0;
}

/* An event without a ring, on all CPUs. */
static int open_counting(struct attach *a, pid_t tid)
{
	int fd = perf_open(&a->attr, tid, -1);

	a->error_cpu = -1;
	if (fd < 0)
		return fd;
	if (vec_push(&a->p->fds.v, (struct perf_fd){fd, -1, a->pid})) {
		close(fd);
		return -ENOMEM;
	}
	return 0;
}

/* The event for a CPU, in a group with those that tell its count. */
static int open_on_cpu(struct attach *a, pid_t tid, const struct perf_ring *ring)
{
	struct perf_pmc *p = a->p;
	int lead = -1, r;

	if (p->tally) {
		r = perf_open_to_ring(a->s, &a->switches, tid, ring, -1, a->pid, p->owner,
				      &p->tellers);
		if (r)
			return r;
		lead = p->tellers.v.v[p->tellers.v.n - 1].fd;
		r = perf_open_to_ring(a->s, &a->exits, tid, ring, lead, a->pid, p->owner,
				      &p->tellers);
		if (r)
			return r;
	}
	r = perf_open_to_ring(a->s, &a->attr, tid, ring, lead, a->pid, p->owner, &p->fds);
	if (!r && p->tally && p->tally->shares && p->pmc->flags & PMC_F_LOG_PROCCSW)
		r = perf_open_to_ring(a->s, &a->watcher, tid, ring, -1, a->pid, p->owner,
				      &p->watchers);
	return r;
}

static int open_on_cpus(struct attach *a, pid_t tid)
{
	struct perf_session *s = a->s;
	int *cpu, r;

	vec_each(cpu, &a->cpus.cpus) {
		const struct perf_ring *ring = perf_ring_of(s, *cpu);

		r = ring ? open_on_cpu(a, tid, ring) : 0;
		if (r && r != -ENODEV) {
			a->error_cpu = *cpu;
			return r;
		}
	}
	return 0;
}

/* 0 also when the thread is gone; else -errno. */
static int open_thread(struct attach *a, pid_t tid)
{
	struct perf_tid t = {.tid = tid, .target = a->pid};
	int r = 0;

	if (tid == a->s->pump_tid)
		return 0;
	if (a->open_sideband)
		r = open_sideband(a, tid);
	t.begin = perf_now();
	if (!r)
		r = PMC_IS_SAMPLING_MODE(a->p->pmc->mode) || a->p->tally ? open_on_cpus(a, tid)
									 : open_counting(a, tid);
	t.end = perf_now();
	if (r && r != -ESRCH)
		return r;
	/* One that is dead but listed is noted too, lest it be tried for ever. */
	a->opened += !r;
	return note_thread(a->p, &t);
}

/* The threads of the target, with descendants those of the whole tree. */
static int list_threads(const struct attach *a, struct proc_threads *list)
{
	struct proc_pids pids = {0};
	pid_t *pid;
	int r;

	list->threads.n = 0;
	if (!(a->p->pmc->flags & PMC_F_DESCENDANTS))
		return proc_list_threads(a->pid, list) ? -errno : 0;
	r = proc_list_tree(a->pid, &pids);
	vec_each(pid, &pids.pids)
		if (!r)
			r = proc_list_threads(*pid, list);
	r = r ? -errno : 0;
	vec_free(&pids.pids);
	return r;
}

static void drop_dead(struct proc_threads *list)
{
	struct proc_thread *t;
	size_t n = 0;

	vec_each(t, &list->threads)
		if (proc_thread_lives(t->pid, t->tid))
			list->threads.v[n++] = *t;
	list->threads.n = n;
}

/* Leaves in list the threads not known to have the PMC.  True: some have no FORK record. */
static bool keep_fresh(const struct attach *a, struct proc_threads *list)
{
	struct proc_thread *t;
	bool unborn = false;
	uint64_t since;
	size_t n = 0;

	vec_each(t, &list->threads) {
		const struct perf_task *task;
		enum inheritance has = inherits(a, t->tid, 0, &since);

		if (t->tid == a->s->pump_tid || has == HAS || (has == UNCLEAR && a->last_try))
			continue;
		task = perf_tasks_find(&a->s->records.tasks, (uint32_t)t->tid);
		unborn |= !task || !task->born;
		list->threads.v[n++] = *t;
	}
	list->threads.n = n;
	return unborn;
}

/*
 * One attempt: 0, -errno, or 1 when a thread was born just while its parent was given events, so
 * that it may have some of them: the caller closes them all and tries again.
 */
static int attach_once(struct attach *a, struct proc_threads *list)
{
	unsigned int pass, waits;
	int r;

	for (pass = 0; pass < PASSES_MAX; pass++) {
		struct proc_thread *t;
		uint64_t since;
		size_t listed;
		bool unborn;

		perf_drain(a->s, perf_now());
		r = list_threads(a, list);
		if (r)
			return r;
		listed = list->threads.n;
		unborn = keep_fresh(a, list);
		/* Those on the first list are older than any event opened here. */
		if (!pass)
			a->covered = listed - list->threads.n;
		for (waits = 0; pass && unborn && waits < RECORD_WAITS; waits++) {
			nanosleep(&record_delay, NULL);
			perf_drain(a->s, perf_now());
			/* Those that die early have no record any more. */
			drop_dead(list);
			unborn = keep_fresh(a, list);
		}
		if (!list->threads.n)
			return 0;
		vec_each(t, &list->threads) {
			enum inheritance has = inherits(a, t->tid, 0, &since);

			if (has == UNCLEAR && !a->last_try)
				return 1;
			r = has == HAS_NOT ? open_thread(a, t->tid) : 0;
			if (has == HAS_NOT && a->p->tally)
				perf_tally_attach(a->p->tally, (uint32_t)t->pid);
			if (r)
				return r;
		}
	}
	return 0;
}

/* Forgets the threads of a target; their places in the table stay. */
static void forget_threads(struct perf_pmc *p, pid_t target)
{
	struct perf_tid *t;

	vec_each(t, &p->tids)
		if (t->target == target)
			t->tid = 0;
}

static void target_free(struct perf_session *s, struct perf_target *t)
{
	perf_fds_close(s, &t->fds, 0);
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
static struct perf_target *target_of(struct perf_session *s, const struct pmc *pmc, pid_t pid,
				     bool *is_new)
{
	bool descend = pmc->flags & PMC_F_DESCENDANTS;
	struct perf_target *t = find_target(s, pid);
	struct perf_owner owner = {.pmcid = pmc->id, .flags = pmc->flags & PMC_F_DESCENDANTS};
	uint32_t index;

	*is_new = false;
	if (t && (t->descend || !descend))
		return t;
	index = perf_record_add_owner(&s->records, &owner);
	if (index == UINT32_MAX)
		return NULL;
	*is_new = true;
	if (t) {
		perf_fds_close(s, &t->fds, 0);
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
	t->owner = index;
	return t;
}

static void target_unuse(struct perf_session *s, pid_t pid)
{
	size_t i;

	for (i = 0; i < s->targets.n; i++)
		if (s->targets.v[i]->pid == pid && !--s->targets.v[i]->users) {
			target_free(s, s->targets.v[i]);
			vec_remove(&s->targets, i, 1);
			return;
		}
}

/* Rings on all CPUs, the target's side-band, and the attributes of what is to be opened. */
static int attach_prepare(struct attach *a, struct err *err)
{
	struct perf_session *s = a->s;
	const struct pmc *pmc = a->p->pmc;
	bool is_new;
	int *cpu;

	if (perf_rings_open(s, err))
		return -1;
	a->target = target_of(s, pmc, a->pid, &is_new);
	if (!a->target)
		return err_nomem(err);
	a->target->users++;
	a->target->on_exec &= !!(pmc->flags & PMC_F_START_ON_EXEC);
	a->open_sideband = is_new && !s->system_fds.v.n;
	perf_attr_of_pmc(s, a->p, &a->attr);
	perf_attr_of_switches(s, a->p, &a->switches);
	perf_attr_of_exits(s, a->p, &a->exits);
	perf_attr_of_watcher(s, a->p, &a->watcher);
	perf_attr_of_sideband(s, false, a->target->descend, &a->sideband);
	a->sideband.disabled = 0;
	if (pmc->event.cpus[0] && !proc_parse_cpus(pmc->event.cpus, &a->cpus))
		return err_set(err, EX_SOFTWARE, "%s: \"%s\" is no list of CPUs", pmc->event.name,
			       pmc->event.cpus);
	if (!a->cpus.cpus.n)
		vec_each(cpu, &s->online.cpus)
			if (vec_push(&a->cpus.cpus, *cpu))
				return err_nomem(err);
	return 0;
}

int perf_attach(struct perf_session *s, struct perf_pmc *p, pid_t pid, struct err *err)
{
	struct attach a = {.s = s, .p = p, .pid = pid, .begin = perf_now()};
	struct proc_threads list = {0};
	unsigned int tries;
	int r;

	if (attach_prepare(&a, err)) {
		vec_free(&a.cpus.cpus);
		if (a.target)
			target_unuse(s, pid);
		return -1;
	}
	if (!a.open_sideband)
		perf_sideband_ioctl(s, PERF_EVENT_IOC_ENABLE);
	for (tries = 1;; tries++) {
		a.last_try = tries == TRIES_MAX;
		r = attach_once(&a, &list);
		if (r != 1)
			break;
		perf_pmc_close(s, p, pid);
		forget_threads(p, pid);
		a.opened = 0;
	}
	if (!r && !a.opened && !a.covered)
		r = -ESRCH;
	/* The words are found with files open, so those of the attach are closed before. */
	if (r < 0) {
		perf_detach(s, p, pid);
		perf_errors_open(s, err, -r, p, pid, a.error_cpu);
	} else if (s->logging && perf_snapshot(s, false, err)) {
		perf_detach(s, p, pid);
		r = -1;
	} else {
		r = 0;
	}
	if (!r && p->pmc->running)
		perf_pmc_ioctl(p, pid, PERF_EVENT_IOC_ENABLE);
	if (!s->logging)
		perf_sideband_ioctl(s, PERF_EVENT_IOC_DISABLE);
	vec_free(&list.threads);
	vec_free(&a.cpus.cpus);
	return r ? -1 : 0;
}

/* What a target has counted is the PMC's. */
static void keep_count(struct perf_pmc *p, pid_t target)
{
	struct pmc_count sum;

	if (perf_fds_sum(&p->fds, target, &sum))
		return;
	if (PMC_IS_COUNTING_MODE(p->pmc->mode))
		p->base += sum.value;
	p->enabled += sum.enabled;
	p->running += sum.running;
}

void perf_detach(struct perf_session *s, struct perf_pmc *p, pid_t pid)
{
	perf_pmc_ioctl(p, pid, PERF_EVENT_IOC_DISABLE);
	perf_drain(s, perf_now());
	keep_count(p, pid);
	perf_pmc_close(s, p, pid);
	forget_threads(p, pid);
	target_unuse(s, pid);
}

int perf_sideband_system(struct perf_session *s, struct err *err)
{
	struct perf_owner owner = {.pmcid = UINT32_MAX, .flags = PMC_F_DESCENDANTS};
	struct perf_event_attr attr;
	uint32_t index;
	size_t i;
	int r = 0;

	if (s->system_fds.v.n)
		return 0;
	if (perf_rings_open(s, err))
		return -1;
	index = perf_record_add_owner(&s->records, &owner);
	if (index == UINT32_MAX)
		return err_nomem(err);
	perf_attr_of_sideband(s, true, true, &attr);
	for (i = 0; i < s->rings.n; i++) {
		r = perf_open_to_ring(s, &attr, -1, s->rings.v[i], -1, 0, index, &s->system_fds);
		if (!r || r == -ENODEV)
			continue;
		perf_fds_close(s, &s->system_fds, 0);
		return perf_errors_open(s, err, -r, NULL, -1, s->rings.v[i]->cpu);
	}
	r = 0;
	if (s->logging) {
		perf_fds_ioctl(&s->system_fds, 0, PERF_EVENT_IOC_ENABLE);
		r = perf_snapshot(s, false, err);
	}
	for (i = 0; i < s->targets.n; i++)
		perf_fds_close(s, &s->targets.v[i]->fds, 0);
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

	r = t->descend ? proc_list_tree(t->pid, &pids) : vec_push(&pids.pids, t->pid);
	vec_each(pid, &pids.pids)
		if (!r)
			r = proc_snapshot_process(shot, *pid, s->records.owners.v[t->owner].pmcid);
	vec_free(&pids.pids);
	t->snapshotted = true;
	return r;
}

int perf_snapshot(struct perf_session *s, bool log_begins, struct err *err)
{
	struct proc_snapshot shot = {.writer = s->c->writer,
				     .images = s->records.images,
				     .tasks = &s->records.tasks,
				     .jit = &s->records.jit,
				     .modules = &s->modules,
				     .now = perf_now(),
				     .arguments = s->records.execs.wanted};
	size_t i;
	int r = 0;

	perf_drain(s, shot.now);
	if (log_begins) {
		/* The side-band may have been off since the last log: who lives is listed anew. */
		perf_tasks_clear(&s->records.tasks);
		perf_jit_end_all(&s->records.jit, NULL, 0);
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
