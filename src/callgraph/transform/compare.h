/* SPDX-License-Identifier: BSD-2-Clause */
/* Two profiles as one: what was sampled, and what was sampled in the base. */
#ifndef CALLGRAPH_COMPARE_H
#define CALLGRAPH_COMPARE_H

#include "callgraph/model/profile.h"

/*
 * The union of two profiles that nothing more will be done to.  Counts are those of now, beside
 * them stand those of base.  What is the same in both:
 *
 *	events		by name and spec; by name where that leaves no choice
 *	images		by path; one that only the base has and one that only now has, by the last
 *			part of their paths where that leaves no choice
 *	functions	by name and image.  Addresses without a symbol are only comparable in the
 *			same file: where build-ids differ they become one function [no symbol]
 *	chains		by command name and functions
 *
 * Both must outlive the union, which reads their quality and has their symbols.  NULL with err set
 * when out of memory.
 */
struct cg_profile *cg_profile_compare(const struct cg_profile *base, const struct cg_profile *now,
				      struct err *err);

#endif
