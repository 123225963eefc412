// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The sample path: overflow handlers of every PMC, in NMI on x86, in interrupts and, for software
 * events, in task code with preemption off.  It reads its pmc, which is constant while it runs, and
 * writes to this CPU's ring of the pmc's log, or its KGMON histogram, and to counts.  No lock,
 * allocation, printk, sleep or wakeup.
 */
#include <linux/perf_event.h>
#include <linux/sched/task_stack.h>

#include "log_int.h"

#define THROTTLED (~0ULL) /* hw.interrupts of an event that perf pauses after this overflow */

/* The registers that the current task entered the kernel with; NULL: it has no user code. */
static struct pt_regs *user_regs(void)
{
	struct pt_regs *regs;

	if (!current->mm || (current->flags & PF_KTHREAD))
		return NULL;
	regs = task_pt_regs(current);
	return user_mode(regs) ? regs : NULL;
}

static u32 walk(const struct hwpmc_pmc *pmc, struct pt_regs *regs, bool user, u64 *pcs, bool *cut)
{
	u32 n;

	if (user && !current->mm) {
		pcs[0] = instruction_pointer(regs);
		return 1;
	}
	if (user)
		return hwpmc_user_chain(regs, pcs, pmc->depth, cut);
	n = hwpmc_kernel_chain(regs, pcs, pmc->depth, cut);
	regs = pmc->flags & PMC_F_USERCALLCHAIN ? user_regs() : NULL;
	if (regs)
		n += hwpmc_user_chain(regs, pcs + n, pmc->depth - n, cut);
	return n;
}

/*
 * perf's guard against too many interrupts: taken off, or its bite told.  Where it allows one in a
 * tick it has bitten by now, and lets go at the next tick if it still sees that it did.
 */
static __always_inline bool is_throttled(struct perf_event *event)
{
	if (unlikely(event->hw.interrupts == THROTTLED))
		return true;
	if (READ_ONCE(hwpmc_unthrottle))
		event->hw.interrupts = 0;
	return false;
}

static noinline void put_throttle(const struct hwpmc_pmc *pmc, struct hwpmc_ring *ring)
{
	struct hwpmc_slot slot;

	if (!hwpmc_ring_reserve(ring, HWPMC_RECORD_DROP, &slot)) {
		local_inc(&ring->untold);
		return;
	}
	hwpmc_record_drop(slot.record, 1, ring->cpu, PMCLOG_DROP_THROTTLE, pmc->id);
	hwpmc_ring_commit(ring, &slot, PMCLOG_WIRE_DROPNOTIFY, HWPMC_RECORD_DROP);
}

/* What a sample says besides its pcs.  The record. */
static __always_inline struct pmclog_wire_callchain *describe(const struct hwpmc_slot *slot,
							      const struct hwpmc_pmc *pmc,
							      const struct hwpmc_ring *ring,
							      bool user)
{
	struct pmclog_wire_callchain *record = (void *)slot->record;

	record->pid = current->tgid;
	record->tid = current->pid;
	record->pmcid = pmc->id;
	record->cpuflags = ring->cpu << 16 | (user ? PMCLOG_CC_USERMODE : 0);
	return record;
}

static __always_inline void put_pc(const struct hwpmc_pmc *pmc, struct hwpmc_ring *ring,
				   struct pt_regs *regs, bool user)
{
	const u32 length = sizeof(struct pmclog_wire_callchain) + sizeof(u64);
	struct hwpmc_slot slot;

	if (!hwpmc_ring_reserve(ring, length, &slot)) {
		local_inc(&ring->lost);
		return;
	}
	*(u64 *)(describe(&slot, pmc, ring, user) + 1) = instruction_pointer(regs);
	hwpmc_ring_commit(ring, &slot, PMCLOG_WIRE_CALLCHAIN, length);
}

static __always_inline void put_chain(const struct hwpmc_pmc *pmc, struct hwpmc_ring *ring,
				      struct pt_regs *regs, bool user)
{
	struct pmclog_wire_callchain *record;
	struct hwpmc_slot slot;
	bool cut = false;
	u32 n;

