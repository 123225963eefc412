// SPDX-License-Identifier: BSD-2-Clause
/*
 * The ring of the kernel module, in user space: a thread is a CPU, its signal handlers are its
 * interrupts, another thread is the consumer.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include "unit.h"

#include "kdrv/ring.c"

enum {
	SIZE = 16384,
	LEVELS = 3,	/* task, interrupt, NMI */
	RECORDS = 2000, /* of each level */
};

/* What a producer writes: its number, then words that follow from it. */
struct record {
	struct pmclog_wire_header h;
	u64 level, number;
	u64 words[];
};

static u8 data[SIZE] __attribute__((aligned(8)));
static struct hwpmc_ring ring;
static u64 made[LEVELS]; /* records of each level, by the thread or handler of that level alone */
static u64 lost[LEVELS];

static void begin(void)
{
	memset(&ring, 0, sizeof(ring));
	memset(made, 0, sizeof(made));
	memset(lost, 0, sizeof(lost));
	ring.data = data;
	ring.size = SIZE;
}

/* Reserves room for words, writes as many of them as used, and commits. */
static bool produce(unsigned int level, u32 words, u32 used)
{
	struct hwpmc_slot slot;
	struct record *record;
	u32 i;

	if (!hwpmc_ring_reserve(&ring, sizeof(*record) + words * 8, &slot)) {
		lost[level]++;
		return false;
	}
	record = (struct record *)slot.record;
	record->level = level;
	record->number = made[level]++;
	for (i = 0; i < words; i++)
		record->words[i] = record->number * 31 + level * 7 + i;
	hwpmc_ring_commit(&ring, &slot, PMCLOG_WIRE_CALLCHAIN, sizeof(*record) + used * 8);
	return true;
}

/* Whether the next record is whole; next are the numbers that the levels' records must have. */
static bool consume(u64 *next, u64 *time)
{
	const struct record *record = (const void *)hwpmc_ring_peek(&ring);
	u32 length, i;

	if (!record)
		return false;
	length = hwpmc_record_length(&record->h);
	CHECK((const u8 *)record + length <= data + SIZE);
	CHECK_U64(hwpmc_record_type(&record->h), PMCLOG_WIRE_CALLCHAIN);
	CHECK(record->level < LEVELS);
	if (unit_failures)
		return false;
	CHECK_U64(record->number, next[record->level]);
	next[record->level] = record->number + 1;
	CHECK(record->h.tsc >= *time);
	*time = record->h.tsc;
	for (i = 0; i < (length - sizeof(*record)) / 8; i++)
		CHECK_U64(record->words[i], record->number * 31 + record->level * 7 + i);
	hwpmc_ring_advance(&ring);
	return !unit_failures;
}

UNIT(records_come_out_as_they_went_in)
{
	u64 next[LEVELS] = {0}, time = 0;
	u32 i;

	begin();
	for (i = 0; i < 1000 && !unit_failures; i++) {
		CHECK(produce(0, i % 60, i % 60));
		CHECK(consume(next, &time));
		CHECK(!consume(next, &time));
	}
	CHECK_U64(next[0], 1000);
}

UNIT(what_is_not_used_is_given_back)
{
	u64 next[LEVELS] = {0}, time = 0;
	u32 i;

	begin();
	/* 512 bytes reserved, 32 used. */
	for (i = 0; i < 100; i++)
		CHECK(produce(0, 60, 0));
	CHECK_U64(local_read(&ring.head), 100 * sizeof(struct record));
	while (consume(next, &time))
		;
	CHECK_U64(next[0], 100);
}

UNIT(a_full_ring_loses_and_recovers)
{
	u64 next[LEVELS] = {0}, time = 0;
	u32 n = 0;

	begin();
	while (produce(0, 12, 12))
		n++;
	CHECK_U64(n, SIZE / 128);
	CHECK(!produce(0, 12, 12));
	CHECK_U64(lost[0], 2);
	CHECK(ring.wake.queued > 0);
	CHECK(consume(next, &time));
	CHECK(produce(0, 12, 12));
	CHECK(!produce(0, 12, 12));
	while (consume(next, &time))
		;
	CHECK_U64(next[0], n + 1);
	CHECK_U64(ring.nest, 0);
}

UNIT(half_a_ring_wakes_the_consumer)
{
	u64 next[LEVELS] = {0}, time = 0;
	u32 i, round;

	begin();
	/* Records of 128 bytes; what limit says has to follow the consumer. */
	for (round = 0; round < 5; round++) {
		for (i = 1; i < SIZE / 2 / 128; i++)
			CHECK(produce(0, 12, 12));
		CHECK_U64(ring.wake.queued, 0);
		CHECK(produce(0, 12, 12));
		CHECK(produce(0, 12, 12));
		CHECK(ring.wake.queued > 0);
		while (consume(next, &time))
			;
		ring.wake.queued = 0;
	}
}

