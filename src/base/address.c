// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <netdb.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/address.h"

/* Splits "HOST:PORT" in place. */
static const char *split(char *text, const char *host, const char **port)
{
	char *colon = strrchr(text, ':');

	*port = colon ? colon + 1 : text;
	if (!colon)
		return host;
	*colon = '\0';
	if (*text != '[' || colon < text + 2 || colon[-1] != ']')
		return text;
	colon[-1] = '\0';
	return text + 1;
}

/* A number, or the name of a service: getaddrinfo() takes signs, and any number modulo 65536. */
static bool is_port(const char *port)
{
	size_t digits = strspn(port, "0123456789");

	if (port[digits])
		return isalnum((unsigned char)*port);
	return digits > 0 && digits <= 5 && atoi(port) <= UINT16_MAX;
}

static int refuse_port(const char *text, const char *port, struct err *err)
{
	err_set(err, EX_USAGE, "%s: \"%s\" is no port", text, port);
	return err_hint(err, "a port is a number up to 65535, or the name of a service");
}

struct addrinfo *address_find(const char *text, const char *host, int flags, struct err *err)
{
	const struct addrinfo want = {.ai_socktype = SOCK_STREAM, .ai_flags = flags};
	struct addrinfo *list = NULL;
	char *copy = strdup(text);
	const char *port;
	int failed = -1;

	if (!copy) {
		err_nomem(err);
		return NULL;
	}
	host = split(copy, host, &port);
	if (!is_port(port))
		refuse_port(text, port, err);
	else if ((failed = getaddrinfo(host, port, &want, &list)))
		err_set(err, EX_NOHOST, "%s: %s", text,
			failed == EAI_SYSTEM ? strerror(errno) : gai_strerror(failed));
	free(copy);
	return failed ? NULL : list;
}

bool address_of_peer(int fd, char *text, size_t size)
{
	struct sockaddr_storage peer;
	socklen_t len = sizeof(peer);
	char host[64], port[8];

	if (getpeername(fd, (struct sockaddr *)&peer, &len) ||
	    (peer.ss_family != AF_INET && peer.ss_family != AF_INET6) ||
	    getnameinfo((struct sockaddr *)&peer, len, host, sizeof(host), port, sizeof(port),
			NI_NUMERICHOST | NI_NUMERICSERV))
		return false;
	snprintf(text, size, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
	return true;
}
