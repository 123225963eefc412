// SPDX-License-Identifier: BSD-2-Clause
/* Which names of JIT-compiled code go into the log; this program plays the compiler. */
#include <signal.h>

#include "logbuf.h"
#include "pmc/perf/perf_jit.h"

/* No process: what it left is read all the same. */
enum { GONE = 0x7ffffff0 };

struct story {
	int fd;
	struct pmclog_writer *w;
	struct perf_jit jit;
	char file[64];
};

static struct story *story_new(uint32_t pid, const char *lines)
{
	static const struct pmclog_origin origin = {.cputype = 0x400, .tsc_freq = 1000000000};
	struct story *s = calloc(1, sizeof(*s));
	FILE *f;

	s->fd = logbuf_file();
	s->w = pmclog_writer_new(s->fd, "t.log", NULL);
	pmclog_write_initialize(s->w, 1, &origin);
	snprintf(s->file, sizeof(s->file), "/tmp/perf-%u.map", pid);
	f = fopen(s->file, "w");
	fputs(lines, f);
	fclose(f);
	return s;
}

static void map(struct story *s, uint32_t pid, uint64_t start, uint64_t length, const char *path)
{
	perf_jit_map(&s->jit, &(struct proc_map){
				      .pid = pid, .start = start, .length = length, .path = path});
}

static void sample(struct story *s, uint32_t pid, uint64_t leaf, uint64_t caller)
{
	uint64_t pcs[] = {leaf, caller};

	perf_jit_sample(&s->jit, &(struct pmclog_chain){
					 .pid = pid, .usermode = true, .npcs = 2, .pcs = pcs});
}

/* Ends all processes, checks what names are in the log, and ends the story. */
static void story_is(struct story *s, const char *want)
{
	char got[4096] = "";
	struct pmclog_reader *r;
	struct pmclog_record rec;

	perf_jit_end_all(&s->jit, s->w, 9);
	CHECK_U64(s->jit.processes, 0);
	CHECK_U64(s->jit.pcs, 0);
	CHECK(!pmclog_writer_flush(s->w, NULL));
	lseek(s->fd, 0, SEEK_SET);
	r = pmclog_reader_open_fd(s->fd, "t.log", NULL);
	while (pmclog_reader_next(r, &rec, NULL) == PMCLOG_RESULT_OK) {
		size_t at = strlen(got);

		if (rec.type != PMCLOG_WIRE_MAP_IN)
			continue;
		CHECK_STR(rec.u.map_in.path.s, "[jit]");
		snprintf(got + at, sizeof(got) - at, "%s%s %" PRIx64 "+%" PRIx64, at ? ", " : "",
			 rec.u.map_in.symbol.s, rec.u.map_in.start, rec.u.map_in.length);
	}
	CHECK_STR(got, want);
	pmclog_reader_close(r);
	pmclog_writer_free(s->w);
	unlink(s->file);
	close(s->fd);
	free(s);
}

UNIT(what_was_sampled_is_named_and_nothing_else)
{
	struct story *s = story_new(getpid(), "1000 100 one\n1100 100 two\n1200 100 three\n"
					      "9000 100 elsewhere\n");

	map(s, getpid(), 0x1000, 0x1000, "//anon");
	map(s, getpid(), 0x9000, 0x1000, "/usr/bin/node");
	sample(s, getpid(), 0x1010, 0x9010);
	sample(s, getpid(), 0x12ff, 0xffffffff81000000);
	/* Another process has the same addresses. */
	sample(s, getpid() + 1, 0x1110, 0x1110);
	story_is(s, "one 1000+100, three 1200+100");
}

UNIT(an_address_is_noted_once)
{
	struct story *s = story_new(getpid(), "1000 100 one\n");
	int i;

	map(s, getpid(), 0x1000, 0x1000, "//anon");
	for (i = 0; i < 3; i++)
		sample(s, getpid(), 0x1010, 0x9010);
	CHECK_U64(s->jit.pcs, 1);
	story_is(s, "one 1000+100");
}

