/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Outputs: what a resolved profile can be written as.
 *
 * One output is one file with one struct cg_output, listed in outputs.c; options, help, completion
 * and tests walk that list.  An output reads the profile and never changes it.
 */
#ifndef CALLGRAPH_OUTPUT_H
#define CALLGRAPH_OUTPUT_H

#include "base/sink.h"
#include "callgraph/profile.h"

struct cg_output_options {
	unsigned int graph_depth; /* frames above the leaf that a call graph shows; 0: all (-z) */
};

struct cg_output {
	const char *name; /* the long option: "flat" is --flat */
	char letter;	  /* the short option; 0: none */
	bool needs_file;  /* its argument is required (a file, or - for standard output) */
	bool has_quality; /* the text itself ends with the quality line */
	const char *summary;
	/* Writes all events of the profile.  0, or -1 with err set when out of memory. */
	int (*write)(const struct cg_profile *p, const struct cg_output_options *options,
		     struct sink *sink, struct err *err);
};

/* Ends with NULL. */
extern const struct cg_output *const cg_outputs[];

/* The quality line: samples taken, lost, throttled, unresolved, truncated, and the events. */
void cg_write_quality(const struct cg_profile *p, struct sink *sink);

/*
 * One line for each image with more than min samples whose symbols are missing, most samples first:
 * how many, which file, why.  0, or -1 with err set when out of memory.
 */
int cg_write_problems(const struct cg_profile *p, uint64_t min, struct sink *sink, struct err *err);

/*
 * Texts of logs and symbol tables, which may hold anything: what would break a line or drive a
 * terminal is written as \ and octal digits.
 */
void cg_write_text(struct sink *sink, const char *text);

/* The same as one word, for formats whose readers end a name at a blank: with _ for such bytes. */
void cg_write_name(struct sink *sink, const char *name);

#endif
