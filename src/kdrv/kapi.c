// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The functions of pmc_kapi.h for counters of tasks, and for those of tasks or the kernel.
 *
 * A counter of a task is one perf event.  It is in a hash by its task, which the fork and exit
 * hooks look into: membership changes under hwpmc_kapi_lock and tasks_lock both, so either is
 * enough to look.
 *
 * Contexts: exported functions and works are process context and take hwpmc_kapi_lock; hooks run
 * with preemption off, take only tasks_lock, and leave what sleeps to the child (fork, works.c) or
 * to a work item (exit).
 */
#include <linux/export.h>
#include <linux/hashtable.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "kapi_int.h"

#define CPUTYPE_GENERIC 0x400

struct task_counter {
	struct hlist_node node;
	const struct task_struct *task; /* to compare with only, not held */
	int ctr;
	struct pmc_counter_cfg cfg;
	struct perf_event *event;
	bool enabled;
	bool dead;	  /* its task has exited; tasks_lock */
	bool accumulated; /* tasks_lock */
	u64 children;	  /* tasks_lock */
};

/* One of a child's works, before it runs: a counter that it is to have. */
struct child_work {
	struct hwpmc_work work; /* next: that for another counter */
	int ctr;
	pmc_evid_t event_id;
};

#define CHILDREN 256 /* counters of children that have not run yet, at first */

static DEFINE_HASHTABLE(tasks, 6);
static DEFINE_RAW_SPINLOCK(tasks_lock);
static atomic_t ntasks = ATOMIC_INIT(0); /* members of tasks: hooks have nothing to do while 0 */

static struct hwpmc_works children;

static void reap(struct work_struct *work);
static DECLARE_WORK(reap_work, reap);

/* ---- counters of tasks ---- */

/* Under hwpmc_kapi_lock or tasks_lock. */
static struct task_counter *find(const struct task_struct *task, int ctr)
{
	struct task_counter *c;

	hash_for_each_possible(tasks, c, node, (unsigned long)task)
		if (c->task == task && c->ctr == ctr && !c->dead)
			return c;
	return NULL;
}

static void insert(struct task_counter *c)
{
	unsigned long irq;

	raw_spin_lock_irqsave(&tasks_lock, irq);
	hash_add(tasks, &c->node, (unsigned long)c->task);
	raw_spin_unlock_irqrestore(&tasks_lock, irq);
	atomic_inc(&ntasks);
}

static void remove_and_free(struct task_counter *c)
{
	unsigned long irq;

	raw_spin_lock_irqsave(&tasks_lock, irq);
	hash_del(&c->node);
	raw_spin_unlock_irqrestore(&tasks_lock, irq);
	atomic_dec(&ntasks);
	if (c->event)
		hwpmc_event_release(c->event, NULL);
	hwpmc_kapi_row_give(c->ctr, PMC_CPU_ANY);
	kfree(c);
}

/* In the hash before there is an event, so that no exit is missed.  hwpmc_kapi_lock. */
static int counter_new(struct task_struct *task, int ctr, const struct pmc_counter_cfg *cfg)
{
	struct perf_event_attr attr = hwpmc_kapi_attr(cfg);
	struct task_counter *c = kzalloc(sizeof(*c), GFP_KERNEL);
	struct perf_event *event;

	if (!c)
		return -ENOMEM;
	if (hwpmc_kapi_row_take(ctr, PMC_CPU_ANY)) {
		kfree(c);
		return -EBUSY;
	}
	c->task = task;
	c->ctr = ctr;
	c->cfg = *cfg;
	insert(c);
	event = hwpmc_kapi_event_new(ctr, &attr, -1, task, NULL, NULL);
	if (IS_ERR(event)) {
		remove_and_free(c);
		return PTR_ERR(event);
	}
	smp_store_release(&c->event, event); /* whole, for the exit hook */
	return 0;
}

static int configure(struct task_struct *task, int ctr, const struct pmc_counter_cfg *cfg)
{
	struct task_counter *c = find(task, ctr);
	int error = hwpmc_kapi_check(ctr, cfg);

	if (error)
		return error;
	if (c && c->enabled)
		return -EBUSY;
	if (c)
		remove_and_free(c);
	return cfg ? counter_new(task, ctr, cfg) : 0;
}

int pmc_configure_counter(struct task_struct *task, int ctr, const struct pmc_counter_cfg *cfg)
{
	int error;

	mutex_lock(&hwpmc_kapi_lock);
	error = configure(task, ctr, cfg);
	mutex_unlock(&hwpmc_kapi_lock);
	return error;
}
EXPORT_SYMBOL_GPL(pmc_configure_counter);

/* ---- of tasks or the kernel ---- */

int pmc_get_num_counters(void)
{
	int n;

	mutex_lock(&hwpmc_lock);
	n = hwpmc_rows_number();
	mutex_unlock(&hwpmc_lock);
	return n;
}
EXPORT_SYMBOL_GPL(pmc_get_num_counters);