/* Were each mapping a range of its own, there would be too many. */
UNIT(memory_that_grows_is_one_range)
{
	struct story *s = story_new(getpid(), "1387000 100 last\n8000000 100 first\n");
	uint64_t i;

	for (i = 0; i < 5000; i++) {
		map(s, getpid(), 0x1000 * i, 0x1000, "//anon");
		map(s, getpid(), 0x8000000 - 0x1000 * i, 0x1000, "//anon");
	}
	sample(s, getpid(), 0x1387010, 0x8000010);
	story_is(s, "last 1387000+100, first 8000000+100");
}

UNIT(each_file_of_a_log_has_the_names_of_its_samples)
{
	struct story *s = story_new(getpid(), "1000 100 one\n1100 100 two\n1200 100 three\n");

	map(s, getpid(), 0x1000, 0x1000, "//anon");
	sample(s, getpid(), 0x1010, 0x1110);
	perf_jit_tell(&s->jit, s->w, 1);
	perf_jit_turn(&s->jit, s->w, 2);
	CHECK_U64(s->jit.pcs, 0);
	sample(s, getpid(), 0x1110, 0x1210);
	perf_jit_turn(&s->jit, s->w, 3);
	story_is(s, "one 1000+100, two 1100+100, one 1000+100, two 1100+100, "
		    "two 1100+100, three 1200+100");
}

UNIT(a_call_at_the_end_of_a_function_is_in_it)
{
	struct story *s = story_new(getpid(), "1000 100 caller\n1100 100 next\n");

	map(s, getpid(), 0x1000, 0x1000, "//anon");
	sample(s, getpid(), 0x401000, 0x1100);
	story_is(s, "caller 1000+100");
}

UNIT(a_frame_that_was_interrupted_is_where_it_is)
{
	struct story *s = story_new(getpid(), "1000 100 before\n1100 100 interrupted\n");
	const uint64_t pcs[] = {0x401000, 0x401100, 0x1100};
	const uint8_t exact[] = {0x4};

	map(s, getpid(), 0x1000, 0x1000, "//anon");
	perf_jit_sample(&s->jit, &(struct pmclog_chain){.pid = (uint32_t)getpid(),
							.usermode = true,
							.npcs = 3,
							.pcs = pcs,
							.exact = exact});
	story_is(s, "interrupted 1100+100");
}

UNIT(an_address_in_the_kernel_was_called_from_where_the_next_frame_says)
{
	struct story *s = story_new(getpid(), "1000 100 before\n1100 100 system_call\n");

	map(s, getpid(), 0x1000, 0x1000, "//anon");
	sample(s, getpid(), 0xffffffff81000000, 0x1100);
	story_is(s, "system_call 1100+100");
}

UNIT(the_last_name_of_an_address_wins)
{
	struct story *s = story_new(getpid(), "1000 100 old\n1000 100 older_still\n1080 200 new\n");

	map(s, getpid(), 0x1000, 0x1000, "//anon");
	sample(s, getpid(), 0x1010, 0x1090);
	story_is(s, "older_still 1000+100, new 1080+200");
}

UNIT(code_may_lie_in_many_places)
{
	struct story *s = story_new(getpid(), "1000 10 first\n11f8 10 across\n5000 10 far\n");
	uint64_t i;

	/* From the last to the first, some twice, some that touch. */
	for (i = 2000; i-- > 0;)
		map(s, getpid(), 0x10000 + i * 0x2000, 0x1000, "//anon");
	map(s, getpid(), 0x1200, 0x100, "[heap]");
	map(s, getpid(), 0x1000, 0x200, "/memfd:jit (deleted)");
	map(s, getpid(), 0x1000, 0x200, "/memfd:jit (deleted)");
	sample(s, getpid(), 0x1000, 0x1200);
	sample(s, getpid(), 0x5000, 0x12000 - 1);
	story_is(s, "first 1000+10, across 11f8+10");
}

UNIT(a_process_that_is_gone_has_left_its_file)
{
	struct story *s = story_new(GONE, "1000 100 one\n");

	map(s, GONE, 0x1000, 0x1000, "//anon");
	sample(s, GONE, 0x1010, 0x1010);
	story_is(s, "one 1000+100");
}

