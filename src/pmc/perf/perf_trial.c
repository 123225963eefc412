// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/perf/perf_trial.h"

#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "pmc/perf/perf_event.h"
#include "pmc/perf/perf_rows.h"

/*
 * The load, a tenth of a millisecond or less; how often it is repeated until the clock has moved;
 * and how often all is run anew where the thread was moved.
 */
enum { ROUNDS = 100000, LOAD = 2 * (ROUNDS - ROUNDS / 16), REPEATS = 500, MOVES = 10 };

struct events {
	int fds[COUNTERS_MAX];
	unsigned int n;
};

static int fail(struct err *err, int error, const char *call)
{
	return err_fail(err, error, "%s: %s", call, strerror(error));
}

/* Two instructions a round, at least. */
static void __attribute__((noinline)) loop(uint64_t rounds)
{
	while (rounds--)
		__asm__ volatile("" : "+r"(rounds));
}

static int open_all(struct events *e, unsigned int n, struct err *err)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_HARDWARE,
				       .size = sizeof(attr),
				       .config = PERF_COUNT_HW_INSTRUCTIONS,
				       .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
						      PERF_FORMAT_TOTAL_TIME_RUNNING,
				       .disabled = 1,
				       .exclude_kernel = 1,
				       .exclude_hv = 1};
	int fd;

	for (e->n = 0; e->n < n; e->n++) {
		fd = perf_open(&attr, 0, -1);
		if (fd < 0)
			return fail(err, -fd, "perf_event_open(2)");
		e->fds[e->n] = fd;
	}
	return 0;
}

static void close_all(const struct events *e)
{
	unsigned int i;

	for (i = 0; i < e->n; i++)
		close(e->fds[i]);
}

static int switch_all(const struct events *e, unsigned long request, struct err *err)
{
	unsigned int i;

	for (i = 0; i < e->n; i++)
		if (ioctl(e->fds[i], request, 0))
			return fail(err, errno, "ioctl(2) of an event");
	return 0;
}

static int read_all(const struct events *e, struct pmc_count *counts, struct err *err)
{
	uint64_t words[3];
	unsigned int i;

	for (i = 0; i < e->n; i++) {
		if (read(e->fds[i], words, sizeof(words)) != (ssize_t)sizeof(words))
			return fail(err, errno ? errno : EIO, "read(2) of an event");
		counts[i] = (struct pmc_count){
			.value = words[0], .enabled = words[1], .running = words[2]};
	}
	return 0;
}

static bool all_had_time(const struct pmc_count *counts, unsigned int n)
{
	while (n--)
		if (!counts[n].enabled)
			return false;
	return true;
}

/*
 * Where the TSC is not trusted the clock of events can stand still up to the next tick, and an
 * event that had no counter then looks like the others.  It may move while they are read, too.
 */
static int count_load(const struct events *e, struct pmc_count *counts, struct err *err)
{
	unsigned int i;

	for (i = 0; i < REPEATS; i++) {
		loop(ROUNDS);
		if (read_all(e, counts, err))
			return -1;
		if (all_had_time(counts, e->n))
			break;
	}
	return 0;
}

/* Whether it was on one CPU: which event has the bad counter can differ from one to the next. */
static int run_once(unsigned int n, struct pmc_count *counts, bool *stayed, struct err *err)
{
	int cpu = sched_getcpu(), status;
	struct events e;

	status = open_all(&e, n, err);
	if (!status)
		status = switch_all(&e, PERF_EVENT_IOC_ENABLE, err);
	if (!status)
		status = count_load(&e, counts, err);
	if (!status)
		status = switch_all(&e, PERF_EVENT_IOC_DISABLE, err);
	*stayed = cpu == sched_getcpu();
	close_all(&e);
	return status;
}

static int run(unsigned int n, struct pmc_count *counts, struct err *err)
{
	bool stayed = false;
	int i;

	for (i = 0; i < MOVES && !stayed; i++)
		if (run_once(n, counts, &stayed, err))
			return -1;
	return stayed ? 0 : err_fail(err, EAGAIN, "this thread never stays on a CPU");
}

const struct counters_trial perf_trial = {run, LOAD};

unsigned int perf_trial_max(void)
{
	return perf_rows_of_event(PERF_COUNT_HW_INSTRUCTIONS);
}
