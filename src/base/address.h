/* SPDX-License-Identifier: BSD-2-Clause */
/* "HOST:PORT" as the addresses of sockets. */
#ifndef BASE_ADDRESS_H
#define BASE_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct addrinfo;

/*
 * Finds the TCP addresses of "HOST:PORT"; a host that has colons itself stands in brackets.  host
 * is taken where text is a port alone, flags are getaddrinfo(3)'s.  For freeaddrinfo(3), or NULL
 * with err set: EX_NOHOST.
 */
struct addrinfo *address_find(const char *text, const char *host, int flags, struct err *err);

/* "ADDRESS:PORT" of the other end of a connection, in numbers.  False: it is none. */
bool address_of_peer(int fd, char *text, size_t size);

#endif
