// SPDX-License-Identifier: BSD-2-Clause
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "pmcstat/top/grid.h"

int grid_init(struct grid *g, int rows, int cols)
{
	int i;

	g->rows = rows < 1 ? 1 : rows > GRID_MAX ? GRID_MAX : rows;
	g->cols = cols < 1 ? 1 : cols > GRID_MAX ? GRID_MAX : cols;
	g->cells = calloc((size_t)(g->rows * g->cols), sizeof(*g->cells));
	if (!g->cells)
		return -1;
	for (i = 0; i < g->rows * g->cols; i++)
		g->cells[i].ch = ' ';
	return 0;
}

void grid_fini(struct grid *g)
{
	free(g->cells);
	*g = (struct grid){0};
}

/*
 * The character at *text, which moves behind it.  Latin, Greek and Cyrillic take one column
 * everywhere; of other characters terminals differ, so they become question marks.
 */
static uint32_t next_char(const char **text)
{
	uint32_t ch;
	size_t len = utf8_char(*text, &ch);

	*text += len ? len : 1;
	if (len == 1 && ch >= ' ' && ch < 0x7f)
		return ch;
	if (len == 2 && ((ch >= 0xa1 && ch < 0x300 && ch != 0xad) || (ch >= 0x370 && ch < 0x483) ||
			 (ch >= 0x48a && ch < 0x530)))
		return ch;
	return '?';
}

int grid_put(struct grid *g, int row, int col, int width, enum grid_attr attr, const char *text)
{
	int end = width < 0 || width > g->cols - col ? g->cols : col + width;

	if (row < 0 || row >= g->rows || col < 0)
		return col;
	while (*text && col < end)
		*grid_cell(g, row, col++) = (struct grid_cell){next_char(&text), (uint8_t)attr};
	return col;
}

int grid_printf(struct grid *g, int row, int col, enum grid_attr attr, const char *fmt, ...)
{
	char text[512];
	va_list ap;
	int end;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	end = grid_put(g, row, col, -1, attr, text);
	/* Half a number is another one. */
	if (col < g->cols && col + grid_width(text) > g->cols)
		grid_put(g, row, col + 2 > g->cols ? col : g->cols - 2, -1, attr, "..");
	return end;
}

int grid_width(const char *text)
{
	int n = 0;

	for (; *text && n < GRID_MAX; n++)
		next_char(&text);
	return n;
}

void grid_paint_row(struct grid *g, int row, uint8_t attr)
{
	int col;

	for (col = 0; row < g->rows && col < g->cols; col++)
		grid_cell(g, row, col)->attr = attr;
}

void grid_select_row(struct grid *g, int row)
{
	int col;

	for (col = 0; row < g->rows && col < g->cols; col++)
		grid_cell(g, row, col)->attr |= GRID_SELECTED;
}

int grid_utf8(uint32_t ch, char text[5])
{
	if (ch < 0x80) {
		text[0] = (char)ch;
		text[1] = '\0';
		return 1;
	}
	/* Nothing above U+07FF gets into a grid. */
	text[0] = (char)(0xc0 | ch >> 6);
	text[1] = (char)(0x80 | (ch & 0x3f));
	text[2] = '\0';
	return 2;
}

void grid_write(const struct grid *g, struct sink *sink)
{
	int row, col, end, blank = 0;
	char text[5];

	for (row = 0; row < g->rows; row++) {
		for (end = g->cols; end && grid_cell(g, row, end - 1)->ch == ' '; end--)
			;
		if (!end) {
			blank = 1;
			continue;
		}
		sink_fill(sink, '\n', (size_t)blank);
		blank = 0;
		for (col = 0; col < end; col++)
			sink_write(sink, text, (size_t)grid_utf8(grid_cell(g, row, col)->ch, text));
		sink_char(sink, '\n');
	}
}