UNIT(a_child_without_a_file_has_the_code_of_its_parent)
{
	struct story *s = story_new(getpid(), "1000 100 one\n1100 100 two\n");

	map(s, getpid(), 0x1000, 0x1000, "//anon");
	perf_jit_fork(&s->jit, getpid(), GONE);
	sample(s, GONE, 0x1110, 0x1110);
	perf_jit_end(&s->jit, getpid(), s->w, 3);
	story_is(s, "two 1100+100");
}

UNIT(what_is_not_to_be_logged_is_forgotten)
{
	struct story *s = story_new(getpid(), "1000 100 one\n");

	map(s, getpid(), 0x1000, 0x1000, "//anon");
	sample(s, getpid(), 0x1010, 0x1010);
	perf_jit_end(&s->jit, getpid(), NULL, 0);
	sample(s, getpid(), 0x1010, 0x1010);
	story_is(s, "");
}

UNIT(a_file_without_names_for_what_was_sampled_gives_none)
{
	struct story *s = story_new(getpid(), "2000 100 one\nnonsense\n");

	map(s, getpid(), 0x1000, 0x1000, "//anon");
	map(s, getpid(), UINT64_MAX - 10, 0x1000, "//anon");
	sample(s, getpid(), 0x1010, UINT64_MAX);
	story_is(s, "");
}

/* At 1 s, then when 1 s and 2 s have passed; what is new since, and at the end all. */
UNIT(names_are_told_while_the_process_runs_more_and_more_rarely)
{
	const uint64_t second = 1000000000;
	struct story *s = story_new(getpid(), "1000 100 one\n1100 100 two\n");

	map(s, getpid(), 0x1000, 0x1000, "//anon");
	perf_jit_tell(&s->jit, s->w, second);
	sample(s, getpid(), 0x1010, 0x1010);
	perf_jit_tell(&s->jit, s->w, second);
	perf_jit_tell(&s->jit, s->w, 2 * second);
	sample(s, getpid(), 0x1110, 0x1110);
	perf_jit_tell(&s->jit, s->w, 2 * second - 1);
	perf_jit_tell(&s->jit, s->w, 2 * second);
	sample(s, getpid(), 0x1020, 0x1020);
	perf_jit_tell(&s->jit, s->w, 4 * second - 1);
	perf_jit_tell(&s->jit, s->w, 4 * second);
	story_is(s, "one 1000+100, two 1100+100, one 1000+100, one 1000+100, two 1100+100");
}

/* Each line covers all that was sampled: without a limit this would take hours. */
UNIT(a_file_cannot_keep_us_busy)
{
	struct story *s = story_new(getpid(), "");
	FILE *f = fopen(s->file, "w");
	uint64_t i;

	for (i = 0; i < 300000; i++)
		fputs("0 ffffffffffff all\n", f);
	fclose(f);
	map(s, getpid(), 0x1000, 0x10000000, "//anon");
	for (i = 0; i < 100000; i++)
		sample(s, getpid(), 0x2000 + 32 * i, 0x2010 + 32 * i);
	alarm(60);
	story_is(s, "all 0+ffffffffffff");
}

UNIT_MAIN(UNIT_ENTRY(what_was_sampled_is_named_and_nothing_else),
	  UNIT_ENTRY(an_address_is_noted_once), UNIT_ENTRY(memory_that_grows_is_one_range),
	  UNIT_ENTRY(each_file_of_a_log_has_the_names_of_its_samples),
	  UNIT_ENTRY(a_call_at_the_end_of_a_function_is_in_it),
	  UNIT_ENTRY(a_frame_that_was_interrupted_is_where_it_is),
	  UNIT_ENTRY(an_address_in_the_kernel_was_called_from_where_the_next_frame_says),
	  UNIT_ENTRY(the_last_name_of_an_address_wins), UNIT_ENTRY(code_may_lie_in_many_places),
	  UNIT_ENTRY(a_process_that_is_gone_has_left_its_file),
	  UNIT_ENTRY(a_child_without_a_file_has_the_code_of_its_parent),
	  UNIT_ENTRY(what_is_not_to_be_logged_is_forgotten),
	  UNIT_ENTRY(a_file_without_names_for_what_was_sampled_gives_none),
	  UNIT_ENTRY(names_are_told_while_the_process_runs_more_and_more_rarely),
	  UNIT_ENTRY(a_file_cannot_keep_us_busy))
