/* SPDX-License-Identifier: BSD-2-Clause */
/* The counter of arm64 in user space: what the test sets. */
#ifndef SHIM_ARCH_TIMER_H
#define SHIM_ARCH_TIMER_H

#include <linux/types.h>

static u64 shim_counter, shim_counter_by_workaround;

#define has_erratum_handler(h) (shim_counter_by_workaround != 0)

static inline u64 arch_timer_read_cntvct_el0(void)
{
	return shim_counter;
}

static inline u64 __arch_counter_get_cntvct_stable(void)
{
	return shim_counter_by_workaround;
}

#endif
