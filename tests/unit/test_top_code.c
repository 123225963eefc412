// SPDX-License-Identifier: BSD-2-Clause
/*
 * The code of a function in top: its screens, its keys, and what its samples are counted at; and
 * threads that had one number.
 */
#include "pmcstat/top/keys.h"
#include "pmcstat/top/top_list.h"
#include "pmcstat/top/top_view.h"
#include "unit.h"

#define KEYS "q back  h help  Space pause  x instructions  a all  r now  PgUp PgDn scroll\n"
#define LIST_KEYS \
	"q quit  h help  Space pause  Enter open  l code  n view  a all  s sort  / filter\n"
#define QUALITY "lost 0 (0.00%); unresolved 0.00%; truncated 0\n"

struct top {
	struct cg_profile p;
	struct top_data data;
	struct top_state state;
	struct top_code *code;
};

/* A profile with the functions main and work, and count samples in either. */
static void begin(struct top *t)
{
	struct cg_function main = {.name = "main", .image = CG_NONE, .resolved = true};
	struct cg_function work = {.name = "work", .image = CG_NONE, .resolved = true};
	struct cg_profile *p = &t->p;
	uint32_t i;

	*t = (struct top){.p = {.quality = {.samples = 0}}};
	CHECK(!vec_push(&p->events, (struct cg_event){.name = "cycles", .whole = "cycles"}) &&
	      !vec_push(&p->groups, (struct cg_group){.comm = "app", .pid = 10, .tid = 10}) &&
	      !vec_push(&p->functions, main) && !vec_push(&p->functions, work));
	for (i = 0; i < 2; i++)
		CHECK(!vec_push(&p->locations, (struct cg_location){.function = i,
								    .image = CG_NONE,
								    .address = i}) &&
		      !vec_push(&p->locations_of, i) && !vec_push(&p->words, i) &&
		      !vec_push(&p->stacks,
				(struct cg_stack){.count = 10 + i, .first = i, .npcs = 1}));
	top_state_init(&t->state, -1);
	t->state.span = TOP_ALL;
	CHECK(!top_data_mark(&t->data, p, 0));
}

/* The code of work is shown, of which there is no line yet. */
static void begin_code(struct top *t)
{
	begin(t);
	t->state.view = TOP_CODE;
	t->code = calloc(1, sizeof(*t->code));
	t->code->name = "work";
}

static void end(struct top *t)
{
	top_code_free(t->code);
	top_data_free(&t->data);
	vec_free(&t->p.events);
	vec_free(&t->p.groups);
	vec_free(&t->p.functions);
	vec_free(&t->p.locations);
	vec_free(&t->p.locations_of);
	vec_free(&t->p.words);
	vec_free(&t->p.stacks);
}

static void add_line(struct top *t, enum top_code_kind kind, uint64_t at, uint64_t self,
		     const char *text)
{
	struct top_code_line line = {.kind = kind, .at = at, .self = self, .text = text};

	CHECK(!vec_push(&t->code->lines, line));
	t->code->self += self;
}

static void check_screen(struct top *t, int rows, const char *want)
{
	struct top_input in = {
		.data = &t->data, .code = t->code, .note = "", .has_keys = true, .at = -1};
	struct sink *sink = sink_to_memory();
	struct grid g;

	CHECK(sink && !grid_init(&g, rows, 80) && !top_data_choose(&t->data, &t->p, &t->state) &&
	      !top_draw(&in, &t->state, &g, &t->state.now));
	grid_write(&g, sink);
	CHECK_STR(sink_text(sink, NULL), want);
	sink_free(sink);
	grid_fini(&g);
}

UNIT(source_lines_with_their_samples)
{
	struct top t;

	begin_code(&t);
	add_line(&t, TOP_CODE_HEADING, 0, 0, "work.c: it is newer than app");
	add_line(&t, TOP_CODE_UNKNOWN, 0, 1, "(the line is not known)");
	add_line(&t, TOP_CODE_LINE, 7, 0, "void work(void)");
	add_line(&t, TOP_CODE_LINE, 8, 199, "\tx\x1b[2J;");
	check_screen(&t, 12,
		     "PMC: [cycles] Samples: 21 (100.0%) , 0 unresolved\n"
		     "all samples, code of work\n"
		     "%SELF    SAMPLES   LINE  SOURCE\n"
		     "work.c: it is newer than app\n"
		     "  0.5          1   (the line is not known)\n"
		     "                      7  void work(void)\n"
		     " 99.5        199      8  ?x?[2J;\n"
		     "\n" QUALITY KEYS);
	end(&t);
}

