// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Events that children inherit.  Where nobody asks which thread counted what, a running PMC has one
 * perf event, a root, on each thread that is a target as it is started or attached to, and perf
 * makes those of the children: they cost what perf's own do, and between threads that have all
 * their events from the same roots a switch exchanges two pointers.
 *
 * No exported function stops a root's children, or sets their rate.  So roots are there while the
 * PMC runs: a start makes them, a stop reads and releases them, and with them all they have begot.
 * A root whose thread has exited stays, as its children's sum, until it has none.
 *
 * Process context, under the lock of the PMC's owner and hwpmc_lock, unless it says otherwise.
 */
#include <linux/perf_event.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "hwpmc_int.h"

#define FEW_ROOTS 64

struct hwpmc_root {
	struct list_head of_pmc;
	struct perf_event *event;
};

/* Of both threads of a core: perf asks for the right at each fork, and asks who forks. */
static bool counts_siblings(const struct hwpmc_pmc *pmc)
{
#ifdef CONFIG_X86
	return pmc->pm_class == PMC_CLASS_CPU && (pmc->attr.config & ARCH_PERFMON_EVENTSEL_ANY);
#else
	return false;
#endif
}

/* Not where a worker releases events: the PMC may run anew by then. */
bool hwpmc_roots_suit(const struct hwpmc_pmc *pmc)
{
	return !PMC_IS_SYSTEM_MODE(pmc->mode) && !pmc->meters &&
	       !(pmc->flags & (PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT)) &&
	       !hwpmc_releases_wait(&pmc->attr) && !counts_siblings(pmc);
}

/*
 * Perf waits for a grace period when tasks begin to have events, and targets that fork wait for who
 * starts: so one that never counts, of a task that never exits, is there while PMCs are that may
 * have roots.  Where it cannot be made starts wait.
 */
static struct perf_event *anchor;
static u32 anchored;

void hwpmc_roots_anchor(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
	};
	struct task_struct *kthreadd;

	if (anchored++)
		return;
	rcu_read_lock();
	kthreadd = get_pid_task(find_pid_ns(2, &init_pid_ns), PIDTYPE_PID);
	rcu_read_unlock();
	if (!kthreadd)
		return;
	anchor = perf_event_create_kernel_counter(&attr, -1, kthreadd, NULL, NULL);
	put_task_struct(kthreadd);
}

void hwpmc_roots_weigh(void)
{
	if (--anchored)
		return;
	if (!IS_ERR_OR_NULL(anchor))
		perf_event_release_kernel(anchor);
	anchor = NULL;
}

/*
 * RCU read side.  Contexts that a switch exchanges have the same events.  One that is off and waits
 * for no exec never counts: it was inherited from one that had lost its counter.
 */
static struct perf_event *event_in(struct perf_event_context *ctx, const struct hwpmc_pmc *pmc)
{
	struct perf_event *event;

	if (!ctx)
		return NULL;
	list_for_each_entry_rcu(event, &ctx->event_list, event_entry)
		if (event->overflow_handler_context == pmc &&
		    (READ_ONCE(event->state) != PERF_EVENT_STATE_OFF || event->attr.enable_on_exec))
			return event;
	return NULL;
}

/* Since it was looked for, with that of a thread which may have ended and left it empty. */
static bool is_exchanged(const struct task_struct *task, int i,
			 const struct perf_event_context *ctx)
{
	/* What it has now is not read before. */
	smp_rmb();
	return hwpmc_context(task, i) != ctx;
}

static struct perf_event *event_of(const struct hwpmc_pmc *pmc, const struct task_struct *task)
{
	struct perf_event_context *ctx;
	struct perf_event *event = NULL;
	int i;

	for (i = 0; i < HWPMC_CONTEXTS && !event; i++)
		do {
			ctx = hwpmc_context(task, i);
			event = event_in(ctx, pmc);
		} while (!event && is_exchanged(task, i, ctx));
	return event;
}

bool hwpmc_root_covers(const struct hwpmc_pmc *pmc, const struct task_struct *task)
{
	bool covers;

	rcu_read_lock();
	covers = event_of(pmc, task);
	rcu_read_unlock();
	return covers;
}

/*
 * One that waits is not inherited: perf would give children the state of their parent's event, but
 * whether it waits from the root's.  Perf changes these bits in this thread alone.
 */
bool hwpmc_root_execs(const struct hwpmc_pmc *pmc, const struct task_struct *task)
{
	struct perf_event *event = event_of(pmc, task);

	if (!event || READ_ONCE(event->state) < PERF_EVENT_STATE_INACTIVE)
		return false;
	if (!event->parent) {
		event->attr.inherit_thread = !(pmc->flags & PMC_F_DESCENDANTS);
		event->attr.inherit = 1;
	}
	return true;
}

/* Adds what it and its children, those that have exited too, have counted. */
static void root_read(const struct hwpmc_pmc *pmc, const struct hwpmc_root *root, u64 *value,
		      u64 *enabled, u64 *running)
{
	u64 counted, on, ran;

	hwpmc_perf_begin(pmc);
	counted = perf_event_read_value(root->event, &on, &ran);
	hwpmc_perf_end();
	*value += counted;
	*enabled += on;
	*running += ran;
}

