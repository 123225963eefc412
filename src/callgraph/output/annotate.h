/* SPDX-License-Identifier: BSD-2-Clause */
/* The two texts of --annotate. */
#ifndef CALLGRAPH_ANNOTATE_H
#define CALLGRAPH_ANNOTATE_H

#include "callgraph/output/annotate_subject.h"

/* Write the samples beside source lines, beside instructions.  0, or -1 when out of memory. */
int cg_annotate_lines(const struct cg_subject *s);
int cg_annotate_code(const struct cg_subject *s);

#endif
