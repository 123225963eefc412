// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/perf/perf_coverage.h"

enum {
	PASSES_MAX = 64,    /* lists of threads; the second is mostly the last */
	ANCESTORS_MAX = 64, /* steps from a thread to one that was given events */
	/*
	 * A thread is listed a moment before its FORK record is written, which its parent does when
	 * it next runs: so often a record is waited for before there is taken to be none.
	 */
	RECORD_WAITS = 20,
};

int perf_coverage_note(struct perf_coverage *c, const struct perf_cover *cover)
{
	if (c->v.n >= TABLE_NONE || vec_push(&c->v, *cover))
		return -1;
	return table_insert(&c->by_tid, hash_u64((uint64_t)cover->tid), (uint32_t)(c->v.n - 1));
}

/* Places in the table stay. */
void perf_coverage_forget(struct perf_coverage *c, pid_t target)
{
	struct perf_cover *e;

	vec_each(e, &c->v)
		if (!target || e->target == target)
			e->tid = 0;
}

void perf_coverage_cut(struct perf_coverage *c, size_t n)
{
	for (; n < c->v.n; n++)
		c->v.v[n].tid = 0;
}

void perf_coverage_fini(struct perf_coverage *c)
{
	table_clear(&c->by_tid);
	vec_free(&c->v);
}

/* The newest note of a thread: ids are used again. */
static const struct perf_cover *latest(const struct perf_coverage_view *v, pid_t tid)
{
	const struct perf_coverage *c = v->coverage;
	const struct perf_cover *e, *found = NULL;
	struct table_iter it;
	uint32_t i, hash = hash_u64((uint64_t)tid);

	for (i = table_first(&c->by_tid, hash, &it); i != TABLE_NONE;
	     i = table_next(&c->by_tid, &it)) {
		e = &c->v.v[i];
		if (e->tid == tid && !(v->without && e->target == v->without) &&
		    (!found || e->begin > found->begin))
			found = e;
	}
	return found;
}

/* How a thread has events. */
struct how {
	uint64_t since;
	bool descend;
};

/* Whether the thread that created task is one of the same process, as far as that is known. */
static bool is_of_parents_process(const struct perf_task *task, const struct perf_task *parent,
				  const struct perf_cover *e)
{
	if (parent)
		return parent->pid == task->pid;
	return !e || (uint32_t)e->pid == task->pid;
}

static enum perf_covered find(const struct perf_coverage_view *v, pid_t tid, unsigned int steps,
			      struct how *how)
{
	const struct perf_task *parent, *task = perf_tasks_find(v->tasks, (uint32_t)tid);
	const struct perf_cover *e = latest(v, tid);
	enum perf_covered covered;

	if (e && (!task || task->born <= e->end)) {
		*how = (struct how){e->end, e->descend};
		return PERF_COVERED;
	}
	if (!task || !task->born || !task->parent || steps == ANCESTORS_MAX)
		return PERF_UNCOVERED;
	e = latest(v, (pid_t)task->parent);
	parent = perf_tasks_find(v->tasks, task->parent);
	if (e && task->born >= e->begin && task->born <= e->end) {
		*how = (struct how){e->end, e->descend};
		covered = PERF_UNCLEAR;
	} else if (!e && !parent && v->only_since && task->born >= v->only_since) {
		/* It is gone, and had the side-band, or there were no record. */
		*how = (struct how){0, true};
		covered = PERF_COVERED;
	} else {
		covered = find(v, (pid_t)task->parent, steps + 1, how);
		if (covered == PERF_COVERED && task->born <= how->since)
			return PERF_UNCOVERED;
	}
	if (covered == PERF_UNCOVERED ||
	    (!how->descend && !is_of_parents_process(task, parent, e)))
		return PERF_UNCOVERED;
	how->since = task->born;
	return covered;
}

enum perf_covered perf_coverage_of(const struct perf_coverage_view *v, pid_t tid)
{
	struct how how;

	return find(v, tid, 0, &how);
}

/* Leaves in list the threads that are to be opened.  True: some have no FORK record. */
static bool keep_uncovered(struct perf_coverage_run *run, struct proc_threads *list)
{
	const struct perf_task *task;
	struct proc_thread *t;
	bool unborn = false;
	size_t n = 0;

	run->partial = 0;
	vec_each(t, &list->threads) {
		enum perf_covered covered = perf_coverage_of(&run->view, t->tid);

		if (covered == PERF_UNCLEAR && run->takes_unclear) {
			run->partial++;
			continue;
		}
		if (covered == PERF_COVERED)
			continue;
		task = perf_tasks_find(run->view.tasks, (uint32_t)t->tid);
		unborn |= !task || !task->born;
		list->threads.v[n++] = *t;
	}
	list->threads.n = n;
	return unborn;
}

static void drop_dead(const struct perf_coverage_run *run, struct proc_threads *list)
{
	struct proc_thread *t;
	size_t n = 0;

	vec_each(t, &list->threads)
		if (run->ops->lives(t->pid, t->tid))
			list->threads.v[n++] = *t;
	list->threads.n = n;
}

/* Lists those that are to be opened now; 0 or -errno. */
static int look(struct perf_coverage_run *run, bool first, struct proc_threads *list)
{
	unsigned int waits;
	size_t listed;
	bool unborn;
	int r;

	run->ops->drain(run->arg);
	list->threads.n = 0;
	r = run->ops->list(run->arg, list);
	if (r)
		return r;
	listed = list->threads.n;
	unborn = keep_uncovered(run, list);
	/* Those on the first list are older than any event opened here. */
	if (first)
		run->had = listed - list->threads.n;
	for (waits = 0; !first && unborn && waits < RECORD_WAITS; waits++) {
		run->ops->wait(run->arg);
		run->ops->drain(run->arg);
		/* Those that die early have no record any more. */
		drop_dead(run, list);
		unborn = keep_uncovered(run, list);
	}
	return 0;
}

int perf_coverage_complete(struct perf_coverage_run *run)
{
	struct proc_threads list = {0};
	struct proc_thread *t;
	unsigned int pass;
	int r = 0;

	for (pass = 0; pass < PASSES_MAX && !r; pass++) {
		r = look(run, !pass, &list);
		if (!r && !list.threads.n)
			break;
		vec_each(t, &list.threads) {
			enum perf_covered covered = perf_coverage_of(&run->view, t->tid);

			if (!r && covered == PERF_UNCLEAR && !run->takes_unclear)
				r = PERF_COVERAGE_UNCLEAR;
			if (!r && covered == PERF_UNCOVERED)
				r = run->ops->open(run->arg, t);
		}
	}
	if (!r && pass == PASSES_MAX) {
		run->left = list.threads.n;
		r = PERF_COVERAGE_ENDLESS;
	}
	vec_free(&list.threads);
	return r;
}
