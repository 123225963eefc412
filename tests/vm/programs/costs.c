// SPDX-License-Identifier: BSD-2-Clause
/*
 * costs [perf|perf-read] switches|forks N
 *
 * Prints the nanoseconds of one context switch, in 2N of two processes, or of one fork with its
 * exit and wait, in N of them.  With perf there is an inherited counter of cycles, as perf stat
 * has it; with perf-read one of each process, which is written to a ring at each switch.
 */
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WARM = 20, RING_PAGES = 1 + 64 };

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int event_open(const struct perf_event_attr *attr, int group)
{
	int fd = (int)syscall(SYS_perf_event_open, attr, 0, -1, group, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0) {
		perror("perf_event_open");
		exit(69);
	}
	return fd;
}

/* Of the calling process, and of its children when they inherit it. */
static void count(bool inherit, int group)
{
	const struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.inherit = inherit,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	event_open(&attr, group);
}

/* A record at each switch of the calling process, into a ring that nobody reads. */
static void count_and_log(void)
{
	const struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CONTEXT_SWITCHES,
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_GROUP,
		.watermark = 1,
		.wakeup_watermark = UINT32_MAX,
	};
	int fd = event_open(&attr, -1);

	if (mmap(NULL, (size_t)(RING_PAGES * sysconf(_SC_PAGESIZE)), PROT_READ, MAP_SHARED, fd,
		 0) == MAP_FAILED) {
		perror("mmap");
		exit(71);
	}
	count(false, fd);
}

/* Sends a byte and waits for one, or the other way round, n times. */
static void pass(int in, int out, unsigned long n, bool first)
{
	char byte = 0;

	for (; n; n--)
		if ((first && write(out, &byte, 1) != 1) || read(in, &byte, 1) != 1 ||
		    (!first && write(out, &byte, 1) != 1))
			exit(71);
}

static int64_t switches(unsigned long n, bool log)
{
	int there[2], back[2];
	int64_t began;
	pid_t child;

	if (pipe(there) || pipe(back))
		exit(71);
	child = fork();
	if (log)
		count_and_log();
	if (!child) {
		pass(there[0], back[1], WARM + n, false);
		_exit(0);
	}
	pass(back[0], there[1], WARM, true);
	began = now();
	pass(back[0], there[1], n, true);
	began = now() - began;
	waitpid(child, NULL, 0);
	return began / (int64_t)(2 * n);
}

static void fork_once(void)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	waitpid(child, NULL, 0);
}

static int64_t forks(unsigned long n)
{
	unsigned long i;
	int64_t began;

	for (i = 0; i < WARM; i++)
		fork_once();
	began = now();
	for (i = 0; i < n; i++)
		fork_once();
	return (now() - began) / (int64_t)n;
}

int main(int argc, char **argv)
{
	bool log = argc > 1 && !strcmp(argv[1], "perf-read");
	bool inherit = argc > 1 && !strcmp(argv[1], "perf");
	unsigned long n;

	argv += log || inherit;
	argc -= log || inherit;
	n = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
	if (!n)
		return 64;
	if (inherit)
		count(true, -1);
	if (!strcmp(argv[1], "switches"))
		printf("%lld\n", (long long)switches(n, log));
	else
		printf("%lld\n", (long long)forks(n));
	return 0;
}
