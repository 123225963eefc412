/* SPDX-License-Identifier: BSD-2-Clause */
/* Profiles by hand, and what top shows of them as text. */
#ifndef UNIT_TOP_SCREENS_H
#define UNIT_TOP_SCREENS_H

#include "pmcstat/top/keys.h"
#include "pmcstat/top/top_list.h"
#include "pmcstat/top/top_view.h"
#include "unit.h"

enum { MAX_CHAIN = 8 };

static inline struct cg_event event(const char *name)
{
	return (struct cg_event){.name = name, .whole = name};
}

/* A profile by hand: what views read, and no more. */
static inline struct cg_profile *new_profile(void)
{
	struct cg_profile *p = calloc(1, sizeof(*p));

	CHECK(p && !vec_push(&p->images, (struct cg_image){.path = "/usr/bin/app"}) &&
	      !vec_push(&p->images, (struct cg_image){.path = "/usr/lib/libc.so.6"}) &&
	      !vec_push(&p->events, event("cpu-clock")));
	return p;
}

static inline void free_profile(struct cg_profile *p)
{
	vec_free(&p->events);
	vec_free(&p->groups);
	vec_free(&p->stacks);
	vec_free(&p->words);
	vec_free(&p->locations_of);
	vec_free(&p->locations);
	vec_free(&p->functions);
	vec_free(&p->images);
	free(p);
}

/* The function of a name; "0x..." has no symbol, "[...]" is in no image, "libc_..." in libc. */
static inline uint32_t function(struct cg_profile *p, const char *name)
{
	struct cg_function f = {.name = name, .resolved = true};
	uint32_t i;

	for (i = 0; i < p->functions.n; i++)
		if (!strcmp(p->functions.v[i].name, name))
			return i;
	f.image = *name == '[' ? CG_NONE : !strncmp(name, "libc_", 5);
	f.resolved = *name != '[' && strncmp(name, "0x", 2) != 0;
	CHECK(!vec_push(&p->functions, f) &&
	      !vec_push(&p->locations, (struct cg_location){.function = i, .image = f.image}));
	return i;
}

static inline uint32_t group(struct cg_profile *p, const struct cg_group *g)
{
	uint32_t i;

	for (i = 0; i < p->groups.n; i++)
		if (!memcmp(&p->groups.v[i], g, sizeof(*g)))
			return i;
	CHECK(!vec_push(&p->groups, *g));
	return i;
}

/* count samples of a chain, leaf first, NULL behind the last. */
static inline void add_of(struct cg_profile *p, struct cg_group g, uint64_t count,
			  const char *const chain[MAX_CHAIN])
{
	struct cg_stack s = {.count = count, .first = p->words.n, .group = group(p, &g)};

	for (; s.npcs < MAX_CHAIN && chain[s.npcs]; s.npcs++)
		CHECK(!vec_push(&p->words, 0) &&
		      !vec_push(&p->locations_of, function(p, chain[s.npcs])));
	CHECK(!vec_push(&p->stacks, s));
	p->quality.samples += count;
	p->quality.selected += count;
	if (!p->functions.v[cg_function_of(p, &s, 0)].resolved)
		p->quality.unresolved += count;
}

#define ADD(p, count, ...)                                                           \
	add_of((p), (struct cg_group){.comm = "app", .pid = 10, .tid = 10}, (count), \
	       (const char *const[MAX_CHAIN]){__VA_ARGS__})
#define ADD_OF(p, event, comm, pid, tid, cpu, count, ...)                                  \
	add_of((p), (struct cg_group){event, comm, pid, tid, cpu, NULL, NULL, 0}, (count), \
	       (const char *const[MAX_CHAIN]){__VA_ARGS__})

static inline struct cg_profile *usual_profile(void)
{
	struct cg_profile *p = new_profile();

	ADD(p, 60, "leaf_a", "caller", "main");
	ADD(p, 20, "leaf_b", "main");
	ADD(p, 10, "leaf_b", "caller", "main");
	ADD(p, 7, "libc_malloc", "leaf_a", "caller", "main");
	ADD(p, 2, "0x1234", "libc_malloc", "leaf_a", "caller", "main");
	ADD(p, 1, "[unknown]");
	return p;
}

struct top {
	struct cg_profile *p;
	struct top_data data;
	struct top_state state;
	const char *note;
	bool has_keys;
};

static inline void begin(struct top *t, struct cg_profile *p)
{
	*t = (struct top){.p = p, .note = ""};
	top_state_init(&t->state, -1);
	t->state.span = TOP_ALL;
	CHECK(!top_data_mark(&t->data, p, 0));
}

static inline void end(struct top *t)
{
	top_data_free(&t->data);
	free_profile(t->p);
}

static inline void draw(struct top *t, struct grid *g, int rows, int cols)
{
	struct top_input in = {
		.data = &t->data, .note = t->note, .has_keys = t->has_keys, .at = -1};

	CHECK(!grid_init(g, rows, cols) && !top_data_choose(&t->data, t->p, &t->state) &&
	      !top_draw(&in, &t->state, g, &t->state.now));
}

/* Row by row without the blanks at their ends, "~N" for N rows without anything; to be freed. */
static inline char *text_of(const struct grid *g)
{
	char *text = NULL, utf8[5];
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int row, col, last, empty = 0;

	for (row = 0; row < g->rows; row++) {
		for (last = g->cols; last && grid_cell(g, row, last - 1)->ch == ' '; last--)
			;
		empty += !last;
		if (empty && (last || row + 1 == g->rows)) {
			fprintf(f, "~%d\n", empty);
			empty = 0;
		}
		for (col = 0; col < last; col++) {
			grid_utf8(grid_cell(g, row, col)->ch, utf8);
			fputs(utf8, f);
		}
		if (last)
			fputc('\n', f);
	}
	fclose(f);
	return text;
}

static inline void check_screen(struct top *t, int rows, int cols, const char *want)
{
	struct grid g;
	char *text;

	draw(t, &g, rows, cols);
	text = text_of(&g);
	CHECK_STR(text, want);
	free(text);
	grid_fini(&g);
}

static inline void press(struct top *t, const char *keys)
{
	for (; *keys; keys++)
		top_state_key(&t->state, *keys == '\n' ? TOP_KEY_ENTER : *keys);
}

#endif
