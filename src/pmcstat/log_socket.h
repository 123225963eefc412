/* SPDX-License-Identifier: BSD-2-Clause */
/* A log that is written to another host: -O HOST:PORT. */
#ifndef PMCSTAT_LOG_SOCKET_H
#define PMCSTAT_LOG_SOCKET_H

#include <stdbool.h>

#include "base/err.h"

/* As on FreeBSD: it has a colon, and does not begin as a path with / or a dot does. */
bool log_socket_is(const char *name);

/* A connection to there by TCP.  Its descriptor, or -1 with err set. */
int log_socket_open(const char *name, struct err *err);

#endif
