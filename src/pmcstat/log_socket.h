/* SPDX-License-Identifier: BSD-2-Clause */
/* A log that is written to another host: -O HOST:PORT. */
#ifndef PMCSTAT_LOG_SOCKET_H
#define PMCSTAT_LOG_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

/* As on FreeBSD: it has a colon, and does not begin as a path with / or a dot does. */
bool log_socket_is(const char *name);

/* A connection to there by TCP.  Its descriptor, or -1 with err set. */
int log_socket_open(const char *name, struct err *err);

/*
 * The same for who can do without: nobody who does not answer is waited for long, neither now nor
 * by what is written later, which then fails.
 */
int log_socket_open_soon(const char *name, struct err *err);

/* Bytes that were written to a connection. */
uint64_t log_socket_bytes(int fd);

/*
 * Closes a connection that all was written to, when the other end has done so, which pmclog recv
 * does once it has all in its file.  Others that keep it open are not waited for long.  0, or -1
 * with errno set: not all of it has arrived.
 */
int log_socket_close(int fd);

#endif
