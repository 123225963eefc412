// SPDX-License-Identifier: BSD-2-Clause
/* brief THREADS MILLISECONDS: threads that each run as long in user mode, one after the other. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static void *run(void *arg)
{
	const double *ms = arg;
	struct timespec t;
	volatile int x = 0;

	do {
		for (x = 0; x < 1000;)
			x++;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while ((double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6 < *ms);
	return NULL;
}

int main(int argc, char **argv)
{
	int i, n = argc == 3 ? atoi(argv[1]) : 0;
	double ms = n ? atof(argv[2]) : 0;
	pthread_t thread;

	for (i = 0; i < n; i++)
		if (pthread_create(&thread, NULL, run, &ms) || pthread_join(thread, NULL))
			return 1;
	return n ? 0 : 64;
}
