/* SPDX-License-Identifier: BSD-2-Clause */
/* Where functions are in the source, as far as samples tell. */
#ifndef CALLGRAPH_SOURCE_PLACES_H
#define CALLGRAPH_SOURCE_PLACES_H

#include "callgraph/model/profile.h"

struct cg_source_place {
	const char *file; /* NULL: not known */
	uint32_t line;	  /* the first of its lines in file that is in a sample; 0: not known */
};

/* One for each function of the profile, to be freed.  NULL when out of memory. */
struct cg_source_place *cg_source_places_new(const struct cg_profile *p);

#endif
