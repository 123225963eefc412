/* SPDX-License-Identifier: BSD-2-Clause */
/* The picture of all call chains, as an element <svg> with its script. */
#ifndef CALLGRAPH_FLAME_H
#define CALLGRAPH_FLAME_H

#include "callgraph/output/output.h"

struct cg_flame_options {
	bool icicle;	    /* hangs from the top */
	bool within;	    /* in a page that says what else there is to say */
	size_t most_frames; /* narrow frames are left out until about so many remain */
};

/* 0, or -1 with err set when out of memory. */
int cg_flame_write(const struct cg_view *view, const struct cg_flame_options *options,
		   struct sink *sink, struct err *err);

/* What the events of a profile are together: "cpu-clock", "all events". */
const char *cg_flame_title(const struct cg_profile *p);

/* The colour of an object, the same in all pictures, as CSS has it. */
void cg_flame_write_colour(struct sink *sink, const char *object);

#endif
