// SPDX-License-Identifier: BSD-2-Clause
/*
 * ran MILLISECONDS [CHILD]: runs as long in user mode and in the kernel, with CHILD also in a child
 * that it waits for, and writes what the kernel has counted: user and system time in nanoseconds.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void work(double ms)
{
	int fd = open("/dev/urandom", O_RDONLY);
	double end = now() + ms;
	volatile int x = 0;
	char data[4096];

	while (now() < end)
		x++;
	for (end += ms; now() < end;)
		if (read(fd, data, sizeof(data)) < 0)
			exit(1);
	close(fd);
}

static long long of(const struct timeval *a, const struct timeval *b)
{
	return (a->tv_sec + b->tv_sec) * 1000000000ll + (a->tv_usec + b->tv_usec) * 1000ll;
}

int main(int argc, char **argv)
{
	struct rusage own, children;
	pid_t child;

	if (argc < 2)
		return 64;
	if (argc > 2) {
		child = fork();
		if (!child) {
			work(atof(argv[1]));
			_exit(0);
		}
		if (waitpid(child, NULL, 0) != child)
			return 1;
	}
	work(atof(argv[1]));
	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &children);
	printf("%lld %lld\n", of(&own.ru_utime, &children.ru_utime),
	       of(&own.ru_stime, &children.ru_stime));
	return 0;
}