UNIT(an_inner_record_waits_for_the_outer_one)
{
	u64 next[LEVELS] = {0}, time = 0;
	struct hwpmc_slot slot = {.record = NULL};
	struct record *record;

	begin();
	CHECK(hwpmc_ring_reserve(&ring, sizeof(*record) + 80, &slot));
	CHECK(produce(1, 3, 2));
	CHECK(!hwpmc_ring_peek(&ring));
	record = (struct record *)slot.record;
	record->level = 0;
	record->number = 0;
	/* The rest of the outer one cannot be given back: it becomes padding. */
	hwpmc_ring_commit(&ring, &slot, PMCLOG_WIRE_CALLCHAIN, sizeof(*record));
	CHECK(consume(next, &time));
	CHECK(consume(next, &time));
	CHECK_U64(next[0], 1);
	CHECK_U64(next[1], 1);
	CHECK(!consume(next, &time));
	CHECK_U64(ring.tail, local_read(&ring.head));
}

static void interrupt_with_record(void)
{
	CHECK(produce(1, 3, 3));
}

UNIT(an_interrupt_of_publishing_is_published)
{
	u64 next[LEVELS] = {0}, time = 0;

	begin();
	shim_interrupt = interrupt_with_record;
	CHECK(produce(0, 1, 1));
	CHECK(consume(next, &time));
	CHECK(consume(next, &time));
	CHECK_U64(next[1], 1);
	CHECK_U64(ring.nest, 0);
}

/* An inner producer that runs while the outer one finds no room. */
UNIT(a_lost_record_publishes_for_inner_ones)
{
	u64 next[LEVELS] = {0}, time = 0;
	struct hwpmc_slot slot;

	begin();
	ring.nest = 1;
	CHECK(produce(1, 3, 3));
	CHECK(!hwpmc_ring_peek(&ring));
	ring.nest = 0;
	CHECK(!hwpmc_ring_reserve(&ring, SIZE, &slot));
	CHECK(consume(next, &time));
}

static void interrupt(int sig)
{
	unsigned int level = sig == SIGUSR1 ? 1 : 2;
	u32 words = made[level] % 40;

	produce(level, words, words / 2 + made[level] % 2 * (words - words / 2));
}

struct cpu {
	pthread_t thread;
	bool ended, failed;
};

/* A timer that interrupts the calling thread by sig. */
static timer_t start_interrupts(int sig, long ns)
{
	struct itimerspec times = {.it_interval = {0, ns}, .it_value = {0, ns}};
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = sig};
	timer_t timer;

	event._sigev_un._tid = gettid();
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &times, NULL);
	return timer;
}

static void *run_cpu(void *arg)
{
	timer_t first = start_interrupts(SIGUSR1, 23000), second = start_interrupts(SIGUSR2, 31000);
	struct cpu *cpu = arg;
	u32 i;

	for (i = 0; (made[0] < RECORDS || made[1] < RECORDS || made[2] < RECORDS) &&
		    !__atomic_load_n(&cpu->failed, __ATOMIC_RELAXED);
	     i++)
		if (!produce(0, i % 50, i % 50 / (1 + i % 3)))
			sched_yield();
	timer_delete(first);
	timer_delete(second);
	__atomic_store_n(&cpu->ended, true, __ATOMIC_RELEASE);
	return NULL;
}

UNIT(nested_producers_lose_nothing_but_what_they_count)
{
	struct sigaction action = {.sa_handler = interrupt};
	u64 next[LEVELS] = {0}, time = 0, counted;
	struct cpu cpu = {.ended = false};

	begin();
	/* The NMI interrupts the interrupt, not the other way round. */
	sigaddset(&action.sa_mask, SIGUSR1);
	sigaction(SIGUSR2, &action, NULL);
	sigemptyset(&action.sa_mask);
	sigaction(SIGUSR1, &action, NULL);
	pthread_create(&cpu.thread, NULL, run_cpu, &cpu);
	while (!__atomic_load_n(&cpu.ended, __ATOMIC_ACQUIRE) && !unit_failures)
		if (!consume(next, &time))
			sched_yield();
	__atomic_store_n(&cpu.failed, unit_failures > 0, __ATOMIC_RELAXED);
	pthread_join(cpu.thread, NULL);
	while (consume(next, &time))
		;
	counted = lost[0] + lost[1] + lost[2];
	CHECK_U64(next[0], made[0]);
	CHECK_U64(next[1], made[1]);
	CHECK_U64(next[2], made[2]);
	CHECK_U64(ring.nest, 0);
	CHECK_U64(ring.tail, local_read(&ring.head));
	printf("# made %" PRIu64 " %" PRIu64 " %" PRIu64 ", lost %" PRIu64 "\n", made[0], made[1],
	       made[2], counted);
}

UNIT_MAIN(UNIT_ENTRY(records_come_out_as_they_went_in), UNIT_ENTRY(what_is_not_used_is_given_back),
	  UNIT_ENTRY(a_full_ring_loses_and_recovers), UNIT_ENTRY(half_a_ring_wakes_the_consumer),
	  UNIT_ENTRY(an_inner_record_waits_for_the_outer_one),
	  UNIT_ENTRY(an_interrupt_of_publishing_is_published),
	  UNIT_ENTRY(a_lost_record_publishes_for_inner_ones),
	  UNIT_ENTRY(nested_producers_lose_nothing_but_what_they_count))
