/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What differs for these modules between the kernels of the test machines. */
#ifndef PMCSTAT_VM_COMPAT_H
#define PMCSTAT_VM_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#endif
