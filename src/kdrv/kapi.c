// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The functions of pmc_kapi.h.
 *
 * A counter of a task is one perf event.  It is in a hash by its task, which the fork and exit
 * hooks look into: membership changes under hwpmc_lock and tasks_lock both, so either is enough to
 * look.
 * The kernel's counters have an event on each CPU; hooks do not touch them.
 *
 * Contexts: exported functions and works are process context and take hwpmc_lock; hooks run with
 * preemption off, take only tasks_lock, and leave what sleeps to the child (fork, works.c) or to a
 * work item (exit).  profile_sample() is an overflow handler, in NMI on x86.
 */
#include <linux/export.h>
#include <linux/hashtable.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "hwpmc_int.h"
#include "pmc_kapi.h"

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

struct kernel_counter {
	struct pmc_counter_cfg cfg;
	bool enabled;
	struct perf_event **events;		/* [nr_cpu_ids]; NULL: the counter is free */
	struct hwpmc_kgmon_histogram **profile; /* [nr_cpu_ids], while it profiles */
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
static struct kernel_counter kernel_counters[HWPMC_ROWS_MAX]; /* hwpmc_lock */

static struct hwpmc_works children;

static void reap(struct work_struct *work);
static DECLARE_WORK(reap_work, reap);

/* ---- counters of tasks ---- */

/* Under hwpmc_lock or tasks_lock. */
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
		perf_event_release_kernel(c->event);
	hwpmc_row_give(hwpmc_row_class(c->ctr), c->ctr, PMC_CPU_ANY);
	kfree(c);
}

static struct perf_event_attr attr_of(const struct pmc_counter_cfg *cfg)
{
	return (struct perf_event_attr){
		.type = cfg->event_id >> 48,
		.size = sizeof(struct perf_event_attr),
		.config = cfg->event_id & ((1ull << 48) - 1),
		.pinned = 1,
		.disabled = 1,
	};
}

/* -EINVAL also for an event that belongs to another class. */
static struct perf_event *event_new(int ctr, struct perf_event_attr *attr, int cpu,
				    struct task_struct *task, perf_overflow_handler_t handler,
				    void *context)
{
	struct perf_event *event =
		perf_event_create_kernel_counter(attr, cpu, task, handler, context);

	if (IS_ERR(event))
		return PTR_ERR(event) == -ENOENT ? ERR_PTR(-EINVAL) : event;
	if (hwpmc_event_is_of_class(event, hwpmc_row_class(ctr)))
		return event;
	perf_event_release_kernel(event);
	return ERR_PTR(-EINVAL);
}

static int enable(struct perf_event *event)
{
	perf_event_enable(event);
	if (READ_ONCE(event->state) != PERF_EVENT_STATE_ERROR)
		return 0;
	perf_event_disable(event);
	return -EBUSY;
}

/* In the hash before there is an event, so that no exit is missed.  hwpmc_lock. */
static int counter_new(struct task_struct *task, int ctr, const struct pmc_counter_cfg *cfg)
{
	struct perf_event_attr attr = attr_of(cfg);
	struct task_counter *c = kzalloc(sizeof(*c), GFP_KERNEL);
	struct perf_event *event;

	if (!c)
		return -ENOMEM;
	if (hwpmc_row_take_at(NULL, ctr, PMC_CPU_ANY) < 0) {
		kfree(c);
		return -EBUSY;
	}
	c->task = task;
	c->ctr = ctr;
	c->cfg = *cfg;
	insert(c);
	event = event_new(ctr, &attr, -1, task, NULL, NULL);
	if (IS_ERR(event)) {
		remove_and_free(c);
		return PTR_ERR(event);
	}
	WRITE_ONCE(c->event, event);
	return 0;
}

static int check(int ctr, const struct pmc_counter_cfg *cfg)
{
	if (ctr < 0 || ctr >= hwpmc_rows_number() || hwpmc_row_class(ctr) < 0)
		return -EINVAL;
	return cfg && cfg->flags ? -EINVAL : 0;
}

static int configure(struct task_struct *task, int ctr, const struct pmc_counter_cfg *cfg)
{
	struct task_counter *c = find(task, ctr);
	int error = check(ctr, cfg);

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

	mutex_lock(&hwpmc_lock);
	error = configure(task, ctr, cfg);
	mutex_unlock(&hwpmc_lock);
	return error;
}
EXPORT_SYMBOL_GPL(pmc_configure_counter);

