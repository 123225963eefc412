// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <netdb.h>
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

struct addrinfo *address_find(const char *text, const char *host, int flags, struct err *err)
{
	const struct addrinfo want = {.ai_socktype = SOCK_STREAM, .ai_flags = flags};
	struct addrinfo *list = NULL;
	char *copy = strdup(text);
	const char *port;
	int failed;

	if (!copy) {
		err_nomem(err);
		return NULL;
	}
	host = split(copy, host, &port);
	failed = getaddrinfo(host, port, &want, &list);
	if (failed)
		err_set(err, EX_NOHOST, "%s: %s", text,
			failed == EAI_SYSTEM ? strerror(errno) : gai_strerror(failed));
	free(copy);
	return failed ? NULL : list;
}
