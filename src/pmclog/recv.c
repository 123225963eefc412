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
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/address.h"
#include "base/vec.h"
#include "pmclog/pmclog_wire.h"
#include "pmclog/reader_int.h"
#include "pmclog/recv.h"

enum {
	BUFFER = 256 * 1024,
	HEAD = 4,	/* bytes: pmclogint_begins_log() */
	ADDRESS = 72,	/* with the name of an interface */
	TRIES = 1000000 /* numbers of files */
};

struct peer {
	int socket, file; /* file: -1 before it is known to be a log */
	char address[ADDRESS];
	char name[ADDRESS + sizeof(".0000000000.log")]; /* of the file; empty before */
	uint8_t head[HEAD];
	size_t nhead;
	uint64_t bytes; /* in the file */
	double since;
	/* Of a plain log, little-endian: whether its last record ends it. */
	bool is_plain, is_closed;
	uint32_t left; /* bytes of the present record that are still to come */
	uint8_t word[4];
	uint8_t nword;
};

struct receiver {
	const struct pmclog_recv_options *options;
	int listener, directory;
	VEC(struct peer) peers;
	VEC(struct pollfd) polled; /* the listener, then the peers */
	uint64_t bytes, done;
	uint32_t number; /* of the last file */
	bool is_crowded; /* no descriptor is left for one more */
	uint8_t buf[BUFFER];
};

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void __attribute__((format(printf, 2, 3)))
tell(const struct receiver *r, const char *fmt, ...)
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
		err_set(err, EX_UNAVAILABLE, "%s: cannot listen: %s", r->options->at,
			strerror(errno));
	freeaddrinfo(list);
	return r->listener < 0 ? -1 : 0;
}

/* "192.0.2.7" and the port, as numbers. */
static void name_address(const struct sockaddr *address, socklen_t length, char host[ADDRESS],
			 char port[8])
{
	if (getnameinfo(address, length, host, ADDRESS, port, 8, NI_NUMERICHOST | NI_NUMERICSERV)) {
		strcpy(host, "unknown");
		strcpy(port, "0");
	}
}

static void tell_listening(const struct receiver *r)
{
	struct sockaddr_storage address;
	socklen_t length = sizeof(address);
	char host[ADDRESS] = "", port[8] = "";
	bool colons;

	if (!getsockname(r->listener, (struct sockaddr *)&address, &length))
		name_address((const struct sockaddr *)&address, length, host, port);
	colons = strchr(host, ':');
	tell(r, "listening at %s%s%s:%s", colons ? "[" : "", host, colons ? "]" : "", port);
}

/* ---- What a connection brings. */