/* ---- counters of the kernel ---- */

static struct kernel_counter *kernel_counter(int ctr)
{
	struct kernel_counter *k = ctr >= 0 && ctr < HWPMC_ROWS_MAX ? &kernel_counters[ctr] : NULL;

	return k && k->events ? k : NULL;
}

static void profile_sample(struct perf_event *event, struct perf_sample_data *data,
			   struct pt_regs *regs)
{
	hwpmc_kgmon_count(event->overflow_handler_context, instruction_pointer(regs),
			  user_mode(regs));
}

static int kernel_rows_take(int ctr)
{
	int cpu, failed = nr_cpu_ids;

	for_each_possible_cpu(cpu) {
		if (hwpmc_row_take_at(NULL, ctr, cpu) < 0) {
			failed = cpu;
			break;
		}
	}
	if (failed == nr_cpu_ids)
		return 0;
	for_each_possible_cpu(cpu) {
		if (cpu == failed)
			break;
		hwpmc_row_give(hwpmc_row_class(ctr), ctr, cpu);
	}
	return -EBUSY;
}

/* Also one that was made in part. */
static void kernel_free(struct kernel_counter *k, int ctr)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (k->events[cpu])
			perf_event_release_kernel(k->events[cpu]);
		if (k->profile)
			hwpmc_kgmon_histogram_free(k->profile[cpu]);
		hwpmc_row_give(hwpmc_row_class(ctr), ctr, cpu);
	}
	kfree(k->events);
	kfree(k->profile);
	*k = (struct kernel_counter){};
}

static int kernel_event_new(struct kernel_counter *k, int ctr, int cpu)
{
	struct perf_event_attr attr = attr_of(&k->cfg);
	struct perf_event *event;

	if (k->profile) {
		struct hwpmc_kgmon_histogram *h = hwpmc_kgmon_histogram_new();

		if (IS_ERR(h))
			return PTR_ERR(h);
		k->profile[cpu] = h;
		attr.sample_period = -k->cfg.reset_value;
		event = event_new(ctr, &attr, cpu, NULL, profile_sample, h);
	} else {
		event = event_new(ctr, &attr, cpu, NULL, NULL, NULL);
	}
	if (IS_ERR(event))
		return PTR_ERR(event);
	k->events[cpu] = event;
	return 0;
}

/* hwpmc_lock. */
static int kernel_alloc(int ctr, const struct pmc_counter_cfg *cfg, bool profile)
{
	struct kernel_counter *k;
	int cpu, error = cfg ? check(ctr, cfg) : -EINVAL;

	if (error)
		return error;
	error = kernel_rows_take(ctr);
	if (error)
		return error;
	k = &kernel_counters[ctr];
	k->cfg = *cfg;
	k->events = kcalloc(nr_cpu_ids, sizeof(*k->events), GFP_KERNEL);
	if (profile)
		k->profile = kcalloc(nr_cpu_ids, sizeof(*k->profile), GFP_KERNEL);
	if (!k->events || (profile && !k->profile)) {
		for_each_possible_cpu(cpu)
			hwpmc_row_give(hwpmc_row_class(ctr), ctr, cpu);
		kfree(k->events);
		kfree(k->profile);
		*k = (struct kernel_counter){};
		return -ENOMEM;
	}
	for_each_online_cpu(cpu) {
		error = kernel_event_new(k, ctr, cpu);
		if (error) {
			kernel_free(k, ctr);
			return error;
		}
	}
	return 0;
}

static int kernel_enable(struct kernel_counter *k, bool on)
{
	int cpu, error = 0;

	for_each_possible_cpu(cpu) {
		if (!k->events[cpu])
			continue;
		if (!on)
			perf_event_disable(k->events[cpu]);
		else if (!error)
			error = enable(k->events[cpu]);
	}
	if (error)
		kernel_enable(k, false);
	k->enabled = on && !error;
	return error;
}

static u64 kernel_value(const struct kernel_counter *k)
{
	u64 value = k->cfg.reset_value, enabled, running;
	int cpu;

	for_each_possible_cpu(cpu)
		if (k->events[cpu])
			value += perf_event_read_value(k->events[cpu], &enabled, &running);
	return value;
}

