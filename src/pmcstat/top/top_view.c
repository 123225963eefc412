// SPDX-License-Identifier: BSD-2-Clause
/* What all views have in common: the lines above and below a list, and which of it is seen. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/numbers.h"
#include "callgraph/output/output.h"
#include "callgraph/model/times.h"
#include "pmcstat/top/top_list.h"
#include "pmcstat/top/top_view.h"

/* Rows above the list: PMC, choices, header. */
enum { ABOVE = 3, MIN_ROWS = 6, MIN_COLS = 20 };

/* Columns between two keys. */
enum { KEYS_APART = 2 };

/* Of a clock on CPUs, the share of their time that they had nothing to do, or had no samples. */
static void draw_idle(const struct top_data *d, struct grid *g, int col)
{
	double all = d->cpus * d->seconds, unit = (double)d->unit / 1e9;

	if (cg_seconds_unsampled(&d->event, d->of_pmc, d->cpus, d->seconds) > 0)
		grid_printf(g, 0, col, GRID_TITLE, ", CPUs %.1f%% idle or unseen",
			    100 - 100 * (double)(d->of_pmc - d->idle) * unit / all);
	else if (d->idle)
		grid_printf(g, 0, col, GRID_TITLE, ", CPUs %.1f%% idle",
			    cg_percent(d->idle, d->of_pmc));
}

/* FreeBSD's first line. */
static void draw_title(const struct top_data *d, struct grid *g)
{
	int col = grid_put(g, 0, 0, -1, GRID_TITLE, "PMC: ");
	unsigned int part = cg_time_share(&d->event.times);

	if (d->cpu == CG_NONE) {
		col = grid_put(g, 0, col, -1, GRID_TITLE, "[");
		col = grid_put(g, 0, col, g->cols / 2, GRID_TITLE, d->event.name);
		col = grid_put(g, 0, col, -1, GRID_TITLE, "]");
	} else {
		col = grid_put(g, 0, col, g->cols / 2, GRID_TITLE, d->event.name);
		col = grid_printf(g, 0, col, GRID_TITLE, ".%u", d->cpu);
	}
	if (part < CG_WHOLE_TIME)
		col = grid_printf(g, 0, col, GRID_ALARM, "@%u.%u%%", part / 100, part / 10 % 10);
	col = grid_printf(g, 0, col, GRID_TITLE,
			  " Samples: %" PRIu64 " (%.1f%%) , %" PRIu64 " unresolved", d->samples,
			  cg_percent(d->samples, d->all), d->unresolved);
	draw_idle(d, g, col);
}

static int draw_narrowing(const struct top_data *d, const struct top_state *s, struct grid *g,
			  int col)
{
	const struct cg_profile *p = d->view.profile;
	char pid[TOP_ID_SIZE], tid[TOP_ID_SIZE];

	if (s->one_thread && s->view != TOP_THREADS)
		col = grid_printf(g, 1, col, GRID_TITLE, ", thread %s/%s", top_id_text(s->pid, pid),
				  top_id_text(s->tid, tid));
	if (s->one_object && s->view != TOP_OBJECTS)
		col = grid_printf(g, 1, col, GRID_TITLE, ", object %.100s",
				  s->image < p->images.n ? p->images.v[s->image].path
							 : "[unknown]");
	if (*s->filter && s->view < TOP_FUNCTION)
		col = grid_printf(g, 1, col, GRID_TITLE, ", with \"%s\"", s->filter);
	return col;
}

