// SPDX-License-Identifier: BSD-2-Clause
/* Which threads have which attach's events, told what the kernel would tell. */
#include <errno.h>

#include "pmc/perf/perf_coverage.h"
#include "unit.h"

static struct perf_tasks tasks;
static struct perf_coverage coverage;

/* A FORK record. */
static void born(uint32_t parent, uint32_t pid, uint32_t tid, uint64_t when)
{
	struct perf_task *task = perf_tasks_add(&tasks, pid, tid, "");

	task->parent = parent;
	task->born = when;
}

static void opened(pid_t pid, pid_t tid, pid_t target, bool descend, uint64_t begin)
{
	struct perf_cover cover = {tid, pid, target, descend, begin, begin + 10};

	CHECK(!perf_coverage_note(&coverage, &cover));
}

static enum perf_covered of(pid_t tid, pid_t without)
{
	const struct perf_coverage_view v = {&coverage, &tasks, without, 0};

	return perf_coverage_of(&v, tid);
}

UNIT(threads_have_what_their_creator_had_then)
{
	opened(10, 10, 10, true, 100);
	born(10, 10, 11, 99);
	born(10, 10, 12, 105);
	born(10, 10, 13, 111);
	born(13, 10, 14, 200);
	/* The very moments at which the opening began and ended. */
	born(10, 10, 18, 100);
	born(10, 10, 19, 110);
	CHECK(of(18, 0) == PERF_UNCLEAR && of(19, 0) == PERF_UNCLEAR);
	CHECK(of(10, 0) == PERF_COVERED);
	CHECK(of(11, 0) == PERF_UNCOVERED);
	CHECK(of(12, 0) == PERF_UNCLEAR);
	CHECK(of(13, 0) == PERF_COVERED);
	CHECK(of(14, 0) == PERF_COVERED);
	CHECK(of(15, 0) == PERF_UNCOVERED);
	/* It was given events itself, and has a child from before that. */
	opened(10, 11, 10, true, 300);
	born(11, 10, 16, 150);
	born(11, 10, 17, 350);
	CHECK(of(11, 0) == PERF_COVERED);
	CHECK(of(16, 0) == PERF_UNCOVERED);
	CHECK(of(17, 0) == PERF_COVERED);
}

UNIT(an_id_that_is_used_again_has_nothing)
{
	opened(10, 10, 10, true, 100);
	opened(10, 11, 10, true, 120);
	born(9, 10, 11, 500);
	CHECK(of(11, 0) == PERF_UNCOVERED);
	born(10, 10, 11, 600);
	CHECK(of(11, 0) == PERF_COVERED);
}

UNIT(processes_have_it_where_the_attach_descends)
{
	opened(10, 10, 10, false, 100);
	perf_tasks_add(&tasks, 10, 10, "");
	born(10, 10, 11, 200);
	born(10, 20, 20, 200);
	born(11, 21, 21, 300);
	born(20, 20, 22, 400);
	CHECK(of(11, 0) == PERF_COVERED);
	CHECK(of(20, 0) == PERF_UNCOVERED);
	CHECK(of(21, 0) == PERF_UNCOVERED);
	CHECK(of(22, 0) == PERF_UNCOVERED);
	/* Not even perhaps. */
	born(10, 23, 23, 105);
	CHECK(of(23, 0) == PERF_UNCOVERED);
	perf_coverage_forget(&coverage, 10);
	opened(10, 10, 10, true, 100);
	CHECK(of(20, 0) == PERF_COVERED);
	CHECK(of(21, 0) == PERF_COVERED);
	CHECK(of(22, 0) == PERF_COVERED);
	CHECK(of(23, 0) == PERF_UNCLEAR);
}

UNIT(what_came_by_another_attach_goes_with_it)
{
	opened(10, 10, 10, true, 100);
	born(10, 20, 20, 200);
	born(20, 20, 21, 250);
	CHECK(of(20, 0) == PERF_COVERED && of(20, 10) == PERF_UNCOVERED);
	CHECK(of(21, 10) == PERF_UNCOVERED);
	opened(20, 20, 20, true, 300);
	CHECK(of(20, 10) == PERF_COVERED && of(20, 20) == PERF_COVERED);
	CHECK(of(21, 10) == PERF_UNCOVERED);
	opened(20, 21, 20, true, 320);
	perf_coverage_forget(&coverage, 10);
	CHECK(of(10, 0) == PERF_UNCOVERED);
	CHECK(of(20, 0) == PERF_COVERED && of(21, 0) == PERF_COVERED);
	perf_coverage_cut(&coverage, 2);
	CHECK(of(20, 0) == PERF_COVERED && of(21, 0) == PERF_UNCOVERED);
	perf_coverage_cut(&coverage, 1);
	CHECK(of(20, 0) == PERF_UNCOVERED && of(21, 0) == PERF_UNCOVERED);
	perf_coverage_forget(&coverage, 0);
	perf_coverage_fini(&coverage);
}

/* Its parent has gone again: only what tells of it says whether that had the events. */
UNIT(an_orphan_has_it_where_nothing_else_told_of_its_birth)
{
	struct perf_coverage_view v = {&coverage, &tasks, 0, 100};

	born(19, 20, 20, 150);
	born(19, 21, 21, 50);
	CHECK(perf_coverage_of(&v, 20) == PERF_COVERED);
	CHECK(perf_coverage_of(&v, 21) == PERF_UNCOVERED);
	v.only_since = 0;
	CHECK(perf_coverage_of(&v, 20) == PERF_UNCOVERED);
}

/* ---- A process that is attached to, which does something at each list of its threads ---- */

