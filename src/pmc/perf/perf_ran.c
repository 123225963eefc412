// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/perf/perf_ran.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pmc/proc_list.h"

/* Of one process, in nanoseconds since it was born. */
struct account {
	uint64_t started; /* clock ticks since the boot: tells it from another of its pid */
	struct pmclog_times own, children; /* these ended and were waited for */
};

static uint64_t of_ticks(unsigned long long ticks)
{
	return ticks * (1000000000 / (unsigned long)sysconf(_SC_CLK_TCK));
}

static uint64_t minus(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

static void subtract(struct pmclog_times *t, const struct pmclog_times *other)
{
	t->user = minus(t->user, other->user);
	t->system = minus(t->system, other->system);
}

static void add(struct pmclog_times *t, const struct pmclog_times *other)
{
	t->user += other->user;
	t->system += other->system;
}

/* To the tick.  False: it is gone. */
static bool read_account(pid_t pid, struct account *a)
{
	struct proc_stat stat;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (!proc_read_stat(path, &stat))
		return false;
	a->started = stat.started;
	a->own = (struct pmclog_times){of_ticks(stat.user), of_ticks(stat.system)};
	a->children = (struct pmclog_times){of_ticks(stat.children_user),
					    of_ticks(stat.children_system)};
	return true;
}

/*
 * A child of ours that has ended and was not waited for yet: to the microsecond, with the children
 * that it waited for.
 */
static bool read_ended(pid_t pid, struct pmclog_times *t)
{
	long usage[18]; /* struct rusage as the kernel has it: two times of seconds and us first */
	siginfo_t info = {0};

	if (syscall(SYS_waitid, P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT, usage) ||
	    info.si_pid != pid)
		return false;
	t->user = (uint64_t)usage[0] * 1000000000 + (uint64_t)usage[1] * 1000;
	t->system = (uint64_t)usage[2] * 1000000000 + (uint64_t)usage[3] * 1000;
	return true;
}

/* Since it was born, with children if they are its target's. */
static bool read_times(pid_t pid, bool children, struct account *a, struct pmclog_times *t)
{
	if (!read_account(pid, a))
		return false;
	if (read_ended(pid, t)) {
		if (!children)
			subtract(t, &a->children);
		return true;
	}
	*t = a->own;
	if (children)
		add(t, &a->children);
	return true;
}

int perf_ran_begin(struct perf_ran *ran, pid_t pid, bool children)
{
	struct perf_ran_before before = {.pid = pid};
	struct account a;

	if (!read_times(pid, children, &a, &before.times))
		return 0;
	before.started = a.started;
	return vec_push(&ran->before, before);
}

/* What descends from the only target and lives: nobody has waited for it. */
static void add_living(const struct perf_tasks *tasks, pid_t target, struct pmclog_times *sum)
{
	struct pmclog_times times;
	const struct perf_task *task;
	struct account a;

	vec_each(task, &tasks->v)
		if (task->tid == task->pid && task->threads && task->pid != (uint32_t)target &&
		    read_times((pid_t)task->pid, true, &a, &times))
			add(sum, &times);
}

bool perf_ran_tell(struct perf_ran *ran, pid_t pid, const struct perf_tasks *tasks,
		   struct pmclog_times *times)
{
	const struct perf_ran_before *b;
	struct account a;

	if (!read_times(pid, tasks, &a, times))
		return false;
	if (tasks)
		add_living(tasks, pid, times);
	vec_each(b, &ran->before) {
		if (b->pid == pid && b->started != a.started)
			return false;
		subtract(times, &b->times);
	}
	subtract(times, &ran->told);
	add(&ran->told, times);
	return true;
}

void perf_ran_fini(struct perf_ran *ran)
{
	vec_free(&ran->before);
}
