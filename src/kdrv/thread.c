// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The counters of threads: one perf event for each thread of each attachment, or none where the PMC
 * is metered (account.c).  Where events are inherited there are no counters, but roots (roots.c).
 *
 * A counter is made and freed in process context under its owner's lock and hwpmc_lock, which is
 * given up while perf does its part: so it is on its lists before it has an event, and on none any
 * more when that is released.  It is found by its thread through a hash that changes under
 * hwpmc_hash_lock and that hooks read under RCU.  It goes in one of two ways, and whoever marks it
 * dead under hwpmc_hash_lock has chosen which: the exit hook of its thread (preemption off) folds
 * its count into the attachment and leaves the rest to hwpmc_counters_reap(); or
 * hwpmc_counter_end() does all of it at once.
 */
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "hwpmc_int.h"

/*
 * Each switch walks two rows, the runqueue locked, and users may have many threads with many PMCs.
 * So there are the more rows the more threads may be: Linux allows one for each 128 KB of memory,
 * unless it was told otherwise.
 */
#define BYTES_A_ROW 32768ul
#define ROWS_LEAST  1024ul
#define ROWS_MOST   1048576ul

static struct hlist_head *thread_rows;
static unsigned int thread_rows_bits;
static const struct task_struct *being_counted; /* by counter_add(); hwpmc_hash_lock, exits read */
static u32 sliced; /* counters whose event is told at switches; hwpmc_hash_lock, switches read */
static LLIST_HEAD(dead_counters);
static struct hwpmc_spares counters = {.size = sizeof(struct hwpmc_counter)};

static struct hlist_head *row_of(const struct task_struct *task)
{
	return &thread_rows[hash_ptr(task, thread_rows_bits)];
}

int hwpmc_threads_init(void)
{
	unsigned long rows = (u64)totalram_pages() * PAGE_SIZE / BYTES_A_ROW;

	thread_rows_bits = ilog2(clamp(rows, ROWS_LEAST, ROWS_MOST));
	thread_rows = kvcalloc(1ul << thread_rows_bits, sizeof(*thread_rows), GFP_KERNEL);
	return thread_rows ? 0 : -ENOMEM;
}

void hwpmc_threads_exit(void)
{
	hwpmc_spares_free(&counters);
	kvfree(thread_rows);
}

/* RCU read side or hwpmc_hash_lock. */
static struct hwpmc_counter *counter_find(const struct hwpmc_attachment *attachment,
					  const struct task_struct *task)
{
	struct hwpmc_counter *counter;

	hlist_for_each_entry_rcu(counter, row_of(task), node, true)
		if (counter->task == task && counter->attachment == attachment)
			return counter;
	return NULL;
}

bool hwpmc_counter_exists(const struct hwpmc_attachment *attachment, const struct task_struct *task)
{
	bool exists;

	if (attachment->pmc->inherits)
		return hwpmc_root_covers(attachment->pmc, task);
	rcu_read_lock();
	exists = counter_find(attachment, task);
	rcu_read_unlock();
	return exists;
}

/* Started, but no target has called exec yet. */
static bool awaits_exec(const struct hwpmc_pmc *pmc)
{
	return (pmc->flags & PMC_F_START_ON_EXEC) && !READ_ONCE(pmc->exec_seen);
}

/*
 * Perf clears the bit itself, in the thread that execs; it shares its word with bits that nobody
 * changes.
 */
static void arm_for_exec(struct perf_event *event, bool armed)
{
	event->attr.enable_on_exec = armed;
}

/* In what hooks see, or no more.  hwpmc_hash_lock. */
static void slices(const struct hwpmc_counter *counter, int n)
{
	if (!counter->meters && (counter->attachment->pmc->flags & PMC_F_LOG_PROCCSW))
		WRITE_ONCE(sliced, sliced + n);
}