struct world {
	void (*act)(struct world *w);
	unsigned int lists, waits, opens, doubled;
	pid_t threads[200];
	size_t n;
	uint64_t now;
	int fails; /* what open fails with, from the second on */
};

static int list_world(void *arg, struct proc_threads *list)
{
	struct world *w = arg;
	size_t i;

	w->lists++;
	if (w->act)
		w->act(w);
	for (i = 0; i < w->n; i++)
		CHECK(!vec_push(&list->threads, ((struct proc_thread){10, w->threads[i]})));
	return w->n ? 0 : -ESRCH;
}

static bool lives(pid_t pid, pid_t tid)
{
	return pid && tid;
}

static void drain(void *arg)
{
	(void)arg;
}

static void wait_world(void *arg)
{
	((struct world *)arg)->waits++;
}

static int open_world(void *arg, const struct proc_thread *t)
{
	struct world *w = arg;

	w->opens++;
	w->doubled += of(t->tid, 0) == PERF_COVERED;
	if (w->fails && w->opens > 1)
		return w->fails;
	opened(t->pid, t->tid, 10, true, w->now += 100);
	return 0;
}

static const struct perf_coverage_ops world_ops = {list_world, lives, drain, wait_world,
						   open_world};

static struct perf_coverage_run run_of(struct world *w)
{
	return (struct perf_coverage_run){
		.view = {&coverage, &tasks, 0, 0}, .ops = &world_ops, .arg = w};
}

UNIT(all_threads_are_opened_once)
{
	struct world w = {.threads = {10, 11, 12}, .n = 3};
	struct perf_coverage_run run = run_of(&w);

	CHECK(!perf_coverage_complete(&run));
	CHECK(w.opens == 3 && w.lists == 2 && !w.waits && !w.doubled && !run.had);
	CHECK(!perf_coverage_complete(&run));
	CHECK(w.opens == 3 && w.lists == 3 && run.had == 3);
}

/* The second list has a thread whose record says that it came with events. */
static void bear_covered(struct world *w)
{
	if (w->lists != 2)
		return;
	w->threads[w->n++] = 11;
	born(10, 10, 11, 5000);
}

/* Or that it did not, as its parent had none yet. */
static void bear_uncovered(struct world *w)
{
	if (w->lists != 2)
		return;
	w->threads[w->n++] = 11;
	born(10, 10, 11, 50);
}

UNIT(a_thread_that_appears_is_opened_where_it_has_none)
{
	struct world covered = {.act = bear_covered, .threads = {10}, .n = 1};
	struct world uncovered = {.act = bear_uncovered, .threads = {10}, .n = 1};
	struct perf_coverage_run run = run_of(&covered);

	CHECK(!perf_coverage_complete(&run));
	CHECK(covered.opens == 1 && !run.had);
	perf_coverage_forget(&coverage, 0);
	perf_tasks_clear(&tasks);
	run = run_of(&uncovered);
	CHECK(!perf_coverage_complete(&run));
	CHECK(uncovered.opens == 2 && uncovered.lists == 3);
}

static void bear_unclear(struct world *w)
{
	if (w->lists != 2)
		return;
	w->threads[w->n++] = 11;
	born(10, 10, 11, coverage.v.v[coverage.v.n - 1].begin + 5);
}

UNIT(a_thread_born_during_the_attach_is_told)
{
	struct world w = {.act = bear_unclear, .threads = {10}, .n = 1};
	struct perf_coverage_run run = run_of(&w);

	CHECK(perf_coverage_complete(&run) == PERF_COVERAGE_UNCLEAR);
	perf_coverage_forget(&coverage, 0);
	perf_tasks_clear(&tasks);
	w = (struct world){.act = bear_unclear, .threads = {10}, .n = 1};
	run.takes_unclear = true;
	CHECK(!perf_coverage_complete(&run));
	CHECK(w.opens == 1);
	CHECK_U64(run.partial, 1);
}

static void bear_for_ever(struct world *w)
{
	w->threads[w->n] = (pid_t)(1000 + w->n);
	w->n++;
}

UNIT(a_process_that_never_rests_is_no_success)
{
	struct world w = {.act = bear_for_ever};
	struct perf_coverage_run run = run_of(&w);

	CHECK(perf_coverage_complete(&run) == PERF_COVERAGE_ENDLESS);
	CHECK_U64(w.lists, 64);
	CHECK_U64(w.opens, 64);
	CHECK_U64(run.left, 1);
	/* Without a record each was waited for, but for the first. */
	CHECK_U64(w.waits, 63 * 20);
}

UNIT(what_fails_is_passed_on)
{
	struct world w = {.threads = {10, 11, 12}, .n = 3, .fails = -EMFILE}, gone = {.n = 0};
	struct perf_coverage_run run = run_of(&w);

	CHECK(perf_coverage_complete(&run) == -EMFILE);
	CHECK_U64(w.opens, 2);
	run = run_of(&gone);
	CHECK(perf_coverage_complete(&run) == -ESRCH);
}

UNIT_MAIN(UNIT_ENTRY(threads_have_what_their_creator_had_then),
	  UNIT_ENTRY(an_id_that_is_used_again_has_nothing),
	  UNIT_ENTRY(processes_have_it_where_the_attach_descends),
	  UNIT_ENTRY(what_came_by_another_attach_goes_with_it),
	  UNIT_ENTRY(an_orphan_has_it_where_nothing_else_told_of_its_birth),
	  UNIT_ENTRY(all_threads_are_opened_once),
	  UNIT_ENTRY(a_thread_that_appears_is_opened_where_it_has_none),
	  UNIT_ENTRY(a_thread_born_during_the_attach_is_told),
	  UNIT_ENTRY(a_process_that_never_rests_is_no_success),
	  UNIT_ENTRY(what_fails_is_passed_on))
