// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/signals.h"
#include "pmcstat/push/push_sender.h"
#include "pmcstat/push/push_spool.h"
#include "pmcstat/status.h"

/* Bytes of requests that wait: 20 minutes of a host with two busy CPUs at 97 Hz. */
enum { SPOOL_LIMIT = 16 << 20 };

/* Seconds from one try to the next: twice as many each time. */
enum { FIRST_PAUSE = 1, LONGEST_PAUSE = 60 };

struct push_sender {
	pthread_t thread;
	bool runs;
	struct push_http *http; /* the thread's own */
	double seconds;		/* that a request may take */

	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t wake;  /* to the thread: a request has come, or the end */
	struct push_spool spool;
	struct push_state state;
	double end; /* monotonic seconds: nothing is posted after it; 0: it is not near */
};

/* ---- The thread. ---- */

static bool is_over(void *arg)
{
	struct push_sender *s = arg;
	bool over;

	pthread_mutex_lock(&s->lock);
	over = s->end > 0 && status_now() >= s->end;
	pthread_mutex_unlock(&s->lock);
	return over;
}

static bool is_taken(const struct push_reply *reply)
{
	return reply->status / 100 == 2 && !reply->rejected;
}

/* Whether the same request may be taken another time: when the server is there, or has time. */
static bool may_be_taken(const struct push_reply *reply)
{
	return !reply->status || reply->status / 100 == 5 || reply->status == 408 ||
	       reply->status == 429;
}

/* Waits for the end; the lock is held.  Spread, so that hosts do not all come back at once. */
static void pause_for(struct push_sender *s, double seconds)
{
	struct timespec until;
	double whole;

	clock_gettime(CLOCK_MONOTONIC, &until);
	seconds *= 0.75 + 0.5 * (double)(until.tv_nsec % 1000) / 1000;
	until.tv_nsec += (long)(modf(seconds, &whole) * 1e9);
	until.tv_sec += (time_t)whole + until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	while (!s->end && !pthread_cond_timedwait(&s->wake, &s->lock, &until))
		;
}

/* Posts a request until it is taken or refused, or the end has come. */
static void post(struct push_sender *s, const struct push_request *r)
{
	double pause = FIRST_PAUSE, left;
	struct push_reply reply;
	bool last, again;

	for (;; pause = fmin(2 * pause, LONGEST_PAUSE)) {
		pthread_mutex_lock(&s->lock);
		last = s->end > 0;
		left = last ? fmin(s->seconds, s->end - status_now()) : s->seconds;
		pthread_mutex_unlock(&s->lock);
		reply = (struct push_reply){.text = "no time was left"};
		if (left > 0)
			push_http_post(s->http, r, left, &reply);
		pthread_mutex_lock(&s->lock);
		s->state.failing = may_be_taken(&reply);
		if (is_taken(&reply))
			s->state.counts.sent++;
		else
			s->state.reply = reply;
		s->state.counts.refused += !is_taken(&reply) && !s->state.failing;
		s->state.counts.left += s->state.failing && last;
		again = s->state.failing && !last;
		if (again)
			pause_for(s, pause);
		pthread_mutex_unlock(&s->lock);
		if (!again)
			return;
	}
}

static void *post_all(void *arg)
{
	struct push_sender *s = arg;
	struct push_request r;
	bool some = true;

	while (some) {
		pthread_mutex_lock(&s->lock);
		while (!s->spool.waiting.n && !s->end)
			pthread_cond_wait(&s->wake, &s->lock);
		some = push_spool_take(&s->spool, &r);
		pthread_mutex_unlock(&s->lock);
		if (some) {
			post(s, &r);
			push_request_free(&r);
		}
	}
	return NULL;
}

/* ---- Its user. ---- */

/* The thread, without signals that others can take. */
static int start_thread(struct push_sender *s, struct err *err)
{
	sigset_t others, old;
	int error;

	signals_of_others(&others);
	pthread_sigmask(SIG_SETMASK, &others, &old);
	error = pthread_create(&s->thread, NULL, post_all, s);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	s->runs = !error;
	return error ? err_set(err, EX_OSERR, "thread for --push: %s", strerror(error)) : 0;
}

struct push_sender *push_sender_start(const char *headers, double seconds, struct err *err)
{
	struct push_sender *s = calloc(1, sizeof(*s));
	pthread_condattr_t monotonic;

	if (!s) {
		err_nomem(err);
		return NULL;
	}
	s->seconds = seconds;
	s->spool.limit = SPOOL_LIMIT;
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&s->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
	pthread_mutex_init(&s->lock, NULL);
	s->http = push_http_open(headers, is_over, s, err);
	if (s->http && !start_thread(s, err))
		return s;
	push_sender_free(s);
	return NULL;
}

void push_sender_add(struct push_sender *s, struct push_request *r)
{
	pthread_mutex_lock(&s->lock);
	s->state.counts.dropped += push_spool_add(&s->spool, r);
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
}

void push_sender_state(struct push_sender *s, struct push_state *state)
{
	pthread_mutex_lock(&s->lock);
	*state = s->state;
	pthread_mutex_unlock(&s->lock);
}

void push_sender_finish(struct push_sender *s, double seconds)
{
	if (!s->runs)
		return;
	pthread_mutex_lock(&s->lock);
	s->end = status_now() + seconds;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
	s->runs = false;
}

void push_sender_free(struct push_sender *s)
{
	if (!s)
		return;
	push_sender_finish(s, 0);
	push_http_close(s->http);
	push_spool_fini(&s->spool);
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->lock);
	free(s);
}
