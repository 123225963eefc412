/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of --annotate share. */
#ifndef CALLGRAPH_ANNOTATE_H
#define CALLGRAPH_ANNOTATE_H

#include "callgraph/output/output.h"
#include "callgraph/read/source.h"

/* A function or a source file, of one event. */
struct cg_subject {
	struct cg_view view;	    /* of the event */
	const struct cg_profile *p; /* of the view */
	const struct cg_output_options *options;
	struct sink *sink;
	const struct cg_event *event;
	uint32_t function; /* index of functions; CG_NONE: a file */
	const char *file;  /* as frames have it; NULL: a function */
	uint64_t total;	   /* samples in it or in what it called: 100 % */
};

/* Samples of a line, or of an instruction. */
struct cg_hits {
	uint64_t self, total;
	uint32_t last; /* 1 + the last stack that was counted in total */
};

/* Counts a stack at a place that it is at; once however often. */
static inline void cg_hits_add(struct cg_hits *hits, uint32_t stack, uint64_t count, bool is_self)
{
	if (hits->last != stack + 1)
		hits->total += count;
	hits->last = stack + 1;
	hits->self += is_self ? count : 0;
}

/* Writes the columns of hits, or blanks as wide where there are none. */
void cg_hits_write(const struct cg_subject *s, const struct cg_hits *hits);

/* The heading of the columns that cg_hits_write() writes. */
#define CG_HITS_HEADING " SELF%      SELF TOTAL%     TOTAL"

/* The image of a function, NULL where there is none. */
static inline struct symbol_image *cg_subject_image(const struct cg_subject *s)
{
	uint32_t image = s->file ? CG_NONE : s->p->functions.v[s->function].image;

	return image == CG_NONE ? NULL : s->p->images.v[image].symbols;
}

/*
 * Opens the subject's source file, and tells in a line why it cannot be read, or that it is newer
 * than the object.  *source is NULL where it cannot.  0, or -1 when out of memory.
 */
int cg_subject_open(const struct cg_subject *s, const char *path, struct source **source);

/* Write the samples beside source lines, beside instructions.  0, or -1 when out of memory. */
int cg_annotate_lines(const struct cg_subject *s);
int cg_annotate_code(const struct cg_subject *s);

#endif
