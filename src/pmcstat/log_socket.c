// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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
	const struct addrinfo want = {.ai_socktype = SOCK_STREAM};
	char *host = strdup(name), *colon = host ? strrchr(host, ':') : NULL, *bare = host;
	struct addrinfo *list = NULL;
	int fd = -1, failed;

	if (!colon) {
		err_nomem(err);
		free(host);
		return -1;
	}
	*colon = '\0';
	/* An address that has colons itself stands in brackets. */
	if (host[0] == '[' && colon > host + 1 && colon[-1] == ']') {
		colon[-1] = '\0';
		bare++;
	}
	failed = getaddrinfo(bare, colon + 1, &want, &list);
	if (failed)
		err_set(err, EX_NOHOST, "%s: %s", name,
			failed == EAI_SYSTEM ? strerror(errno) : gai_strerror(failed));
	else if ((fd = connect_any(list)) < 0)
		err_set(err, EX_CANTCREAT, "%s: cannot connect: %s", name, strerror(errno));
	if (fd < 0)
		err_hint(err, "-O HOST:PORT opens a connection; -O ./%s writes a file", name);
	if (list)
		freeaddrinfo(list);
	free(host);
	return fd;
}
