// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

#include "base/event_fd.h"
#include "base/open_files.h"
#include "base/signals.h"
#include "base/vec.h"
#include "pmcstat/top/relay.h"

enum { CHUNK = 1 << 16, MUCH = 1 << 20, LIMIT = 64 << 20 };

typedef VEC(char) relay_bytes;

/* The thread fills one of the buffers under the lock, the taker reads the other without. */
struct relay {
	pthread_t thread;
	int fd;	      /* the reading end */
	int event_fd; /* to the taker */
	int wake_fd;  /* to the thread: there is room, or it is to end */
	pthread_mutex_t lock;
	relay_bytes filling, taken;
	size_t limit;
	bool ended; /* nothing more comes */
	int error;  /* because of this */
	bool stop;
};

/* Waits for bytes where there is room for them.  Whether there are. */
static bool wait_for_bytes(struct relay *r)
{
	struct pollfd p[] = {{.fd = r->wake_fd, .events = POLLIN}, {.fd = r->fd, .events = POLLIN}};

	pthread_mutex_lock(&r->lock);
	if (r->filling.n >= r->limit)
		p[1].fd = -1;
	pthread_mutex_unlock(&r->lock);
	poll(p, 2, -1);
	if (p[0].revents)
		event_fd_clear(r->wake_fd);
	return p[1].fd >= 0 && p[1].revents;
}

/* Reads once.  False when there is nothing more to read. */
static bool read_some(struct relay *r)
{
	char chunk[CHUNK];
	ssize_t n = read(r->fd, chunk, sizeof(chunk));
	int error = n < 0 ? errno : 0;
	bool much;

	if (error == EINTR || error == EAGAIN)
		return true;
	pthread_mutex_lock(&r->lock);
	if (n > 0 && vec_reserve(&r->filling, r->filling.n + (size_t)n))
		error = ENOMEM;
	if (n > 0 && !error) {
		memcpy(r->filling.v + r->filling.n, chunk, (size_t)n);
		r->filling.n += (size_t)n;
	}
	r->error = error;
	r->ended = n <= 0 || error;
	much = r->filling.n >= MUCH;
	pthread_mutex_unlock(&r->lock);
	if (much)
		event_fd_signal(r->event_fd);
	return n > 0 && !error;
}

static bool is_stopped(struct relay *r)
{
	bool stop;

	pthread_mutex_lock(&r->lock);
	stop = r->stop;
	pthread_mutex_unlock(&r->lock);
	return stop;
}

static void *fill(void *arg)
{
	struct relay *r = arg;

	while (!is_stopped(r))
		if (wait_for_bytes(r) && !read_some(r))
			break;
	close(r->fd);
	event_fd_signal(r->event_fd);
	return NULL;
}

/* The thread, without signals that others can take. */
static int start_thread(struct relay *r)
{
	sigset_t others, old;
	int error;

	signals_of_others(&others);
	pthread_sigmask(SIG_SETMASK, &others, &old);
	error = pthread_create(&r->thread, NULL, fill, r);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return error;
}

struct relay *relay_adopt(int fd, struct err *err)
{
	struct relay *r = calloc(1, sizeof(*r));
	int error = 0;

	if (!r) {
		close(fd);
		err_nomem(err);
		return NULL;
	}
	r->fd = fd;
	r->limit = LIMIT;
	r->event_fd = event_fd_new();
	r->wake_fd = event_fd_new();
	if (r->event_fd < 0 || r->wake_fd < 0)
		error = errno;
	pthread_mutex_init(&r->lock, NULL);
	if (!error)
		error = start_thread(r);
	if (!error)
		return r;
	errno = error;
	open_files_fail(err, EX_OSERR, "thread for the log");
	close(fd);
	close(r->event_fd);
	close(r->wake_fd);
	free(r);
	return NULL;
}

struct relay *relay_start(int *fd, struct err *err)
{
	struct relay *r;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC)) {
		open_files_fail(err, EX_OSERR, "pipe for the log");
		return NULL;
	}
	r = relay_adopt(ends[0], err);
	if (r)
		*fd = ends[1];
	else
		close(ends[1]);
	return r;
}

int relay_event_fd(const struct relay *r)
{
	return r->event_fd;
}

int relay_take(struct relay *r, const void **data, size_t *len, bool *ended, struct err *err)
{
	relay_bytes full;
	int error;

	event_fd_clear(r->event_fd);
	pthread_mutex_lock(&r->lock);
	full = r->filling;
	r->filling = r->taken;
	r->filling.n = 0;
	r->taken = full;
	*ended = r->ended;
	error = r->error;
	pthread_mutex_unlock(&r->lock);
	if (full.n >= LIMIT)
		event_fd_signal(r->wake_fd);
	*data = full.v;
	*len = full.n;
	return error ? err_set(err, EX_IOERR, "live log: %s", strerror(error)) : 0;
}

void relay_unlimit(struct relay *r)
{
	pthread_mutex_lock(&r->lock);
	r->limit = SIZE_MAX;
	pthread_mutex_unlock(&r->lock);
	event_fd_signal(r->wake_fd);
}

void relay_free(struct relay *r)
{
	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	r->stop = true;
	pthread_mutex_unlock(&r->lock);
	event_fd_signal(r->wake_fd);
	pthread_join(r->thread, NULL);
	pthread_mutex_destroy(&r->lock);
	close(r->event_fd);
	close(r->wake_fd);
	vec_free(&r->filling);
	vec_free(&r->taken);
	free(r);
}
