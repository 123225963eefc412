// SPDX-License-Identifier: BSD-2-Clause
/* The code of a function: a line each with its own samples. */
#include <inttypes.h>

#include "pmcstat/top/top_list.h"

static void draw_code(const struct top_list *list, const struct top_line *line, struct grid *g,
		      int row)
{
	const struct top_code *c = list->code;
	const struct top_code_line *l = &c->lines.v[line->first];
	double share = cg_percent(l->self, c->self);
	int col = 17;

	if (l->kind == TOP_CODE_HEADING) {
		grid_put(g, row, 0, -1, GRID_TITLE, l->text);
		return;
	}
	if (l->self)
		grid_printf(g, row, 0, top_heat(share), "%5.1f %10" PRIu64, share, l->self);
	if (c->has_instructions)
		col = grid_printf(g, row, col, GRID_DIM, "%12" PRIx64, l->at);
	else if (l->kind == TOP_CODE_LINE)
		col = grid_printf(g, row, col, GRID_DIM, "%6" PRIu64, l->at);
	grid_put(g, row, col + 2, -1, GRID_NORMAL, l->text);
}

int top_list_code(struct top_list *list)
{
	const struct top_code *c = list->code;
	size_t i;

	list->header = c && c->has_instructions ? "%SELF    SAMPLES      ADDRESS  INSTRUCTION"
						: "%SELF    SAMPLES   LINE  SOURCE";
	list->draw = draw_code;
	for (i = 0; c && i < c->lines.n; i++) {
		const struct top_code_line *l = &c->lines.v[i];
		struct top_line line = {
			.id = 1 + ((uint64_t)l->kind << 62 ^ (uint64_t)l->section << 40 ^ l->at),
			.count = l->self,
			.function = CG_NONE,
			.first = (uint32_t)i};

		if (vec_push(&list->lines, line))
			return -1;
	}
	return 0;
}