int pmc_get_counter_type(int ctr)
{
	int pm_class;

	if (ctr == -1)
		return CPUTYPE_GENERIC;
	mutex_lock(&hwpmc_lock);
	pm_class = ctr >= 0 && ctr < hwpmc_rows_number() ? hwpmc_row_class(ctr) : -EINVAL;
	mutex_unlock(&hwpmc_lock);
	return pm_class;
}
EXPORT_SYMBOL_GPL(pmc_get_counter_type);

static int set_enabled(struct task_struct *task, int ctr, bool on)
{
	struct hwpmc_kapi_kernel *k = task ? NULL : hwpmc_kapi_kernel_counter(ctr);
	struct task_counter *c = task ? find(task, ctr) : NULL;
	int error = 0;

	if (k)
		return hwpmc_kapi_kernel_enable(k, on);
	if (!c)
		return -EINVAL;
	if (on)
		error = hwpmc_kapi_event_enable(c->event);
	else
		perf_event_disable(c->event);
	if (!error)
		WRITE_ONCE(c->enabled, on);
	return error;
}

int pmc_enable_counter(struct task_struct *task, int ctr)
{
	int error;

	mutex_lock(&hwpmc_kapi_lock);
	error = set_enabled(task, ctr, true);
	mutex_unlock(&hwpmc_kapi_lock);
	return error;
}
EXPORT_SYMBOL_GPL(pmc_enable_counter);

int pmc_disable_counter(struct task_struct *task, int ctr)
{
	int error;

	mutex_lock(&hwpmc_kapi_lock);
	error = set_enabled(task, ctr, false);
	mutex_unlock(&hwpmc_kapi_lock);
	return error;
}
EXPORT_SYMBOL_GPL(pmc_disable_counter);

int pmc_counter_isrunning(struct task_struct *task, int ctr)
{
	const struct hwpmc_kapi_kernel *k;
	const struct task_counter *c;
	int is;

	mutex_lock(&hwpmc_kapi_lock);
	k = hwpmc_kapi_kernel_counter(ctr);
	c = task ? find(task, ctr) : NULL;
	is = (k && k->enabled) || (c && c->enabled);
	mutex_unlock(&hwpmc_kapi_lock);
	return is;
}
EXPORT_SYMBOL_GPL(pmc_counter_isrunning);

int pmc_counter_isconfigured(struct task_struct *task, int ctr)
{
	int is;

	mutex_lock(&hwpmc_kapi_lock);
	is = hwpmc_kapi_kernel_counter(ctr) || (task && find(task, ctr));
	mutex_unlock(&hwpmc_kapi_lock);
	return is;
}
EXPORT_SYMBOL_GPL(pmc_counter_isconfigured);

/* hwpmc_kapi_lock. */
static u64 task_value(const struct task_counter *c)
{
	u64 enabled, running;

	return c->cfg.reset_value + perf_event_read_value(c->event, &enabled, &running);
}

static int get_value(struct task_struct *task, int ctr, int flags, u64 *value)
{
	const struct hwpmc_kapi_kernel *k = hwpmc_kapi_kernel_counter(ctr);
	struct task_counter *c = task ? find(task, ctr) : NULL;
	unsigned long irq;

	if (flags & ~PMC_VALUE_FLAGS_CHILDREN)
		return -EINVAL;
	if (!task && k && !flags) {
		*value = hwpmc_kapi_kernel_value(k);
		return 0;
	}
	if (!c)
		return -EINVAL;
	if (!flags) {
		*value = task_value(c);
		return 0;
	}
	raw_spin_lock_irqsave(&tasks_lock, irq);
	*value = c->children;
	raw_spin_unlock_irqrestore(&tasks_lock, irq);
	return 0;
}

int pmc_get_counter_value(struct task_struct *task, int ctr, int flags, u64 *value)
{
	int error;

	mutex_lock(&hwpmc_kapi_lock);
	error = get_value(task, ctr, flags, value);
	mutex_unlock(&hwpmc_kapi_lock);
	return error;
}
EXPORT_SYMBOL_GPL(pmc_get_counter_value);

int PMC_ENABLED(struct task_struct *task)
{
	struct task_counter *c;
	int ctr, is = 0;

	mutex_lock(&hwpmc_kapi_lock);
	if (task)
		hash_for_each_possible(tasks, c, node, (unsigned long)task)
			is |= c->task == task && !c->dead;
	for (ctr = 0; ctr < HWPMC_ROWS_MAX; ctr++)
		is |= !!hwpmc_kapi_kernel_counter(ctr);
	mutex_unlock(&hwpmc_kapi_lock);
	return is;
}
EXPORT_SYMBOL_GPL(PMC_ENABLED);

/* ---- exit ---- */

/* value: counted by c's task itself.  tasks_lock. */
static void accumulate(const struct task_struct *parent, struct task_counter *c, u64 value)
{
	struct task_counter *to = find(parent, c->ctr);

	if (!to || c->accumulated)
		return;
	to->children += value + c->children;
	c->accumulated = true;
}

