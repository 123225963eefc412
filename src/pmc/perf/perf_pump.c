// SPDX-License-Identifier: BSD-2-Clause
/*
 * The pump: the thread that carries records from the kernel's rings to the log.
 *
 * Concurrency.  There are two kinds of threads: the program's, which come in through the operations
 * of collector_perf.c (libpmc lets in one at a time), and the pump.  Both use the session (rings,
 * ids, tasks, targets), the writer and the stats under c->log_lock only, and take no other lock
 * while they hold it.  What is set by open and never again (has, online, page_size, max_stack,
 * wake_fd) needs no lock, nor does pump_ends, which is atomic, nor do the events of a counting PMC,
 * which the pump only reads.  Those of a sampling one it opens anew when their CPU was off.  The
 * pump sleeps in poll(2) without the lock, on a list of descriptors that is its own; no ring is
 * closed before the pump has ended.
 * The kernel is the third party: it owns data_head of a ring and we own data_tail, with an acquire
 * and a release between (perf_ring.c).  The pump blocks all signals, so that handlers run in the
 * program's own threads.
 *
 * Time.  Records of one CPU lie in order; a record of another CPU may become visible some moments
 * after its time.  So each round emits only what is older than the round before it, and leaves the
 * rest in the rings; or, where samples have stacks and rings must be emptied, in the queues of
 * perf_unwind.c.  A thread that waits for its turn loses samples: this one asks for an early one.
 */
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/event_fd.h"
#include "base/signals.h"
#include "pmc/perf/perf_session.h"
#include "pmc/perf/perf_system.h"
#include "pmc/perf/unwind/perf_unwind.h"

/*
 * With stacks a ring is read hundreds of times a second, which is no reason to write a file as
 * often: that took a seventh of the pump's time.
 */
enum { ROUND_MS = 250, HURRY_MS = 2, FLUSH_NS = 100000000, WATCH_NS = 1000000000, PUMP_NICE = -15 };

struct pump_start {
	struct perf_session *s;
	sem_t known; /* posted when s->targets.pump_tid is set */
};

void perf_pump_tell_lost(struct perf_session *s)
{
	struct perf_pmc *const *p;

	perf_targets_ask_lost(&s->targets);
	vec_each(p, &s->pmcs.v)
		if (PMC_IS_SAMPLING_MODE((*p)->pmc->mode))
			perf_rings_ask_lost(&s->rings, &(*p)->fds);
	perf_rings_tell_lost(&s->rings);
}

/* What no record of the kernel tells. */
static void look(struct perf_session *s, uint64_t now)
{
	perf_watch_look(&s->watch, now);
	perf_system_look(&s->targets, false);
}

void perf_pump_round(struct perf_session *s)
{
	uint64_t now = perf_now();

	if (!s->logging)
		return;
	perf_rings_drain(&s->rings, s->last_round);
	s->last_round = now;
	perf_share_round(&s->share, now);
	if (now - s->watch.last >= WATCH_NS)
		look(s, now);
	if (now - s->last_flush < FLUSH_NS)
		return;
	s->last_flush = now;
	/* The writer remembers a failure, and libpmc asks it. */
	pmclog_writer_tick(s->c->writer, now);
}

/* Whether nothing has happened but execs, whose rings are the last ones: no end of any event. */
static bool only_execs(const struct perf_session *s)
{
	size_t i, nothers = s->polled.n - s->polled_execs;

	for (i = 0; i < s->polled.n; i++)
		if (s->polled.v[i].revents & ~(i < nothers ? 0 : POLLIN))
			return false;
	return true;
}

/*
 * Waits for a quarter of a ring, for wake_fd, or for the end of the round, which has ms (-1: it has
 * no end).  Execs are read at once, and begin no round: those need some time between them.
 */
