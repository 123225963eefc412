/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's fast clock in user space. */
#ifndef SHIM_TIMEKEEPING_H
#define SHIM_TIMEKEEPING_H

#include <stdint.h>
#include <time.h>

static inline uint64_t ktime_get_mono_fast_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

#endif
