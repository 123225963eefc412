// SPDX-License-Identifier: BSD-2-Clause
/* The protocol of perf's page, on pages made by hand: there need not be a counter. */
#include <sys/mman.h>

#include "pmc/perf_self.h"
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
	struct perf_self self;
	FILE *f = page_file(&self);
	uint64_t count = 7;
	uint32_t index;
	int status;
	pid_t pid;

#if defined(__x86_64__) || defined(__aarch64__)
	CHECK(self.page && self.owner->is_here);
#endif
	CHECK(!perf_self_read(&self, &count) && !perf_self_index(&self, &index));
	pid = fork();
	if (pid == 0)
		_exit(self.page && self.owner->is_here);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	perf_self_unmap(&self);
	CHECK(!self.page && !perf_self_read(&self, &count));
	perf_self_unmap(&self);
	fclose(f);
}

UNIT_MAIN(UNIT_ENTRY(the_count_is_the_offset_and_the_counter),
	  UNIT_ENTRY(a_counter_is_signed_at_its_width),
	  UNIT_ENTRY(without_a_counter_the_page_cannot_tell),
	  UNIT_ENTRY(a_read_that_was_interrupted_is_done_again),
	  UNIT_ENTRY(an_event_that_lost_its_counter_meanwhile_is_not_told),
	  UNIT_ENTRY(a_page_that_never_rests_is_given_up),
	  UNIT_ENTRY(only_the_thread_that_mapped_it_reads_a_page))
