// SPDX-License-Identifier: BSD-2-Clause
/* The views of top as whole screens, its keys, and which samples it chooses. */
#include "top_screens.h"

#define KEYS80 "q quit  h help  Space pause  Enter open  l code  n view  a all  s sort  / filter"

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
	  UNIT_ENTRY(a_function_with_callers_and_callees), UNIT_ENTRY(several_pmcs),
	  UNIT_ENTRY(no_samples), UNIT_ENTRY(hostile_names), UNIT_ENTRY(losses_stand_out),
	  UNIT_ENTRY(a_shared_counter_stands_out), UNIT_ENTRY(heat_begins_above_its_limits),
	  UNIT_ENTRY(long_names_have_the_room_and_no_template_arguments),
	  UNIT_ENTRY(a_selected_line_stays_with_its_function),
	  UNIT_ENTRY(a_forgotten_function_is_left_and_an_object_is_found_again),
	  UNIT_ENTRY(whatever_is_pressed),
	  UNIT_ENTRY(every_key_is_in_the_help_and_others_do_nothing), UNIT_ENTRY(a_filter_is_typed))
