// SPDX-License-Identifier: BSD-2-Clause
/* The grid of text that views of top are drawn on. */
#include "base/sink.h"
#include "pmcstat/top/grid.h"
#include "unit.h"

UNIT(a_grid_clips)
{
	struct sink *sink = sink_to_memory();
	struct grid g;

	CHECK(!grid_init(&g, 2, 5));
	CHECK_U64(grid_put(&g, 0, 3, -1, GRID_NORMAL, "abcdef"), 5);
	CHECK_U64(grid_put(&g, 1, 0, 2, GRID_NORMAL, "abcdef"), 2);
	CHECK_U64(grid_put(&g, 2, 0, -1, GRID_NORMAL, "x"), 0);
	CHECK_U64(grid_put(&g, 1, 7, -1, GRID_NORMAL, "x"), 7);
	grid_paint_row(&g, 5, GRID_HEADER);
	grid_select_row(&g, 9);
	grid_write(&g, sink);
	CHECK_STR(sink_text(sink, NULL), "   ab\nab\n");
	sink_free(sink);
	grid_fini(&g);
	CHECK(!grid_init(&g, 0, 1 << 30));
	CHECK(g.rows == 1 && g.cols == GRID_MAX);
	grid_fini(&g);
}

UNIT_MAIN(UNIT_ENTRY(a_grid_clips))
