// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/address.h"
#include "base/open_files.h"
#include "pmcstat/log_socket.h"

enum {
	CONNECT = 5,	/* seconds: who can do without waits so long for a connection, */
	ANSWER = 30000, /* ms: for an answer to what was sent, */
	ARRIVE = 10000, /* for what was written last to arrive, */
	END = 1000,	/* and for the other end to say so */
};

bool log_socket_is(const char *name)
{
	return *name != '/' && *name != '.' && strchr(name, ':');
}

/* A time in which it does not connect makes EINPROGRESS of it. */
static int connect_to(int fd, const struct addrinfo *a, bool soon)
{
	struct timeval connect_in = {.tv_sec = CONNECT}, ever = {0};
	unsigned int answer = ANSWER;

	if (!soon)
		return connect(fd, a->ai_addr, a->ai_addrlen);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &connect_in, sizeof(connect_in));
	if (connect(fd, a->ai_addr, a->ai_addrlen)) {
		errno = errno == EINPROGRESS ? ETIMEDOUT : errno;
		return -1;
	}
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &ever, sizeof(ever));
	return setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &answer, sizeof(answer));
}

/* Connects to the first address that takes it.  -1: none does; errno says why the last did not. */
static int connect_any(const struct addrinfo *list, bool soon)
{
	const struct addrinfo *a;
	int fd = -1, error;

	for (a = list; a; a = a->ai_next) {
		fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
		if (fd >= 0 && !connect_to(fd, a, soon))
			return fd;
		error = errno;
		if (fd >= 0)
			close(fd);
		errno = error;
	}
	return -1;
}

static int open_any(const char *name, bool soon, struct err *err)
{
	struct addrinfo *list = address_find(name, NULL, 0, err);
	int fd = list ? connect_any(list, soon) : -1;

	if (list && fd < 0)
		open_files_fail(err, EX_CANTCREAT, "%s: cannot connect", name);
	if (fd < 0 && err->error != EMFILE)
		err_hint(err, "-O HOST:PORT opens a connection; -O ./%s writes a file", name);
	if (list)
		freeaddrinfo(list);
	return fd;
}

int log_socket_open(const char *name, struct err *err)
{
	return open_any(name, false, err);
}

int log_socket_open_soon(const char *name, struct err *err)
{
	return open_any(name, true, err);
}

uint64_t log_socket_bytes(int fd)
{
	struct tcp_info info = {0};
	socklen_t size = sizeof(info);
	int queued = 0;

	getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size);
	ioctl(fd, SIOCOUTQ, &queued);
	return info.tcpi_bytes_acked + (uint64_t)queued;
}

/* Whether the other end closes it in so many milliseconds, or -1: it has failed. */
static int is_ended(int fd, int ms)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	char byte[256];
	ssize_t n = 1;

	while (n > 0 && poll(&p, 1, ms) > 0)
		n = recv(fd, byte, sizeof(byte), MSG_DONTWAIT);
	return n < 0 && errno != EAGAIN && errno != EINTR ? -1 : n == 0;
}

/* Waits for the end of what shutdown(2) has begun. */
static int wait_for_end(int fd)
{
	int queued, left, ended = 0;

	for (left = ARRIVE / END; left > 0 && !ended; left--) {
		ended = is_ended(fd, END);
		/* All has arrived: it is another program that leaves it open. */
		if (!ended && !ioctl(fd, SIOCOUTQ, &queued) && !queued)
			return 0;
	}
	if (!ended)
		errno = ETIMEDOUT;
	return ended > 0 ? 0 : -1;
}

int log_socket_close(int fd)
{
	int failed, error;

	shutdown(fd, SHUT_WR);
	failed = wait_for_end(fd);
	error = errno;
	close(fd);
	errno = error;
	return failed;
}