/* Makes the next file of a peer.  0, or -1 with errno set. */
static int make_file(struct receiver *r, struct peer *p)
{
	char *c;
	uint32_t tries;

	for (c = p->address; *c; c++)
		if (!strchr("0123456789abcdef.", *c))
			*c = '_';
	for (tries = 0; tries < TRIES && p->file < 0; tries++) {
		snprintf(p->name, sizeof(p->name), "%s.%06" PRIu32 ".log", p->address, ++r->number);
		p->file = openat(r->directory, p->name,
				 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
		if (p->file < 0 && errno != EEXIST)
			break;
	}
	return p->file < 0 ? -1 : 0;
}

/* Follows the records of a plain log, for whether CLOSELOG is the last. */
static void follow(struct peer *p, const uint8_t *bytes, size_t n)
{
	while (p->is_plain && n) {
		uint32_t part = p->left < n ? p->left : (uint32_t)n;

		p->left -= part;
		bytes += part;
		n -= part;
		for (; !p->left && n && p->nword < sizeof(p->word); n--)
			p->word[p->nword++] = *bytes++;
		if (p->left || p->nword < sizeof(p->word))
			return;
		p->nword = 0;
		p->is_closed = p->word[2] == PMCLOG_WIRE_CLOSELOG;
		p->left = (uint32_t)p->word[1] << 8 | p->word[0];
		p->is_plain = p->word[3] == PMCLOG_WIRE_MAGIC && p->left >= sizeof(p->word);
		p->left -= p->is_plain ? (uint32_t)sizeof(p->word) : p->left;
	}
}

/* NULL, or why no more is taken from this peer. */
static const char *store(struct receiver *r, struct peer *p, const uint8_t *bytes, size_t n)
{
	if (r->bytes + n > r->options->bytes)
		return "all files together have as many bytes as -m allows";
	follow(p, bytes, n);
	r->bytes += n;
	while (n) {
		ssize_t put = write(p->file, bytes, n);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return strerror(errno);
		bytes += put;
		n -= (size_t)put;
		p->bytes += (uint64_t)put;
	}
	return NULL;
}

/* The bytes behind those that show a log.  NULL, or why no more is taken. */
static const char *take(struct receiver *r, struct peer *p, const uint8_t *bytes, size_t n)
{
	const char *why;

	while (n && p->nhead < HEAD) {
		p->head[p->nhead++] = *bytes++;
		n--;
	}
	if (p->nhead < HEAD)
		return NULL;
	if (p->file < 0) {
		if (!pmclogint_begins_log(p->head))
			return "what it sends is no log";
		if (make_file(r, p))
			return strerror(errno);
		p->is_plain = p->head[3] == PMCLOG_WIRE_MAGIC;
		if ((why = store(r, p, p->head, HEAD)))
			return why;
	}
	return store(r, p, bytes, n);
}

/* Ends a connection; why: NULL where the sender did. */
static void end_peer(struct receiver *r, size_t i, const char *why)
{
	struct peer *p = &r->peers.v[i];
	bool brought = p->file >= 0;

	if (brought && close(p->file) && !why)
		why = strerror(errno);
	close(p->socket);
	r->is_crowded = false;
	r->done += brought;
	if (!brought)
		tell(r, "%s: %s", p->address, why ? why : "it sent nothing");
	else if (why)
		tell(r, "%s: %" PRIu64 " bytes, cut off: %s", p->name, p->bytes, why);
	else
		tell(r, "%s: %" PRIu64 " bytes%s", p->name, p->bytes,
		     !p->is_plain		? ""
		     : p->is_closed && !p->left ? ", closed"
						: ", not closed: its end is missing");
	vec_remove(&r->peers, i, 1);
}

/* Reads once, so that no sender keeps the others waiting. */
static void read_peer(struct receiver *r, size_t i)
{
	struct peer *p = &r->peers.v[i];
	ssize_t got = read(p->socket, r->buf, BUFFER);
	const char *why = NULL;

	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got < 0)
		why = strerror(errno);
	else if (got)
		why = take(r, p, r->buf, (size_t)got);
	if (got <= 0 || why)
		end_peer(r, i, why);
}

static void accept_peers(struct receiver *r)
{
	struct sockaddr_storage address;
	const int on = 1;
	char port[8];

	while (r->peers.n < PMCLOG_RECV_PEERS) {
		socklen_t length = sizeof(address);
		struct peer p = {.file = -1, .since = now()};

		p.socket = accept4(r->listener, (struct sockaddr *)&address, &length,
				   SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (p.socket < 0) {
			r->is_crowded = errno == EMFILE || errno == ENFILE || errno == ENOMEM ||
					errno == ENOBUFS;
			return;
		}
		setsockopt(p.socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
		name_address((const struct sockaddr *)&address, length, p.address, port);
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

		if (p->file < 0 && p->since < before)
			end_peer(r, i, "it sent nothing");
		else
			waits |= p->file < 0;
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
	while (r->peers.n)
		end_peer(r, r->peers.n - 1, "the receiver ends");
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
	r->directory = open(options->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->directory < 0)
		err_set(err, EX_CANTCREAT, "%s: %s", options->directory, strerror(errno));
	else if (!open_listener(r, err)) {
		tell_listening(r);
		status = receive(r, stop, wait, err);
	}
	if (r->listener >= 0)
		close(r->listener);
	if (r->directory >= 0)
		close(r->directory);
	vec_free(&r->peers);
	vec_free(&r->polled);
	free(r);
	return status;
}