/* What was chosen. */
static void draw_choices(const struct top_input *in, const struct top_state *s, struct grid *g)
{
	static const char *const views[] = {"functions", "call tree", "threads", "objects",
					    "function",	 "code of ",  "keys"};
	static const char *const sorts[] = {" by self", " by total", " by name"};
	int col = 0;
	char span[48];

	if (s->span == TOP_RECENT)
		snprintf(span, sizeof(span), "last %.0f s", top_data_recently(in->data));
	else
		strcpy(span, s->span == TOP_ALL ? "all samples" : "since the last refresh");

	if (s->paused)
		col = grid_put(g, 1, col, -1, GRID_ALARM, "paused") + 1;
	if (in->at >= 0)
		col = grid_printf(g, 1, col, GRID_NORMAL, "at %.1f s, ", in->at);
	if (in->at >= 0 && s->speed)
		col = grid_printf(g, 1, col, GRID_TITLE, "speed %g, ", top_state_speed(s));
	col = grid_printf(g, 1, col, GRID_NORMAL, "%s, %s%s", span, views[s->view],
			  s->view == TOP_FLAT ? sorts[s->sort] : "");
	if (s->view == TOP_CODE && in->code)
		col = top_put_name(g, 1, col, g->cols / 2, GRID_TITLE, in->code->name);
	col = draw_narrowing(in->data, s, g, col);
	if (top_thresholds[s->cut] > 0 && s->view != TOP_CODE)
		grid_printf(g, 1, col, GRID_NORMAL, ", threshold %g%%", top_thresholds[s->cut]);
}

/* What was lost.  The column behind it. */
static int draw_drops(const struct cg_quality *q, struct grid *g, int row)
{
	uint64_t lost = pmclog_drops_with(q->drops.of, PMCLOG_DROP_RING), count;
	struct sink *text = sink_to_memory();
	unsigned int i;
	int col;

	col = grid_printf(g, row, 0, lost ? GRID_ALARM : GRID_NORMAL, "lost %" PRIu64 " (%.2f%%)",
			  lost, cg_percent(lost, numbers_sum(lost, q->samples)));
	if (q->drops.unsaid)
		col = grid_printf(g, row, col, GRID_ALARM, " and %" PRIu64 " drops of unknown size",
				  q->drops.unsaid);
	for (i = 0; i < pmclog_ncauses && text; i++) {
		count = pmclog_drops_with(q->drops.of, pmclog_causes[i].cause);
		if (!count || !pmclog_causes[i].brief)
			continue;
		sink_str(text, "; ");
		pmclog_cause_write(text, pmclog_causes[i].brief, count, 0);
	}
	if (text)
		col = grid_printf(g, row, col, GRID_ALARM, "%s", sink_text(text, NULL));
	sink_free(text);
	return col;
}

/* What the samples are worth; losses stand out. */
static void draw_quality(const struct top_input *in, struct grid *g, int row)
{
	const struct cg_quality *q = cg_view_quality(&in->data->view);
	int col = draw_drops(q, g, row);

	if (q->shared)
		col = grid_printf(g, row, col, GRID_ALARM, "; shared counters %" PRIu64, q->shared);
	if (q->drops.of[PMCLOG_DROP_THROTTLE])
		col = grid_printf(g, row, col, GRID_ALARM, "; throttled %" PRIu64,
				  q->drops.of[PMCLOG_DROP_THROTTLE]);
	if (q->missed)
		col = grid_printf(g, row, col, GRID_ALARM, ", about %" PRIu64 " not taken",
				  q->missed);
	if (in->forgotten)
		col = grid_printf(g, row, col, GRID_ALARM, "; forgot %" PRIu64 " samples",
				  in->forgotten);
	if (q->unannounced)
		col = grid_printf(g, row, col, GRID_ALARM, "; of unannounced PMCs %" PRIu64,
				  q->unannounced);
	col = grid_printf(g, row, col, GRID_NORMAL, "; unresolved %.2f%%; truncated %" PRIu64,
			  cg_percent(q->unresolved, q->selected), q->truncated);
	if (q->chains)
		col = grid_printf(g, row, col, cg_chains_are_partial(q) ? GRID_ALARM : GRID_NORMAL,
				  "; whole chains %.0f%%",
				  cg_percent(q->ends[PMCLOG_END_COMPLETE], q->chains));
	if (q->selected != q->samples)
		grid_printf(g, row, col, GRID_NORMAL, "; selected %" PRIu64 " of %" PRIu64,
			    q->selected, q->samples);
}

