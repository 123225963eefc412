// SPDX-License-Identifier: BSD-2-Clause
/* The protocol of perf's page, on pages made by hand: there need not be a counter. */
#include <sys/mman.h>

#include "pmc/perf/perf_self.h"
#include "unit.h"

static struct perf_event_mmap_page page;
static unsigned int reads;
static uint64_t counter;

static uint64_t read_steady(uint32_t index)
{
	reads++;
	CHECK_U64(index, 2);
	return counter;
}

static void reset(void)
{
	memset(&page, 0, sizeof(page));
	page.cap_user_rdpmc = 1;
	page.index = 3;
	page.pmc_width = 48;
	page.offset = 1000;
	reads = 0;
}

UNIT(the_count_is_the_offset_and_the_counter)
{
	uint64_t count = 7;

	reset();
	counter = 234;
	CHECK(perf_self_count(&page, read_steady, &count));
	CHECK_U64(count, 1234);
	CHECK_U64(reads, 1);
}

/* Counters begin below zero, so that they overflow in time; the offset makes up for that. */
UNIT(a_counter_is_signed_at_its_width)
{
	uint64_t count;

	reset();
	counter = (1ull << 48) - 5;
	CHECK(perf_self_count(&page, read_steady, &count));
	CHECK_U64(count, 995);
	page.pmc_width = 32;
	counter = 0xfffffffeu;
	CHECK(perf_self_count(&page, read_steady, &count));
	CHECK_U64(count, 998);
	page.pmc_width = 64;
	counter = UINT64_MAX;
	CHECK(perf_self_count(&page, read_steady, &count));
	CHECK_U64(count, 999);
	page.offset = (int64_t)(1ull << 62);
	counter = 1;
	CHECK(perf_self_count(&page, read_steady, &count));
	CHECK_U64(count, (1ull << 62) + 1);
}

UNIT(without_a_counter_the_page_cannot_tell)
{
	uint64_t count = 7;

	reset();
	page.index = 0;
	CHECK(!perf_self_count(&page, read_steady, &count));
	reset();
	page.cap_user_rdpmc = 0;
	CHECK(!perf_self_count(&page, read_steady, &count));
	reset();
	page.pmc_width = 0;
	CHECK(!perf_self_count(&page, read_steady, &count));
	page.pmc_width = 65;
	CHECK(!perf_self_count(&page, read_steady, &count));
	CHECK_U64(count, 7);
	CHECK_U64(reads, 0);
}

/* The thread is switched out between the page and the counter: another event's count is there. */
static uint64_t read_switched(uint32_t index)
{
	if (reads++)
		return 50;
	CHECK_U64(index, 2);
	page.lock += 2;
	page.offset = 2000;
	page.index = 1;
	return 999999;
}

UNIT(a_read_that_was_interrupted_is_done_again)
{
	uint64_t count;

	reset();
	CHECK(perf_self_count(&page, read_switched, &count));
	CHECK_U64(count, 2050);
	CHECK_U64(reads, 2);
}

static uint64_t read_descheduled(uint32_t index)
{
	(void)index;
	reads++;
	page.lock += 2;
	page.index = 0;
	return 5;
}

UNIT(an_event_that_lost_its_counter_meanwhile_is_not_told)
{
	uint64_t count = 7;

	reset();
	CHECK(!perf_self_count(&page, read_descheduled, &count));
	CHECK_U64(count, 7);
	CHECK_U64(reads, 1);
}

static uint64_t read_restless(uint32_t index)
{
	(void)index;
	reads++;
	page.lock++;
	return 5;
}

UNIT(a_page_that_never_rests_is_given_up)
{
	uint64_t count = 7;

	reset();
	CHECK(!perf_self_count(&page, read_restless, &count));
	CHECK_U64(count, 7);
	CHECK(reads > 1 && reads < 1000);
}

/* A file stands in for the event; its page says that nobody may read counters. */
static FILE *page_file(struct perf_self *self)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	FILE *f = tmpfile();

	if (!f || ftruncate(fileno(f), (off_t)size))
		exit(99);
	perf_self_map(self, fileno(f), size);
	return f;
}

UNIT(only_the_thread_that_mapped_it_reads_a_page)
{
	struct perf_self_choice choice = {PERF_SELF_BY_PAGE, NULL, NULL};
	struct perf_self self;
	FILE *f = page_file(&self);
	uint64_t count = 7;
	uint32_t index;
	int status;
	pid_t pid;

#if defined(__x86_64__) || defined(__aarch64__)
	CHECK(self.page && self.owner->is_here);
#endif
	CHECK(!perf_self_read(&self, &choice, &count) && !perf_self_index(&self, &index));
	pid = fork();
	if (pid == 0)
		_exit(self.page && self.owner->is_here);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	perf_self_unmap(&self);
	CHECK(!self.page && !perf_self_read(&self, &choice, &count));
	perf_self_unmap(&self);
	fclose(f);
}

