// SPDX-License-Identifier: BSD-2-Clause
/*
 * A program that knows what there was to count in it.
 *
 *	count OUT [faults N] [switches N] [spin MS] [children N] [wait FIFO]
 *		[threads FIFO]
 *
 * does these one after the other and writes to OUT what the system says of it since it began, its
 * children included: page faults, context switches, nanoseconds of CPU time.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct tally {
	long faults, switches;
	double ns;
};

static void touch_pages(long n)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), size = page * (size_t)n, i;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		exit(1);
	madvise(p, size, MADV_NOHUGEPAGE);
	for (i = 0; i < size; i += page)
		p[i] = 1;
	munmap(p, size);
}

static long ways_given(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

/* On a busy host a moment is now and then over before the program has given way for it. */
static void give_way(long n)
{
	const struct timespec moment = {0, 1000};
	long end = ways_given() + n;

	while (ways_given() < end)
		nanosleep(&moment, NULL);
}

static void spin(long ms)
{
	struct timespec t;
	long end;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	end = t.tv_sec * 1000 + t.tv_nsec / 1000000 + ms;
	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec * 1000 + t.tv_nsec / 1000000 < end);
}

/* Each touches a thousand pages. */
static void have_children(long n)
{
	while (n--) {
		if (!fork()) {
			touch_pages(1000);
			_exit(0);
		}
		wait(NULL);
	}
}

static void wait_for(const char *fifo)
{
	FILE *f = fopen(fifo, "r");

	if (!f || fgetc(f) == EOF)
		exit(1);
	fclose(f);
}

static pthread_mutex_t start = PTHREAD_MUTEX_INITIALIZER;

static void *run_thread(void *arg)
{
	pthread_mutex_lock(&start);
	pthread_mutex_unlock(&start);
	touch_pages(1000);
	return arg;
}

/* Three threads, which each touch a thousand pages once there is something to read. */
static void have_threads(const char *fifo)
{
	pthread_t threads[3];
	size_t i;

	pthread_mutex_lock(&start);
	for (i = 0; i < 3; i++)
		if (pthread_create(&threads[i], NULL, run_thread, NULL))
			exit(1);
	wait_for(fifo);
	pthread_mutex_unlock(&start);
	for (i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

static struct tally tally(void)
{
	struct rusage self, children;
	struct tms t;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	times(&t);
	return (struct tally){
		.faults = self.ru_minflt + self.ru_majflt + children.ru_minflt + children.ru_majflt,
		.switches = self.ru_nvcsw + self.ru_nivcsw + children.ru_nvcsw + children.ru_nivcsw,
		.ns = (double)(t.tms_utime + t.tms_stime + t.tms_cutime + t.tms_cstime) * 1e9 /
		      (double)sysconf(_SC_CLK_TCK),
	};
}

int main(int argc, char **argv)
{
	struct tally begin, end;
	FILE *out;
	int i;

	if (argc < 2 || !(out = fopen(argv[1], "w")))
		return 1;
	begin = tally();
	for (i = 2; i + 1 < argc; i += 2) {
		long n = atol(argv[i + 1]);

		if (!strcmp(argv[i], "faults"))
			touch_pages(n);
		else if (!strcmp(argv[i], "switches"))
			give_way(n);
		else if (!strcmp(argv[i], "spin"))
			spin(n);
		else if (!strcmp(argv[i], "children"))
			have_children(n);
		else if (!strcmp(argv[i], "threads"))
			have_threads(argv[i + 1]);
		else
			wait_for(argv[i + 1]);
	}
	end = tally();
	fprintf(out, "%ld %ld %.0f\n", end.faults - begin.faults, end.switches - begin.switches,
		end.ns - begin.ns);
	return fclose(out) ? 1 : 0;
}
