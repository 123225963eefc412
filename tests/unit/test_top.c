// SPDX-License-Identifier: BSD-2-Clause
/* The views of top as whole screens, its keys, and which samples it chooses. */
#include "pmcstat/top/keys.h"
#include "pmcstat/top/top_list.h"
#include "pmcstat/top/top_view.h"
#include "unit.h"

enum { MAX_CHAIN = 8 };

#define KEYS80 "q quit  h help  Space pause  Enter open  l code  n view  a all  s sort  / filter"

static struct cg_event event(const char *name)
{
	return (struct cg_event){.name = name, .whole = name};
}

/* A profile by hand: what views read, and no more. */
static struct cg_profile *new_profile(void)
{
	struct cg_profile *p = calloc(1, sizeof(*p));

	CHECK(p && !vec_push(&p->images, (struct cg_image){.path = "/usr/bin/app"}) &&
	      !vec_push(&p->images, (struct cg_image){.path = "/usr/lib/libc.so.6"}) &&
	      !vec_push(&p->events, event("cpu-clock")));
	return p;
}

static void free_profile(struct cg_profile *p)
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
static uint32_t function(struct cg_profile *p, const char *name)
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

static uint32_t group(struct cg_profile *p, const struct cg_group *g)
{
	uint32_t i;

	for (i = 0; i < p->groups.n; i++)
		if (!memcmp(&p->groups.v[i], g, sizeof(*g)))
			return i;
	CHECK(!vec_push(&p->groups, *g));
	return i;
}

