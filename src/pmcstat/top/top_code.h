/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The code of one function, line by line, with the samples of each line: source lines, those of
 * inlined functions behind them, or instructions.  It is read once; samples are counted as often as
 * they are chosen.
 */
#ifndef PMCSTAT_TOP_CODE_H
#define PMCSTAT_TOP_CODE_H

#include "base/strpool.h"
#include "pmcstat/top/top_data.h"

enum top_code_kind {
	TOP_CODE_HEADING, /* no code: what follows, or what is missing */
	TOP_CODE_UNKNOWN, /* samples of which no line is known */
	TOP_CODE_LINE,
};

struct top_code_line {
	uint32_t section; /* index of sections */
	enum top_code_kind kind;
	uint64_t at; /* the number of a source line, the link-time address of an instruction */
	const char *text;
	uint64_t self; /* samples */
};

/* Lines of one file and function. */
struct top_code_section {
	const char *function; /* an inlined one; NULL: the one that is shown */
	const char *file;
	uint32_t from, to; /* lines that have code; to 0: none yet */
};

struct top_code {
	uint32_t function; /* index of functions */
	const char *name;
	bool wants_instructions; /* rather than source lines */
	bool has_instructions;
	VEC(struct top_code_line) lines; /* by section, kind and place */
	VEC(struct top_code_section) sections;
	VEC(uint32_t) line_of; /* of every location 1 + its line; 0: not looked up */
	size_t seen;	       /* locations whose lines are there */
	uint64_t self;	       /* samples of all lines */
	struct strpool *texts;
	const char *fsroot; /* before paths; NULL: none */
};

/*
 * Reads the code of a function of a resolved profile, which goes on to be used; what is missing is
 * said in a heading.  The object is of no use when the profile forgets.  NULL: out of memory.
 */
struct top_code *top_code_new(const struct cg_profile *p, uint32_t function, bool instructions,
			      const char *fsroot);
void top_code_free(struct top_code *c); /* NULL is legal */

/* Counts the chosen samples.  0, or -1 when out of memory. */
int top_code_count(struct top_code *c, const struct top_data *d);

/* The line with the most samples; the first where none has any. */
size_t top_code_hottest(const struct top_code *c);

#endif
