// SPDX-License-Identifier: BSD-2-Clause
/* Which threads live, and when a process has lost its last one. */
#include "pmc/perf/perf_tasks.h"
#include "unit.h"

UNIT(a_process_ends_with_its_last_thread_even_if_the_first_went_before)
{
	struct perf_tasks t = {0};

	CHECK(perf_tasks_add(&t, 10, 10, "main"));
	CHECK(perf_tasks_add(&t, 10, 11, "worker"));
	CHECK(perf_tasks_add(&t, 10, 12, "worker"));
	CHECK(!perf_tasks_exit(&t, 10, 10));
	CHECK(!perf_tasks_exit(&t, 10, 12));
	CHECK(perf_tasks_exit(&t, 10, 11));
	CHECK(!perf_tasks_find(&t, 10));
	perf_tasks_clear(&t);
}

UNIT(a_thread_told_of_twice_counts_once)
{
	struct perf_tasks t = {0};

	perf_tasks_add(&t, 10, 10, "main");
	perf_tasks_add(&t, 10, 11, "worker");
	perf_tasks_add(&t, 10, 11, "other");
	CHECK_STR(perf_tasks_find(&t, 11)->comm, "worker");
	CHECK(!perf_tasks_exit(&t, 10, 11));
	CHECK(!perf_tasks_exit(&t, 10, 11));
	CHECK(perf_tasks_exit(&t, 10, 10));
	perf_tasks_clear(&t);
}

UNIT(a_thread_told_of_again_is_found_where_the_table_moved_to)
{
	struct perf_tasks t = {0};
	uint32_t pid;

	/* Half of the table, all that it takes: it grows at whatever comes next. */
	for (pid = 10; pid < 10 + 128; pid += 2) {
		CHECK(perf_tasks_add(&t, pid, pid, "main"));
		CHECK(perf_tasks_add(&t, pid, pid + 1, "worker"));
	}
	for (pid = 10; pid < 10 + 128; pid += 2) {
		struct perf_task *task = perf_tasks_add(&t, pid, pid + 1, "worker");

		CHECK(task && task == perf_tasks_find(&t, pid + 1));
	}
	perf_tasks_clear(&t);
}

UNIT(exec_leaves_one_thread)
{
	struct perf_tasks t = {0};

	perf_tasks_add(&t, 10, 10, "shell");
	perf_tasks_add(&t, 10, 11, "worker");
	/* Thread 11 calls exec and becomes thread 10; nobody tells of the end of 11. */
	perf_tasks_exec(&t, 10);
	CHECK(perf_tasks_exit(&t, 10, 10));
	perf_tasks_clear(&t);
}

UNIT(the_exit_of_an_unknown_process_is_its_end)
{
	struct perf_tasks t = {0};

	CHECK(!perf_tasks_exit(&t, 10, 11));
	CHECK(perf_tasks_exit(&t, 10, 10));
	CHECK(!perf_tasks_add(&t, 0, 0, "swapper"));
	perf_tasks_clear(&t);
}

UNIT(a_thread_id_that_is_used_again_belongs_to_its_new_process)
{
	struct perf_tasks t = {0};

	perf_tasks_add(&t, 10, 10, "old");
	perf_tasks_add(&t, 10, 20, "thread");
	perf_tasks_add(&t, 20, 20, "new");
	perf_tasks_add(&t, 20, 21, "thread");
	CHECK_U64(perf_tasks_find(&t, 20)->pid, 20);
	CHECK(!perf_tasks_exit(&t, 20, 20));
	CHECK(perf_tasks_exit(&t, 20, 21));
	perf_tasks_clear(&t);
}

/* Against a table that is too simple to be wrong, in an order that no one chose. */
UNIT(fifty_thousand_births_and_deaths_agree_with_a_plain_array)
{
	enum { TIDS = 4096 };
	static bool lives[TIDS];
	struct perf_tasks t = {0};
	uint32_t seed = 1, i, tid, n = 0;

	for (i = 0; i < 50000; i++) {
		seed = seed * 1664525 + 1013904223;
		tid = 1 + (seed >> 8) % (TIDS - 1);
		if (lives[tid])
			CHECK(perf_tasks_exit(&t, tid, tid));
		else
			CHECK(perf_tasks_add(&t, tid, tid, "x"));
		lives[tid] = !lives[tid];
	}
	for (tid = 1; tid < TIDS; tid++) {
		CHECK(lives[tid] == !!perf_tasks_find(&t, tid));
		n += lives[tid];
	}
	CHECK_U64(t.v.n, n);
	perf_tasks_clear(&t);
}

UNIT_MAIN(UNIT_ENTRY(a_process_ends_with_its_last_thread_even_if_the_first_went_before),
	  UNIT_ENTRY(a_thread_told_of_twice_counts_once),
	  UNIT_ENTRY(a_thread_told_of_again_is_found_where_the_table_moved_to),
	  UNIT_ENTRY(exec_leaves_one_thread), UNIT_ENTRY(the_exit_of_an_unknown_process_is_its_end),
	  UNIT_ENTRY(a_thread_id_that_is_used_again_belongs_to_its_new_process),
	  UNIT_ENTRY(fifty_thousand_births_and_deaths_agree_with_a_plain_array))
