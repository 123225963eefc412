/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A screen as a value: rows of cells, each one character with an attribute.  Whatever is put into a
 * grid stays inside it, and what could drive a terminal never gets in.
 */
#ifndef PMCSTAT_GRID_H
#define PMCSTAT_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sink.h"

enum grid_attr {
	GRID_NORMAL,
	GRID_TITLE,
	GRID_HEADER,
	GRID_HEAT1, /* above 2.5 percent */
	GRID_HEAT2, /* above 5 */
	GRID_HEAT3, /* above 10 */
	GRID_DIM,
	GRID_ALARM,
	GRID_ATTRS,
	GRID_SELECTED = 0x80, /* or-ed to one of the others */
};

struct grid_cell {
	uint32_t ch; /* a code point that takes one column */
	uint8_t attr;
};

struct grid {
	int rows, cols;
	struct grid_cell *cells; /* row by row */
};

/* More than this of either is not made. */
enum { GRID_MAX = 1000 };

/* All blank.  0, or -1 when out of memory. */
int grid_init(struct grid *g, int rows, int cols);
void grid_fini(struct grid *g);

static inline struct grid_cell *grid_cell(const struct grid *g, int row, int col)
{
	return g->cells + row * g->cols + col;
}

/*
 * Puts a text, at most width columns of it (< 0: up to the edge), and returns the column behind it.
 * Control characters, bytes that are not UTF-8 and characters that may not take one column become
 * question marks.
 */
int grid_put(struct grid *g, int row, int col, int width, enum grid_attr attr, const char *text);
/* The same up to the edge, before which two dots stand for what has no room. */
int grid_printf(struct grid *g, int row, int col, enum grid_attr attr, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

/* How many columns grid_put() would need. */
int grid_width(const char *text);

/* The attribute of a whole row, besides its text. */
void grid_paint_row(struct grid *g, int row, uint8_t attr);
void grid_select_row(struct grid *g, int row);

/* A cell's character as UTF-8, NUL-terminated; how many bytes. */
int grid_utf8(uint32_t ch, char text[5]);

/*
 * The grid as lines without blanks at their ends; of several empty lines one is left, at the end
 * none.
 */
void grid_write(const struct grid *g, struct sink *sink);

#endif
