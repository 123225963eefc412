// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/address.h"
#include "pmcstat/log_socket.h"

bool log_socket_is(const char *name)
{
	return *name != '/' && *name != '.' && strchr(name, ':');
}

/* Connects to the first address that takes it.  -1: none does; errno says why the last did not. */
static int connect_any(const struct addrinfo *list)
{
	const struct addrinfo *a;
	int fd = -1, error;

	for (a = list; a; a = a->ai_next) {
		fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
		if (fd >= 0 && !connect(fd, a->ai_addr, a->ai_addrlen))
			return fd;
		error = errno;
		if (fd >= 0)
			close(fd);
		errno = error;
	}
	return -1;
}

int log_socket_open(const char *name, struct err *err)
{
	struct addrinfo *list = address_find(name, NULL, 0, err);
	int fd = list ? connect_any(list) : -1;

	if (list && fd < 0)
		err_set(err, EX_CANTCREAT, "%s: cannot connect: %s", name, strerror(errno));
	if (fd < 0)
		err_hint(err, "-O HOST:PORT opens a connection; -O ./%s writes a file", name);
	if (list)
		freeaddrinfo(list);
	return fd;
}
