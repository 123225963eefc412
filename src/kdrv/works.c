// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Work that hooks hand to a task, which does it in process context, where it may sleep, before its
 * next instruction in user mode.
 *
 * Hooks run with preemption off, where on PREEMPT_RT nothing may be allocated, nor a lock be waited
 * for that is not raw: so works are made beforehand, in process context, and come back to their
 * struct hwpmc_works when they are done.  A hook that finds none left says what is lost.  Each
 * kind, and each PMC, has works of its own, so that one that forks like mad takes none from others;
 * who does works makes more when less than half is left.  What all tasks share (notes of maps) may
 * be taken by those that never come to do it: there hooks have more made, too.
 *
 * Work of a task cannot be called back, and the task may do it late: it has a reference to the
 * module, whose unload is refused until it is done, and waits for it where it is forced.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/task_work.h>
#include <linux/threads.h>
#include <linux/wait.h>

#include "hwpmc_int.h"

#define MOST PID_MAX_LIMIT /* works of one struct hwpmc_works: there are no more tasks */

struct hwpmc_chunk {
	struct hwpmc_chunk *next;
	u8 works[] __aligned(8);
};

static atomic_t handed = ATOMIC_INIT(0);
static bool handed_ever;
static DECLARE_WAIT_QUEUE_HEAD(all_done);

static int add(struct hwpmc_works *works, u32 n)
{
	size_t bytes = sizeof(struct hwpmc_chunk) + (size_t)n * works->size;
	struct hwpmc_chunk *chunk = hwpmc_zalloc(bytes);
	struct hwpmc_work *first = NULL, *last, *work;
	unsigned long irq;
	u32 i;

	if (!chunk)
		return -ENOMEM;
	last = (void *)chunk->works;
	for (i = 0; i < n; i++) {
		work = (void *)(chunk->works + (size_t)i * works->size);
		work->next = first;
		first = work;
	}
	raw_spin_lock_irqsave(&works->lock, irq);
	last->next = works->free;
	works->free = first;
	works->left += n;
	works->total += n;
	chunk->next = works->chunks;
	works->chunks = chunk;
	raw_spin_unlock_irqrestore(&works->lock, irq);
	return 0;
}

int hwpmc_works_init(struct hwpmc_works *works, size_t size, u32 n)
{
	*works = (struct hwpmc_works){.size = size};
	raw_spin_lock_init(&works->lock);
	return add(works, n);
}

void hwpmc_works_fini(struct hwpmc_works *works)
{
	struct hwpmc_chunk *chunk;

	while ((chunk = works->chunks)) {
		works->chunks = chunk->next;
		kvfree(chunk);
	}
}

bool hwpmc_works_are_few(const struct hwpmc_works *works)
{
	u32 total = READ_ONCE(works->total);

	return READ_ONCE(works->left) < total / 2 && total < MOST;
}

/* Without memory there are as many as before. */
void hwpmc_works_grow(struct hwpmc_works *works)
{
	unsigned long irq;
	bool grows;
	u32 total;

	raw_spin_lock_irqsave(&works->lock, irq);
	total = works->total;
	grows = !works->grows && hwpmc_works_are_few(works);
	works->grows |= grows;
	raw_spin_unlock_irqrestore(&works->lock, irq);
	if (!grows)
		return;
	add(works, total);
	WRITE_ONCE(works->grows, false);
}

void *hwpmc_work_take(struct hwpmc_works *works)
{
	struct hwpmc_work *work;
	unsigned long irq;

	raw_spin_lock_irqsave(&works->lock, irq);
	work = works->free;
	if (work) {
		works->free = work->next;
		works->left--;
	}
	raw_spin_unlock_irqrestore(&works->lock, irq);
	return work;
}

void hwpmc_work_give(struct hwpmc_works *works, struct hwpmc_work *work)
{
	unsigned long irq;

	raw_spin_lock_irqsave(&works->lock, irq);
	work->next = works->free;
	works->free = work;
	works->left++;
	raw_spin_unlock_irqrestore(&works->lock, irq);
}

/* While there are hooks nobody waits yet: a work that the task does not take wakes nobody. */
bool hwpmc_work_hand(struct hwpmc_work *work, struct task_struct *task, task_work_func_t function)
{
	if (!try_module_get(THIS_MODULE)) /* the module goes: nobody counts any more */
		return false;
	init_task_work(&work->head, function);
	WRITE_ONCE(handed_ever, true);
	atomic_inc(&handed);
	if (!task_work_add(task, &work->head, TWA_RESUME))
		return true;
	atomic_dec(&handed);
	module_put(THIS_MODULE);
	return false;
}

void hwpmc_work_done(void)
{
	if (atomic_dec_and_test(&handed))
		wake_up(&all_done);
	module_put(THIS_MODULE);
}

void hwpmc_works_exit(void)
{
	wait_event(all_done, !atomic_read(&handed));
	if (!READ_ONCE(handed_ever))
		return;
	/* The last has said that it is done, and may not have left the module yet. */
	synchronize_rcu();
	synchronize_rcu_tasks();
}
