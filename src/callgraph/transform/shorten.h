/* SPDX-License-Identifier: BSD-2-Clause */
/* Names as people read them. */
#ifndef CALLGRAPH_SHORTEN_H
#define CALLGRAPH_SHORTEN_H

#include "callgraph/model/profile.h"

/*
 * Sets what functions and images are shown as: functions by short_name() unless two names would
 * become one, images by the last part of their paths unless two have the same.  Of a profile that
 * nobody else has yet, or a union, whose names are all shown whole.  0, or -1 with err set when out
 * of memory.
 */
int cg_profile_shorten(struct cg_profile *p, struct err *err);

#endif
