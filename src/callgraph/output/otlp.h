/* SPDX-License-Identifier: BSD-2-Clause */
/* OTLP's profiles, of what --pprof has written: another form of the same. */
#ifndef CALLGRAPH_OTLP_H
#define CALLGRAPH_OTLP_H

#include "base/sink.h"

/* What pprof says of a profile: two lines of quality at most, without a base, and a remark. */
enum { CG_PPROF_COMMENTS = 3 };

struct cg_otlp_attribute {
	const char *name, *value;
};

/*
 * Writes a request of OTLP, compressed, with a profile for each type of pprof's that has samples.
 * attributes are the resource's.  0, or -1 when out of memory.
 */
int cg_write_otlp(const void *pprof, size_t len, const struct cg_otlp_attribute *attributes,
		  size_t n, struct sink *sink);

/*
 * How many of the request's profiles a server that took it did not take, by what it answers, and in
 * why what it says of them; 0 where it does not say that.
 */
int64_t cg_otlp_rejected(const void *reply, size_t len, char *why, size_t size);

#endif
