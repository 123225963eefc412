/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that wait for the server, oldest first, in memory that is limited: where there is no
 * room for another one, the oldest go.  Locking is its user's.
 */
#ifndef PMCSTAT_PUSH_SPOOL_H
#define PMCSTAT_PUSH_SPOOL_H

#include <stdbool.h>

#include "pmcstat/push/push_target.h"

struct push_spool {
	VEC(struct push_request) waiting;
	size_t bytes, limit; /* of the bodies */
};

/* Takes a request.  How many had to go: one that is larger than the limit goes itself. */
unsigned int push_spool_add(struct push_spool *s, struct push_request *r);

/* Gives the oldest, which is the caller's then.  Whether there is one. */
bool push_spool_take(struct push_spool *s, struct push_request *r);

void push_spool_fini(struct push_spool *s);

#endif
