/* SPDX-License-Identifier: BSD-2-Clause */
/* irq_work in user space: it only counts. */
#ifndef SHIM_IRQ_WORK_H
#define SHIM_IRQ_WORK_H

struct irq_work {
	unsigned long queued;
};

static inline void irq_work_queue(struct irq_work *work)
{
	__atomic_fetch_add(&work->queued, 1, __ATOMIC_RELAXED);
}

#endif
