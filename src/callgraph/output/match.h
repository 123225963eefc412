/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions by the name that a user asks for: a shell pattern, as fnmatch(3) has it, for the whole
 * name, shortened or not, or for that of a C++ function without parameters and return type.
 */
#ifndef CALLGRAPH_MATCH_H
#define CALLGRAPH_MATCH_H

#include "callgraph/output/output.h"
#include "callgraph/read/sampled_functions.h"

/* Keeps of functions those whose names match, most total samples first. */
void cg_match_functions(const struct cg_profile *p, const char *pattern,
			cg_sampled_functions *functions);

/*
 * Whether number i of matching ones is to be shown: the first is, others when they have at least so
 * many total samples or are what the pattern says to the letter.
 */
bool cg_match_shows(const struct cg_profile *p, const char *pattern,
		    const cg_sampled_functions *functions, size_t i, uint64_t least);

/* Tells how many were not shown, if any. */
void cg_match_write_rest(const struct cg_output_options *options, size_t rest, struct sink *sink);

/* Sets err: no function (or what else) matches, and which have names like it.  Returns -1. */
int cg_match_none(const struct cg_profile *p, const char *what, const char *pattern,
		  struct err *err);

#endif