static void pump_wait(struct perf_session *s, int ms)
{
	bool logging = ms >= 0;
	uint64_t now = perf_now(), end = now + (uint64_t)(logging ? ms : 0) * 1000000;

	while (poll(s->polled.v, s->polled.n, ms) > 0) {
		if (s->polled.v[0].revents & POLLIN)
			event_fd_clear(s->rings.wake_fd);
		if (!only_execs(s))
			return;
		pthread_mutex_lock(&s->c->log_lock);
		perf_execs_read(&s->rings.records.execs);
		now = perf_now();
		if (!s->logging)
			perf_execs_expire(&s->rings.records.execs, now);
		pthread_mutex_unlock(&s->c->log_lock);
		if (logging)
			ms = now < end ? (int)((end - now) / 1000000) : 0;
	}
}

/* Rings come all at once and stay.  Without memory they are read by the clock alone. */
static void poll_set_update(struct perf_session *s)
{
	size_t i, execs = s->rings.records.execs.rings.n, want = 1 + s->rings.v.n + execs;

	if (s->polled.n != want && !vec_reserve(&s->polled, want)) {
		s->polled.n = 1;
		for (i = 0; i < s->rings.v.n; i++)
			s->polled.v[s->polled.n++] =
				(struct pollfd){.fd = s->rings.v.v[i]->fd, .events = POLLIN};
		for (i = 0; i < execs; i++)
			s->polled.v[s->polled.n++] = (struct pollfd){
				.fd = s->rings.records.execs.rings.v[i]->fd, .events = POLLIN};
		s->polled_execs = execs;
	}
	/* An event whose thread has ended reports that for ever; its ring lives on by the clock. */
	for (i = 1; i < s->polled.n; i++)
		if (s->polled.v[i].revents & (POLLHUP | POLLERR | POLLNVAL))
			s->polled.v[i].fd = -1;
}

static int round_ms(const struct perf_session *s)
{
	if (!s->logging)
		return -1;
	return s->rings.unwind && perf_unwind_hurries(s->rings.unwind) ? HURRY_MS : ROUND_MS;
}

static void *pump(void *arg)
{
	struct pump_start *start = arg;
	struct perf_session *s = start->s;
	int ms = -1;

	s->targets.pump_tid = gettid();
	/* Late, it loses samples; it may be refused that, and then does without. */
	setpriority(PRIO_PROCESS, (id_t)s->targets.pump_tid, PUMP_NICE);
	sem_post(&start->known);
	while (!__atomic_load_n(&s->pump_ends, __ATOMIC_ACQUIRE)) {
		pump_wait(s, ms);
		pthread_mutex_lock(&s->c->log_lock);
		perf_pump_round(s);
		ms = round_ms(s);
		poll_set_update(s);
		pthread_mutex_unlock(&s->c->log_lock);
	}
	return NULL;
}

int perf_pump_start(struct perf_session *s, struct err *err)
{
	struct pump_start start = {.s = s};
	sigset_t others, old;
	int error;

	if (s->pump_runs)
		return 0;
	if (vec_push(&s->polled, (struct pollfd){.fd = s->rings.wake_fd, .events = POLLIN}))
		return err_nomem(err);
	sem_init(&start.known, 0, 0);
	signals_of_others(&others);
	pthread_sigmask(SIG_SETMASK, &others, &old);
	error = pthread_create(&s->pump, NULL, pump, &start);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (error) {
		sem_destroy(&start.known);
		vec_free(&s->polled);
		err_set(err, EX_OSERR, "cannot start the thread that reads samples: %s",
			strerror(error));
		return err_errno(err, error);
	}
	while (sem_wait(&start.known))
		;
	sem_destroy(&start.known);
	s->pump_runs = true;
	return 0;
}

void perf_pump_join(struct perf_session *s)
{
	if (!s->pump_runs)
		return;
	__atomic_store_n(&s->pump_ends, true, __ATOMIC_RELEASE);
	perf_rings_wake(&s->rings);
	pthread_join(s->pump, NULL);
	vec_free(&s->polled);
	s->pump_runs = false;
}
