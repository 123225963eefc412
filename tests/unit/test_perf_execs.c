// SPDX-License-Identifier: BSD-2-Clause
/* Arguments of programs, from samples of their new stacks. */
#include "pmc/perf/perf_execs.h"
#include "pmclog/pmclog_wire.h"
#include "unit.h"

enum { WORDS = 1024, SP = 0x7ffc0000, MS = 1000000 };

/* A sample as the kernel lays it out, of WORDS words of stack. */
struct sample {
	struct perf_ring_sample head;
	uint64_t abi, sp, size;
	uint64_t word[WORDS];
	uint64_t there; /* bytes of them that were there to be read */
};

/* Of argc arguments, texts that lie one behind the other, at the offset at. */
static struct sample sample_of(uint32_t pid, uint64_t time, size_t argc, const char *texts,
			       size_t at)
{
	struct sample s = {.head.header = {.type = PERF_RECORD_SAMPLE, .size = sizeof(s)},
			   .head.pid = pid,
			   .head.time = time,
			   .abi = PERF_SAMPLE_REGS_ABI_64,
			   .sp = SP,
			   .size = sizeof(s.word),
			   .there = sizeof(s.word)};
	size_t i, len;

	s.word[0] = argc;
	for (i = 0; i < argc; i++) {
		len = strlen(texts) + 1;
		s.word[1 + i] = SP + at;
		if (at + len <= sizeof(s.word))
			memcpy((char *)s.word + at, texts, len);
		texts += len;
		at += len;
	}
	return s;
}

static void record(struct perf_execs *e, const struct sample *s)
{
	perf_execs_record(e, &s->head.header, s->head.time);
}

/* The arguments of an exec, their NULs as bars; "": none. */
static const char *arguments(const struct perf_execs *e, uint32_t pid, uint64_t since)
{
	const struct perf_exec *found = perf_execs_find(e, pid, since);
	static char text[PMCLOG_MAX_ARGUMENTS + 1];
	size_t i, n = found ? found->len : 0;

	for (i = 0; i < n; i++)
		text[i] = found->arguments[i] ? found->arguments[i] : '|';
	text[n] = '\0';
	return text;
}

UNIT(arguments_are_those_of_the_exec)
{
	struct perf_execs e = {.wanted = true};
	struct sample a = sample_of(10, 100, 3, "cc\0-c\0a b.c", 5000);
	struct sample b = sample_of(11, 110, 1, "ls", 64);
	struct sample c = sample_of(10, 200, 2, "as\0", 8000);

	record(&e, &a);
	record(&e, &b);
	record(&e, &c);
	CHECK_STR(arguments(&e, 10, 90), "cc|-c|a b.c|");
	CHECK_STR(arguments(&e, 10, 100), "cc|-c|a b.c|");
	CHECK_STR(arguments(&e, 10, 101), "as||");
	CHECK_STR(arguments(&e, 10, 201), "");
	CHECK_STR(arguments(&e, 11, 90), "ls|");
	CHECK_STR(arguments(&e, 12, 90), "");
	perf_execs_expire(&e, 10000 * (uint64_t)MS);
	CHECK_U64(e.list.n, 0);
	perf_execs_fini(&e);
}

UNIT(without_being_wanted_nothing_is_kept)
{
	struct perf_execs e = {.wanted = false};
	struct sample a = sample_of(10, 100, 1, "login", 64);

	record(&e, &a);
	CHECK_U64(e.list.n, 0);
	CHECK_STR(arguments(&e, 10, 1), "");
	perf_execs_fini(&e);
}

/* Each damage to a sample, in turn; none may give arguments. */
UNIT(what_is_not_whole_gives_none)
{
	const struct sample good = sample_of(10, 100, 2, "cc\0-c", 4096);
	struct sample bad;
	unsigned int way;

	for (way = 0; way < 12; way++) {
		struct perf_execs e = {.wanted = true};

		bad = good;
		switch (way) {
		case 0: bad.there = 4096; break;
		case 1: bad.there = 4096 + 4; break;
		case 2: bad.there = 0; break;
		case 3: bad.abi = PERF_SAMPLE_REGS_ABI_32; break;
		case 4: bad.abi = 0; break;
		case 5: bad.word[0] = UINT64_MAX; break;
		case 6: bad.word[0] = 0; break;
		case 7: bad.word[1] = SP - 8; break;
		case 8: bad.word[1] = UINT64_MAX; break;
		case 9: bad.word[2]++; break;
		case 10: bad.size = UINT64_MAX & ~7ull; break;
		default: bad.head.header.size = sizeof(bad.head) + 8; break;
		}
		record(&e, &bad);
		CHECK_STR(arguments(&e, 10, 1), "");
		CHECK(perf_execs_find(&e, 10, 1));
		perf_execs_fini(&e);
	}
}

UNIT(long_arguments_are_cut_and_look_it)
{
	static char text[4000];
	struct perf_execs e = {.wanted = true};
	struct sample s;

	memset(text, 'x', sizeof(text) - 1);
	s = sample_of(10, 100, 1, text, 1024);
	record(&e, &s);
	CHECK_U64(strlen(arguments(&e, 10, 1)), PMCLOG_MAX_ARGUMENTS);
	text[PMCLOG_MAX_ARGUMENTS - 1] = '\0';
	s = sample_of(10, 200, 2, text, 1024);
	record(&e, &s);
	CHECK_U64(strlen(arguments(&e, 10, 150)), PMCLOG_MAX_ARGUMENTS - 1);
	CHECK(!strchr(arguments(&e, 10, 150), '|'));
	perf_execs_fini(&e);
}

UNIT(after_a_loss_an_exec_gets_not_the_arguments_of_the_next)
{
	const struct perf_event_header lost = {.type = PERF_RECORD_LOST, .size = 24};
	struct perf_execs e = {.wanted = true};
	struct sample b = sample_of(10, 300, 1, "second", 64);
	struct sample c = sample_of(10, 500, 1, "third", 64);

	perf_execs_record(&e, &lost, 400);
	record(&e, &b);
	record(&e, &c);
	CHECK_STR(arguments(&e, 10, 100), "");
	CHECK_STR(arguments(&e, 10, 450), "third|");
	perf_execs_fini(&e);
}

/* /proc may have been read when the next exec was under way. */
UNIT(what_proc_said_close_to_another_exec_is_not_believed)
{
	struct perf_execs e = {.wanted = true};
	struct sample first = sample_of(10, 100, 0, "", 64);
	struct sample next = sample_of(10, 100 * (uint64_t)MS, 1, "next", 64);
	int i;

	for (i = 0; i < 2; i++) {
		record(&e, &first);
		e.list.v[0].asked = (i ? 95 : 50) * (uint64_t)MS;
		e.list.v[0].arguments = strdup("x");
		e.list.v[0].len = 2;
		record(&e, &next);
		CHECK_STR(arguments(&e, 10, 1), i ? "" : "x|");
		perf_execs_fini(&e);
	}
}

UNIT_MAIN(UNIT_ENTRY(arguments_are_those_of_the_exec),
	  UNIT_ENTRY(without_being_wanted_nothing_is_kept),
	  UNIT_ENTRY(what_is_not_whole_gives_none), UNIT_ENTRY(long_arguments_are_cut_and_look_it),
	  UNIT_ENTRY(after_a_loss_an_exec_gets_not_the_arguments_of_the_next),
	  UNIT_ENTRY(what_proc_said_close_to_another_exec_is_not_believed))
