/* SPDX-License-Identifier: BSD-2-Clause */
/* Requests by HTTP.  libcurl is loaded where something is pushed: nobody else waits for it. */
#ifndef PMCSTAT_PUSH_HTTP_H
#define PMCSTAT_PUSH_HTTP_H

#include <stdbool.h>

#include "pmcstat/push/push_target.h"

struct push_reply {
	long status;	/* of HTTP; 0: none came */
	char text[256]; /* what the server says, or why it says nothing: a line */
	int64_t rejected; /* profiles of a request that was taken; text: why */
};

/* Whether a request in hand is given up; asked about once a second, in its thread. */
typedef bool push_give_up(void *arg);

struct push_http;

/*
 * headers: a file with lines that each request has ("Authorization: Bearer ..."); NULL: none.
 * NULL with err set.
 */
struct push_http *push_http_open(const char *headers, push_give_up *give_up, void *arg,
				 struct err *err);
void push_http_close(struct push_http *h); /* NULL is legal */

/* Posts a request, for so many seconds at most. */
void push_http_post(struct push_http *h, const struct push_request *r, double seconds,
		    struct push_reply *reply);

#endif
