// SPDX-License-Identifier: BSD-2-Clause
/* What processes have counted, from what threads tell when they leave a CPU and when they exit. */
#include <errno.h>

#include "logbuf.h"
#include "pmc/perf/perf_tally.h"
#include "pmc/pmc.h"
#include "pmclog/text/text.h"

enum { PMC = 0xfff03f00, CPU0 = 70, CPU1 = 71 };

struct story {
	int fd;
	struct pmclog_writer *w;
	struct perf_tally tally;
	uint64_t time;
};

static struct story *story_new(uint32_t flags)
{
	static const struct pmclog_origin origin = {.cputype = 0x400, .tsc_freq = 1000000000};
	struct story *s = calloc(1, sizeof(*s));

	s->fd = logbuf_file();
	s->w = pmclog_writer_new(s->fd, "t.log", NULL);
	pmclog_write_initialize(s->w, 1, &origin);
	s->tally = (struct perf_tally){.pmcid = PMC, .flags = flags};
	return s;
}

static void sample(struct story *s, uint32_t pid, uint32_t tid, uint64_t id, uint64_t value,
		   bool last)
{
	struct perf_tally_sample sample = {
		.time = s->time++, .pid = pid, .tid = tid, .id = id, .value = value, .last = last};

	perf_tally_sample(&s->tally, s->w, &sample);
}

static void leaves(struct story *s, uint32_t pid, uint32_t tid, uint64_t id, uint64_t value)
{
	sample(s, pid, tid, id, value, false);
}

static void ends(struct story *s, uint32_t pid, uint32_t tid, uint64_t id, uint64_t value)
{
	sample(s, pid, tid, id, value, true);
}

static void gone(struct story *s, uint32_t pid, uint32_t tid, bool last_thread)
{
	perf_tally_exit(&s->tally, s->w, s->time++, pid, tid, last_thread);
}

/* Checks the text of the log behind INITIALIZE, and ends the story. */
static void story_is(struct story *s, const char *want)
{
	struct sink *text = sink_to_memory();
	struct pmclog_reader *r;
	struct pmclog_record rec;

	CHECK(!s->tally.nomem);
	CHECK(!pmclog_writer_flush(s->w, NULL));
	lseek(s->fd, 0, SEEK_SET);
	r = pmclog_reader_open_fd(s->fd, "t.log", NULL);
	CHECK(pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK);
	while (pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK)
		pmclog_text_record(text, &rec);
	CHECK_STR(sink_text(text, NULL), want);
	pmclog_reader_close(r);
	sink_free(text);
	perf_tally_fini(&s->tally);
	pmclog_writer_free(s->w);
	close(s->fd);
	free(s);
}

UNIT(a_count_at_exit_is_the_sum_over_cpus_and_threads)
{
	struct story *s = story_new(PMC_F_LOG_PROCEXIT);

	leaves(s, 10, 10, CPU0, 5);
	leaves(s, 10, 11, CPU1, 100);
	leaves(s, 10, 10, CPU1, 30);
	leaves(s, 10, 10, CPU0, 7);
	ends(s, 10, 11, CPU1, 150);
	gone(s, 10, 11, false);
	ends(s, 10, 10, CPU1, 31);
	gone(s, 10, 10, true);
	story_is(s, "exitval   0xfff03f00 10 188\n");
}

UNIT(counts_at_switches_add_up_to_the_count_at_exit)
{
	struct story *s = story_new(PMC_F_LOG_PROCEXIT | PMC_F_LOG_PROCCSW);

	leaves(s, 10, 10, CPU0, 5);
	leaves(s, 10, 10, CPU1, 30);
	leaves(s, 10, 10, CPU0, 7);
	ends(s, 10, 10, CPU1, 31);
	gone(s, 10, 10, true);
	story_is(s, "cswval    0xfff03f00 10 5\n"
		    "cswval    0xfff03f00 10 30\n"
		    "cswval    0xfff03f00 10 2\n"
		    "cswval    0xfff03f00 10 1\n"
		    "exitval   0xfff03f00 10 38\n");
}

UNIT(switches_alone)
{
	struct story *s = story_new(PMC_F_LOG_PROCCSW);

	leaves(s, 10, 11, CPU0, 5);
	ends(s, 10, 11, CPU0, 5);
	gone(s, 10, 11, true);
	story_is(s, "cswval    0xfff03f00 10 5\n"
		    "cswval    0xfff03f00 10 0\n");
}

UNIT(a_process_whose_last_sample_was_lost_has_no_count_and_that_is_told)
{
	struct story *s = story_new(PMC_F_LOG_PROCEXIT);

	leaves(s, 10, 10, CPU0, 5);
	leaves(s, 10, 11, CPU0, 5);
	gone(s, 10, 11, false);
	ends(s, 10, 10, CPU0, 6);
	gone(s, 10, 10, true);
	gone(s, 20, 20, true);
	story_is(s, "drop      1 -1 exits\n");
}

