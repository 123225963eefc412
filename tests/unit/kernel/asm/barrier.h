/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernel's barriers in user space. */
#ifndef SHIM_BARRIER_H
#define SHIM_BARRIER_H

/* What is to interrupt the next store-release, just behind it; NULL: nothing. */
static void (*shim_interrupt)(void);

static inline void shim_interrupted(void)
{
	void (*interrupt)(void) = shim_interrupt;

	shim_interrupt = 0;
	if (interrupt)
		interrupt();
}

#define smp_load_acquire(p) __atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v)                           \
	do {                                              \
		__atomic_store_n(p, v, __ATOMIC_RELEASE); \
		shim_interrupted();                       \
	} while (0)

#endif
