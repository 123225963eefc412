/* SPDX-License-Identifier: BSD-2-Clause */
/* The server that profiles are pushed to: which interface it has, and who we are there. */
#ifndef PMCSTAT_PUSH_TARGET_H
#define PMCSTAT_PUSH_TARGET_H

#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "callgraph/model/profile.h"

/* As the command line has it. */
struct push_options {
	const char *url;     /* NULL: nothing is pushed */
	const char *labels;  /* "k=v,k=v"; NULL: none besides the host's name */
	const char *headers; /* a file of them; NULL: none */
};

struct push_label {
	const char *name, *value; /* within the target's text */
};

struct push_interface;

struct push_target {
	const char *url;
	const struct push_interface *interface;
	VEC(struct push_label) labels;
	char *text; /* of the labels */
};

/* How many of a request's profiles a server that took it left out, by its reply; why: it says. */
typedef int64_t push_rejected(const void *reply, size_t len, char *why, size_t size);

/* A part of a recording, to be posted; all texts are its own. */
struct push_request {
	char *url;
	const char *type, *encoding; /* of the content; constants; no encoding: NULL */
	char *body;
	size_t len;
	push_rejected *rejected; /* NULL: it takes all or nothing */
};

/* What is pushed of a recording. */
struct push_part {
	const struct cg_profile *profile;
	int64_t from, until; /* nanoseconds since 1970 */
	const void *data;    /* the profile as pprof has it, compressed */
	size_t len;
};

/* Understands and checks; options are borrowed.  0, or -1 with err set (EX_USAGE). */
int push_target_init(struct push_target *t, const struct push_options *options, struct err *err);
void push_target_fini(struct push_target *t);

/* What is to be posted.  0, or -1 when out of memory. */
int push_request_make(const struct push_target *t, const struct push_part *part,
		      struct push_request *r);
void push_request_free(struct push_request *r);

#endif
