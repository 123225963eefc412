/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The steps of cg_transform(), which knows their order: each changes a profile that nobody else has
 * yet.  0, or -1 with err set when out of memory.
 */
#ifndef CALLGRAPH_STEPS_H
#define CALLGRAPH_STEPS_H

#include "callgraph/model/profile.h"

/* Leaves become functions of their own by address: "name+0x1c", "0x401c1c" (-I). */
int cg_profile_show_offsets(struct cg_profile *p, struct err *err);
/* Finds the places in the source of every location. */
int cg_profile_add_lines(struct cg_profile *p, struct err *err);
/* Inlined functions become frames of the chains.  Where lines are found. */
int cg_profile_show_inlined(struct cg_profile *p, struct err *err);
/* Each event becomes one for every value of the key. */
int cg_profile_divide_events(struct cg_profile *p, enum cg_key key, struct err *err);

#endif
