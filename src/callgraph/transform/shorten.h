/* SPDX-License-Identifier: BSD-2-Clause */
/* Names as people read them: the one rule of what is left out of long ones. */
#ifndef CALLGRAPH_SHORTEN_H
#define CALLGRAPH_SHORTEN_H

#include "callgraph/model/profile.h"

/*
 * Shortens a function's name into size bytes, and ends it there if it is longer:
 *
 *	template arguments of more than CG_ARGUMENTS_KEPT bytes become "..": "std::sort<..>(..)";
 *	Rust's "<Type as Trait>::f" keeps the two, shortened likewise
 *	hashes of Rust ("::h0123456789abcdef" at the end, "[0123456789abcdef]" behind a crate) and
 *	what LLVM appends (".llvm.123") are left out
 */
void cg_shorten(const char *name, char *to, size_t size);

enum { CG_ARGUMENTS_KEPT = 16 };

/*
 * Sets what functions and images are shown as: functions by the rule above unless two names would
 * become one, images by the last part of their paths unless two have the same.  Of a profile to
 * which nothing is added any more, or a comparison.  0, or -1 with err set when out of memory.
 */
int cg_profile_shorten(struct cg_profile *p, struct err *err);

#endif
