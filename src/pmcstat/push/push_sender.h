/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The thread that posts requests, and tries again while the server does not take them: nobody else
 * ever waits for it.
 */
#ifndef PMCSTAT_PUSH_SENDER_H
#define PMCSTAT_PUSH_SENDER_H

#include "pmcstat/push/push_http.h"

/* What became of the requests. */
struct push_counts {
	unsigned int sent;
	unsigned int dropped; /* for want of room, while the server took none */
	unsigned int refused; /* by the server, for good */
	unsigned int left;    /* at the end, by which the server had not taken them */
};

struct push_state {
	struct push_counts counts;
	bool failing;		 /* the last was not taken, and is tried again */
	struct push_reply reply; /* to the last that was not taken, or refused */
};

struct push_sender;

/* seconds: what a request may take.  NULL with err set. */
struct push_sender *push_sender_start(const char *headers, double seconds, struct err *err);

/* Takes a request over. */
void push_sender_add(struct push_sender *s, struct push_request *r);

void push_sender_state(struct push_sender *s, struct push_state *state);

/* Posts what waits, once and for so many seconds at most, and ends the thread. */
void push_sender_finish(struct push_sender *s, double seconds);

void push_sender_free(struct push_sender *s); /* ends it at once; NULL is legal */

#endif
