// SPDX-License-Identifier: BSD-2-Clause
/* What the lines of all lists have: a share with its heat, a threshold, a filter. */
#include <stdio.h>

#include "base/short_name.h"
#include "pmcstat/top/top_list.h"

double top_share(const struct top_list *list, uint64_t count)
{
	return cg_percent(count, list->data->samples);
}

bool top_is_cut(struct top_list *list, uint64_t count)
{
	if (top_share(list, count) >= top_thresholds[list->state->cut])
		return false;
	list->cut_lines++;
	list->cut_samples += count;
	return true;
}

bool top_matches(const struct top_list *list, const char *text)
{
	return !*list->state->filter || strcasestr(text, list->state->filter);
}

enum grid_attr top_heat(double percent)
{
	return percent > 10    ? GRID_HEAT3
	       : percent > 5   ? GRID_HEAT2
	       : percent > 2.5 ? GRID_HEAT1
			       : GRID_NORMAL;
}

const char *top_id_text(uint32_t id, char text[TOP_ID_SIZE])
{
	snprintf(text, TOP_ID_SIZE, id == CG_NONE ? "-" : "%u", id);
	return text;
}

int top_put_share(const struct top_list *list, struct grid *g, int row, uint64_t count)
{
	double share = top_share(list, count);

	return grid_printf(g, row, 0, top_heat(share), "%5.1f", share) + 1;
}

int top_put_name(struct grid *g, int row, int col, int width, enum grid_attr attr, const char *name)
{
	char text[4 * GRID_MAX];

	if (width < 0 || width > g->cols - col)
		width = g->cols - col;
	if (grid_width(name) > width) {
		short_name(name, text, sizeof(text));
		name = text;
	}
	return grid_put(g, row, col, width > 0 ? width : 0, attr, name);
}

const char *top_image_name(const struct cg_profile *p, uint32_t function)
{
	return cg_object_name(cg_object_of(p, &p->functions.v[function]));
}
