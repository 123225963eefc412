/* SPDX-License-Identifier: BSD-2-Clause */
/* The source lines, or the instructions, of a page's hottest functions, as --annotate has them. */
#ifndef CALLGRAPH_HTML_SOURCES_H
#define CALLGRAPH_HTML_SOURCES_H

#include "callgraph/output/output.h"
#include "callgraph/read/sampled_functions.h"

struct cg_html_sources;

/* Of a profile with lines; it and the options are borrowed.  NULL when out of memory. */
struct cg_html_sources *cg_html_sources_new(const struct cg_profile *p,
					    const struct cg_output_options *options);
void cg_html_sources_free(struct cg_html_sources *s); /* NULL is legal */

/*
 * Takes in a function, hottest ones first, if it has lines and there is room.  *number
 * is that of the element id="sourceNUMBER", CG_NONE where there is none, as always where s is NULL.
 * 0, or -1 when out of memory.
 */
int cg_html_source_add(struct cg_html_sources *s, const struct cg_view *of,
		       const struct cg_sampled_function *sampled, uint32_t *number);

/* Writes the page's section with all of them. */
void cg_html_sources_write(struct cg_html_sources *s, struct sink *sink);

#endif
