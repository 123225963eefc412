/* SPDX-License-Identifier: BSD-2-Clause */
/* local_t in user space: atomic against the signal handlers of its thread. */
#ifndef SHIM_LOCAL_H
#define SHIM_LOCAL_H

typedef struct {
	long v;
} local_t;

static inline long local_read(const local_t *l)
{
	return __atomic_load_n(&l->v, __ATOMIC_RELAXED);
}

static inline void local_inc(local_t *l)
{
	__atomic_fetch_add(&l->v, 1, __ATOMIC_RELAXED);
}

static inline long local_cmpxchg(local_t *l, long old, long new)
{
	__atomic_compare_exchange_n(&l->v, &old, new, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
	return old;
}

#endif
