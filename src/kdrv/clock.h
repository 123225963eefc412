/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * The time of records.  In rings and queues a record has a stamp: what is cheapest to read in any
 * context, the same on all CPUs and, but for some ns on amd64 (writer.c), never falling.  The
 * writer makes ns of CLOCK_MONOTONIC of it.
 */
#ifndef HWPMC_CLOCK_H
#define HWPMC_CLOCK_H

#include <linux/compiler.h>
#include <linux/types.h>

#ifdef CONFIG_ARM64 /* clock_arm64.c */

#include <asm/arch_timer.h>

u64 hwpmc_stamp_by_workaround(void);

/* Of the system's counter; preemption off.  The kernel's clock takes six times as long. */
static __always_inline u64 hwpmc_stamp(void)
{
	if (unlikely(has_erratum_handler(read_cntvct_el0)))
		return hwpmc_stamp_by_workaround();
	return arch_timer_read_cntvct_el0();
}

struct hwpmc_clock {
	u64 stamp, ns; /* of the last round, and those of this one */
	u64 next_stamp, next_ns;
	u64 scale; /* ns of a tick, in units of 2^-32 */
};

/* The writer's: a round of it begins.  Its stamp. */
u64 hwpmc_clock_round(struct hwpmc_clock *clock);
/* Of a stamp up to this round's. */
u64 hwpmc_clock_ns(const struct hwpmc_clock *clock, u64 stamp);

#else

#include <linux/timekeeping.h>

static __always_inline u64 hwpmc_stamp(void)
{
	return ktime_get_mono_fast_ns();
}

struct hwpmc_clock {
}; /* a stamp is ns already */

static inline u64 hwpmc_clock_round(struct hwpmc_clock *clock __maybe_unused)
{
	return hwpmc_stamp();
}

static inline u64 hwpmc_clock_ns(const struct hwpmc_clock *clock __maybe_unused, u64 stamp)
{
	return stamp;
}

#endif

#endif
