// SPDX-License-Identifier: BSD-2-Clause
/* Functions with their callers, and one function with those around it. */
#include "base/short_name.h"
#include "callgraph/read/sampled_functions.h"
#include "callgraph/read/walk.h"
#include "pmcstat/top/top_list.h"

/* Columns of a share and of what a function is to another, each with a blank behind it. */
enum { SHARE = 6, ROLE = 7 };

/* Columns of a function's name at least, FreeBSD's, and of its own share between others. */
enum { MIN_NAME = 20, SELF_SHARE = 10 };

/* Less than so many columns are of no use to callers. */
enum { MIN_CALLERS = 8 };

/* The callers of a leaf function, hottest first, go to the items of its line. */
struct callers {
	struct top_list *list;
	uint32_t *line_of; /* of every function 1 + its line; 0: not shown */
	struct top_line *line;
	bool nomem;
};

static void take_caller(void *arg, const struct cg_node *n)
{
	struct callers *c = arg;
	uint32_t line;

	if (!n->depth) {
		line = c->line_of[n->function];
		c->line = line ? &c->list->lines.v[line - 1] : NULL;
		if (c->line)
			c->line->first = (uint32_t)c->list->items.n;
		return;
	}
	if (!c->line || n->function == CG_END || !n->count)
		return;
	if (vec_push(&c->list->items, (struct top_item){n->function, n->count}))
		c->nomem = true;
	else
		c->line->n++;
}

static int find_callers(struct top_list *list)
{
	const struct cg_walk_options options = {.max_depth = 2};
	const struct cg_profile *p = list->data->view.profile;
	struct callers c = {.list = list};
	int status = -1;
	size_t i;

	c.line_of = calloc(p->functions.n + 1, sizeof(*c.line_of));
	for (i = 0; c.line_of && i < list->lines.n; i++)
		c.line_of[list->lines.v[i].function] = (uint32_t)i + 1;
	if (c.line_of)
		status = cg_walk(&list->data->view, &options, take_caller, &c) || c.nomem ? -1 : 0;
	free(c.line_of);
	return status;
}

static int image_width(const struct grid *g)
{
	return g->cols >= 120 ? 20 : 10;
}

/* As long as the longest name, but of what is left callers get a third. */
static int function_width(const struct top_list *list, const struct grid *g)
{
	int room = g->cols - SHARE - image_width(g) - 1, rest = room / 3 + 1, width = list->longest;

	if (list->state->view == TOP_FUNCTION)
		room -= ROLE, rest = 1 + SELF_SHARE;
	width = width < room - rest ? width : room - rest;
	width = width > MIN_NAME ? width : MIN_NAME;
	return room - width > MIN_CALLERS ? width : room;
}

/* Notes how long the names of a list's functions are. */
static void measure(struct top_list *list)
{
	const struct cg_profile *p = list->data->view.profile;
	const struct top_line *line;
	char name[GRID_MAX];

	vec_each(line, &list->lines) {
		int width;

		short_name(p->functions.v[line->function].name, name, sizeof(name));
		width = grid_width(name);
		list->longest = width > list->longest ? width : list->longest;
	}
}

static int put_names(const struct top_list *list, struct grid *g, int row, int col,
		     uint32_t function)
{
	const struct cg_profile *p = list->data->view.profile;
	int image = image_width(g), width = function_width(list, g);

	grid_put(g, row, col, image, GRID_NORMAL, top_image_name(p, function));
	col += image + 1;
	top_put_name(g, row, col, width, GRID_NORMAL, p->functions.v[function].name);
	return col + width + 1;
}

