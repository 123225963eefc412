// SPDX-License-Identifier: BSD-2-Clause
#include "pmc/perf/perf_exits.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "pmc/perf/perf_event.h"

enum { PATIENCE = 1000 }; /* milliseconds that a thread may take to go */

struct trial {
	sem_t is_there, may_exit;
	pid_t tid;
};

static void *run(void *arg)
{
	struct trial *t = arg;

	t->tid = (pid_t)syscall(SYS_gettid);
	sem_post(&t->is_there);
	while (sem_wait(&t->may_exit) && errno == EINTR)
		;
	return NULL;
}

/* A thread that was joined may still be on its way out. */
static void wait_for_end(pid_t tid)
{
	const struct timespec ms = {.tv_nsec = 1000000};
	int i;

	for (i = 0; i < PATIENCE && !syscall(SYS_tgkill, getpid(), tid, 0); i++)
		nanosleep(&ms, NULL);
}

int perf_exits_are_told(uint64_t tracepoint)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .config = tracepoint};
	struct trial t = {0};
	uint64_t exits = 0;
	pthread_t thread;
	int fd, r;

	sem_init(&t.is_there, 0, 0);
	sem_init(&t.may_exit, 0, 0);
	r = -pthread_create(&thread, NULL, run, &t);
	if (r)
		return r;
	while (sem_wait(&t.is_there) && errno == EINTR)
		;
	fd = perf_open(&attr, t.tid, -1);
	sem_post(&t.may_exit);
	pthread_join(thread, NULL);
	sem_destroy(&t.is_there);
	sem_destroy(&t.may_exit);
	if (fd < 0)
		return fd;
	wait_for_end(t.tid);
	r = read(fd, &exits, sizeof(exits)) == (ssize_t)sizeof(exits) ? exits > 0 : -EIO;
	close(fd);
	return r;
}