/* Takes a counter out of what hooks see.  hwpmc_hash_lock. */
static void counter_kill(struct hwpmc_counter *counter, u64 value)
{
	slices(counter, -1);
	counter->total = value;
	smp_store_release(&counter->dead, true); /* for hwpmc_counter_value() */
	counter->attachment->exited += value;
	counter->attachment->live--;
	hlist_del_rcu(&counter->node);
}

static void counter_forget(struct rcu_head *rcu)
{
	hwpmc_spare_give(&counters, container_of(rcu, struct hwpmc_counter, rcu));
}

/* Process context, its owner's lock and hwpmc_lock; dead. */
static void counter_free(struct hwpmc_counter *counter)
{
	struct hwpmc_pmc *pmc = counter->attachment->pmc;
	struct perf_event *event = counter->event;
	u64 enabled = 0, running = 0;

	if (event)
		hwpmc_starve_look_thread(counter);
	counter->attachment->freed += counter->total;
	list_del(&counter->of_attachment);
	list_del(&counter->of_owner);
	call_rcu(&counter->rcu, counter_forget);
	if (!event)
		return;
	hwpmc_perf_begin(pmc);
	perf_event_read_value(event, &enabled, &running);
	hwpmc_event_release(event, pmc);
	hwpmc_perf_end();
	pmc->detached_enabled += enabled;
	pmc->detached_running += running;
}

/* Process context, hwpmc_lock. */
void hwpmc_counters_sort(const struct hwpmc_owner *reaped)
{
	struct hwpmc_counter *counter, *next;
	struct hwpmc_owner *owner;

	llist_for_each_entry_safe(counter, next, llist_del_all(&dead_counters), of_dead) {
		owner = counter->attachment->pmc->maker;
		if (owner != reaped && list_empty(&owner->dead))
			hwpmc_owner_reap(owner);
		list_add_tail(&counter->of_owner, &owner->dead);
	}
}

/* Frees what exit hooks left of the owner's.  Process context, its lock and hwpmc_lock. */
void hwpmc_counters_reap(struct hwpmc_owner *owner)
{
	struct hwpmc_counter *counter;

	hwpmc_counters_sort(owner);
	while ((counter = list_first_entry_or_null(&owner->dead, struct hwpmc_counter, of_owner)))
		counter_free(counter);
}

/* The same of an attachment, which has no others any more. */
void hwpmc_counters_reap_of(struct hwpmc_attachment *attachment)
{
	struct hwpmc_counter *counter, *next;

	hwpmc_counters_sort(NULL);
	list_for_each_entry_safe(counter, next, &attachment->counters, of_attachment)
		counter_free(counter);
}

/*
 * Into the hash, unless the thread's exit hook may be through: it would never be dead.  Process
 * context, hwpmc_lock.
 */
static bool counter_add(struct hwpmc_counter *counter)
{
	struct hwpmc_attachment *attachment = counter->attachment;
	unsigned long irq;
	bool exits;

	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	smp_store_release(&being_counted, counter->task); /* of hwpmc_counters_may_be() */
	/* With that of hwpmc_counters_may_be(): it sees who is being counted, or exits is true. */
	smp_mb();
	exits = READ_ONCE(counter->task->flags) & PF_EXITING;
	if (!exits) {
		attachment->live++;
		slices(counter, 1);
		hlist_add_head_rcu(&counter->node, row_of(counter->task));
	}
	smp_store_release(&being_counted, NULL); /* of hwpmc_counters_may_be() */
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	if (!exits)
		list_add_tail(&counter->of_attachment, &attachment->counters);
	return !exits;
}

/* Of this CPU and its thread, when what the hash says of that has changed. */
static void look_here(void *unused)
{
	unsigned long irq;

	local_irq_save(irq);
	hwpmc_meters_turn(row_of(current), current, false);
	local_irq_restore(irq);
}

void hwpmc_counters_look(void)
{
	on_each_cpu(look_here, NULL, true);
}