/* What is typed, or the keys that have room. */
static void draw_keys(const struct top_state *s, struct grid *g, int row)
{
	const struct top_key_help *help;
	int col = 0, width;
	size_t i;

	if (s->typing) {
		grid_printf(g, row, 0, GRID_TITLE, "show names with: %s_", s->typed);
		return;
	}
	for (i = 0; (help = top_state_help(i)); i++) {
		const char *const *brief = s->view == TOP_CODE ? help->in_code : help->brief;

		if (!brief[0])
			continue;
		width = grid_width(brief[0]) + 1 + grid_width(brief[1]);
		if (col + width > g->cols)
			return;
		grid_put(g, row, grid_put(g, row, col, -1, GRID_TITLE, brief[0]) + 1, -1,
			 GRID_NORMAL, brief[1]);
		col += width + KEYS_APART;
	}
}

/* Where the selected item is now. */
static size_t find_selected(const struct top_list *list, const struct top_state *s)
{
	size_t i, last = list->lines.n ? list->lines.n - 1 : 0;

	for (i = 0; s->follows && s->now.id && i < list->lines.n; i++)
		if (list->lines.v[i].id == s->now.id)
			return i;
	return s->now.selected < last ? s->now.selected : last;
}

static void draw_list(const struct top_list *list, const struct top_state *s, struct grid *g,
		      int rows, struct top_shown *shown)
{
	size_t at = find_selected(list, s), first = s->now.first, page = (size_t)rows, i;
	const struct top_line *line;
	int row = ABOVE;

	if (at < first)
		first = at;
	if (at >= first + page)
		first = at - page + 1;
	if (first + page > list->lines.n)
		first = list->lines.n > page ? list->lines.n - page : 0;
	*shown = (struct top_shown){.lines = list->lines.n,
				    .page = page,
				    .first = first,
				    .selected = at,
				    .function = CG_NONE};
	for (i = first; i < list->lines.n && i < first + page; i++, row++) {
		list->draw(list, &list->lines.v[i], g, row);
		if (i == at)
			grid_select_row(g, row);
	}
	if (at < list->lines.n) {
		line = &list->lines.v[at];
		shown->id = line->id;
		shown->function = line->function;
		shown->pid = line->pid;
		shown->tid = line->tid;
		shown->life = line->life;
		shown->image = line->image;
	}
	if (!list->cut_lines || i < list->lines.n || row >= ABOVE + rows)
		return;
	if (list->cut_adds_up)
		grid_printf(g, row, 0, GRID_DIM, "%5.1f in %zu more",
			    top_share(list, list->cut_samples), list->cut_lines);
	else
		grid_printf(g, row, 0, GRID_DIM, "      %zu more", list->cut_lines);
}

static int fill(struct top_list *list)
{
	static int (*const fillers[])(struct top_list * list) = {
		[TOP_FLAT] = top_list_flat,	    [TOP_TREE] = top_list_tree,
		[TOP_THREADS] = top_list_threads,   [TOP_OBJECTS] = top_list_objects,
		[TOP_FUNCTION] = top_list_function, [TOP_CODE] = top_list_code,
		[TOP_HELP] = top_list_help,
	};

	return fillers[list->state->view](list);
}

int top_draw(const struct top_input *in, const struct top_state *s, struct grid *g,
	     struct top_shown *shown)
{
	struct top_list list = {.data = in->data, .state = s, .code = in->code};
	int quality = g->rows - 1 - in->has_keys, note = *in->note ? quality - 1 : quality;
	int status;

	*shown = s->now;
	if (g->rows < MIN_ROWS || g->cols < MIN_COLS) {
		grid_put(g, 0, 0, -1, GRID_NORMAL, "too small");
		return 0;
	}
	status = fill(&list);
	if (!status) {
		draw_title(in->data, g);
		draw_choices(in, s, g);
		if (list.header)
			grid_put(g, 2, 0, -1, GRID_HEADER, list.header);
		else
			list.head(&list, g, 2);
		grid_paint_row(g, 2, GRID_HEADER);
		draw_list(&list, s, g, note - ABOVE, shown);
		if (*in->note)
			grid_put(g, note, 0, -1, in->alarm ? GRID_ALARM : GRID_TITLE, in->note);
		draw_quality(in, g, quality);
		if (in->has_keys)
			draw_keys(s, g, quality + 1);
	}
	vec_free(&list.lines);
	vec_free(&list.items);
	return status;
}
