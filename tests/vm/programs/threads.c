// SPDX-License-Identifier: BSD-2-Clause
/* threads N: whether an attach to N threads takes as long as 16 to N / 16. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pmc/pmc.h"

enum {
	TRIES = 5,
	SHARE = 16,
	MOST = 30, /* sixteenths: it takes as long; with scans of 32 of 8000 threads 71 */
};

static void check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "threads: %s: %s\n", what, pmc_error());
	exit(1);
}

static void *sleeper(void *unused)
{
	pause();
	return unused;
}

/* A process of n threads. */
static pid_t start(unsigned long n)
{
	int ready[2];
	char byte = 0;
	pthread_t t;
	pid_t pid;

	check(!pipe(ready), "pipe");
	pid = fork();
	check(pid >= 0, "fork");
	if (!pid) {
		while (--n)
			if (pthread_create(&t, NULL, sleeper, NULL))
				_exit(1);
		if (write(ready[1], &byte, 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	check(read(ready[0], &byte, 1) == 1, "the threads cannot be made");
	close(ready[0]);
	return pid;
}

/* What this thread has run for. */
static unsigned long own_us(void)
{
	struct timespec t;

	check(!clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t), "clock_gettime");
	return (unsigned long)t.tv_sec * 1000000 + (unsigned long)t.tv_nsec / 1000;
}

/* The least that so many attaches take. */
static unsigned long attach_us(pmc_id_t id, unsigned long nthreads, unsigned int times)
{
	unsigned long least = -1ul, begin, us;
	pid_t pid = start(nthreads);
	unsigned int i;
	int tries;

	for (tries = 0; tries < TRIES; tries++) {
		us = 0;
		for (i = 0; i < times; i++) {
			begin = own_us();
			check(!pmc_attach(id, pid), "attach");
			us += own_us() - begin;
			check(!pmc_detach(id, pid), "detach");
		}
		least = us < least ? us : least;
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return least;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, few, many;
	pmc_id_t id;

	if (n < SHARE) {
		fprintf(stderr, "usage: threads N\n");
		return 1;
	}
	check(!pmc_set_collector("hwpmc") && !pmc_init(), "hwpmc");
	/* With totals: an event of each thread, which the attach makes. */
	check(!pmc_allocate("task-clock", PMC_MODE_TC, PMC_F_LOG_PROCEXIT, PMC_CPU_ANY, &id, 0),
	      "task-clock");
	check(!pmc_attach(id, 0), "attach to itself"); /* what the first event of all costs */
	/* Alike in length: where the TSC is not used, threads' time goes in milliseconds. */
	few = attach_us(id, n / SHARE, SHARE);
	many = attach_us(id, n, 1);
	if (many * SHARE < MOST * few)
		printf("as the threads\n");
	else
		printf("%d times %lu threads %lu us, %lu threads %lu us\n", SHARE, n / SHARE, few,
		       n, many);
	return 0;
}
