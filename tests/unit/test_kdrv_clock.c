// SPDX-License-Identifier: BSD-2-Clause
/* How the kernel module on arm64 makes times of stamps of the system's counter, in user space. */
#include "unit.h"

#define CONFIG_ARM64
#include "kdrv/clock_arm64.c"

/* A round at which the counter and the kernel's clock say this. */
static void round_at(struct hwpmc_clock *clock, u64 counter, u64 ns)
{
	shim_counter = counter;
	shim_ns = ns;
	CHECK_U64(hwpmc_clock_round(clock), counter);
}

UNIT(times_are_between_those_of_rounds)
{
	struct hwpmc_clock clock = {0};

	round_at(&clock, 1000, 500000);
	round_at(&clock, 3000, 532000);
	CHECK_U64(hwpmc_clock_ns(&clock, 1000), 500000);
	CHECK_U64(hwpmc_clock_ns(&clock, 1500), 508000);
	CHECK_U64(hwpmc_clock_ns(&clock, 3000), 532000);
	round_at(&clock, 4000, 548500);
	CHECK_U64(hwpmc_clock_ns(&clock, 3001), 532016);
	/* Of the round before, which its producer had not left yet; and behind this one. */
	CHECK_U64(hwpmc_clock_ns(&clock, 2999), 531984);
	CHECK_U64(hwpmc_clock_ns(&clock, 4001), 548516);
}

/* A clock that is adjusted all the time, and steps of every length. */
UNIT(order_is_that_of_stamps)
{
	u64 counter = 123456789, ns = 1000000007, before = 0, seed = 1, time, from, step;
	struct hwpmc_clock clock = {0};
	u32 i, k;

	round_at(&clock, counter, ns);
	for (i = 0; i < 2000 && !unit_failures; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		from = counter;
		step = 1 + (seed >> 33) % (i % 2 ? 100 : 6250000);
		counter += step;
		ns += step * 16 + (seed >> 20) % (1 + step / 100);
		round_at(&clock, counter, ns);
		for (k = 0; k <= 50; k++) {
			time = hwpmc_clock_ns(&clock, from + step * k / 50);
			CHECK(time >= before);
			CHECK(time <= ns);
			before = time;
		}
		CHECK(ns - time <= 1);
	}
}

/* A reader that has not read for a day, with the fastest counter and with a slow one. */
UNIT(long_rounds_do_not_overflow)
{
	const u64 day = 86400 * 1000000000ull;
	struct hwpmc_clock clock = {0};

	round_at(&clock, 5, 7);
	round_at(&clock, 5 + day, 7 + day);
	CHECK_U64(hwpmc_clock_ns(&clock, 5 + day / 2), 7 + day / 2);
	CHECK_U64(hwpmc_clock_ns(&clock, 5 + day), 7 + day);
	round_at(&clock, 5 + day + day / 1000, 7 + 2 * day);
	CHECK_U64(hwpmc_clock_ns(&clock, 5 + day + day / 4000), 7 + day + day / 4);
}

UNIT(clocks_may_stand_or_fall_back)
{
	struct hwpmc_clock clock = {0};

	round_at(&clock, 1000, 16000);
	round_at(&clock, 1000, 16000);
	CHECK_U64(hwpmc_clock_ns(&clock, 1000), 16000);
	round_at(&clock, 2000, 15990);
	CHECK_U64(hwpmc_clock_ns(&clock, 1500), 16000);
	CHECK_U64(hwpmc_clock_ns(&clock, 2000), 16000);
}

UNIT(a_counter_with_an_erratum_is_read_by_the_workaround)
{
	shim_counter = 1;
	CHECK_U64(hwpmc_stamp(), 1);
	shim_counter_by_workaround = 2;
	CHECK_U64(hwpmc_stamp(), 2);
}

UNIT_MAIN(UNIT_ENTRY(times_are_between_those_of_rounds), UNIT_ENTRY(order_is_that_of_stamps),
	  UNIT_ENTRY(long_rounds_do_not_overflow), UNIT_ENTRY(clocks_may_stand_or_fall_back),
	  UNIT_ENTRY(a_counter_with_an_erratum_is_read_by_the_workaround))
