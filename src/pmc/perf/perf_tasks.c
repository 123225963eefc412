// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "pmc/perf/perf_tasks.h"

struct perf_task *perf_tasks_find(const struct perf_tasks *t, uint32_t tid)
{
	struct table_iter it;
	uint32_t i;

	for (i = table_first(&t->of_tid, hash_u64(tid), &it); i != TABLE_NONE;
	     i = table_next(&t->of_tid, &it))
		if (t->v.v[i].tid == tid)
			return &t->v.v[i];
	return NULL;
}

static struct perf_task *insert(struct perf_tasks *t, uint32_t pid, uint32_t tid)
{
	const struct perf_task fresh = {.tid = tid, .pid = pid};
	struct perf_task *task = perf_tasks_find(t, tid);

	if (task && task->pid != pid)
		*task = fresh;
	if (task)
		return task;
	if (vec_push(&t->v, fresh))
		return NULL;
	if (table_insert(&t->of_tid, hash_u64(tid), (uint32_t)(t->v.n - 1))) {
		t->v.n--;
		return NULL;
	}
	return &t->v.v[t->v.n - 1];
}

/* Takes a task out; the last one moves to its place. */
static void drop(struct perf_tasks *t, struct perf_task *task)
{
	uint32_t i = (uint32_t)(task - t->v.v), last = (uint32_t)(t->v.n - 1);

	table_remove(&t->of_tid, hash_u64(task->tid), i);
	if (i != last) {
		*task = t->v.v[last];
		table_change(&t->of_tid, hash_u64(task->tid), last, i);
	}
	t->v.n--;
}

struct perf_task *perf_tasks_add(struct perf_tasks *t, uint32_t pid, uint32_t tid, const char *comm)
{
	struct perf_task *leader, *task;

	if (!tid || !pid)
		return NULL;
	leader = insert(t, pid, pid);
	if (!leader)
		return NULL;
	if (tid == pid) {
		task = leader;
		if (leader->leader_lives)
			return leader;
		leader->leader_lives = true;
	} else {
		/* Not before: the leader may have moved all tasks. */
		task = perf_tasks_find(t, tid);
		if (task && task->pid == pid && task->generation == leader->generation)
			return task;
		task = insert(t, pid, tid);
		leader = perf_tasks_find(t, pid);
		if (!task || !leader)
			return NULL;
		task->generation = leader->generation;
	}
	leader->threads++;
	snprintf(task->comm, sizeof(task->comm), "%s", comm);
	return task;
}

bool perf_tasks_exit(struct perf_tasks *t, uint32_t pid, uint32_t tid)
{
	struct perf_task *leader, *task = perf_tasks_find(t, tid);
	bool counted = false;

	if (task && tid != pid) {
		leader = perf_tasks_find(t, pid);
		counted = leader && task->generation == leader->generation;
		drop(t, task);
	}
	leader = perf_tasks_find(t, pid);
	if (!leader)
		return tid == pid;
	if (tid == pid) {
		counted = leader->leader_lives;
		leader->leader_lives = false;
	}
	if (counted && leader->threads)
		leader->threads--;
	if (leader->threads || !counted)
		return false;
	drop(t, leader);
	return true;
}

void perf_tasks_exec(struct perf_tasks *t, uint32_t pid)
{
	struct perf_task *leader = perf_tasks_add(t, pid, pid, "");

	if (!leader)
		return;
	leader->generation++;
	leader->threads = 1;
}

void perf_tasks_clear(struct perf_tasks *t)
{
	vec_free(&t->v);
	table_clear(&t->of_tid);
}
