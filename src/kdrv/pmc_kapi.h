/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * Counters for other modules, after NetBSD's pmc(9).
 *
 * A counter is a row of hwpmc(4); numbers go from 0 to pmc_get_num_counters() - 1.  A task is what
 * NetBSD calls an lwp; the task NULL is the kernel, whose counters count on every CPU that is
 * online when they are allocated.  When a task forks, its child, process or thread, gets the
 * counters that are enabled, from zero, before its first instruction in user mode.  When a task
 * exits, what it counted is accumulated: a thread's into its process' first thread, a process' into
 * its parent.
 *
 * All functions but pmc_save_context() and pmc_restore_context() may sleep, return a negative errno
 * where they fail, and take a task that the caller holds.
 */
#ifndef PMC_KAPI_H
#define PMC_KAPI_H

#include <linux/sched.h>
#include <linux/types.h>

typedef u64 pmc_evid_t; /* PMC_EVID() */
typedef u64 pmc_ctr_t;

/* An event as struct perf_event_attr names it. */
#define PMC_EVID(type, config) ((pmc_evid_t)(type) << 48 | (config))

struct pmc_counter_cfg {
	pmc_evid_t event_id;
	/*
	 * What the counter starts from.  A profiling counter interrupts when it would pass 2^64: -N
	 * makes it interrupt every N events.
	 */
	pmc_ctr_t reset_value;
	u32 flags; /* unused: 0 */
};

#define PMC_VALUE_FLAGS_CHILDREN 0x1 /* what exited children counted, instead of the task */

int pmc_get_num_counters(void);
/* hwpmc(4)'s class of a counter; of -1, the type of the CPU. */
int pmc_get_counter_type(int ctr);

/* perf saves and restores counters when it switches tasks. */
static inline void pmc_save_context(struct task_struct *task)
{
}

static inline void pmc_restore_context(struct task_struct *task)
{
}

/*
 * Gives task the counter, stopped, or configures it anew.  cfg NULL: takes it away.  -EBUSY: it
 * runs, or the row is the kernel's; -EINVAL: it cannot count this event; -ESRCH: the task exits.
 */
int pmc_configure_counter(struct task_struct *task, int ctr, const struct pmc_counter_cfg *cfg);
int pmc_enable_counter(struct task_struct *task, int ctr);
int pmc_disable_counter(struct task_struct *task, int ctr);
/* Not 0 also when the kernel runs it, or has it. */
int pmc_counter_isrunning(struct task_struct *task, int ctr);
int pmc_counter_isconfigured(struct task_struct *task, int ctr);
int pmc_get_counter_value(struct task_struct *task, int ctr, int flags, u64 *value);
/* Done at exit, unless it was done before. */
int pmc_accumulate(struct task_struct *parent, struct task_struct *exiting);

int pmc_alloc_kernel_counter(int ctr, const struct pmc_counter_cfg *cfg);
int pmc_free_kernel_counter(int ctr);

/* A histogram of the kernel's text, of all CPUs. */
struct pmc_profile {
	u64 low;     /* address of the first bin */
	u32 bin;     /* bytes of text that a bin stands for */
	u32 nbins;   /* in: room; out: how many there are */
	u64 outside; /* samples at no kernel text */
	u32 *bins;
};

int pmc_start_profiling(int ctr, const struct pmc_counter_cfg *cfg);
int pmc_stop_profiling(int ctr);
/* What a counter that profiles has found until now. */
int pmc_get_profile(int ctr, struct pmc_profile *profile);

/* Whether the task or the kernel has a counter. */
int PMC_ENABLED(struct task_struct *task);

#endif
