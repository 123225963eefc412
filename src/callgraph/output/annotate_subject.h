/* SPDX-License-Identifier: BSD-2-Clause */
/* What --annotate shows, and the samples of its places: what its files share. */
#ifndef CALLGRAPH_ANNOTATE_SUBJECT_H
#define CALLGRAPH_ANNOTATE_SUBJECT_H

#include "callgraph/output/output.h"
#include "callgraph/read/source.h"

/* A stack that is at a line of the source, or at an instruction. */
struct cg_hit {
	uint64_t line; /* a number of the log's */
	uint32_t stack;
	bool is_self;
};

/* A line as it was written. */
struct cg_hit_row {
	size_t at; /* bytes of the sink before it */
	uint64_t line;
	double own; /* percent that are its own */
};

/* Which samples lines have, for who wants to know more of them than how many. */
struct cg_hit_log {
	uint64_t lines; /* numbers that were given, from 1 on */
	VEC(struct cg_hit) hits;
	VEC(struct cg_hit_row) rows;
	bool failed; /* out of memory */
};

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
	struct cg_hit_log *log; /* NULL: not wanted */
};

/* Samples of a line, or of an instruction. */
struct cg_hits {
	uint64_t self, total;
	uint32_t last; /* 1 + the last stack that was counted in total */
	uint64_t line; /* its number in the log; 0: none yet */
};

/* Counts a stack at a place that it is at; once however often. */
static inline void cg_hits_add(struct cg_hits *hits, uint32_t stack, uint64_t count, bool is_self)
{
	if (hits->last != stack + 1)
		hits->total += count;
	hits->last = stack + 1;
	hits->self += is_self ? count : 0;
}

/* Counts a stack at a line, and logs it where that is wanted. */
void cg_hits_add_line(const struct cg_subject *s, struct cg_hits *hits, uint32_t stack,
		      bool is_self);

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

#endif
