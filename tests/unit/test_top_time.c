// SPDX-License-Identifier: BSD-2-Clause
/* Of what time top shows samples, and what of it CPUs were idle. */
#include "top_screens.h"

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

UNIT(what_no_sample_of_cpus_stands_for_is_not_busy)
{
	struct cg_profile *p = new_profile();
	struct top t;

	p->events.v[0].rate = 1000000;
	p->events.v[0].whole_cpus = 2;
	p->sampled = 0.1;
	ADD_OF(p, 0, "swapper", 0, 0, 1, 5, "[halt]");
	ADD_OF(p, 0, "app", 10, 10, 0, 25, "leaf_a", "main");
	begin(&t, p);
	check_screen(&t, 6, 90,
		     "PMC: [cpu-clock] Samples: 25 (100.0%) , 0 unresolved, CPUs 87.5% idle or un"
		     "seen\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     "100.0 app        leaf_a               main\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 16.67%; truncated 0\n");
	/* As much in the same time again, of which the last refresh knows the most. */
	p->sampled = 0.2;
	p->stacks.v[1].count += 190;
	CHECK(!top_data_mark(&t.data, p, 1));
	press(&t, "d");
	check_screen(&t, 6, 90,
		     "PMC: [cpu-clock] Samples: 190 (100.0%) , 0 unresolved\n"
		     "since the last refresh, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     "100.0 app        leaf_a               main\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 16.67%; truncated 0\n");
	/* What is forgotten has no time either. */
	p->stacks.v[0].count = p->stacks.v[1].count = 0;
	top_data_forget(&t.data);
	p->sampled = 0.1;
	p->stacks.v[0].count = 100;
	p->stacks.v[1].count = 90;
	CHECK(!top_data_mark(&t.data, p, 2));
	press(&t, "a");
	check_screen(&t, 6, 90,
		     "PMC: [cpu-clock] Samples: 90 (100.0%) , 0 unresolved, CPUs 52.6% idle\n"
		     "all samples, functions by self, threshold 0.5%\n"
		     "%SAMP IMAGE      FUNCTION             CALLERS\n"
		     "100.0 app        leaf_a               main\n"
		     "~1\n"
		     "lost 0 (0.00%); unresolved 16.67%; truncated 0\n");
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

UNIT_MAIN(UNIT_ENTRY(delta_is_what_came_since_the_last_refresh),
	  UNIT_ENTRY(the_present_is_the_last_seconds),
	  UNIT_ENTRY(what_is_forgotten_is_not_of_the_last_seconds),
	  UNIT_ENTRY(idle_cpus_are_a_share_and_no_rows),
	  UNIT_ENTRY(what_no_sample_of_cpus_stands_for_is_not_busy),
	  UNIT_ENTRY(c_goes_round_all_spans))
