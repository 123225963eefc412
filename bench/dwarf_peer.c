// SPDX-License-Identifier: BSD-2-Clause
/*
 * Measures a reader of debug information:
 *	PROGRAM FILE		what it found, CPU seconds and peak memory
 *	PROGRAM -f FILE		how often it crashes when the n-th allocation fails, for each n:
 *				alone, and with all that come after it
 * The second has a process for each, so that a crash is counted.  All end after 20 s of CPU time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/dwarf_peer.h"

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

enum { HANG = 20, TRIES_MAX = 2000 }; /* CPU seconds; numbers that are tried, evenly */

static unsigned long calls, failing; /* failing: the number of the first call that fails; 0: none */
static bool all_after;

static bool fails(void)
{
	calls++;
	return failing && (calls == failing || (all_after && calls > failing));
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	return fails() ? NULL : __libc_realloc(p, size);
}

/* The status of a process in which allocations fail. */
static int try(const char *path, unsigned long n, bool after)
{
	const struct rlimit none = {0};
	pid_t pid = fork();
	int status;

	if (!pid) {
		setrlimit(RLIMIT_CORE, &none);
		if (!freopen("/dev/null", "w", stderr) || !peer_open(path))
			_exit(1);
		all_after = after;
		calls = 0;
		failing = n;
		peer_read();
		_exit(0);
	}
	return pid < 0 || waitpid(pid, &status, 0) < 0 ? 0 : status;
}

static void count_failures(const char *path)
{
	unsigned long crashes = 0, tries = 0, all, step, n, first = 0;

	calls = 0;
	peer_read();
	all = calls;
	step = all / TRIES_MAX + 1;
	for (n = 1; n <= all; n += step)
		for (int after = 0; after < 2; after++, tries++)
			if (WIFSIGNALED(try(path, n, after))) {
				crashes++;
				first = first ? first : n;
			}
	printf("%lu of %lu failed allocations end it by a signal", crashes, tries);
	if (first)
		printf(", the first is number %lu of %lu", first, all);
	putchar('\n');
}

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

int main(int argc, char *argv[])
{
	const struct rlimit hang = {HANG, HANG};
	bool failures = argc == 3 && !strcmp(argv[1], "-f");
	struct peer_found found;
	struct rusage usage;

	if (argc != 2 && !failures) {
		fprintf(stderr, "usage: %s [-f] FILE\n", argv[0]);
		return 64;
	}
	setrlimit(RLIMIT_CPU, &hang);
	if (!peer_open(argv[argc - 1])) {
		fprintf(stderr, "%s cannot be read\n", argv[argc - 1]);
		return 66;
	}
	if (failures) {
		count_failures(argv[2]);
	} else {
		found = peer_read();
		getrusage(RUSAGE_SELF, &usage);
		printf("%.3f s, %ld MB, %lu entries, %lu rows%s\n",
		       seconds(&usage.ru_utime) + seconds(&usage.ru_stime), usage.ru_maxrss >> 10,
		       found.entries, found.rows, found.failed ? ", with errors" : "");
	}
	peer_close();
	return 0;
}