int pmc_alloc_kernel_counter(int ctr, const struct pmc_counter_cfg *cfg)
{
	int error;

	mutex_lock(&hwpmc_lock);
	error = kernel_alloc(ctr, cfg, false);
	mutex_unlock(&hwpmc_lock);
	return error;
}
EXPORT_SYMBOL_GPL(pmc_alloc_kernel_counter);

static int kernel_free_checked(int ctr, bool profiles)
{
	struct kernel_counter *k;
	int error = -EINVAL;

	mutex_lock(&hwpmc_lock);
	k = kernel_counter(ctr);
	if (k && profiles == !!k->profile) {
		kernel_free(k, ctr);
		error = 0;
	}
	mutex_unlock(&hwpmc_lock);
	return error;
}

int pmc_free_kernel_counter(int ctr)
{
	return kernel_free_checked(ctr, false);
}
EXPORT_SYMBOL_GPL(pmc_free_kernel_counter);

/* A clock is as fast as it is told to be; what the hardware counts has bounds of its own. */
static bool is_too_fast(const struct pmc_counter_cfg *cfg)
{
	return (cfg->event_id == PMC_EVID(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK) ||
		cfg->event_id == PMC_EVID(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK)) &&
	       -cfg->reset_value < READ_ONCE(hwpmc_min_period_ns);
}

int pmc_start_profiling(int ctr, const struct pmc_counter_cfg *cfg)
{
	int error;

	if (!cfg || (s64)cfg->reset_value >= 0 || is_too_fast(cfg))
		return -EINVAL;
	mutex_lock(&hwpmc_lock);
	error = kernel_alloc(ctr, cfg, true);
	if (!error) {
		error = kernel_enable(&kernel_counters[ctr], true);
		if (error)
			kernel_free(&kernel_counters[ctr], ctr);
	}
	mutex_unlock(&hwpmc_lock);
	return error;
}
EXPORT_SYMBOL_GPL(pmc_start_profiling);

int pmc_stop_profiling(int ctr)
{
	return kernel_free_checked(ctr, true);
}
EXPORT_SYMBOL_GPL(pmc_stop_profiling);

int pmc_get_profile(int ctr, struct pmc_profile *profile)
{
	const struct kernel_counter *k;
	u32 room = profile->nbins;
	int cpu, error = -EINVAL;

	memset(profile->bins, 0, room * sizeof(*profile->bins));
	profile->outside = 0;
	mutex_lock(&hwpmc_lock);
	k = kernel_counter(ctr);
	if (k && k->profile) {
		for_each_possible_cpu(cpu)
			if (k->profile[cpu])
				hwpmc_kgmon_histogram_add(k->profile[cpu], profile, room);
		error = 0;
	}
	mutex_unlock(&hwpmc_lock);
	return error;
}
EXPORT_SYMBOL_GPL(pmc_get_profile);

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
	int class;

	if (ctr == -1)
		return CPUTYPE_GENERIC;
	mutex_lock(&hwpmc_lock);
	class = ctr >= 0 && ctr < hwpmc_rows_number() ? hwpmc_row_class(ctr) : -EINVAL;
	mutex_unlock(&hwpmc_lock);
	return class;
}
EXPORT_SYMBOL_GPL(pmc_get_counter_type);

static int set_enabled(struct task_struct *task, int ctr, bool on)
{
	struct kernel_counter *k = task ? NULL : kernel_counter(ctr);
	struct task_counter *c = task ? find(task, ctr) : NULL;
	int error = 0;

	if (k)
		return kernel_enable(k, on);
	if (!c)
		return -EINVAL;
	if (on)
		error = enable(c->event);
	else
		perf_event_disable(c->event);
	if (!error)
		WRITE_ONCE(c->enabled, on);
	return error;
}

int pmc_enable_counter(struct task_struct *task, int ctr)
{
	int error;

	mutex_lock(&hwpmc_lock);
	error = set_enabled(task, ctr, true);
	mutex_unlock(&hwpmc_lock);
	return error;
}
EXPORT_SYMBOL_GPL(pmc_enable_counter);

int pmc_disable_counter(struct task_struct *task, int ctr)
{
	int error;

	mutex_lock(&hwpmc_lock);
	error = set_enabled(task, ctr, false);
	mutex_unlock(&hwpmc_lock);
	return error;
}
EXPORT_SYMBOL_GPL(pmc_disable_counter);