/* What a process has counted, which the events of no other are in the way of. */
static int read_process(void *arg, uint32_t pid, uint64_t *value)
{
	*value = 77;
	return pid == *(const uint32_t *)arg ? 0 : -ENODATA;
}

UNIT(a_process_that_is_counted_alone_has_the_sum_of_its_events)
{
	struct story *s = story_new(PMC_F_LOG_PROCEXIT);
	uint32_t alone = 10;

	s->tally.read = read_process;
	s->tally.arg = &alone;
	perf_tally_attach(&s->tally, 10);
	perf_tally_attach(&s->tally, 20);
	gone(s, 10, 11, false);
	gone(s, 10, 10, true);
	/* Its events cannot be read. */
	gone(s, 20, 20, true);
	story_is(s, "exitval   0xfff03f00 10 77\n");
}

UNIT(a_switch_that_no_exit_followed_is_told)
{
	struct story *s = story_new(PMC_F_LOG_PROCEXIT | PMC_F_LOG_PROCCSW);
	uint32_t alone = 10;

	s->tally.read = read_process;
	s->tally.arg = &alone;
	perf_tally_attach(&s->tally, 10);
	leaves(s, 10, 10, CPU0, 5);
	gone(s, 10, 10, true);
	story_is(s, "cswval    0xfff03f00 10 5\n"
		    "drop      1 -1 exits\n"
		    "exitval   0xfff03f00 10 77\n");
}

UNIT(exec_in_a_thread_keeps_its_count)
{
	struct story *s = story_new(PMC_F_LOG_PROCEXIT);

	leaves(s, 10, 10, CPU0, 5);
	leaves(s, 10, 12, CPU0, 100);
	ends(s, 10, 10, CPU0, 6);
	gone(s, 10, 10, false);
	perf_tally_exec(&s->tally, 10);
	ends(s, 10, 10, CPU0, 120);
	gone(s, 10, 10, true);
	story_is(s, "exitval   0xfff03f00 10 126\n");
}

UNIT(a_pid_that_is_used_again_begins_anew)
{
	struct story *s = story_new(PMC_F_LOG_PROCEXIT);

	leaves(s, 10, 10, CPU0, 500);
	perf_tally_fork(&s->tally, 1, 10);
	ends(s, 10, 10, CPU0, 3);
	gone(s, 10, 10, true);
	story_is(s, "exitval   0xfff03f00 10 3\n");
}

UNIT(what_ran_while_there_was_no_log_is_not_known)
{
	struct story *s = story_new(PMC_F_LOG_PROCEXIT);

	leaves(s, 10, 10, CPU0, 5);
	perf_tally_resume(&s->tally);
	ends(s, 10, 10, CPU0, 7);
	gone(s, 10, 10, true);
	ends(s, 11, 11, CPU0, 9);
	gone(s, 11, 11, true);
	story_is(s, "exitval   0xfff03f00 11 9\n");
}

UNIT(nor_what_ran_in_threads_that_have_ended_or_counted_nothing)
{
	struct story *s = story_new(PMC_F_LOG_PROCEXIT);

	ends(s, 10, 11, CPU0, 500);
	gone(s, 10, 11, false);
	leaves(s, 12, 12, CPU0, 0);
	perf_tally_resume(&s->tally);
	ends(s, 10, 10, CPU0, 7);
	gone(s, 10, 10, true);
	ends(s, 12, 12, CPU0, 3);
	gone(s, 12, 12, true);
	story_is(s, "");
}

UNIT(a_pmc_without_a_counter_still_counts_every_process)
{
	struct story *s = story_new(PMC_F_LOG_PROCEXIT | PMC_F_DESCENDANTS);

	s->tally.shares = true;
	perf_tally_attach(&s->tally, 10);
	perf_tally_resume(&s->tally);
	perf_tally_fork(&s->tally, 10, 11);
	perf_tally_fork(&s->tally, 10, 12);
	/* Of no target. */
	perf_tally_fork(&s->tally, 20, 21);
	leaves(s, 11, 11, CPU0, 5);
	gone(s, 11, 11, true);
	gone(s, 12, 12, true);
	gone(s, 21, 21, true);
	ends(s, 10, 10, CPU0, 70);
	gone(s, 10, 10, true);
	story_is(s, "drop      1 -1 exits\n"
		    "exitval   0xfff03f00 11 5\n"
		    "drop      1 -1 exits\n"
		    "exitval   0xfff03f00 12 0\n"
		    "exitval   0xfff03f00 10 70\n");
}

