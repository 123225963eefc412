// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "pmc/perf/perf_tasks.h"

static size_t slot_of(const struct perf_tasks *t, uint32_t tid)
{
	size_t i = hash_u64(tid) & t->mask;

	while (t->slot[i].tid && t->slot[i].tid != tid)
		i = (i + 1) & t->mask;
	return i;
}

struct perf_task *perf_tasks_find(const struct perf_tasks *t, uint32_t tid)
{
	struct perf_task *task;

	if (!t->slot || !tid)
		return NULL;
	task = &t->slot[slot_of(t, tid)];
	return task->tid ? task : NULL;
}

static int grow(struct perf_tasks *t)
{
	size_t i, old = t->slot ? t->mask + 1 : 0, slots = old ? 2 * old : 256;
	struct perf_tasks bigger = {calloc(slots, sizeof(*t->slot)), slots - 1, t->used};

	if (!bigger.slot)
		return -1;
	for (i = 0; i < old; i++)
		if (t->slot[i].tid)
			bigger.slot[slot_of(&bigger, t->slot[i].tid)] = t->slot[i];
	free(t->slot);
	*t = bigger;
	return 0;
}

static struct perf_task *insert(struct perf_tasks *t, uint32_t pid, uint32_t tid)
{
	struct perf_task *task;

	if ((!t->slot || t->used > t->mask / 2) && grow(t))
		return NULL;
	task = &t->slot[slot_of(t, tid)];
	if (!task->tid)
		t->used++;
	if (task->pid != pid || !task->tid) {
		memset(task, 0, sizeof(*task));
		task->tid = tid;
		task->pid = pid;
	}
	return task;
}

/* Frees a slot and moves up those behind it that a search could no longer reach. */
static void drop(struct perf_tasks *t, struct perf_task *task)
{
	size_t hole = (size_t)(task - t->slot), i = hole;

	for (;;) {
		size_t home;

		i = (i + 1) & t->mask;
		if (!t->slot[i].tid)
			break;
		home = hash_u64(t->slot[i].tid) & t->mask;
		if (((i - home) & t->mask) < ((i - hole) & t->mask))
			continue;
		t->slot[hole] = t->slot[i];
		hole = i;
	}
	t->slot[hole].tid = 0;
	t->used--;
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
	free(t->slot);
	memset(t, 0, sizeof(*t));
}
