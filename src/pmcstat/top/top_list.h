/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of lines that a view makes and draws, for the views alone. */
#ifndef PMCSTAT_TOP_LIST_H
#define PMCSTAT_TOP_LIST_H

#include "pmcstat/top/grid.h"
#include "pmcstat/top/top_code.h"
#include "pmcstat/top/top_data.h"

struct top_line {
	uint64_t id; /* the same at the next refresh; never 0 */
	uint64_t count;
	uint64_t self;	   /* of them, of the function itself */
	uint32_t function; /* CG_NONE: none */
	uint32_t pid, tid, life; /* of a thread, as struct cg_group has them */
	uint32_t image;
	uint32_t first, n; /* of the items that belong to the line */
	uint32_t depth;
	uint32_t dots; /* children that the threshold left out */
	const char *text;
	const char *more;
};

struct top_item {
	uint32_t function;
	uint64_t count;
};

struct top_list {
	const struct top_data *data;
	const struct top_state *state;
	const struct top_code *code; /* of TOP_CODE; NULL: it is yet to be read */
	const char *header; /* NULL: head() draws it */
	void (*head)(const struct top_list *list, struct grid *g, int row);
	int longest; /* columns of the longest name of a function */
	VEC(struct top_line) lines;
	VEC(struct top_item) items; /* callers, or functions of a line of a tree */
	size_t cut_lines;	    /* below the threshold */
	uint64_t cut_samples;	    /* in them */
	bool cut_adds_up;	    /* samples are in one line each */
	void (*draw)(const struct top_list *list, const struct top_line *line, struct grid *g,
		     int row);
};

double top_share(const struct top_list *list, uint64_t count); /* percent of the chosen samples */

/* Whether a line with so many samples is below the threshold, which then notes it. */
bool top_is_cut(struct top_list *list, uint64_t count);

/* Whether the filter takes a text. */
bool top_matches(const struct top_list *list, const char *text);

/* A share in the column that every list opens with; the column behind it. */
int top_put_share(const struct top_list *list, struct grid *g, int row, uint64_t count);

/* The number of a process or thread; "-" where it has none. */
enum { TOP_ID_SIZE = 12 };
const char *top_id_text(uint32_t id, char text[TOP_ID_SIZE]);

/* Puts a name, shortened where there is no room for all of it; the column behind it. */
int top_put_name(struct grid *g, int row, int col, int width, enum grid_attr attr,
		 const char *name);

/* The last part of an object's path. */
const char *top_image_name(const struct cg_profile *p, uint32_t function);

enum grid_attr top_heat(double percent);

/* Each fills the list of a view.  0, or -1 when out of memory. */
int top_list_flat(struct top_list *list);
int top_list_tree(struct top_list *list);
int top_list_threads(struct top_list *list);
int top_list_objects(struct top_list *list);
int top_list_function(struct top_list *list);
int top_list_code(struct top_list *list);
int top_list_help(struct top_list *list);

#endif