UNIT(threads_that_had_one_number_one_after_the_other_are_two)
{
	struct cg_group second = {
		.comm = "app", .pid = 10, .tid = 11, .thread = "second", .life = 2};
	struct top t;

	begin(&t);
	t.p.groups.v->tid = 11;
	t.p.groups.v->thread = "first";
	t.p.groups.v->life = 1;
	CHECK(!vec_push(&t.p.groups, second));
	t.p.stacks.v[1].group = 1;
	t.state.view = TOP_THREADS;
	check_screen(&t, 7,
		     "PMC: [cycles] Samples: 21 (100.0%) , 0 unresolved\n"
		     "all samples, threads, threshold 0.5%\n"
		     "%SAMP    SAMPLES     PID     TID COMMAND\n"
		     " 52.4         11      10      11 second\n"
		     " 47.6         10      10      11 first\n" QUALITY LIST_KEYS);
	top_state_key(&t.state, TOP_KEY_ENTER);
	check_screen(&t, 6,
		     "PMC: [cycles] Samples: 11 (52.4%) , 0 unresolved\n"
		     "all samples, functions by self, thread 10/11, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     "100.0 [unknown]  work\n" QUALITY LIST_KEYS);
	end(&t);
}

UNIT(instructions_with_their_samples)
{
	struct top t;

	begin_code(&t);
	t.code->has_instructions = true;
	add_line(&t, TOP_CODE_LINE, 0x401000, 3, "nop");
	add_line(&t, TOP_CODE_LINE, 0xffffffff81000001, 1, "ret");
	check_screen(&t, 10,
		     "PMC: [cycles] Samples: 21 (100.0%) , 0 unresolved\n"
		     "all samples, code of work\n"
		     "%SELF    SAMPLES      ADDRESS  INSTRUCTION\n"
		     " 75.0          3       401000  nop\n"
		     " 25.0          1 ffffffff81000001  ret\n"
		     "\n" QUALITY KEYS);
	end(&t);
}

UNIT(the_hottest_line_is_in_sight_and_stays)
{
	struct top t;
	uint64_t i;

	begin_code(&t);
	for (i = 1; i <= 100; i++)
		add_line(&t, TOP_CODE_LINE, i, i == 60 ? 50 : i == 20, "x");
	t.state.now.page = 3;
	CHECK_U64(top_code_hottest(t.code), 59);
	top_state_select(&t.state, top_code_hottest(t.code));
	check_screen(&t, 8,
		     "PMC: [cycles] Samples: 21 (100.0%) , 0 unresolved\n"
		     "all samples, code of work\n"
		     "%SELF    SAMPLES   LINE  SOURCE\n"
		     "                     59  x\n"
		     " 98.0         50     60  x\n"
		     "                     61  x\n" QUALITY KEYS);
	CHECK_U64(t.state.now.selected, 59);
	/* A line that is found later comes before it. */
	CHECK(!vec_insert(&t.code->lines, 0,
			  (struct top_code_line){.kind = TOP_CODE_UNKNOWN, .text = "?"}));
	check_screen(&t, 8,
		     "PMC: [cycles] Samples: 21 (100.0%) , 0 unresolved\n"
		     "all samples, code of work\n"
		     "%SELF    SAMPLES   LINE  SOURCE\n"
		     "                     58  x\n"
		     "                     59  x\n"
		     " 98.0         50     60  x\n" QUALITY KEYS);
	CHECK_U64(t.state.now.selected, 60);
	end(&t);
}

UNIT(what_has_neither_source_nor_code_says_why)
{
	struct top t;
	struct top_code *c;

	begin(&t);
	CHECK(!top_data_choose(&t.data, &t.p, &t.state));
	t.code = c = top_code_new(&t.p, 1, false, NULL);
	CHECK(c && !top_code_count(c, &t.data));
	CHECK_U64(c->self, 11);
	CHECK_U64(c->lines.n, 1);
	CHECK(c->lines.v[0].kind == TOP_CODE_HEADING);
	CHECK_STR(c->lines.v[0].text,
		  "no source: no debug information has its lines, and its end is not known");
	end(&t);
}

static void select_function(struct top_state *s, uint32_t function)
{
	s->now = (struct top_shown){.lines = 3, .selected = 1, .function = function};
}

UNIT(keys_open_and_leave_it)
{
	static const int leave[] = {'l', 'q', TOP_KEY_ESC, TOP_KEY_BACKSPACE, TOP_KEY_LEFT};
	struct top_state s;
	size_t i;

	for (i = 0; i < sizeof(leave) / sizeof(leave[0]); i++) {
		top_state_init(&s, -1);
		s.view = TOP_TREE;
		select_function(&s, 7);
		top_state_key(&s, 'l');
		CHECK(s.view == TOP_CODE && s.code == 7 && !s.instructions);
		top_state_key(&s, 'x');
		CHECK(s.view == TOP_CODE && s.instructions);
		top_state_key(&s, leave[i]);
		CHECK(s.view == TOP_TREE && !s.quit);
	}
	top_state_key(&s, 'q');
	CHECK(s.quit);
}

UNIT(a_functions_own_line_opens_it_and_help_leads_back_to_the_list)
{
	struct top_state s;

	top_state_init(&s, -1);
	select_function(&s, 7);
	top_state_key(&s, TOP_KEY_ENTER);
	select_function(&s, 3);
	top_state_key(&s, 'l');
	CHECK(s.view == TOP_CODE && s.code == 3);
	top_state_key(&s, 'q');
	CHECK(s.view == TOP_FUNCTION && s.function == 7);
	select_function(&s, 7);
	top_state_key(&s, TOP_KEY_ENTER);
	CHECK(s.view == TOP_CODE && s.code == 7);
	top_state_key(&s, 'h');
	CHECK(s.view == TOP_HELP);
	top_state_key(&s, 'h');
	CHECK(s.view == TOP_FLAT);
	/* What is of no function has no code. */
	select_function(&s, CG_NONE);
	top_state_key(&s, 'l');
	CHECK(s.view == TOP_FLAT);
	/* Nor has one that was forgotten. */
	select_function(&s, 7);
	top_state_key(&s, 'l');
	top_state_forget(&s, CG_NONE);
	CHECK(s.view == TOP_FLAT);
}

UNIT_MAIN(UNIT_ENTRY(source_lines_with_their_samples),
	  UNIT_ENTRY(threads_that_had_one_number_one_after_the_other_are_two),
	  UNIT_ENTRY(instructions_with_their_samples),
	  UNIT_ENTRY(the_hottest_line_is_in_sight_and_stays),
	  UNIT_ENTRY(what_has_neither_source_nor_code_says_why), UNIT_ENTRY(keys_open_and_leave_it),
	  UNIT_ENTRY(a_functions_own_line_opens_it_and_help_leads_back_to_the_list))
