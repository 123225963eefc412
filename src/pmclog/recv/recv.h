/* SPDX-License-Identifier: BSD-2-Clause */
/* Logs that come over TCP connections, as pmcstat -O HOST:PORT sends them, each into a file. */
#ifndef PMCLOG_RECV_H
#define PMCLOG_RECV_H

#include <signal.h>

#include "base/err.h"

enum {
	PMCLOG_RECV_PEERS = 256, /* connections at once */
	PMCLOG_RECV_PATIENCE =
		10, /* seconds until a connection must have shown that it has a log */
};

struct pmclog_recv_options {
	const char *at;	       /* "PORT", on the loopback, or "ADDRESS:PORT"; 0 is any free port */
	const char *directory; /* of the files */
	uint64_t bytes;	       /* that all files together may have */
	uint64_t keep;	       /* files of each sender; 0: all */
	uint64_t count;	       /* how many connections that brought a log; 0: without an end */
	void (*tell)(const char *line); /* where it listens, what became of each connection */
};

/*
 * Receives until *stop is set by a handler of signals that are blocked but in wait.  0, or -1 with
 * err set where it cannot listen or the directory cannot be opened.
 */
int pmclog_recv(const struct pmclog_recv_options *options, const volatile sig_atomic_t *stop,
		const sigset_t *wait, struct err *err);

#endif