/* count samples of a chain, leaf first, NULL behind the last. */
static void add_of(struct cg_profile *p, struct cg_group g, uint64_t count,
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
#define ADD_OF(p, event, comm, pid, tid, cpu, count, ...)                               \
	add_of((p), (struct cg_group){event, comm, pid, tid, cpu, NULL, NULL, 0}, (count), \
	       (const char *const[MAX_CHAIN]){__VA_ARGS__})

static struct cg_profile *usual_profile(void)
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

static void begin(struct top *t, struct cg_profile *p)
{
	*t = (struct top){.p = p, .note = ""};
	top_state_init(&t->state, -1);
	t->state.span = TOP_ALL;
	CHECK(!top_data_mark(&t->data, p, 0));
}

static void end(struct top *t)
{
	top_data_free(&t->data);
	free_profile(t->p);
}

static void draw(struct top *t, struct grid *g, int rows, int cols)
{
	struct top_input in = {
		.data = &t->data, .note = t->note, .has_keys = t->has_keys, .at = -1};

	CHECK(!grid_init(g, rows, cols) && !top_data_choose(&t->data, t->p, &t->state) &&
	      !top_draw(&in, &t->state, g, &t->state.now));
}

/* Row by row without the blanks at their ends, "~N" for N rows without anything; to be freed. */
static char *text_of(const struct grid *g)
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

static void check_screen(struct top *t, int rows, int cols, const char *want)
{
	struct grid g;
	char *text;

	draw(t, &g, rows, cols);
	text = text_of(&g);
	CHECK_STR(text, want);
	free(text);
	grid_fini(&g);
}

static void press(struct top *t, const char *keys)
{
	for (; *keys; keys++)
		top_state_key(&t->state, *keys == '\n' ? TOP_KEY_ENTER : *keys);
}

UNIT(functions_with_their_callers)
{
	struct top t;

	begin(&t, usual_profile());
	t.has_keys = true;
	check_screen(&t, 24, 80,
		     "PMC: [cpu-clock] Samples: 100 (100.0%) , 3 unresolved\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 60.0 app        leaf_a               caller\n"
		     " 30.0 app        leaf_b               main:20.0 caller:10.0\n"
		     "  7.0 libc.so.6  libc_malloc          leaf_a\n"
		     "  2.0 app        0x1234               libc_malloc\n"
		     "  1.0 [unknown]  [unknown]\n"
		     "~14\n"
		     "lost 0 (0.00%); unresolved 3.00%; truncated 0\n" KEYS80 "\n");
	check_screen(&t, 10, 40,
		     "PMC: [cpu-clock] Samples: 100 (100.0%)..\n"
		     "all samples, functions by self, thresh..\n"
		     "%SAMP IMAGE      FUNCTION\n"
		     " 60.0 app        leaf_a\n"
		     " 30.0 app        leaf_b\n"
		     "  7.0 libc.so.6  libc_malloc\n"
		     "  2.0 app        0x1234\n"
		     "  1.0 [unknown]  [unknown]\n"
		     "lost 0 (0.00%); unresolved 3.00%; trun..\n"
		     "q quit  h help  Space pause  Enter open\n");
	check_screen(&t, 50, 200,
		     "PMC: [cpu-clock] Samples: 100 (100.0%) , 3 unresolved\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE                FUNCTION             CALLERS\n"
		     " 60.0 app                  leaf_a               caller\n"
		     " 30.0 app                  leaf_b               main:20.0 caller:10.0\n"
		     "  7.0 libc.so.6            libc_malloc          leaf_a\n"
		     "  2.0 app                  0x1234               libc_malloc\n"
		     "  1.0 [unknown]            [unknown]\n"
		     "~40\n"
		     "lost 0 (0.00%); unresolved 3.00%; truncated 0\n" KEYS80 "  f threshold\n");
	end(&t);
}

UNIT(by_total_and_by_name)
{
	struct top t;

	begin(&t, usual_profile());
	press(&t, "s");
	check_screen(&t, 12, 60,
		     "PMC: [cpu-clock] Samples: 100 (100.0%) , 3 unresolved\n"
		     "all samples, functions by total, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 99.0 app        main\n"
		     " 79.0 app        caller\n"
		     " 69.0 app        leaf_a               caller\n"
		     " 30.0 app        leaf_b               main:20.0 caller:10.0\n"
		     "  9.0 libc.so.6  libc_malloc          leaf_a\n"
		     "  2.0 app        0x1234               libc_malloc\n"
		     "  1.0 [unknown]  [unknown]\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 3.00%; truncated 0\n");
	press(&t, "s");
	check_screen(&t, 12, 60,
		     "PMC: [cpu-clock] Samples: 100 (100.0%) , 3 unresolved\n"
		     "all samples, functions by name, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     "  2.0 app        0x1234               libc_malloc\n"
		     "  1.0 [unknown]  [unknown]\n"
		     " 60.0 app        leaf_a               caller\n"
		     " 30.0 app        leaf_b               main:20.0 caller:10.0\n"
		     "  7.0 libc.so.6  libc_malloc          leaf_a\n"
		     "~3\n"
		     "lost 0 (0.00%); unresolved 3.00%; truncated 0\n");
	end(&t);
}

UNIT(the_call_tree)
{
	struct top t;

	begin(&t, usual_profile());
	press(&t, "n");
	check_screen(&t, 24, 80,
		     "PMC: [cpu-clock] Samples: 100 (100.0%) , 3 unresolved\n"
		     "all samples, call tree, threshold 0.5%\n"
		     "%SAMP CALLTREE\n"
		     " 99.0 main\n"
		     " 79.0  caller\n"
		     " 69.0   leaf_a\n"
		     "  9.0    libc_malloc\n"
		     "  2.0     0x1234\n"
		     " 10.0   leaf_b\n"
		     " 20.0  leaf_b\n"
		     "  1.0 [unknown]\n"
		     "~12\n"
		     "lost 0 (0.00%); unresolved 3.00%; truncated 0\n");
	check_screen(&t, 10, 40,
		     "PMC: [cpu-clock] Samples: 100 (100.0%)..\n"
		     "all samples, call tree, threshold 0.5%\n"
		     "%SAMP CALLTREE\n"
		     " 99.0 main\n"
		     " 79.0  caller\n"
		     " 69.0   leaf_a\n"
		     "  9.0    libc_malloc\n"
		     "  2.0     0x1234\n"
		     " 10.0   leaf_b\n"
		     "lost 0 (0.00%); unresolved 3.00%; trun..\n");
	press(&t, "fff");
	check_screen(&t, 12, 60,
		     "PMC: [cpu-clock] Samples: 100 (100.0%) , 3 unresolved\n"
		     "all samples, call tree, threshold 5%\n"
		     "%SAMP CALLTREE\n"
		     " 99.0 main\n"
		     " 79.0  caller\n"
		     " 69.0   leaf_a\n"
		     "  9.0    libc_malloc .\n"
		     " 10.0   leaf_b\n"
		     " 20.0  leaf_b\n"
		     "  1.0 in 1 more\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 3.00%; truncated 0\n");
	end(&t);
}

UNIT(a_long_chain_is_cut_in_the_middle)
{
	struct cg_profile *p = new_profile();
	struct top t;

	ADD(p, 1, "the_innermost", "fourth_function", "third_function", "second_function",
	    "the_outermost");
	begin(&t, p);
	press(&t, "n");
	check_screen(&t, 6, 60,
		     "PMC: [cpu-clock] Samples: 1 (100.0%) , 0 unresolved\n"
		     "all samples, call tree, threshold 0.5%\n"
		     "%SAMP CALLTREE\n"
		     "100.0 the_outermost ... fourth_function the_innermost\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	check_screen(&t, 6, 20,
		     "PMC: [cpu-clock] S..\n"
		     "all samples, call ..\n"
		     "%SAMP CALLTREE\n"
		     "100.0 the_outermost\n"
		     "~1\n"
		     "lost 0 (0.00%); un..\n");
	end(&t);
}

UNIT(threads_and_objects)
{
	struct cg_profile *p = usual_profile();
	struct top t;

	ADD_OF(p, 0, "other", 20, 21, 1, 50, "leaf_c", "main");
	p->groups.v[p->groups.n - 1].thread = "worker";
	ADD_OF(p, 0, "other", 20, 20, 0, 50, "libc_malloc", "main");
	begin(&t, p);
	press(&t, "t");
	check_screen(&t, 8, 60,
		     "PMC: [cpu-clock] Samples: 200 (100.0%) , 3 unresolved\n"
		     "all samples, threads, threshold 0.5%\n"
		     "%SAMP    SAMPLES     PID     TID COMMAND\n"
		     " 50.0        100      10      10 app\n"
		     " 25.0         50      20      20 other\n"
		     " 25.0         50      20      21 worker\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 1.50%; truncated 0\n");
	press(&t, "\n");
	check_screen(&t, 12, 60,
		     "PMC: [cpu-clock] Samples: 100 (50.0%) , 3 unresolved\n"
		     "all samples, functions by self, thread 10/10, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 60.0 app        leaf_a               caller\n"
		     " 30.0 app        leaf_b               main:20.0 caller:10.0\n"
		     "  7.0 libc.so.6  libc_malloc          leaf_a\n"
		     "  2.0 app        0x1234               libc_malloc\n"
		     "  1.0 [unknown]  [unknown]\n"
		     "~3\n"
		     "lost 0 (0.00%); unresolved 1.50%; truncated 0\n");
	press(&t, "to");
	check_screen(&t, 8, 60,
		     "PMC: [cpu-clock] Samples: 100 (50.0%) , 3 unresolved\n"
		     "all samples, objects, thread 10/10, threshold 0.5%\n"
		     "%SAMP    SAMPLES OBJECT\n"
		     " 92.0         92 /usr/bin/app\n"
		     "  7.0          7 /usr/lib/libc.so.6\n"
		     "  1.0          1 [unknown]\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 1.50%; truncated 0\n");
	top_state_key(&t.state, TOP_KEY_DOWN);
	press(&t, "\n");
	check_screen(&t, 8, 60,
		     "PMC: [cpu-clock] Samples: 92 (46.0%) , 2 unresolved\n"
		     "all samples, functions by self, thread 10/10, object /usr/..\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 65.2 app        leaf_a               caller\n"
		     " 32.6 app        leaf_b               main:21.7 caller:10.9\n"
		     "  2.2 app        0x1234               libc_malloc\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 1.50%; truncated 0\n");
	top_state_key(&t.state, TOP_KEY_ESC);
	CHECK_U64(t.state.view, TOP_OBJECTS);
	end(&t);
}

UNIT(what_is_outside_of_the_pid_namespace_has_no_number)
{
	struct cg_profile *p = new_profile();
	struct top t;

	ADD_OF(p, 0, "no-pid", CG_NONE, CG_NONE, 0, 3, "libc_malloc");
	ADD(p, 1, "leaf_a");
	begin(&t, p);
	press(&t, "t");
	check_screen(&t, 8, 60,
		     "PMC: [cpu-clock] Samples: 4 (100.0%) , 0 unresolved\n"
		     "all samples, threads, threshold 0.5%\n"
		     "%SAMP    SAMPLES     PID     TID COMMAND\n"
		     " 75.0          3       -       - no-pid\n"
		     " 25.0          1      10      10 app\n"
		     "~2\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	CHECK(t.state.now.id);
	press(&t, "\n");
	check_screen(&t, 8, 60,
		     "PMC: [cpu-clock] Samples: 3 (75.0%) , 0 unresolved\n"
		     "all samples, functions by self, thread -/-, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     "100.0 libc.so.6  libc_malloc\n"
		     "~3\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	end(&t);
}

UNIT(a_function_with_callers_and_callees)
{
	struct cg_profile *p = usual_profile();
	struct top t;

	/* Recursion: counted once, callers still add up. */
	ADD(p, 100, "leaf_b", "caller", "leaf_b", "caller", "main");
	begin(&t, p);
	press(&t, "s/CALL\n");
	check_screen(&t, 8, 60,
		     "PMC: [cpu-clock] Samples: 200 (100.0%) , 3 unresolved\n"
		     "all samples, functions by total, with \"CALL\", threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 89.5 app        caller\n"
		     "~3\n"
		     "lost 0 (0.00%); unresolved 1.50%; truncated 0\n");
	press(&t, "\n");
	check_screen(&t, 8, 60,
		     "PMC: [cpu-clock] Samples: 200 (100.0%) , 3 unresolved\n"
		     "all samples, function, threshold 0.5%\n"
		     "%SAMP        IMAGE      FUNCTION\n"
		     " 89.5 caller app        main\n"
		     " 89.5        app        caller               self:0.0\n"
		     " 55.0 callee app        leaf_b\n"
		     " 34.5 callee app        leaf_a\n"
		     "lost 0 (0.00%); unresolved 1.50%; truncated 0\n");
	top_state_key(&t.state, TOP_KEY_LEFT);
	top_state_key(&t.state, TOP_KEY_LEFT);
	check_screen(&t, 12, 60,
		     "PMC: [cpu-clock] Samples: 200 (100.0%) , 3 unresolved\n"
		     "all samples, functions by total, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 99.5 app        main\n"
		     " 89.5 app        caller\n"
		     " 65.0 app        leaf_b               caller:55.0 main:10.0\n"
		     " 34.5 app        leaf_a               caller\n"
		     "  4.5 libc.so.6  libc_malloc          leaf_a\n"
		     "  1.0 app        0x1234               libc_malloc\n"
		     "  0.5 [unknown]  [unknown]\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 1.50%; truncated 0\n");
	t.state.function = function(p, "caller");
	t.state.view = TOP_FUNCTION;
	check_screen(&t, 12, 60,
		     "PMC: [cpu-clock] Samples: 200 (100.0%) , 3 unresolved\n"
		     "all samples, function, threshold 0.5%\n"
		     "%SAMP        IMAGE      FUNCTION\n"
		     " 89.5 caller app        main\n"
		     " 89.5        app        caller               self:0.0\n"
		     " 55.0 callee app        leaf_b\n"
		     " 34.5 callee app        leaf_a\n"
		     "~4\n"
		     "lost 0 (0.00%); unresolved 1.50%; truncated 0\n");
	end(&t);
}

UNIT(several_pmcs)
{
	struct cg_profile *p = new_profile();
	struct top t;

	CHECK(!vec_push(&p->events, event("page-faults")));
	ADD_OF(p, 0, "app", 10, 10, 0, 30, "leaf_a");
	ADD_OF(p, 0, "app", 10, 10, 1, 10, "leaf_b");
	ADD_OF(p, 1, "app", 10, 10, 1, 40, "libc_malloc");
	begin(&t, p);
	check_screen(&t, 6, 60,
		     "PMC: [cpu-clock] Samples: 40 (50.0%) , 0 unresolved\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 75.0 app        leaf_a\n"
		     " 25.0 app        leaf_b\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	press(&t, "p");
	check_screen(&t, 6, 60,
		     "PMC: [page-faults] Samples: 40 (50.0%) , 0 unresolved\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     "100.0 libc.so.6  libc_malloc\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	press(&t, "pmp");
	check_screen(&t, 6, 60,
		     "PMC: cpu-clock.1 Samples: 10 (12.5%) , 0 unresolved\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     "100.0 app        leaf_b\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	end(&t);
}

UNIT(no_samples)
{
	struct cg_profile *p = new_profile();
	const char *const views[] = {"", "n", "n", "n", "n"};
	struct top t;
	size_t i;

	begin(&t, p);
	check_screen(&t, 8, 60,
		     "PMC: [cpu-clock] Samples: 0 (0.0%) , 0 unresolved\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     "~4\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	for (i = 0; i < sizeof(views) / sizeof(views[0]); i++) {
		struct grid g;

		press(&t, views[i]);
		press(&t, "\n");
		draw(&t, &g, 8, 60);
		grid_fini(&g);
	}
	/* Nor an event. */
	p->events.n = 0;
	press(&t, "p");
	check_screen(&t, 8, 60,
		     "PMC: [] Samples: 0 (0.0%) , 0 unresolved\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     "~4\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	end(&t);
}

UNIT(hostile_names)
{
	static char huge[10001];
	struct cg_profile *p = new_profile();
	struct top t;

	memset(huge, 'x', sizeof(huge) - 1);
	ADD(p, 5, "a\033[2Jb\r\n\tc\x9b", "d\xc3\xa9j\xc3\xa0");
	ADD(p, 4, huge, huge);
	ADD(p, 3, "\xe4\xb8\xad\xff\xc3", "%s%n");
	ADD(p, 2, "");
	begin(&t, p);
	p->events.v[0].name = huge;
	t.note = "\033c and a note";
	check_screen(&t, 10, 60,
		     "PMC: [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx] Samples: 14 (100.0%)..\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION                     CALLERS\n"
		     " 35.7 app        a?[2Jb?\??c?                  d\303\251j\303\240\n"
		     " 28.6 app        xxxxxxxxxxxxxxxxxxxxxxxxxxxx xxxxxxxxxxxxxx\n"
		     " 21.4 app        ?\??                          %s%n\n"
		     " 14.3 app\n"
		     "~1\n"
		     "?c and a note\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	press(&t, "n");
	check_screen(&t, 10, 60,
		     "PMC: [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx] Samples: 14 (100.0%)..\n"
		     "all samples, call tree, threshold 0.5%\n"
		     "%SAMP CALLTREE\n"
		     " 35.7 d\303\251j\303\240 a?[2Jb?\??c?\n"
		     " 28.6 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"
		     " 21.4 %s%n ?\??\n"
		     " 14.3\n"
		     "~1\n"
		     "?c and a note\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	end(&t);
}

UNIT(losses_stand_out)
{
	struct cg_profile *p = usual_profile();
	struct top t;
	struct grid g;

	p->quality.drops.of[PMCLOG_DROP_RING] = 25;
	p->quality.drops.unsaid = 2;
	p->quality.drops.of[PMCLOG_DROP_THROTTLE] = 3;
	begin(&t, p);
	check_screen(&t, 6, 100,
		     "PMC: [cpu-clock] Samples: 100 (100.0%) , 3 unresolved\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 60.0 app        leaf_a               caller\n"
		     " 30.0 app        leaf_b               main:20.0 caller:10.0\n"
		     "lost 25 (20.00%) and 2 drops of unknown size; throttled 3; unresolved 3.00%;"
		     " truncated 0\n");
	draw(&t, &g, 6, 100);
	CHECK_U64(grid_cell(&g, 5, 0)->attr, GRID_ALARM);
	CHECK_U64(grid_cell(&g, 3, 3)->attr, GRID_HEAT3 | GRID_SELECTED);
	CHECK_U64(grid_cell(&g, 2, 0)->attr, GRID_HEADER);
	grid_fini(&g);
	end(&t);
}

UNIT(a_shared_counter_stands_out)
{
	struct cg_profile *p = usual_profile();
	struct top t;

	p->events.v[0].times = (struct cg_times){.enabled = 1000, .running = 428};
	p->quality.shared = 1;
	p->quality.drops.of[PMCLOG_DROP_THROTTLE] = 2;
	p->quality.missed = 14;
	begin(&t, p);
	check_screen(&t, 6, 110,
		     "PMC: [cpu-clock]@42.8% Samples: 100 (100.0%) , 3 unresolved\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 60.0 app        leaf_a               caller\n"
		     " 30.0 app        leaf_b               main:20.0 caller:10.0\n"
		     "lost 0 (0.00%); shared counters 1; throttled 2, about 14 not taken; unresolv"
		     "ed 3.00%; truncated 0\n");
	end(&t);
}

UNIT(heat_begins_above_its_limits)
{
	CHECK_U64(top_heat(10.1), GRID_HEAT3);
	CHECK_U64(top_heat(10), GRID_HEAT2);
	CHECK_U64(top_heat(5), GRID_HEAT1);
	CHECK_U64(top_heat(2.5), GRID_NORMAL);
}

UNIT(delta_is_what_came_since_the_last_refresh)
{
	struct cg_profile *p = usual_profile();
	struct top t;

	begin(&t, p);
	press(&t, "d");
	p->stacks.v[0].count += 3;
	ADD(p, 1, "leaf_c", "main");
	CHECK(!top_data_mark(&t.data, p, 1));
	check_screen(&t, 8, 60,
		     "PMC: [cpu-clock] Samples: 4 (100.0%) , 0 unresolved\n"
		     "since the last refresh, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 75.0 app        leaf_a               caller\n"
		     " 25.0 app        leaf_c               main\n"
		     "~2\n"
		     "lost 0 (0.00%); unresolved 2.97%; truncated 0\n");
	/* What comes later is for the next refresh. */
	p->stacks.v[0].count += 1000;
	check_screen(&t, 8, 60,
		     "PMC: [cpu-clock] Samples: 4 (100.0%) , 0 unresolved\n"
		     "since the last refresh, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 75.0 app        leaf_a               caller\n"
		     " 25.0 app        leaf_c               main\n"
		     "~2\n"
		     "lost 0 (0.00%); unresolved 2.97%; truncated 0\n");
	press(&t, "c");
	check_screen(&t, 7, 60,
		     "PMC: [cpu-clock] Samples: 104 (100.0%) , 3 unresolved\n"
		     "last 5 s, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 60.6 app        leaf_a               caller\n"
		     " 28.8 app        leaf_b               main:19.2 caller:9.6\n"
		     "  6.7 libc.so.6  libc_malloc          leaf_a\n"
		     "lost 0 (0.00%); unresolved 2.97%; truncated 0\n");
	end(&t);
}

/* A second of samples: what ran before the last five leaves, with its threads. */
UNIT(the_present_is_the_last_seconds)
{
	struct cg_profile *p = new_profile();
	struct top t;
	int now;

	ADD_OF(p, 0, "old", 20, 20, 0, 100, "leaf_old", "main");
	t = (struct top){.p = p, .note = ""};
	top_state_init(&t.state, -1);
	CHECK(!top_data_mark(&t.data, p, 10));
	ADD(p, 1, "leaf_new", "main");
	for (now = 11; now <= 14; now++) {
		CHECK(!top_data_mark(&t.data, p, now));
		p->stacks.v[1].count += 1;
	}
	check_screen(&t, 7, 60,
		     "PMC: [cpu-clock] Samples: 104 (100.0%) , 0 unresolved\n"
		     "last 5 s, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 96.2 app        leaf_old             main\n"
		     "  3.8 app        leaf_new             main\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	CHECK(!top_data_mark(&t.data, p, 15));
	check_screen(&t, 7, 60,
		     "PMC: [cpu-clock] Samples: 5 (100.0%) , 0 unresolved\n"
		     "last 5 s, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     "100.0 app        leaf_new             main\n"
		     "~2\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	press(&t, "t");
	check_screen(&t, 6, 60,
		     "PMC: [cpu-clock] Samples: 5 (100.0%) , 0 unresolved\n"
		     "last 5 s, threads, threshold 0.5%\n"
		     "%SAMP    SAMPLES     PID     TID COMMAND\n"
		     "100.0          5      10      10 app\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	press(&t, "a");
	check_screen(&t, 6, 60,
		     "PMC: [cpu-clock] Samples: 105 (100.0%) , 0 unresolved\n"
		     "all samples, threads, threshold 0.5%\n"
		     "%SAMP    SAMPLES     PID     TID COMMAND\n"
		     " 95.2        100      20      20 old\n"
		     "  4.8          5      10      10 app\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	/* Refreshes that are far apart: all since the last but one. */
	p->stacks.v[1].count += 2;
	CHECK(!top_data_mark(&t.data, p, 35.4));
	press(&t, "rt");
	check_screen(&t, 6, 60,
		     "PMC: [cpu-clock] Samples: 2 (100.0%) , 0 unresolved\n"
		     "last 20 s, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     "100.0 app        leaf_new             main\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	end(&t);
}

UNIT(what_is_forgotten_is_not_of_the_last_seconds)
{
	struct cg_profile *p = usual_profile();
	struct top t;

	begin(&t, p);
	CHECK(!top_data_mark(&t.data, p, 7));
	CHECK_U64(top_data_recently(&t.data), TOP_RECENTLY);
	top_data_forget(&t.data);
	p->stacks.n = 1;
	CHECK(!top_data_mark(&t.data, p, 9));
	CHECK_U64(top_data_recently(&t.data), 2);
	CHECK(!top_data_mark(&t.data, p, 13));
	CHECK_U64(top_data_recently(&t.data), 6);
	CHECK_U64(t.data.recent.v[0], 60);
	end(&t);
}

UNIT(idle_cpus_are_a_share_and_no_rows)
{
	struct cg_profile *p = new_profile();
	struct top t;

	CHECK(!vec_push(&p->events, event("page-faults")));
	p->events.v[0].rate = 1000000;
	ADD_OF(p, 1, "swapper", 0, 0, 1, 25, "[halt]");
	ADD_OF(p, 0, "app", 10, 10, 0, 25, "leaf_a", "main");
	ADD_OF(p, 0, "swapper", 0, 0, 1, 75, "[halt]");
	ADD_OF(p, 1, "app", 10, 10, 0, 75, "leaf_a", "main");
	begin(&t, p);
	check_screen(&t, 6, 80,
		     "PMC: [cpu-clock] Samples: 25 (20.0%) , 0 unresolved, CPUs 75.0% idle\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     "100.0 app        leaf_a               main\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 50.00%; truncated 0\n");
	/* What is no time says nothing of who is idle. */
	press(&t, "p");
	check_screen(&t, 6, 80,
		     "PMC: [page-faults] Samples: 100 (50.0%) , 25 unresolved\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 75.0 app        leaf_a               main\n"
		     " 25.0 [unknown]  [halt]\n"
		     "lost 0 (0.00%); unresolved 50.00%; truncated 0\n");
	press(&t, "pi");
	check_screen(&t, 6, 80,
		     "PMC: [cpu-clock] Samples: 100 (50.0%) , 75 unresolved, CPUs 75.0% idle\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     " 75.0 [unknown]  [halt]\n"
		     " 25.0 app        leaf_a               main\n"
		     "lost 0 (0.00%); unresolved 50.00%; truncated 0\n");
	end(&t);
}

UNIT(long_names_have_the_room_and_no_template_arguments)
{
	struct cg_profile *p = new_profile();
	struct top t;

	ADD(p, 60, "std::map<int, std::vector<char>, std::less<int> >::operator[](int&&)",
	    "void run<std::vector<int> >(int)");
	ADD(p, 40, "fits<int>");
	begin(&t, p);
	check_screen(&t, 7, 80,
		     "PMC: [cpu-clock] Samples: 100 (100.0%) , 0 unresolved\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION                        CALLERS\n"
		     " 60.0 app        std::map<..>::operator[](int&&) void run<..>(int)\n"
		     " 40.0 app        fits<int>\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	check_screen(&t, 7, 40,
		     "PMC: [cpu-clock] Samples: 100 (100.0%)..\n"
		     "all samples, functions by self, thresh..\n"
		     "%SAMP IMAGE      FUNCTION\n"
		     " 60.0 app        std::map<..>::operator[\n"
		     " 40.0 app        fits<int>\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 0.00%; trun..\n");
	press(&t, "n");
	check_screen(&t, 7, 80,
		     "PMC: [cpu-clock] Samples: 100 (100.0%) , 0 unresolved\n"
		     "all samples, call tree, threshold 0.5%\n"
		     "%SAMP CALLTREE\n"
		     " 60.0 void run<std::vector<int> >(int) std::map<..>::operator[](int&&)\n"
		     " 40.0 fits<int>\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 0.00%; truncated 0\n");
	end(&t);
}

UNIT(c_goes_round_all_spans)
{
	static const enum top_span spans[] = {TOP_ALL, TOP_DELTA, TOP_RECENT};
	struct top_state s;
	size_t i;

	top_state_init(&s, -1);
	for (i = 0; i < 3; i++) {
		top_state_key(&s, 'c');
		CHECK_U64(s.span, spans[i]);
	}
}

UNIT(a_selected_line_stays_with_its_function)
{
	struct cg_profile *p = usual_profile();
	uint32_t leaf_b;
	struct top t;
	struct grid g;

	begin(&t, p);
	leaf_b = function(p, "leaf_b");
	draw(&t, &g, 24, 80);
	grid_fini(&g);
	top_state_key(&t.state, TOP_KEY_DOWN);
	draw(&t, &g, 24, 80);
	grid_fini(&g);
	CHECK_U64(t.state.now.selected, 1);
	CHECK_U64(t.state.now.function, leaf_b);
	p->stacks.v[1].count += 1000;
	CHECK(!top_data_mark(&t.data, p, 1));
	draw(&t, &g, 24, 80);
	grid_fini(&g);
	CHECK_U64(t.state.now.selected, 0);
	CHECK_U64(t.state.now.function, leaf_b);
	end(&t);
}

/* A profile that forgot has no functions, and its images have moved. */
UNIT(a_forgotten_function_is_left_and_an_object_is_found_again)
{
	struct top t;
	struct grid g;

	begin(&t, usual_profile());
	t.state.view = TOP_TREE;
	draw(&t, &g, 24, 80);
	grid_fini(&g);
	press(&t, "\n");
	CHECK_U64(t.state.view, TOP_FUNCTION);
	draw(&t, &g, 24, 80);
	grid_fini(&g);
	t.state.one_object = true;
	t.state.image = 1;
	top_state_forget(&t.state, 0);
	CHECK_U64(t.state.view, TOP_TREE);
	CHECK_U64(t.state.now.function, CG_NONE);
	CHECK(t.state.now.id == 0 && t.state.one_object && t.state.image == 0);
	/* What is in no image is still in none; an image that nothing maps is not chosen. */
	t.state.image = CG_NONE;
	top_state_forget(&t.state, CG_NONE);
	CHECK(t.state.one_object && t.state.image == CG_NONE);
	t.state.image = 1;
	top_state_forget(&t.state, CG_NONE);
	CHECK(!t.state.one_object);
	end(&t);
}

/* Any keys, any size: a long walk that must stay inside the grid and in memory. */
UNIT(whatever_is_pressed)
{
	struct cg_profile *p = usual_profile();
	uint64_t random = 7;
	struct top t;
	int i;

	ADD_OF(p, 0, "other", 20, 21, 1, 50, "leaf_c", "main");
	begin(&t, p);
	for (i = 0; i < 5000; i++) {
		int key = (int)((random = random * 6364136223846793005u + 1442695040888963407u) >>
				33);
		struct grid g;

		key = key & 1 ? TOP_KEY_NONE + (key >> 1) % 13 : (key >> 1) % 256;
		if (key != 'q')
			top_state_key(&t.state, key);
		draw(&t, &g, 1 + (int)(random >> 40) % 30, 1 + (int)(random >> 50) % 100);
		grid_fini(&g);
		CHECK(!t.state.now.lines || t.state.now.selected < t.state.now.lines);
	}
	CHECK(!t.state.quit);
	end(&t);
}

UNIT(every_key_is_in_the_help_and_others_do_nothing)
{
	const struct top_key_help *help;
	char all[1024] = "";
	int key;
	size_t i;

	for (i = 0; (help = top_state_help(i)); i++) {
		strcat(strcat(all, " "), help->keys);
		CHECK(*help->does);
	}
	strcat(all, " ");
	for (key = '!'; key < 256; key++) {
		char shown[4] = {' ', (char)key, ' ', '\0'};
		struct top_state before, after;

		top_state_init(&before, -1);
		/* Where every key has something to change. */
		before.now = (struct top_shown){.lines = 9, .selected = 4};
		before.view = key == 'x' ? TOP_CODE : TOP_TREE;
		before.span = key == 'r' ? TOP_ALL : TOP_RECENT;
		after = before;
		top_state_key(&after, key);
		CHECK((memcmp(&before, &after, sizeof(before)) != 0) ==
		      (strstr(all, shown) != NULL));
	}
}

UNIT(a_filter_is_typed)
{
	struct top_state s;
	const char *c;

	top_state_init(&s, -1);
	top_state_key(&s, '/');
	for (c = "quit\xc3\xa9"; *c; c++)
		top_state_key(&s, (unsigned char)*c);
	CHECK_STR(s.typed, "quit\xc3\xa9");
	top_state_key(&s, TOP_KEY_BACKSPACE);
	CHECK_STR(s.typed, "quit");
	CHECK_STR(s.filter, "");
	top_state_key(&s, TOP_KEY_UP);
	top_state_key(&s, TOP_KEY_ENTER);
	CHECK_STR(s.filter, "quit");
	CHECK(!s.quit && !s.typing);
	top_state_key(&s, '/');
	top_state_key(&s, 'x');
	top_state_key(&s, TOP_KEY_ESC);
	CHECK_STR(s.filter, "quit");
	top_state_key(&s, TOP_KEY_ESC);
	CHECK_STR(s.filter, "");
}

UNIT_MAIN(UNIT_ENTRY(functions_with_their_callers), UNIT_ENTRY(by_total_and_by_name),
	  UNIT_ENTRY(the_call_tree), UNIT_ENTRY(a_long_chain_is_cut_in_the_middle),
	  UNIT_ENTRY(threads_and_objects),
	  UNIT_ENTRY(what_is_outside_of_the_pid_namespace_has_no_number),
	  UNIT_ENTRY(a_function_with_callers_and_callees),
	  UNIT_ENTRY(several_pmcs), UNIT_ENTRY(no_samples), UNIT_ENTRY(hostile_names),
	  UNIT_ENTRY(losses_stand_out), UNIT_ENTRY(a_shared_counter_stands_out),
	  UNIT_ENTRY(heat_begins_above_its_limits),
	  UNIT_ENTRY(delta_is_what_came_since_the_last_refresh),
	  UNIT_ENTRY(the_present_is_the_last_seconds),
	  UNIT_ENTRY(what_is_forgotten_is_not_of_the_last_seconds),
	  UNIT_ENTRY(idle_cpus_are_a_share_and_no_rows),
	  UNIT_ENTRY(long_names_have_the_room_and_no_template_arguments),
	  UNIT_ENTRY(c_goes_round_all_spans), UNIT_ENTRY(a_selected_line_stays_with_its_function),
	  UNIT_ENTRY(a_forgotten_function_is_left_and_an_object_is_found_again),
	  UNIT_ENTRY(whatever_is_pressed),
	  UNIT_ENTRY(every_key_is_in_the_help_and_others_do_nothing), UNIT_ENTRY(a_filter_is_typed))
