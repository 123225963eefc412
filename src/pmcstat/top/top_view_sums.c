// SPDX-License-Identifier: BSD-2-Clause
/* Threads and objects with their samples, and the keys. */
#include <inttypes.h>
#include <stdio.h>

#include "base/hash.h"
#include "pmcstat/top/top_list.h"

static int by_id(const void *a, const void *b)
{
	const struct top_line *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static int by_count(const void *a, const void *b)
{
	const struct top_line *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return by_id(a, b);
}

/* Adds up the lines of one id under the last one's text; of them those stay that are shown. */
static void add_up(struct top_list *list)
{
	size_t i, n = 0;

	if (list->lines.n)
		qsort(list->lines.v, list->lines.n, sizeof(*list->lines.v), by_id);
	for (i = 0; i < list->lines.n; i++) {
		if (n && list->lines.v[n - 1].id == list->lines.v[i].id) {
			list->lines.v[n - 1].count += list->lines.v[i].count;
			list->lines.v[n - 1].text = list->lines.v[i].text;
		} else {
			list->lines.v[n++] = list->lines.v[i];
		}
	}
	list->lines.n = n;
	for (i = n = 0; i < list->lines.n; i++)
		if (list->lines.v[i].count && top_matches(list, list->lines.v[i].text) &&
		    !top_is_cut(list, list->lines.v[i].count))
			list->lines.v[n++] = list->lines.v[i];
	list->lines.n = n;
	if (n)
		qsort(list->lines.v, n, sizeof(*list->lines.v), by_count);
}

static void draw_thread(const struct top_list *list, const struct top_line *line, struct grid *g,
			int row)
{
	int col = top_put_share(list, g, row, line->count);
	char pid[TOP_ID_SIZE], tid[TOP_ID_SIZE];

	col = grid_printf(g, row, col, GRID_NORMAL, "%10" PRIu64 " %7s %7s ", line->count,
			  top_id_text(line->pid, pid), top_id_text(line->tid, tid));
	grid_put(g, row, col, -1, GRID_NORMAL, line->text);
}

int top_list_threads(struct top_list *list)
{
	const struct cg_profile *p = list->data->view.profile;
	const struct cg_group *group;
	const uint32_t *stack;

	list->header = "%SAMP    SAMPLES     PID     TID COMMAND";
	list->draw = draw_thread;
	list->cut_adds_up = true;
	/* A line for every group first. */
	vec_each(group, &p->groups) {
		const uint64_t thread = (uint64_t)group->pid << 32 | group->tid;
		struct top_line line = {.id = hash_mix(thread, group->life) | 1,
					.function = CG_NONE,
					.pid = group->pid,
					.tid = group->tid,
					.life = group->life,
					.first = (uint32_t)list->lines.n,
					.text = group->thread ? group->thread : group->comm};

		if (vec_push(&list->lines, line))
			return -1;
	}
	vec_each(stack, &list->data->stacks)
		list->lines.v[p->stacks.v[*stack].group].count += list->data->counts.v[*stack];
	add_up(list);
	return 0;
}

static void draw_object(const struct top_list *list, const struct top_line *line, struct grid *g,
			int row)
{
	int col = top_put_share(list, g, row, line->count);

	col = grid_printf(g, row, col, GRID_NORMAL, "%10" PRIu64 " ", line->count);
	grid_put(g, row, col, -1, GRID_NORMAL, line->text);
}

int top_list_objects(struct top_list *list)
{
	const struct cg_profile *p = list->data->view.profile;
	const uint32_t *stack;
	size_t i;

	list->header = "%SAMP    SAMPLES OBJECT";
	list->draw = draw_object;
	list->cut_adds_up = true;
	/* A line for every image first, then one for what is in none. */
	for (i = 0; i <= p->images.n; i++) {
		bool mapped = i < p->images.n;

		if (vec_push(&list->lines,
			     (struct top_line){.id = 1 + i,
					       .function = CG_NONE,
					       .image = mapped ? (uint32_t)i : CG_NONE,
					       .text = mapped ? p->images.v[i].path : "[unknown]"}))
			return -1;
	}
	vec_each(stack, &list->data->stacks) {
		const struct cg_function *leaf =
			&p->functions.v[cg_function_of(p, &p->stacks.v[*stack], 0)];

		i = leaf->image == CG_NONE ? p->images.n : leaf->image;
		list->lines.v[i].count += list->data->counts.v[*stack];
	}
	add_up(list);
	return 0;
}

static void draw_help(const struct top_list *list, const struct top_line *line, struct grid *g,
		      int row)
{
	(void)list;
	grid_put(g, row, 0, 15, GRID_TITLE, line->text);
	grid_put(g, row, 16, -1, GRID_NORMAL, line->more);
}

int top_list_help(struct top_list *list)
{
	const struct top_key_help *help;
	size_t i;

	list->header = "KEYS            WHAT THEY DO";
	list->draw = draw_help;
	for (i = 0; (help = top_state_help(i)); i++)
		if (vec_push(&list->lines, (struct top_line){.id = 1 + i,
							     .function = CG_NONE,
							     .text = help->keys,
							     .more = help->does}))
			return -1;
	return 0;
}
