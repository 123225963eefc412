/* SPDX-License-Identifier: BSD-2-Clause */
/* The call chains of a page with the times of their samples, for its script. */
#ifndef CALLGRAPH_HTML_TIME_H
#define CALLGRAPH_HTML_TIME_H

#include "base/sink.h"
#include "callgraph/model/view.h"

/* Whether a page of the profile can say what was in a part of its time. */
bool cg_html_has_times(const struct cg_profile *p);

/* The slot of the timeline that a moment is in. */
uint16_t cg_html_slot(const struct cg_timeline *line, const struct cg_moment *m);

/*
 * Writes an element <script> of text, of a profile that has times.  number: for each function what
 * the page's tables call it; 0: it is in none.  0, or -1 when out of memory.
 */
int cg_html_write_times(const struct cg_view *view, const uint32_t *number, struct sink *sink);

#endif
