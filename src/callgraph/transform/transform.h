/* SPDX-License-Identifier: BSD-2-Clause */
/* From what a builder has finished to what is read. */
#ifndef CALLGRAPH_TRANSFORM_H
#define CALLGRAPH_TRANSFORM_H

#include "callgraph/model/profile.h"

/* Places in the source of every location. */
enum cg_lines {
	CG_LINES_NONE,
	CG_LINES_FOUND,
	CG_LINES_INLINED, /* and inlined functions are frames of the chains */
};

/* What is done to a profile, in the order of the members; a zeroed one is nothing. */
struct cg_transforms {
	bool offsets; /* leaves become functions by address: "name+0x1c", "0x401c1c" */
	enum cg_lines lines;
	enum cg_key divide_by; /* each event becomes one for every value; of the builder's keys */
	bool short_names; /* what is shown gets the names of cg_profile_shorten() */
};

/*
 * The profile that becomes of one, which it takes: nobody has that afterwards, and nobody changes
 * what is returned.  NULL with err set when out of memory.
 */
const struct cg_profile *cg_transform(struct cg_profile *p, const struct cg_transforms *what,
				      struct err *err);

#endif