/* Of a PMC with meters.  But for its own thread's, the caller is to have CPUs look. */
static int counter_meter(struct hwpmc_counter *counter, bool started, bool waits)
{
	counter->meters = counter->attachment->pmc->meters;
	counter->alone = counter->attachment->pmc->flags & (PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT);
	if (started)
		counter->metering = waits ? HWPMC_METERING_FROM_EXEC : HWPMC_METERING_ON;
	if (!counter_add(counter)) {
		hwpmc_spare_give(&counters, counter);
		return -ESRCH;
	}
	if (counter->task == current)
		look_here(NULL);
	return 0;
}

/*
 * It is in the hash before it has an event, so that the exit hook of a thread that goes meanwhile
 * finds it.  Process context, hwpmc_lock.  -ESRCH: the thread is exiting.
 */
static int counter_new(struct hwpmc_attachment *attachment, struct task_struct *task)
{
	struct hwpmc_pmc *pmc = attachment->pmc;
	struct hwpmc_counter *counter = hwpmc_spare_take(&counters);
	bool started = hwpmc_attachment_counts(attachment), waits = awaits_exec(pmc), dead;
	struct perf_event *event;
	unsigned long irq;

	if (!counter)
		return -ENOMEM;
	counter->task = task;
	counter->pid = task->tgid;
	counter->tid = task->pid;
	counter->attachment = attachment;
	INIT_LIST_HEAD(&counter->of_owner);
	counter->counting = started;
	if (pmc->meters)
		return counter_meter(counter, started, waits);
	if (!counter_add(counter)) {
		hwpmc_spare_give(&counters, counter);
		return -ESRCH;
	}
	hwpmc_perf_begin(pmc);
	event = hwpmc_event_new(pmc, PMC_CPU_ANY, task, started && !waits);
	if (!IS_ERR(event))
		arm_for_exec(event, started && waits);
	hwpmc_perf_end();
	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	dead = counter->dead;
	if (!dead && IS_ERR(event))
		counter_kill(counter, 0);
	else if (!dead)
		smp_store_release(&counter->event, event); /* whole, for hooks' smp_load_acquire */
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	if (!dead && !IS_ERR(event))
		return 0;
	if (!dead) {
		counter_free(counter);
	} else if (!IS_ERR(event)) {
		hwpmc_perf_begin(pmc);
		hwpmc_event_release(event, pmc);
		hwpmc_perf_end();
	}
	return dead ? -ESRCH : PTR_ERR(event);
}

int hwpmc_counter_new(struct hwpmc_attachment *attachment, struct task_struct *task)
{
	struct hwpmc_pmc *pmc = attachment->pmc;

	if (!pmc->inherits)
		return counter_new(attachment, task);
	if (!hwpmc_attachment_counts(attachment))
		return 0;
	return hwpmc_root_new(pmc, attachment->attach, task, awaits_exec(pmc));
}

/* Process context, hwpmc_lock: stops it; what a thread has not told at a switch is told now. */
static u64 counter_stop(struct hwpmc_counter *counter)
{
	u64 value = READ_ONCE(counter->value), enabled, running;
	unsigned long irq;

	if (!counter->event && !counter->meters)
		return 0;
	hwpmc_starve_look_thread(counter);
	WRITE_ONCE(counter->counting, false);
	if (counter->event) {
		hwpmc_perf_begin(counter->attachment->pmc);
		perf_event_disable(counter->event);
		value = perf_event_read_value(counter->event, &enabled, &running);
		hwpmc_perf_end();
	}
	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	if (!counter->dead) /* else what perf has counted since its exit hook is in nobody's sum */
		hwpmc_slice_log(counter, value, false);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	return value;
}

void hwpmc_counter_unmeter(struct hwpmc_counter *counter)
{
	xchg(&counter->metering, HWPMC_METERING_OFF);
}

/* One that is metered is not any more. */
void hwpmc_counter_stop(struct hwpmc_counter *counter)
{
	if (counter->event)
		arm_for_exec(counter->event, false);
	counter_stop(counter);
}

