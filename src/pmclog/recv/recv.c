// SPDX-License-Identifier: BSD-2-Clause
/*
 * One thread and one buffer for all connections: what one sends is written to its file before the
 * next is read, so a full disk holds up senders and not memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/address.h"
#include "base/open_files.h"
#include "base/vec.h"
#include "pmclog/recv/recv.h"
#include "pmclog/recv/recv_kept.h"
#include "pmclog/recv/recv_part.h"

enum {
	BUFFER = 256 * 1024,
	AT_END = 64, /* such buffers, of what has come when the receiver ends */
};

struct peer {
	int socket;
	double since;
	struct recv_part part;
};

struct receiver {
	const struct pmclog_recv_options *options;
	int listener;
	struct recv_files files;
	struct recv_keeper keeper;
	VEC(struct peer) peers;
	VEC(struct pollfd) polled; /* the listener, then the peers */
	uint64_t done;
	bool is_crowded; /* no descriptor is left for one more */
	bool told_crowd; /* and it was said */
	uint8_t buf[BUFFER];
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void tell(const struct receiver *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void tell(const struct receiver *r, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	r->options->tell(line);
}

/* ---- Where it listens. */

static int listen_any(const struct addrinfo *list)
{
	const struct addrinfo *a;
	const int on = 1;
	int fd = -1, error;

	for (a = list; a; a = a->ai_next) {
		fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
			    a->ai_protocol);
		if (fd < 0)
			continue;
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		if (!bind(fd, a->ai_addr, a->ai_addrlen) && !listen(fd, 64))
			return fd;
		error = errno;
		close(fd);
		errno = error;
		fd = -1;
	}
	return fd;
}

static int open_listener(struct receiver *r, struct err *err)
{
	struct addrinfo *list = address_find(r->options->at, "127.0.0.1", AI_PASSIVE, err);

	if (!list)
		return -1;
	r->listener = listen_any(list);
	if (r->listener < 0)
		open_files_fail(err, EX_UNAVAILABLE, "%s: cannot listen", r->options->at);
	freeaddrinfo(list);
	return r->listener < 0 ? -1 : 0;
}

/* "192.0.2.7" and the port, as numbers. */
static void name_address(const struct sockaddr *address, socklen_t length, char host[RECV_ADDRESS],
			 char port[8])
{
	if (getnameinfo(address, length, host, RECV_ADDRESS, port, 8,
			NI_NUMERICHOST | NI_NUMERICSERV)) {
		strcpy(host, "unknown");
		strcpy(port, "0");
	}
}

static void tell_listening(const struct receiver *r)
{
	struct sockaddr_storage address;
	socklen_t length = sizeof(address);
	char host[RECV_ADDRESS] = "", port[8] = "";
	bool colons;

	if (!getsockname(r->listener, (struct sockaddr *)&address, &length))
		name_address((const struct sockaddr *)&address, length, host, port);
	colons = strchr(host, ':');
	tell(r, "listening at %s%s%s:%s", colons ? "[" : "", host, colons ? "]" : "", port);
}

/*
 * Who sent it learns by an end that all is in the file, and by a reset that it is not, even where
 * he was through.
 */
static void close_socket(int fd, bool is_well)
{
	const struct linger reset = {.l_onoff = 1};

	if (!is_well)
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
	close(fd);
}

/* Of bytes that are in no file the sender knows only that they have arrived. */
static void tell_cut_off(const struct receiver *r, const struct peer *peer, const char *why)
{
	const struct recv_part *p = &peer->part;
	int queued = 0;

	ioctl(peer->socket, FIONREAD, &queued);
	if (p->unwritten || queued)
		tell(r,
		     "%s: %" PRIu64 " bytes, cut off: %s; %" PRIu64
		     " more bytes have come and are in no file",
		     p->name, p->bytes, why, p->unwritten + (uint64_t)queued);
	else
		tell(r, "%s: %" PRIu64 " bytes, cut off: %s", p->name, p->bytes, why);
}

/* Ends a connection; why: NULL where the sender did. */
static void end_peer(struct receiver *r, size_t i, const char *why)
{
	struct peer *peer = &r->peers.v[i];
	struct recv_part *p = &peer->part;
	bool brought = p->file >= 0;

	if (brought && !p->bytes)
		unlinkat(r->files.directory, p->name, 0);
	else if (brought)
		pmclogint_recv_keep(&r->keeper, &r->files, p);
	if (brought && close(p->file) && !why)
		why = strerror(errno);
	r->is_crowded = false;
	r->done += brought;
	if (!brought)
		tell(r, "%s: %s", p->address, why ? why : "it sent nothing");
	else if (why)
		tell_cut_off(r, peer, why);
	else
		tell(r, "%s: %" PRIu64 " bytes%s", p->name, p->bytes,
		     !p->is_plain		   ? ""
		     : pmclogint_recv_is_closed(p) ? ", closed"
						   : ", not closed: its end is missing");
	if (why == r->files.err.msg && *r->files.err.hint)
		tell(r, "hint: %s", r->files.err.hint);
	close_socket(peer->socket, !why);
	vec_remove(&r->peers, i, 1);
}

/* Reads once, so that no sender keeps the others waiting.  Whether there may be more. */
static bool read_peer(struct receiver *r, size_t i)
{
	struct peer *p = &r->peers.v[i];
	ssize_t got = read(p->socket, r->buf, BUFFER);
	const char *why = NULL;

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (got < 0)
		why = strerror(errno);
	else if (got)
		why = pmclogint_recv_take(&r->files, &p->part, r->buf, (size_t)got);
	if (got <= 0 || why)
		end_peer(r, i, why);
	return got > 0 && !why;
}

/* Who connects waits, and would not learn why. */
static void tell_crowd(struct receiver *r)
{
	struct err err;

	open_files_fail(&err, EX_OSERR, "a connection waits");
	r->is_crowded = true;
	if (r->told_crowd)
		return;
	r->told_crowd = true;
	tell(r, "%s", err.msg);
	if (err.hint[0])
		tell(r, "hint: %s", err.hint);
}

/* Whether there is a connection: without a descriptor accept(2) does not look.  Keeps errno. */
static bool waits_for_us(int listener)
{
	struct pollfd p = {.fd = listener, .events = POLLIN};
	const int error = errno;
	bool waits = poll(&p, 1, 0) > 0;

	errno = error;
	return waits;
}

static void accept_peers(struct receiver *r)
{
	struct sockaddr_storage address;
	const int on = 1;
	char port[8];

	while (r->peers.n < PMCLOG_RECV_PEERS) {
		socklen_t length = sizeof(address);
		struct peer p = {.part.file = -1, .since = now()};

		p.socket = accept4(r->listener, (struct sockaddr *)&address, &length,
				   SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (p.socket < 0) {
			if ((errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
			     errno == ENOBUFS) &&
			    waits_for_us(r->listener))
				tell_crowd(r);
			return;
		}
		r->told_crowd = false;
		setsockopt(p.socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
		name_address((const struct sockaddr *)&address, length, p.part.address, port);
		if (vec_push(&r->peers, p)) {
			close(p.socket);
			return;
		}
	}
}

/* Who holds a place and sends nothing gives it back.  Whether there is one to be waited for. */
static bool end_idle(struct receiver *r)
{
	double before = now() - PMCLOG_RECV_PATIENCE;
	bool waits = false;
	size_t i;

	for (i = r->peers.n; i-- > 0;) {
		const struct peer *p = &r->peers.v[i];

		if (p->part.file < 0 && p->since < before)
			end_peer(r, i, "it sent nothing");
		else
			waits |= p->part.file < 0;
	}
	return waits;
}

/* What to wait for.  0, or -1 when out of memory. */
static int fill_polled(struct receiver *r)
{
	const struct peer *p;

	if (vec_reserve(&r->polled, r->peers.n + 1))
		return -1;
	r->polled.n = 0;
	r->polled.v[r->polled.n++] = (struct pollfd){
		.fd = r->peers.n < PMCLOG_RECV_PEERS && !r->is_crowded ? r->listener : -1,
		.events = POLLIN};
	vec_each(p, &r->peers)
		r->polled.v[r->polled.n++] = (struct pollfd){.fd = p->socket, .events = POLLIN};
	return 0;
}

/* What has come already is taken, for its sender counts it as here. */
static void end_at_once(struct receiver *r, size_t i)
{
	size_t peers = r->peers.n;
	int n;

	for (n = 0; n < AT_END && read_peer(r, i); n++)
		;
	if (r->peers.n == peers)
		end_peer(r, i, "the receiver ends");
}

static int receive(struct receiver *r, const volatile sig_atomic_t *stop, const sigset_t *wait,
		   struct err *err)
{
	const struct timespec second = {.tv_sec = 1};
	size_t i;

	while (!*stop && (!r->options->count || r->done < r->options->count)) {
		bool waits = end_idle(r) || r->is_crowded;

		if (fill_polled(r))
			return err_nomem(err);
		if (ppoll(r->polled.v, r->polled.n, waits ? &second : NULL, wait) < 0)
			continue;
		r->is_crowded = false;
		/* From the last one on: one that ends is taken out. */
		for (i = r->polled.n; i-- > 1;)
			if (r->polled.v[i].revents)
				read_peer(r, i - 1);
		if (r->polled.v[0].revents)
			accept_peers(r);
	}
	for (i = r->peers.n; i-- > 0;)
		end_at_once(r, i);
	return 0;
}

int pmclog_recv(const struct pmclog_recv_options *options, const volatile sig_atomic_t *stop,
		const sigset_t *wait, struct err *err)
{
	struct receiver *r = calloc(1, sizeof(*r));
	int status = -1;

	if (!r)
		return err_nomem(err);
	r->options = options;
	r->listener = -1;
	r->files.most = options->bytes;
	r->keeper.files = options->keep;
	r->files.directory = open(options->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->files.directory < 0)
		open_files_fail(err, EX_CANTCREAT, "%s", options->directory);
	else if (!open_listener(r, err)) {
		tell_listening(r);
		status = receive(r, stop, wait, err);
	}
	if (r->listener >= 0)
		close(r->listener);
	if (r->files.directory >= 0)
		close(r->files.directory);
	pmclogint_recv_keeper_fini(&r->keeper);
	vec_free(&r->peers);
	vec_free(&r->polled);
	free(r);
	return status;
}