/* A clock that only reads move, each way by its own cost; all rounds but one may be disturbed. */
static uint64_t clock_now, page_cost, call_cost;
static unsigned int calls, disturbed;

static uint64_t slow_clock(void)
{
	return clock_now;
}

static uint64_t read_at_cost(uint32_t index)
{
	(void)index;
	clock_now += page_cost + (reads++ / 4 != 2 ? disturbed : 0);
	return 5;
}

static bool call_at_cost(int fd)
{
	CHECK(fd == 77);
	clock_now += call_cost + (calls++ / 4 != 4 ? disturbed : 0);
	return true;
}

/* Reads a hand-made page of this thread; what is chosen then. */
static void read_own(uint64_t by_page, uint64_t by_call, struct perf_self_choice *choice)
{
	struct perf_self_owner owner = {pthread_self(), true};
	struct perf_self self = {(const struct perf_event_mmap_page *)&page, 0, 77, read_at_cost,
				 &owner};
	uint64_t count = 7;
	bool read;

	page_cost = by_page;
	call_cost = by_call;
	calls = 0;
	read = perf_self_read(&self, choice, &count);
	CHECK_U64(count, read ? 1005 : 7);
	CHECK(read == (choice->way != PERF_SELF_BY_CALL && page.index));
}

UNIT(the_faster_way_is_chosen_once)
{
	struct perf_self_choice page_way = {PERF_SELF_UNTRIED, slow_clock, call_at_cost};
	struct perf_self_choice call_way = page_way;

	reset();
	read_own(100, 1200, &page_way);
	CHECK(page_way.way == PERF_SELF_BY_PAGE);
	CHECK_U64(calls, 32);
	CHECK_U64(reads, 33);
	reset();
	read_own(9999, 1, &page_way);
	CHECK(page_way.way == PERF_SELF_BY_PAGE && reads == 1 && !calls);

	reset();
	read_own(4600, 1200, &call_way);
	CHECK(call_way.way == PERF_SELF_BY_CALL);
	reset();
	read_own(1, 9999, &call_way);
	CHECK(call_way.way == PERF_SELF_BY_CALL && !reads && !calls);
}

UNIT(what_disturbs_some_reads_does_not_choose)
{
	struct perf_self_choice choice = {PERF_SELF_UNTRIED, slow_clock, call_at_cost};

	reset();
	disturbed = 1000000;
	read_own(1199, 1200, &choice);
	CHECK(choice.way == PERF_SELF_BY_PAGE);
	choice.way = PERF_SELF_UNTRIED;
	reset();
	read_own(1201, 1200, &choice);
	CHECK(choice.way == PERF_SELF_BY_CALL);
}

UNIT(an_event_without_a_counter_costs_no_trial)
{
	struct perf_self_choice choice = {PERF_SELF_UNTRIED, slow_clock, call_at_cost};

	reset();
	page.index = 0;
	read_own(1, 1, &choice);
	CHECK(choice.way == PERF_SELF_UNTRIED && !reads && !calls);
}

UNIT(the_system_call_reads_three_numbers)
{
	FILE *f = tmpfile();

	CHECK(f && !perf_self_call(fileno(f)));
	CHECK(!ftruncate(fileno(f), 3 * 8) && perf_self_call(fileno(f)));
	CHECK(!perf_self_call(-1));
	fclose(f);
}

UNIT_MAIN(UNIT_ENTRY(the_count_is_the_offset_and_the_counter),
	  UNIT_ENTRY(a_counter_is_signed_at_its_width),
	  UNIT_ENTRY(without_a_counter_the_page_cannot_tell),
	  UNIT_ENTRY(a_read_that_was_interrupted_is_done_again),
	  UNIT_ENTRY(an_event_that_lost_its_counter_meanwhile_is_not_told),
	  UNIT_ENTRY(a_page_that_never_rests_is_given_up),
	  UNIT_ENTRY(only_the_thread_that_mapped_it_reads_a_page),
	  UNIT_ENTRY(the_faster_way_is_chosen_once),
	  UNIT_ENTRY(what_disturbs_some_reads_does_not_choose),
	  UNIT_ENTRY(an_event_without_a_counter_costs_no_trial),
	  UNIT_ENTRY(the_system_call_reads_three_numbers))