static void draw_flat(const struct top_list *list, const struct top_line *line, struct grid *g,
		      int row)
{
	const struct cg_profile *p = list->data->view.profile;
	int col = top_put_share(list, g, row, line->count);
	uint32_t i;

	col = put_names(list, g, row, col, line->function);
	for (i = 0; i < line->n && col < g->cols; i++) {
		const struct top_item *item = &list->items.v[line->first + i];
		char name[256];
		int width;

		short_name(p->functions.v[item->function].name, name, sizeof(name));
		width = grid_width(name) + (line->n > 1 ? 6 : 0);
		/* The last one may be cut, if it is the only one. */
		if (i && col + width > g->cols - (i + 1 < line->n ? 4 : 0)) {
			grid_put(g, row, col, -1, GRID_NORMAL, "...");
			return;
		}
		col = grid_put(g, row, col, -1, GRID_NORMAL, name);
		if (line->n > 1)
			col = grid_printf(g, row, col, top_heat(top_share(list, item->count)),
					  ":%.1f", top_share(list, item->count));
		col++;
	}
}

static int put_head(const struct top_list *list, struct grid *g, int row, int col)
{
	grid_put(g, row, 0, -1, GRID_HEADER, "%SAMP");
	grid_put(g, row, col, image_width(g), GRID_HEADER, "IMAGE");
	col += image_width(g) + 1;
	grid_put(g, row, col, -1, GRID_HEADER, "FUNCTION");
	return col + function_width(list, g) + 1;
}

static void head_flat(const struct top_list *list, struct grid *g, int row)
{
	grid_put(g, row, put_head(list, g, row, SHARE), -1, GRID_HEADER, "CALLERS");
}

static uint64_t sort_value(enum top_sort sort, const struct cg_sampled_function *sampled)
{
	return sort == TOP_BY_TOTAL ? sampled->total : sampled->self;
}

struct order {
	const struct cg_profile *p;
	enum top_sort sort;
};

/* Rows come hottest first by self: of equals the order stays. */
static int compare(const void *a, const void *b, void *arg)
{
	const struct cg_sampled_function *x = a, *y = b;
	const struct order *o = arg;
	int by_name =
		strcmp(o->p->functions.v[x->function].name, o->p->functions.v[y->function].name);

	if (o->sort == TOP_BY_TOTAL && x->total != y->total)
		return x->total < y->total ? 1 : -1;
	if (o->sort == TOP_BY_TOTAL && x->self != y->self)
		return x->self < y->self ? 1 : -1;
	if (by_name)
		return by_name;
	return x->function < y->function ? -1 : x->function > y->function;
}

int top_list_flat(struct top_list *list)
{
	const struct cg_profile *p = list->data->view.profile;
	enum top_sort sort = list->state->sort;
	struct order order = {p, sort};
	const struct cg_sampled_function *sampled;
	cg_sampled_functions functions = {0};
	int status = cg_sampled_functions_count(&list->data->view, &functions);

	list->head = head_flat;
	list->draw = draw_flat;
	list->cut_adds_up = sort != TOP_BY_TOTAL;
	if (!status && functions.n && sort != TOP_BY_SELF)
		qsort_r(functions.v, functions.n, sizeof(*functions.v), compare, &order);
	vec_each(sampled, &functions) {
		uint64_t count = sort_value(sort, sampled);

		if (!count || status ||
		    (!top_matches(list, p->functions.v[sampled->function].name) &&
		     !top_matches(list, top_image_name(p, sampled->function))) ||
		    top_is_cut(list, count))
			continue;
		if (vec_push(&list->lines, (struct top_line){.id = sampled->function + 1ull,
							     .count = count,
							     .function = sampled->function}))
			status = -1;
	}
	vec_free(&functions);
	measure(list);
	return status ? status : find_callers(list);
}

/* What a line is to the function that is shown. */
enum { CALLER, SELF, CALLEE };

/*
 * A sample with the function in it several times has it from the outermost one's caller, and hands
 * it on from the innermost: so the callers add up to the total, and so do callees and self.
 * False: the function is not in the stack.  *other: CG_NONE where there is none.
 */
