/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the user of top has chosen, and what keys do to it.  Values only: neither terminal nor
 * profile is touched here.
 */
#ifndef PMCSTAT_TOP_STATE_H
#define PMCSTAT_TOP_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "callgraph/model/profile.h"
#include "pmcstat/top/keys.h"

enum top_view { TOP_FLAT, TOP_TREE, TOP_THREADS, TOP_OBJECTS, TOP_FUNCTION, TOP_CODE, TOP_HELP };
/* Samples of the last seconds, since the last refresh, or all. */
enum top_span { TOP_RECENT, TOP_DELTA, TOP_ALL };
enum top_sort { TOP_BY_SELF, TOP_BY_TOTAL, TOP_BY_NAME };

/* The line that is selected, as the view showed it last: what keys act on. */
struct top_shown {
	size_t lines; /* of the list */
	size_t page;  /* of them on the screen */
	size_t first; /* the one on top */
	size_t selected;
	uint64_t id;	   /* of the selected one; 0: there is none */
	uint32_t function; /* of it, index of functions; CG_NONE: it is of none */
	uint32_t pid, tid, life; /* of it; only in TOP_THREADS */
	uint32_t image;	   /* of it, index of images; only in TOP_OBJECTS */
};

struct top_state {
	enum top_view view;
	enum top_view below; /* where TOP_FUNCTION and TOP_HELP go back to */
	enum top_sort sort;
	enum top_span span;
	bool idle; /* samples of CPUs that have nothing to do as well */
	bool paused, quit;
	bool per_cpu;	      /* PMCs of an event one by one */
	size_t pmc;	      /* which PMC, from 0; beyond the last: from 0 again */
	unsigned int cut;     /* index of top_thresholds */
	uint32_t function;    /* that of TOP_FUNCTION */
	uint32_t code;	      /* the function of TOP_CODE */
	enum top_view closed; /* what TOP_CODE goes back to */
	bool instructions;    /* of it, rather than source lines */
	bool one_thread;      /* samples of this one alone */
	uint32_t pid, tid;    /* CG_NONE: it has no such number */
	uint32_t life;	      /* which one of those that had them */
	bool one_object;      /* samples with a leaf in this image alone */
	uint32_t image;	      /* CG_NONE: in none */
	char filter[64];      /* shows lines with this text; "": all */
	char typed[64];	      /* what will be the filter */
	bool typing;	      /* keys go there */
	bool follows;	      /* the selection stays with an item, not with a place */
	int speed;	      /* of a replay: doubled so often; below 0 halved */
	struct top_shown now; /* as drawn last */
};

/* Percentages below which lines are left out, from 0 on. */
enum { TOP_THRESHOLDS = 6 };
extern const double top_thresholds[TOP_THRESHOLDS];

/* threshold: what -f asked for, < 0 for nothing.  It takes the nearest there is. */
void top_state_init(struct top_state *s, double threshold);

/*
 * The profile has no functions any more, and other images: the chosen one, where one was chosen, is
 * now image (CG_NONE: it is gone, and all objects are shown).
 */
void top_state_forget(struct top_state *s, uint32_t image);

/* What a key does, a character or one of enum top_key.  Keys that do nothing are legal. */
void top_state_key(struct top_state *s, int key);

/* A line of the list becomes the selected one, in the middle of the screen. */
void top_state_select(struct top_state *s, size_t line);

/* How many seconds of a log are replayed in one. */
double top_state_speed(const struct top_state *s);

/* What is said of every key, a line each; NULL behind the last. */
struct top_key_help {
	const char *keys, *does;
	const char *brief[2]; /* for the row below the screen; no key: it is not there */
	const char *in_code[2]; /* the same in TOP_CODE */
};
const struct top_key_help *top_state_help(size_t i);

#endif