/* Process context, hwpmc_lock: -EBUSY. */
int hwpmc_counter_start(struct hwpmc_counter *counter)
{
	const struct hwpmc_pmc *pmc = counter->attachment->pmc;
	int error = 0;

	if ((!counter->event && !counter->meters) || READ_ONCE(counter->dead))
		return 0;
	if (counter->meters) {
		xchg(&counter->metering,
		     awaits_exec(pmc) ? HWPMC_METERING_FROM_EXEC : HWPMC_METERING_ON);
	} else if (awaits_exec(pmc)) {
		arm_for_exec(counter->event, true);
	} else {
		hwpmc_perf_begin(pmc);
		error = hwpmc_event_start(counter->event);
		hwpmc_perf_end();
	}
	WRITE_ONCE(counter->counting, !error);
	return error;
}

/* Process context, hwpmc_lock; may wait for CPUs. */
void hwpmc_counter_snapshot(struct hwpmc_counter *counter, u64 *enabled, u64 *running)
{
	*enabled = 0;
	*running = 0;
	counter->snapshot = 0;
	if (!counter->event)
		return;
	hwpmc_starve_look_thread(counter);
	hwpmc_perf_begin(counter->attachment->pmc);
	counter->snapshot = perf_event_read_value(counter->event, enabled, running);
	hwpmc_perf_end();
}

int hwpmc_counter_set_rate(struct hwpmc_counter *counter)
{
	const struct hwpmc_pmc *pmc = counter->attachment->pmc;
	int error;

	if (!counter->event)
		return 0;
	hwpmc_perf_begin(pmc);
	error = hwpmc_event_set_rate(pmc, counter->event);
	hwpmc_perf_end();
	return error;
}

/* Process context, hwpmc_lock; the snapshot of an event was taken before. */
u64 hwpmc_counter_value(const struct hwpmc_counter *counter)
{
	if (smp_load_acquire(&counter->dead)) /* of counter_kill() */
		return counter->total;
	return counter->event ? counter->snapshot : READ_ONCE(counter->value);
}

/* Process context, hwpmc_lock; stopped. */
void hwpmc_counter_reset(struct hwpmc_counter *counter)
{
	unsigned long irq;

	if (counter->event) {
		hwpmc_perf_begin(counter->attachment->pmc);
		perf_event_pause(counter->event, true);
		hwpmc_perf_end();
	}
	counter->value = 0;
	WRITE_ONCE(counter->last, 0);
	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	if (counter->dead) {
		counter->attachment->freed += counter->total; /* which is then taken off at once */
		counter->total = 0;
	}
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
}

/* Process context, hwpmc_lock; may free it, or leave that to hwpmc_counters_reap(). */
void hwpmc_counter_end(struct hwpmc_counter *counter)
{
	u64 value = counter_stop(counter);
	unsigned long irq;
	bool dead;

	raw_spin_lock_irqsave(&hwpmc_hash_lock, irq);
	dead = counter->dead;
	if (!dead)
		counter_kill(counter, value);
	raw_spin_unlock_irqrestore(&hwpmc_hash_lock, irq);
	if (!dead)
		counter_free(counter);
}

/*
 * Whether a thread that exits has counters, or is being given one: false is for ever.  The kernel
 * has set its PF_EXITING before the hook.  RCU read side.
 */
bool hwpmc_counters_may_be(const struct task_struct *task)
{
	const struct hwpmc_counter *counter;

	/* With those of counter_add(), attach_allowed() in target.c, attach_one() in heirs.c. */
	smp_mb();
	/* Who is counted no longer by counter_add() is in the hash: its smp_store_release(). */
	if (smp_load_acquire(&being_counted) == task)
		return true;
	hlist_for_each_entry_rcu(counter, row_of(task), node)
		if (counter->task == task)
			return true;
	return false;
}

