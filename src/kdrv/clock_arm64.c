// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The time of records on arm64, where the architecture has one counter for all CPUs.  A stamp is
 * that counter, which takes two instructions; the kernel's fast clock, made of the same counter,
 * takes more than fifty.
 *
 * ns are made by the writer.  At each round it learns stamp and ns at once, and a stamp between two
 * rounds lies on the line between them.  So times have the order of stamps, within a round and from
 * one to the next, whatever adjusts the kernel's clock meanwhile.
 */
#include <linux/bits.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "clock.h"

#define SCALE_BITS 32

/* Counters that may be read wrong, by the kernel's way around it.  Any context. */
noinline u64 hwpmc_stamp_by_workaround(void)
{
	return __arch_counter_get_cntvct_stable();
}

u64 hwpmc_clock_round(struct hwpmc_clock *clock)
{
	unsigned long irq;
	u64 ns;

	clock->stamp = clock->next_stamp;
	clock->ns = clock->next_ns;
	local_irq_save(irq);
	clock->next_stamp = hwpmc_stamp();
	ns = ktime_get_mono_fast_ns();
	local_irq_restore(irq);
	clock->next_ns = max(ns, clock->ns);
	if (clock->stamp && clock->next_stamp > clock->stamp)
		clock->scale = mul_u64_u64_div_u64(clock->next_ns - clock->ns, BIT_ULL(SCALE_BITS),
						   clock->next_stamp - clock->stamp);
	return clock->next_stamp;
}

/* One from before the last round was still being written then. */
u64 hwpmc_clock_ns(const struct hwpmc_clock *clock, u64 stamp)
{
	if (unlikely(stamp < clock->stamp))
		return clock->ns - mul_u64_u64_shr(clock->stamp - stamp, clock->scale, SCALE_BITS);
	return clock->ns + mul_u64_u64_shr(stamp - clock->stamp, clock->scale, SCALE_BITS);
}
