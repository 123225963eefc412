// SPDX-License-Identifier: BSD-2-Clause
/* perf_event_open(2), and the clock of what it makes. */
#include "pmc/perf/perf_event.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/held_files.h"
#include "base/open_files.h"
#include "pmc/pmc.h"

enum {
	LOOK_NS = 100000000, /* between two looks at an event at least */
	/*
	 * What the kernel's clock of events and ours may differ by, one part in so many beside it:
	 * the former moves in ticks where the CPU has no better one.
	 */
	SLACK_NS = 20000000,
	SLACK = 100,
};

/* A list of maps or of processes, and what is opened for one of its lines. */
enum { SPARE_FDS = 2 };

uint64_t perf_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static int sys_open(struct perf_event_attr *attr, pid_t pid, int cpu, int leader)
{
	long fd;

	do
		fd = syscall(SYS_perf_event_open, attr, pid, cpu, leader, PERF_FLAG_FD_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : (int)fd;
}

static bool leaves_room(int fd)
{
	struct rlimit lim;

	return getrlimit(RLIMIT_NOFILE, &lim) || (rlim_t)fd + SPARE_FDS < lim.rlim_cur;
}

static int open_leaving_room(struct perf_event_attr *attr, pid_t pid, int cpu, int leader)
{
	int fd = sys_open(attr, pid, cpu, leader);

	if (fd == -EMFILE && open_files_raise())
		fd = sys_open(attr, pid, cpu, leader);
	if (fd < 0 || leaves_room(fd) || (open_files_raise() && leaves_room(fd)))
		return fd;
	close(fd);
	return -EMFILE;
}

int perf_open_grouped(struct perf_event_attr *attr, pid_t pid, int cpu, int leader)
{
	int fd = open_leaving_room(attr, pid, cpu, leader);

	/* Samples without a name are better than none. */
	if (fd == -EMFILE && held_files_end())
		fd = open_leaving_room(attr, pid, cpu, leader);
	return fd;
}

int perf_open(struct perf_event_attr *attr, pid_t pid, int cpu)
{
	return perf_open_grouped(attr, pid, cpu, -1);
}

bool perf_seen_is_due(const struct perf_seen *seen, uint64_t now)
{
	return seen->at && now >= seen->at + LOOK_NS;
}

bool perf_seen_stands_still(struct perf_seen *seen, int cpu, uint64_t before, uint64_t enabled)
{
	const uint64_t passed = before - seen->at, ran = enabled - seen->enabled;

	/* While its CPU is off nothing is missing. */
	if (ran + passed / SLACK + SLACK_NS < passed && pmc_cpu_is_online(cpu))
		return true;
	seen->at = perf_now();
	seen->enabled = enabled;
	return false;
}