int pmc_counter_isrunning(struct task_struct *task, int ctr)
{
	const struct kernel_counter *k;
	const struct task_counter *c;
	int is;

	mutex_lock(&hwpmc_lock);
	k = kernel_counter(ctr);
	c = task ? find(task, ctr) : NULL;
	is = (k && k->enabled) || (c && c->enabled);
	mutex_unlock(&hwpmc_lock);
	return is;
}
EXPORT_SYMBOL_GPL(pmc_counter_isrunning);

int pmc_counter_isconfigured(struct task_struct *task, int ctr)
{
	int is;

	mutex_lock(&hwpmc_lock);
	is = kernel_counter(ctr) || (task && find(task, ctr));
	mutex_unlock(&hwpmc_lock);
	return is;
}
EXPORT_SYMBOL_GPL(pmc_counter_isconfigured);

/* hwpmc_lock. */
static u64 task_value(const struct task_counter *c)
{
	u64 enabled, running;

	return c->cfg.reset_value + perf_event_read_value(c->event, &enabled, &running);
}

static int get_value(struct task_struct *task, int ctr, int flags, u64 *value)
{
	const struct kernel_counter *k = kernel_counter(ctr);
	struct task_counter *c = task ? find(task, ctr) : NULL;
	unsigned long irq;

	if (flags & ~PMC_VALUE_FLAGS_CHILDREN)
		return -EINVAL;
	if (!task && k && !flags) {
		*value = kernel_value(k);
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

	mutex_lock(&hwpmc_lock);
	error = get_value(task, ctr, flags, value);
	mutex_unlock(&hwpmc_lock);
	return error;
}
EXPORT_SYMBOL_GPL(pmc_get_counter_value);

int PMC_ENABLED(struct task_struct *task)
{
	struct task_counter *c;
	int ctr, is = 0;

	mutex_lock(&hwpmc_lock);
	if (task)
		hash_for_each_possible(tasks, c, node, (unsigned long)task)
			is |= c->task == task && !c->dead;
	for (ctr = 0; ctr < HWPMC_ROWS_MAX; ctr++)
		is |= !!kernel_counter(ctr);
	mutex_unlock(&hwpmc_lock);
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

	mutex_lock(&hwpmc_lock);
	hash_for_each_possible(tasks, c, node, (unsigned long)exiting) {
		if (c->task != exiting || c->dead)
			continue;
		value = task_value(c);
		raw_spin_lock_irqsave(&tasks_lock, irq);
		accumulate(parent, c, value);
		raw_spin_unlock_irqrestore(&tasks_lock, irq);
	}
	mutex_unlock(&hwpmc_lock);
	return 0;
}
EXPORT_SYMBOL_GPL(pmc_accumulate);

/* Exit hook, in the task. */
void hwpmc_kapi_task_exits(struct task_struct *task)
{
	const struct task_struct *parent;
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
		if (READ_ONCE(c->event))
			accumulate(parent, c, c->cfg.reset_value + hwpmc_event_read_here(c->event));
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

	mutex_lock(&hwpmc_lock);
	hash_for_each_safe(tasks, bucket, next, c, node) {
		if (READ_ONCE(c->dead))
			remove_and_free(c);
	}
	mutex_unlock(&hwpmc_lock);
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
	if (mutex_lock_killable(&hwpmc_lock))
		goto give_back;
	for (work = first; work && !(current->flags & PF_EXITING); work = work->next) {
		const struct child_work *child = child_work_of(work);
		const struct pmc_counter_cfg cfg = {.event_id = child->event_id};
		int ctr = child->ctr;

		if (counter_new(current, ctr, &cfg) || set_enabled(current, ctr, true))
			atomic64_inc(&hwpmc_counts.threads_missed);
	}
	mutex_unlock(&hwpmc_lock);
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
	int bucket, ctr;

	flush_work(&reap_work);
	mutex_lock(&hwpmc_lock);
	hash_for_each_safe(tasks, bucket, next, c, node)
		remove_and_free(c);
	for (ctr = 0; ctr < HWPMC_ROWS_MAX; ctr++)
		if (kernel_counter(ctr))
			kernel_free(&kernel_counters[ctr], ctr);
	mutex_unlock(&hwpmc_lock);
	hwpmc_works_fini(&children);
}