	if (!hwpmc_ring_reserve(ring, sizeof(*record) + pmc->depth * sizeof(u64), &slot)) {
		local_inc(&ring->lost);
		return;
	}
	record = describe(&slot, pmc, ring, user);
	n = walk(pmc, regs, user, (u64 *)(record + 1), &cut);
	if (unlikely(cut))
		local_inc(&ring->truncated);
	hwpmc_ring_commit(ring, &slot, PMCLOG_WIRE_CALLCHAIN, sizeof(*record) + n * sizeof(u64));
}

static __always_inline void sample(struct perf_event *event, struct pt_regs *regs,
				   void (*put)(const struct hwpmc_pmc *pmc, struct hwpmc_ring *ring,
					       struct pt_regs *regs, bool user))
{
	const struct hwpmc_pmc *pmc = event->overflow_handler_context;
	struct hwpmc_log *log = READ_ONCE(pmc->log);
	bool user = user_mode(regs);
	struct hwpmc_ring *ring;

	if (unlikely(!log)) {
		atomic64_inc(&hwpmc_counts.intr_ignored);
		return;
	}
	ring = this_cpu_ptr(log->rings);
	OPTIMIZER_HIDE_VAR(ring); /* one pointer, not two that are added each time */
	/* An interrupt can come later than its event, in the kernel that the event excludes. */
	if (unlikely(!user && event->attr.exclude_kernel)) {
		regs = user_regs();
		if (!regs) {
			local_inc(&ring->lost);
			return;
		}
		user = true;
	}
	put(pmc, ring, regs, user);
	if (unlikely(is_throttled(event)))
		put_throttle(pmc, ring);
}

/* Handlers of samples with and without chains: the same, but that neither decides it each time. */
static void hwpmc_sample_pc(struct perf_event *event, struct perf_sample_data *data,
			    struct pt_regs *regs)
{
	sample(event, regs, put_pc);
}

static void hwpmc_sample_chain(struct perf_event *event, struct perf_sample_data *data,
			       struct pt_regs *regs)
{
	sample(event, regs, put_chain);
}

/* There is no histogram yet while the PMC is tried at its allocation. */
static void hwpmc_sample_kgmon(struct perf_event *event, struct perf_sample_data *data,
			       struct pt_regs *regs)
{
	const struct hwpmc_pmc *pmc = event->overflow_handler_context;
	struct hwpmc_kgmon_histogram *histogram = READ_ONCE(pmc->kgmon);

	if (!histogram) {
		atomic64_inc(&hwpmc_counts.intr_ignored);
		return;
	}
	hwpmc_kgmon_count(histogram, instruction_pointer(regs), user_mode(regs));
	atomic64_inc(&hwpmc_counts.intr_processed);
	if (is_throttled(event))
		atomic64_inc(&hwpmc_counts.intr_throttled);
}

perf_overflow_handler_t hwpmc_sample_handler(const struct hwpmc_pmc *pmc)
{
	if (pmc->flags & PMC_F_KGMON)
		return hwpmc_sample_kgmon;
	return pmc->flags & (PMC_F_CALLCHAIN | PMC_F_USERCALLCHAIN) ? hwpmc_sample_chain
								    : hwpmc_sample_pc;
}

bool hwpmc_sample_is_ours(const struct perf_event *event)
{
	return event->overflow_handler == hwpmc_sample_pc ||
	       event->overflow_handler == hwpmc_sample_chain;
}

void hwpmc_sample_proccsw(const struct hwpmc_pmc *pmc, u32 pid, u32 tid, u64 value)
{
	struct hwpmc_log *log = READ_ONCE(pmc->log);
	struct pmclog_wire_proccsw *record;
	struct hwpmc_ring *ring;
	struct hwpmc_slot slot;

	if (!log)
		return;
	ring = this_cpu_ptr(log->rings);
	if (!hwpmc_ring_reserve(ring, sizeof(*record), &slot)) {
		local_inc(&ring->records);
		return;
	}
	record = (void *)slot.record;
	record->value = value;
	record->pmcid = pmc->id;
	record->pid = pid;
	record->tid = tid;
	record->pad = 0;
	hwpmc_ring_commit(ring, &slot, PMCLOG_WIRE_PROCCSW, sizeof(*record));
}