int pmc_accumulate(struct task_struct *parent, struct task_struct *exiting)
{
	struct task_counter *c;
	unsigned long irq;
	u64 value;

	mutex_lock(&hwpmc_kapi_lock);
	hash_for_each_possible(tasks, c, node, (unsigned long)exiting) {
		if (c->task != exiting || c->dead)
			continue;
		value = task_value(c);
		raw_spin_lock_irqsave(&tasks_lock, irq);
		accumulate(parent, c, value);
		raw_spin_unlock_irqrestore(&tasks_lock, irq);
	}
	mutex_unlock(&hwpmc_kapi_lock);
	return 0;
}
EXPORT_SYMBOL_GPL(pmc_accumulate);

/* Exit hook, in the task. */
void hwpmc_kapi_task_exits(struct task_struct *task)
{
	const struct task_struct *parent;
	struct perf_event *event;
	struct task_counter *c;
	unsigned long irq;
	bool any = false;

	if (!atomic_read(&ntasks))
		return;
	rcu_read_lock();
	parent =
		thread_group_leader(task) ? rcu_dereference(task->real_parent) : task->group_leader;
	raw_spin_lock_irqsave(&tasks_lock, irq);
	hash_for_each_possible(tasks, c, node, (unsigned long)task) {
		if (c->task != task || c->dead)
			continue;
		event = smp_load_acquire(&c->event); /* of counter_new() */
		if (event)
			accumulate(parent, c, c->cfg.reset_value + hwpmc_event_read_here(event));
		c->dead = true;
		any = true;
	}
	raw_spin_unlock_irqrestore(&tasks_lock, irq);
	rcu_read_unlock();
	if (any)
		schedule_work(&reap_work);
}

static void reap(struct work_struct *work)
{
	struct task_counter *c;
	struct hlist_node *next;
	int bucket;

	mutex_lock(&hwpmc_kapi_lock);
	hash_for_each_safe(tasks, bucket, next, c, node) {
		if (READ_ONCE(c->dead))
			remove_and_free(c);
	}
	mutex_unlock(&hwpmc_kapi_lock);
}

/* ---- fork ---- */

static const struct child_work *child_work_of(const struct hwpmc_work *work)
{
	return container_of(work, struct child_work, work);
}

/* In the child, before its first instruction in user mode. */
static void child_works(struct callback_head *head)
{
	struct hwpmc_work *first = container_of(head, struct hwpmc_work, head), *work, *next;

	/* One that is killed gets no counter, and waits for nobody. */
	if (mutex_lock_killable(&hwpmc_kapi_lock))
		goto give_back;
	for (work = first; work && !(current->flags & PF_EXITING); work = work->next) {
		const struct child_work *child = child_work_of(work);
		const struct pmc_counter_cfg cfg = {.event_id = child->event_id};
		int ctr = child->ctr;

		if (counter_new(current, ctr, &cfg) || set_enabled(current, ctr, true))
			atomic64_inc(&hwpmc_counts.threads_missed);
	}
	mutex_unlock(&hwpmc_kapi_lock);
	hwpmc_works_grow(&children);
give_back:
	for (work = first; work; work = next) {
		next = work->next;
		hwpmc_work_give(&children, work);
	}
	hwpmc_work_done();
}

/* What the parent has running; NULL: nothing, or no works.  tasks_lock. */
static struct hwpmc_work *child_works_take(const struct task_struct *parent)
{
	struct hwpmc_work *first = NULL;
	struct task_counter *c;
	struct child_work *child;

	hash_for_each_possible(tasks, c, node, (unsigned long)parent) {
		if (c->task != parent || !c->enabled || c->dead)
			continue;
		child = hwpmc_work_take(&children);
		if (!child) {
			atomic64_inc(&hwpmc_counts.threads_missed);
			continue;
		}
		child->ctr = c->ctr;
		child->event_id = c->cfg.event_id;
		child->work.next = first;
		first = &child->work;
	}
	return first;
}

/* Fork hook, in the parent.  A child that stays in the kernel never does task work. */
void hwpmc_kapi_task_forks(struct task_struct *parent, struct task_struct *child)
{
	struct hwpmc_work *first, *work;
	unsigned long irq;

	if (!atomic_read(&ntasks) || (child->flags & PF_KTHREAD))
		return;
	raw_spin_lock_irqsave(&tasks_lock, irq);
	first = child_works_take(parent);
	raw_spin_unlock_irqrestore(&tasks_lock, irq);
	if (!first || hwpmc_work_hand(first, child, child_works))
		return;
	for (work = first; work; work = first) {
		first = work->next;
		hwpmc_work_give(&children, work);
	}
}

int hwpmc_kapi_init(void)
{
	return hwpmc_works_init(&children, sizeof(struct child_work), CHILDREN);
}

/* No hook runs any more, and no module that uses the API is there. */
void hwpmc_kapi_exit(void)
{
	struct task_counter *c;
	struct hlist_node *next;
	int bucket;

	flush_work(&reap_work);
	mutex_lock(&hwpmc_kapi_lock);
	hash_for_each_safe(tasks, bucket, next, c, node)
		remove_and_free(c);
	hwpmc_kapi_kernel_free_all();
	mutex_unlock(&hwpmc_kapi_lock);
	hwpmc_works_fini(&children);
}