void hwpmc_roots_value(const struct hwpmc_pmc *pmc, u64 *value, u64 *enabled, u64 *running)
{
	const struct hwpmc_root *root;

	list_for_each_entry(root, &pmc->roots, of_pmc)
		root_read(pmc, root, value, enabled, running);
}

static void root_end(struct hwpmc_pmc *pmc, struct hwpmc_root *root)
{
	list_del(&root->of_pmc);
	pmc->nroots--;
	root_read(pmc, root, &pmc->detached, &pmc->detached_enabled, &pmc->detached_running);
	hwpmc_perf_begin(pmc);
	hwpmc_event_release(root->event, pmc);
	hwpmc_perf_end();
	kfree(root);
}

void hwpmc_roots_end(struct hwpmc_pmc *pmc, u64 attach)
{
	struct hwpmc_root *root, *next;

	list_for_each_entry_safe(root, next, &pmc->roots, of_pmc)
		if (!attach || hwpmc_root_attach(root->event) == attach)
			root_end(pmc, root);
}

/* Its thread has exited, and all that might inherit from it: a child that forks is one of it. */
static bool root_is_barren(struct hwpmc_root *root)
{
	bool barren;

	if (READ_ONCE(root->event->state) > PERF_EVENT_STATE_EXIT)
		return false;
	mutex_lock(&root->event->child_mutex);
	barren = list_empty(&root->event->child_list);
	mutex_unlock(&root->event->child_mutex);
	return barren;
}

/* So there are at most as many that can count no more as others, and each is looked at seldom. */
bool hwpmc_roots_are_many(const struct hwpmc_pmc *pmc)
{
	return pmc->nroots > pmc->roots_most;
}

void hwpmc_roots_thin(struct hwpmc_pmc *pmc)
{
	struct hwpmc_root *root, *next;

	if (!hwpmc_roots_are_many(pmc))
		return;
	list_for_each_entry_safe(root, next, &pmc->roots, of_pmc)
		if (root_is_barren(root))
			root_end(pmc, root);
	pmc->roots_most = 2 * pmc->nroots + FEW_ROOTS;
}

int hwpmc_root_new(struct hwpmc_pmc *pmc, u64 attach, struct task_struct *task, bool waits)
{
	struct hwpmc_root *root = hwpmc_zalloc(sizeof(*root));
	struct perf_event *event;

	if (!root)
		return -ENOMEM;
	hwpmc_perf_begin(pmc);
	event = hwpmc_event_new_root(pmc, attach, task, waits);
	hwpmc_perf_end();
	if (IS_ERR(event)) {
		kfree(root);
		return PTR_ERR(event);
	}
	root->event = event;
	list_add_tail(&root->of_pmc, &pmc->roots);
	pmc->nroots++;
	return 0;
}

static bool starves(const struct perf_event *event)
{
	return READ_ONCE(event->state) == PERF_EVENT_STATE_ERROR;
}

static bool root_starves(struct hwpmc_root *root)
{
	bool any = starves(root->event);
	struct perf_event *child;

	mutex_lock(&root->event->child_mutex);
	list_for_each_entry(child, &root->event->child_list, child_list)
		any = any || starves(child);
	mutex_unlock(&root->event->child_mutex);
	return any;
}

bool hwpmc_roots_starve(const struct hwpmc_pmc *pmc)
{
	struct hwpmc_root *root;

	if (READ_ONCE(pmc->roots_starved))
		return true;
	list_for_each_entry(root, &pmc->roots, of_pmc)
		if (root_starves(root))
			return true;
	return false;
}

/* A PMC outlives its events by a grace period. */
static void visit_in(struct perf_event_context *ctx, hwpmc_root_visit_t visit, void *arg)
{
	struct perf_event *event;
	struct hwpmc_pmc *pmc;

	if (!ctx)
		return;
	list_for_each_entry_rcu(event, &ctx->event_list, event_entry) {
		if (!hwpmc_sample_is_ours(event))
			continue;
		pmc = event->overflow_handler_context;
		if (pmc->inherits)
			visit(pmc, event, arg);
	}
}

void hwpmc_roots_each(const struct task_struct *task, hwpmc_root_visit_t visit, void *arg)
{
	struct perf_event_context *ctx;
	int i;

	for (i = 0; i < HWPMC_CONTEXTS; i++)
		do {
			ctx = hwpmc_context(task, i);
			visit_in(ctx, visit, arg);
		} while (is_exchanged(task, i, ctx));
}

static void see(struct hwpmc_pmc *pmc, struct perf_event *event, void *unused)
{
	if (!starves(event))
		return;
	WRITE_ONCE(pmc->roots_starved, true);
	WRITE_ONCE(pmc->starved, true);
}

void hwpmc_roots_see(const struct task_struct *task)
{
	hwpmc_roots_each(task, see, NULL);
}