static bool find_around(const struct cg_profile *p, const struct cg_stack *s, uint32_t function,
			uint32_t kind, uint32_t *other)
{
	uint32_t i, inner = CG_NONE, outer = CG_NONE;

	for (i = 0; i < s->npcs; i++)
		if (cg_function_of(p, s, i) == function) {
			inner = inner == CG_NONE ? i : inner;
			outer = i;
		}
	if (outer == CG_NONE)
		return false;
	*other = CG_NONE;
	if (kind == CALLER && outer + 1 < s->npcs)
		*other = cg_function_of(p, s, outer + 1);
	if (kind == CALLEE && inner)
		*other = cg_function_of(p, s, inner - 1);
	return true;
}

static int by_count(const void *a, const void *b, void *arg)
{
	const struct top_line *x = a, *y = b;
	const struct cg_profile *p = arg;
	int order;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	order = strcmp(p->functions.v[x->function].name, p->functions.v[y->function].name);
	return order ? order : x->function < y->function ? -1 : x->function > y->function;
}

/* Appends a line for every caller or callee.  line_of: of every function 1 + its line, or 0. */
static int add_lines(struct top_list *list, uint32_t kind, uint32_t *line_of, struct top_line *self)
{
	const struct cg_profile *p = list->data->view.profile;
	const uint32_t *stack;
	uint32_t other;

	self->count = self->self = 0;
	vec_each(stack, &list->data->stacks) {
		uint64_t count = list->data->counts.v[*stack];
		struct top_line line = {.depth = kind};

		if (!find_around(p, &p->stacks.v[*stack], list->state->function, kind, &other))
			continue;
		self->count += count;
		if (other == CG_NONE) {
			self->self += count;
			continue;
		}
		line.id = 1 + ((uint64_t)kind << 32 | other);
		line.function = other;
		if (!line_of[other] && vec_push(&list->lines, line))
			return -1;
		line_of[other] = line_of[other] ? line_of[other] : (uint32_t)list->lines.n;
		list->lines.v[line_of[other] - 1].count += count;
	}
	return 0;
}

/* The same, hottest first and without those below the threshold. */
static int add_around(struct top_list *list, uint32_t kind, struct top_line *self)
{
	const struct cg_profile *p = list->data->view.profile;
	uint32_t *line_of = calloc(p->functions.n + 1, sizeof(*line_of));
	size_t first = list->lines.n, i, n = first;
	int status = line_of ? add_lines(list, kind, line_of, self) : -1;

	free(line_of);
	if (status)
		return -1;
	for (i = first; i < list->lines.n; i++) {
		if (!top_is_cut(list, list->lines.v[i].count))
			list->lines.v[n++] = list->lines.v[i];
	}
	list->lines.n = n;
	if (n > first)
		qsort_r(list->lines.v + first, n - first, sizeof(*list->lines.v), by_count,
			(void *)(uintptr_t)p);
	return 0;
}

static void draw_around(const struct top_list *list, const struct top_line *line, struct grid *g,
			int row)
{
	static const char *const roles[] = {"caller", "", "callee"};
	int col = top_put_share(list, g, row, line->count);

	grid_put(g, row, col, -1, GRID_DIM, roles[line->depth]);
	col = put_names(list, g, row, col + ROLE, line->function);
	if (line->depth == SELF)
		grid_printf(g, row, col, GRID_TITLE, "self:%.1f", top_share(list, line->self));
}

static void head_function(const struct top_list *list, struct grid *g, int row)
{
	put_head(list, g, row, SHARE + ROLE);
}

int top_list_function(struct top_list *list)
{
	struct top_line self = {.id = UINT64_MAX, .function = list->state->function, .depth = SELF};
	size_t at;

	list->head = head_function;
	list->draw = draw_around;
	/* A profile that began anew may not know it yet. */
	if (self.function >= list->data->view.profile->functions.n)
		return 0;
	if (add_around(list, CALLER, &self) || vec_push(&list->lines, self))
		return -1;
	at = list->lines.n - 1;
	if (add_around(list, CALLEE, &self))
		return -1;
	list->lines.v[at] = self;
	measure(list);
	return 0;
}
