/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Counters of pmc_kapi.h, for kapi.c, kapi_event.c and kapi_kernel.c alone.  Under hwpmc_kapi_lock,
 * which is held while perf is asked of the events of tasks, and outside hwpmc_lock, which is not.
 */
#ifndef HWPMC_KAPI_INT_H
#define HWPMC_KAPI_INT_H

#include "hwpmc_int.h"
#include "pmc_kapi.h"

/* ---- kapi_event.c ---- */

extern struct mutex hwpmc_kapi_lock;

int hwpmc_kapi_check(int ctr, const struct pmc_counter_cfg *cfg); /* -EINVAL */
struct perf_event_attr hwpmc_kapi_attr(const struct pmc_counter_cfg *cfg);
/* ERR_PTR: -EINVAL also for an event that belongs to another class. */
struct perf_event *hwpmc_kapi_event_new(int ctr, struct perf_event_attr *attr, int cpu,
					struct task_struct *task, perf_overflow_handler_t handler,
					void *context);
int hwpmc_kapi_event_enable(struct perf_event *event); /* -EBUSY */
int hwpmc_kapi_row_take(int ctr, int cpu);	       /* -EBUSY */
void hwpmc_kapi_row_give(int ctr, int cpu);

/* ---- kapi_kernel.c ---- */

struct hwpmc_kapi_kernel {
	struct pmc_counter_cfg cfg;
	bool enabled;
	struct perf_event **events;		/* [nr_cpu_ids]; NULL: the counter is free */
	struct hwpmc_kgmon_histogram **profile; /* [nr_cpu_ids], while it profiles */
};

struct hwpmc_kapi_kernel *hwpmc_kapi_kernel_counter(int ctr); /* NULL: it is free */
int hwpmc_kapi_kernel_enable(struct hwpmc_kapi_kernel *k, bool on);
u64 hwpmc_kapi_kernel_value(const struct hwpmc_kapi_kernel *k);
void hwpmc_kapi_kernel_free_all(void);

#endif
