// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/perf/perf_ran.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pmc/perf/perf_session.h"

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

int perf_ran_begin(struct perf_target *t, pid_t pid)
{
	struct perf_before before = {.pid = pid};
	struct account a;

	if (!read_times(pid, t->descend, &a, &before.times))
		return 0;
	before.started = a.started;
	return vec_push(&t->before, before);
}

/* What descends from the only target and lives: nobody has waited for it. */
static void add_living(const struct perf_session *s, pid_t target, struct pmclog_times *sum)
{
	const struct perf_tasks *tasks = &s->rings.records.tasks;
	struct pmclog_times times;
	struct account a;
	size_t i;

	for (i = 0; tasks->slot && i <= tasks->mask; i++) {
		const struct perf_task *task = &tasks->slot[i];

		if (task->tid && task->tid == task->pid && task->threads &&
		    task->pid != (uint32_t)target && read_times((pid_t)task->pid, true, &a, &times))
			add(sum, &times);
	}
}

/* False: not known. */
static bool ran(const struct perf_session *s, const struct perf_target *t,
		struct pmclog_times *times)
{
	const struct perf_before *b;
	struct account a;

	/* Whose a process is that descends from one of several nothing tells. */
	if ((t->descend && s->targets.n > 1) || !read_times(t->pid, t->descend, &a, times))
		return false;
	if (t->descend)
		add_living(s, t->pid, times);
	vec_each(b, &t->before) {
		if (b->pid == t->pid && b->started != a.started)
			return false;
		subtract(times, &b->times);
	}
	return true;
}

void perf_ran_tell(struct perf_session *s, uint64_t now)
{
	struct pmclog_times times;
	size_t i;

	for (i = 0; i < s->targets.n; i++) {
		struct perf_target *t = s->targets.v[i];

		if (!ran(s, t, &times))
			continue;
		subtract(&times, &t->told);
		add(&t->told, &times);
		pmclog_write_detach(s->c->writer, now, s->rings.records.sources.v[t->source].pmcid,
				    (uint32_t)t->pid, &times);
	}
}