/*
 * The counters of a thread that exits, or, with taken, those that perf has taken from a thread
 * whose program may do more than its user.  Their counts are final: where perf closes them only
 * after this hook, what is counted in between is in nobody's sum.  True: there were some.
 * hwpmc_hash_lock, the thread's own hook.
 */
bool hwpmc_counters_exit(struct task_struct *task, bool taken)
{
	struct hwpmc_counter *counter;
	struct hlist_node *next;
	bool any = false;
	u64 value;

	hlist_for_each_entry_safe(counter, next, row_of(task), node) {
		if (counter->task != task)
			continue;
		if (taken && !counter->meters &&
		    (!counter->event || counter->event->state > PERF_EVENT_STATE_EXIT))
			continue;
		hwpmc_starve_see(counter, counter->event);
		if (counter->meters)
			value = hwpmc_meter_close(counter);
		else
			value = counter->event ? hwpmc_event_read_here(counter->event) : 0;
		hwpmc_slice_log(counter, value, true);
		counter_kill(counter, value);
		llist_add(&counter->of_dead, &dead_counters);
		any = true;
	}
	return any;
}

/* Begins to count if it was to from an exec on. */
static void counter_execs(struct hwpmc_counter *counter, struct task_struct *task)
{
	WRITE_ONCE(counter->tid, task->pid);
	if (hwpmc_may_user_see(task))
		cmpxchg(&counter->metering, HWPMC_METERING_FROM_EXEC, HWPMC_METERING_ON);
	if (READ_ONCE(counter->metering) == HWPMC_METERING_ON)
		WRITE_ONCE(counter->attachment->pmc->exec_seen, true);
}

/* Preemption off, RCU read side: true: perf has taken some of the thread's counters. */
bool hwpmc_counters_exec(struct task_struct *task)
{
	struct hwpmc_counter *counter;
	struct perf_event *event;
	bool taken = false;

	hlist_for_each_entry_rcu(counter, row_of(task), node) {
		event = smp_load_acquire(&counter->event); /* of hwpmc_counter_new() */
		if (counter->task == task && counter->meters)
			counter_execs(counter, task);
		if (counter->task != task || !event)
			continue;
		WRITE_ONCE(counter->tid, task->pid); /* one that was not the leader is now */
		if (READ_ONCE(event->state) <= PERF_EVENT_STATE_EXIT)
			taken = true;
		else if (READ_ONCE(event->state) >= PERF_EVENT_STATE_INACTIVE)
			WRITE_ONCE(counter->attachment->pmc->exec_seen, true);
	}
	look_here(NULL);
	return taken;
}

/* Perf is about to close the events of a thread, current, and to forget in what state they were. */
void hwpmc_counters_close(struct task_struct *task)
{
	struct hwpmc_counter *counter;
	struct perf_event *event;

	rcu_read_lock();
	hlist_for_each_entry_rcu(counter, row_of(task), node) {
		event = smp_load_acquire(&counter->event); /* of hwpmc_counter_new() */
		if (counter->task == task)
			hwpmc_starve_see(counter, event);
	}
	hwpmc_roots_see(task);
	rcu_read_unlock();
}

static noinline void slices_end(const struct task_struct *task)
{
	struct hwpmc_counter *counter;
	struct perf_event *event;

	hlist_for_each_entry_rcu(counter, row_of(task), node) {
		event = smp_load_acquire(&counter->event); /* of hwpmc_counter_new() */
		if (counter->task != task || !event ||
		    !(counter->attachment->pmc->flags & PMC_F_LOG_PROCCSW))
			continue;
		hwpmc_slice_log(counter, hwpmc_event_read_here(event), true);
	}
}

void hwpmc_task_switches(void *data, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int state)
{
	rcu_read_lock();
	if (READ_ONCE(sliced))
		slices_end(prev);
	hwpmc_meters_turn(row_of(next), next, true);
	rcu_read_unlock();
}