UNIT(children_of_a_pmc_that_follows_none_are_not_its_own)
{
	struct story *s = story_new(PMC_F_LOG_PROCEXIT);

	s->tally.shares = true;
	perf_tally_attach(&s->tally, 10);
	perf_tally_fork(&s->tally, 10, 11);
	CHECK(!perf_tally_exit(&s->tally, s->w, s->time, 11, 11, true));
	CHECK(perf_tally_exit(&s->tally, s->w, s->time, 10, 10, true));
	story_is(s, "drop      1 -1 exits\n"
		    "exitval   0xfff03f00 10 0\n");
}

UNIT(switches_without_a_counter_are_told_once)
{
	struct story *s = story_new(PMC_F_LOG_PROCCSW);
	int i;

	s->tally.shares = true;
	for (i = 0; i < 5; i++)
		perf_tally_switch(&s->tally);
	leaves(s, 10, 10, CPU0, 5);
	leaves(s, 10, 10, CPU0, 7);
	/* The exit is no switch, what comes behind it is one. */
	ends(s, 10, 10, CPU0, 8);
	ends(s, 10, 10, CPU0, 8);
	CHECK_U64(perf_tally_end(&s->tally, s->w, s->time), 2);
	CHECK_U64(perf_tally_end(&s->tally, s->w, s->time), 0);
	perf_tally_switch(&s->tally);
	CHECK_U64(perf_tally_end(&s->tally, s->w, s->time), 1);
	gone(s, 10, 10, true);
	story_is(s, "cswval    0xfff03f00 10 5\n"
		    "cswval    0xfff03f00 10 2\n"
		    "cswval    0xfff03f00 10 1\n"
		    "cswval    0xfff03f00 10 0\n"
		    "drop      2 -1 switches\n"
		    "drop      1 -1 switches\n");
}

UNIT(looks_tell_of_switches_whose_count_would_have_come)
{
	struct story *s = story_new(PMC_F_LOG_PROCCSW);
	int i;

	s->tally.shares = true;
	for (i = 0; i < 3; i++)
		perf_tally_switch(&s->tally);
	CHECK_U64(perf_tally_look(&s->tally, s->w, s->time), 0);
	leaves(s, 10, 10, CPU0, 5);
	perf_tally_switch(&s->tally);
	CHECK_U64(perf_tally_look(&s->tally, s->w, s->time), 2);
	CHECK_U64(perf_tally_look(&s->tally, s->w, s->time), 1);
	CHECK_U64(perf_tally_look(&s->tally, s->w, s->time), 0);
	CHECK_U64(perf_tally_end(&s->tally, s->w, s->time), 0);
	story_is(s, "cswval    0xfff03f00 10 5\n"
		    "drop      2 -1 switches\n"
		    "drop      1 -1 switches\n");
}

UNIT(memory_is_that_of_processes_that_live)
{
	struct story *s = story_new(0);
	uint32_t pid;

	for (pid = 1; pid <= 10000; pid++) {
		leaves(s, pid, pid, CPU0, pid);
		if (pid > 20) {
			ends(s, pid - 20, pid - 20, CPU0, pid);
			gone(s, pid - 20, pid - 20, true);
		}
	}
	CHECK(s->tally.processes.n < 1000);
	CHECK_U64(s->tally.processes.n - s->tally.gone, 20);
	story_is(s, "");
}

UNIT_MAIN(UNIT_ENTRY(a_count_at_exit_is_the_sum_over_cpus_and_threads),
	  UNIT_ENTRY(counts_at_switches_add_up_to_the_count_at_exit), UNIT_ENTRY(switches_alone),
	  UNIT_ENTRY(a_process_whose_last_sample_was_lost_has_no_count_and_that_is_told),
	  UNIT_ENTRY(a_process_that_is_counted_alone_has_the_sum_of_its_events),
	  UNIT_ENTRY(a_switch_that_no_exit_followed_is_told),
	  UNIT_ENTRY(exec_in_a_thread_keeps_its_count),
	  UNIT_ENTRY(a_pid_that_is_used_again_begins_anew),
	  UNIT_ENTRY(what_ran_while_there_was_no_log_is_not_known),
	  UNIT_ENTRY(nor_what_ran_in_threads_that_have_ended_or_counted_nothing),
	  UNIT_ENTRY(a_pmc_without_a_counter_still_counts_every_process),
	  UNIT_ENTRY(children_of_a_pmc_that_follows_none_are_not_its_own),
	  UNIT_ENTRY(switches_without_a_counter_are_told_once),
	  UNIT_ENTRY(looks_tell_of_switches_whose_count_would_have_come),
	  UNIT_ENTRY(memory_is_that_of_processes_that_live))
