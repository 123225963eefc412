// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "pmc/perf/perf_self.h"

enum {
	TRIES_MAX = 64,
	CYCLE_COUNTER = 31,
	ROUNDS = 8, /* of a trial: the fastest of each way counts, as no other was undisturbed */
	READS = 4,  /* in a round, for one of them may be less than the clock can tell */
};

/* The compiler must not move reads of the page across this; the CPU is the one that wrote it. */
static void barrier(void)
{
	__asm__ __volatile__("" ::: "memory");
}

#if defined(__x86_64__)
static uint64_t read_counter(uint32_t index)
{
	uint32_t low, high;

	__asm__ __volatile__("rdpmc" : "=a"(low), "=d"(high) : "c"(index));
	return (uint64_t)high << 32 | low;
}
#elif defined(__aarch64__)
/* The number of a counter is part of the instruction. */
#define COUNTER(n)                                                                \
	case n:                                                                   \
		__asm__ __volatile__("mrs %0, pmevcntr" #n "_el0" : "=r"(value)); \
		break

static uint64_t read_counter(uint32_t index)
{
	uint64_t value = 0;

	/* What was counted before this instruction must be in the counter. */
	__asm__ __volatile__("isb" ::: "memory");
	switch (index) {
		COUNTER(0);
		COUNTER(1);
		COUNTER(2);
		COUNTER(3);
		COUNTER(4);
		COUNTER(5);
		COUNTER(6);
		COUNTER(7);
		COUNTER(8);
		COUNTER(9);
		COUNTER(10);
		COUNTER(11);
		COUNTER(12);
		COUNTER(13);
		COUNTER(14);
		COUNTER(15);
		COUNTER(16);
		COUNTER(17);
		COUNTER(18);
		COUNTER(19);
		COUNTER(20);
		COUNTER(21);
		COUNTER(22);
		COUNTER(23);
		COUNTER(24);
		COUNTER(25);
		COUNTER(26);
		COUNTER(27);
		COUNTER(28);
		COUNTER(29);
		COUNTER(30);
	case CYCLE_COUNTER: __asm__ __volatile__("mrs %0, pmccntr_el0" : "=r"(value)); break;
	default: break;
	}
	return value;
}
#else
#define read_counter NULL
#endif

/* A counter of few bits, as a number that is to be added. */
static uint64_t extend(uint64_t value, uint16_t width)
{
	unsigned int spare = 64 - width;

	return (uint64_t)((int64_t)(value << spare) >> spare);
}

bool perf_self_count(const volatile struct perf_event_mmap_page *page, perf_counter_reader read,
		     uint64_t *count)
{
	unsigned int tries;

	for (tries = 0; tries < TRIES_MAX; tries++) {
		uint32_t lock = page->lock, index;
		uint16_t width;
		uint64_t value;

		barrier();
		index = page->index;
		width = page->pmc_width;
		value = (uint64_t)page->offset;
		if (!page->cap_user_rdpmc || !index || !width || width > 64)
			return false;
		value += extend(read(index - 1), width);
		barrier();
		if (page->lock != lock)
			continue;
		*count = value;
		return true;
	}
	return false;
}

void perf_self_map(struct perf_self *self, int fd, size_t page_size)
{
	perf_counter_reader read = read_counter;
	void *page, *owner;

	memset(self, 0, sizeof(*self));
	if (!read)
		return;
	page = mmap(NULL, page_size, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return;
	owner = mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (owner == MAP_FAILED || madvise(owner, page_size, MADV_WIPEONFORK)) {
		munmap(page, page_size);
		if (owner != MAP_FAILED)
			munmap(owner, page_size);
		return;
	}
	self->page = page;
	self->size = page_size;
	self->fd = fd;
	self->read = read;
	self->owner = owner;
	self->owner->thread = pthread_self();
	self->owner->is_here = true;
}

void perf_self_unmap(struct perf_self *self)
{
	if (!self->page)
		return;
	if (self->owner->is_here)
		munmap((void *)self->page, self->size);
	munmap(self->owner, self->size);
	memset(self, 0, sizeof(*self));
}

static bool is_own(const struct perf_self *self)
{
	return self->page && self->owner->is_here &&
	       pthread_equal(self->owner->thread, pthread_self());
}

bool perf_self_call(int fd)
{
	uint64_t v[3];

	return read(fd, v, sizeof(v)) == sizeof(v);
}

/* How long the reads of a round take; UINT64_MAX where that cannot be told. */
static uint64_t time_round(const struct perf_self *self, const struct perf_self_choice *choice,
			   bool by_page)
{
	uint64_t count, begin = choice->now();
	int i;

	for (i = 0; i < READS; i++)
		if (by_page ? !perf_self_count(self->page, self->read, &count)
			    : !choice->call(self->fd))
			return UINT64_MAX;
	return choice->now() - begin;
}

/* Where either cannot be tried just now the next read tries again. */
static void choose(const struct perf_self *self, struct perf_self_choice *choice)
{
	uint64_t page = UINT64_MAX, call = UINT64_MAX, took;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		took = time_round(self, choice, true);
		if (took == UINT64_MAX)
			return;
		page = took < page ? took : page;
		took = time_round(self, choice, false);
		if (took == UINT64_MAX)
			return;
		call = took < call ? took : call;
	}
	choice->way = page <= call ? PERF_SELF_BY_PAGE : PERF_SELF_BY_CALL;
}

bool perf_self_read(const struct perf_self *self, struct perf_self_choice *choice, uint64_t *count)
{
	if (!is_own(self) || choice->way == PERF_SELF_BY_CALL)
		return false;
	if (choice->way == PERF_SELF_UNTRIED)
		choose(self, choice);
	return choice->way != PERF_SELF_BY_CALL &&
	       perf_self_count(self->page, self->read, count);
}

bool perf_self_index(const struct perf_self *self, uint32_t *index)
{
#ifdef __x86_64__
	uint32_t now = 0;

	if (is_own(self) && self->page->cap_user_rdpmc)
		now = self->page->index;
	*index = now - 1;
	return now != 0;
#else
	(void)self;
	(void)index;
	return false;
#endif
}
