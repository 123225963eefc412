// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Counting processes without events of their threads.  A PMC that is metered has one pinned event
 * on each CPU, its meter, which counts as long as the PMC runs.  At a switch the meters of the CPU
 * are read, and what they have counted since they were read last is of the thread that leaves;
 * where both threads are counted together, nothing is done.  A switch costs a look into the hash of
 * counters instead of perf's change of contexts, and a child needs no event.
 *
 * Whom a meter counts for is changed by its own CPU alone, with irqs off: by the switch hook, by
 * the hooks of a thread that runs there, and by interrupts that process context sends when it has
 * changed what the hash says.  So counts need no lock, and when such an interrupt has been
 * everywhere, no CPU uses what was taken from the hash.
 *
 * The hardware knows modes, so a meter counts in those that its PMC asks for; what it counts while
 * other threads run is never looked at.  Still it takes a counter of each CPU from everybody: only
 * those have meters who may have PMCs of system scope, and only hwpmc_kept_counters of them.
 * Others, and what is no counter of the CPU, have events of threads (thread.c).
 */
#include <linux/percpu.h>
#include <linux/sched/clock.h>
#include <linux/smp.h>

#include "hwpmc_int.h"

struct hwpmc_meter {
	struct perf_event *event;      /* while the PMC runs; NULL: no counter was left */
	struct hwpmc_meter *next;      /* of those that this CPU has open */
	bool is_open;		       /* it counts for somebody */
	struct hwpmc_counter *counter; /* who it is; NULL: all threads together */
	u64 value, clock;	       /* of the event, and ns, at the last fold */
	u64 counted;		       /* of all threads together */
	u64 enabled, running;	       /* ns in which it was open, and in which it then counted */
	u32 turn;		       /* the last one that found it wanted */
	bool starved;		       /* was open without counter since the PMC was started */
};

struct here {
	struct hwpmc_meter *open;
	u32 nopen, turn;
};

static DEFINE_PER_CPU(struct here, meters_here);

/*
 * Over the events of meters, of which callbacks of CPU hotplug make some, and this list.  Inside
 * hwpmc_lock, or of CPU hotplug.
 */
static DEFINE_MUTEX(meters_lock);
static LIST_HEAD(metered_pmcs);
static int metered; /* PMCs on the list */

/* ---- what CPUs do; irqs off ---- */

static bool counts(const struct hwpmc_meter *meter)
{
	return meter->event && READ_ONCE(meter->event->state) == PERF_EVENT_STATE_ACTIVE;
}

static u64 value_of(const struct hwpmc_meter *meter)
{
	return meter->event ? hwpmc_event_read_here(meter->event) : 0;
}

/* Others read the sums while they grow. */
static void add(u64 *sum, u64 n)
{
	WRITE_ONCE(*sum, *sum + n);
}

static void fold(struct hwpmc_meter *meter)
{
	u64 value = value_of(meter), clock = local_clock();

	add(meter->counter ? &meter->counter->value : &meter->counted, value - meter->value);
	add(&meter->enabled, clock - meter->clock);
	if (counts(meter))
		add(&meter->running, clock - meter->clock);
	else
		WRITE_ONCE(meter->starved, true);
	meter->value = value;
	meter->clock = clock;
}

static void meter_open(struct hwpmc_meter *meter, struct hwpmc_counter *counter)
{
	meter->counter = counter;
	meter->value = value_of(meter);
	meter->clock = local_clock();
	if (!counts(meter))
		WRITE_ONCE(meter->starved, true);
	meter->is_open = true;
}

/*
 * What was counted since the last slice.  The thread's switches and an operation on another CPU may
 * both ask, with values read at different times: each event is in one answer.
 */
static u64 slice(struct hwpmc_counter *counter, u64 value)
{
	u64 last = READ_ONCE(counter->last);

	do {
		if (value <= last)
			return 0;
	} while (!try_cmpxchg(&counter->last, &last, value));
	return value - last;
}

void hwpmc_slice_log(struct hwpmc_counter *counter, u64 value, bool even_if_empty)
{
	const struct hwpmc_pmc *pmc = counter->attachment->pmc;
	u64 counted;

	if (!(pmc->flags & PMC_F_LOG_PROCCSW) || !READ_ONCE(pmc->log))
		return;
	counted = slice(counter, value);
	if (counted || even_if_empty)
		hwpmc_sample_proccsw(pmc, counter->pid, READ_ONCE(counter->tid), counted);
}

/* From the counter that it is open for; at a switch that thread leaves. */
static void meter_leave(struct hwpmc_meter *meter, bool switches)
{
	fold(meter);
	if (switches && meter->counter)
		hwpmc_slice_log(meter->counter, meter->counter->value, true);
}

/* Folded; who sees that it is shut sees what it has counted. */
static void meter_shut(struct hwpmc_meter *meter)
{
	smp_store_release(&meter->is_open, false); /* for smp_load_acquire of is_open() */
}

/* Whom the meter of counter's PMC is to count for; NULL: all threads together. */
static struct hwpmc_counter *whom(struct hwpmc_counter *counter)
{
	return counter->alone ? counter : NULL;
}

static bool wants(const struct hwpmc_counter *counter, const struct task_struct *task)
{
	return counter->task == task && READ_ONCE(counter->metering) == HWPMC_METERING_ON;
}

/* Wanted for counter in this turn.  Where it is open for that already nothing is read. */
static void meter_want(struct here *here, struct hwpmc_counter *counter, bool switches)
{
	struct hwpmc_meter *meter = this_cpu_ptr(counter->meters);
	struct hwpmc_counter *next = whom(counter);

	meter->turn = here->turn;
	if (!meter->is_open) {
		meter->next = here->open;
		here->open = meter;
		here->nopen++;
		meter_open(meter, next);
	} else if (meter->counter != next) {
		/* What was read for the one is where the other goes on. */
		meter_leave(meter, switches);
		meter->counter = next;
	}
}

/* Of this CPU: it is on no list any more. */
static void meter_end(struct here *here, struct hwpmc_meter **at)
{
	struct hwpmc_meter *meter = *at;

	meter_shut(meter);
	*at = meter->next;
	here->nopen--;
}

static noinline void turn(struct here *here, const struct hlist_head *row,
			  const struct task_struct *task, bool switches)
{
	struct hwpmc_meter *meter, **at = &here->open;
	struct hwpmc_counter *counter;

	here->turn++;
	hlist_for_each_entry_rcu(counter, row, node, true)
		if (wants(counter, task))
			meter_want(here, counter, switches);
	while ((meter = *at)) {
		if (meter->turn == here->turn) {
			at = &meter->next;
			continue;
		}
		meter_leave(meter, switches);
		meter_end(here, at);
	}
}

/* Most often nothing is to be changed: that is found out with a few instructions. */
void hwpmc_meters_turn(const struct hlist_head *row, const struct task_struct *task, bool switches)
{
	struct here *here = this_cpu_ptr(&meters_here);
	const struct hwpmc_meter *meter;
	struct hwpmc_counter *counter;
	u32 stay = 0;

	hlist_for_each_entry_rcu(counter, row, node, true) {
		if (!wants(counter, task))
			continue;
		meter = this_cpu_ptr(counter->meters);
		if (!meter->is_open || meter->counter != whom(counter))
			return turn(here, row, task, switches);
		stay++;
	}
	if (stay != here->nopen)
		turn(here, row, task, switches);
}

/* Of this CPU.  Whether it was open. */
static bool close_here(struct hwpmc_meter *meter)
{
	struct here *here = this_cpu_ptr(&meters_here);
	struct hwpmc_meter **at;

	for (at = &here->open; *at; at = &(*at)->next)
		if (*at == meter) {
			fold(meter);
			meter_end(here, at);
			return true;
		}
	return false;
}

u64 hwpmc_meter_close(struct hwpmc_counter *counter)
{
	close_here(this_cpu_ptr(counter->meters));
	return counter->value;
}

static bool is_open(int cpu, void *arg)
{
	struct hwpmc_pmc *pmc = arg;

	/* Of meter_shut(). */
	return smp_load_acquire(&per_cpu_ptr(pmc->meters, cpu)->is_open);
}

static void fold_here(void *arg)
{
	struct hwpmc_pmc *pmc = arg;
	struct hwpmc_meter *meter = this_cpu_ptr(pmc->meters);

	if (meter->is_open)
		fold(meter);
}

/* ---- process context, hwpmc_lock ---- */

void hwpmc_meters_value(struct hwpmc_pmc *pmc, u64 *value, u64 *enabled, u64 *running)
{
	const struct hwpmc_meter *meter;
	int cpu;

	on_each_cpu_cond(is_open, fold_here, pmc, true);
	for_each_possible_cpu(cpu) {
		meter = per_cpu_ptr(pmc->meters, cpu);
		*value += READ_ONCE(meter->counted);
		*enabled += READ_ONCE(meter->enabled);
		*running += READ_ONCE(meter->running);
	}
}

void hwpmc_meters_reset(struct hwpmc_pmc *pmc)
{
	int cpu;

	for_each_possible_cpu(cpu)
		per_cpu_ptr(pmc->meters, cpu)->counted = 0;
}

bool hwpmc_meters_starve(const struct hwpmc_pmc *pmc)
{
	int cpu;

	for_each_possible_cpu(cpu)
		if (READ_ONCE(per_cpu_ptr(pmc->meters, cpu)->starved))
			return true;
	return false;
}

/* meters_lock. */
static void release_all(struct hwpmc_pmc *pmc)
{
	struct hwpmc_meter *meter;
	int cpu;

	for_each_possible_cpu(cpu) {
		meter = per_cpu_ptr(pmc->meters, cpu);
		if (meter->event)
			hwpmc_event_release(meter->event, pmc);
		meter->event = NULL;
	}
}

/* -ENXIO: the CPU has gone meanwhile. -EINVAL of one that is to run: it has no counter left. */
static bool can_do_without(int error, bool running)
{
	return error == -ENXIO || (running && error == -EINVAL);
}

/* meters_lock. */
static int make_all(struct hwpmc_pmc *pmc, bool running)
{
	struct perf_event *event;
	int cpu;

	for_each_online_cpu(cpu) {
		event = hwpmc_event_new(pmc, cpu, NULL, running);
		if (!IS_ERR(event))
			per_cpu_ptr(pmc->meters, cpu)->event = event;
		else if (!can_do_without(PTR_ERR(event), running))
			return PTR_ERR(event);
	}
	return 0;
}

/*
 * Events that are made only now come after those that others have pinned; ones that were made
 * before, and are enabled now, would take their counters.  Where a CPU has no counter left the
 * first target that comes there finds the meter starved: perhaps none ever does.
 */
int hwpmc_meters_start(struct hwpmc_pmc *pmc)
{
	int cpu, error;

	mutex_lock(&meters_lock);
	for_each_possible_cpu(cpu)
		per_cpu_ptr(pmc->meters, cpu)->starved = false;
	error = make_all(pmc, true);
	if (error)
		release_all(pmc);
	pmc->meters_run = !error;
	mutex_unlock(&meters_lock);
	return error;
}

void hwpmc_meters_stop(struct hwpmc_pmc *pmc)
{
	mutex_lock(&meters_lock);
	release_all(pmc);
	pmc->meters_run = false;
	mutex_unlock(&meters_lock);
}

/* Not on CPUs of which some cannot count it: events of threads do so where they can. */
int hwpmc_meters_new(struct hwpmc_pmc *pmc)
{
	int error;

	/* The right is asked for last: a security module may log that it is not there. */
	if (pmc->mode != PMC_MODE_TC || pmc->pm_class != PMC_CLASS_CPU ||
	    metered >= min_t(int, READ_ONCE(hwpmc_kept_counters), hwpmc_rows_of_cpu() / 2) ||
	    hwpmc_may_system())
		return 0;
	pmc->meters = alloc_percpu(struct hwpmc_meter);
	if (!pmc->meters)
		return -ENOMEM;
	mutex_lock(&meters_lock);
	error = make_all(pmc, false);
	release_all(pmc);
	if (!error) {
		list_add_tail(&pmc->of_metered, &metered_pmcs);
		metered++;
	}
	mutex_unlock(&meters_lock);
	if (!error)
		return 0;
	free_percpu(pmc->meters);
	pmc->meters = NULL;
	return error == -ENOMEM ? error : 0;
}

void hwpmc_meters_free(struct hwpmc_pmc *pmc)
{
	if (!pmc->meters)
		return;
	mutex_lock(&meters_lock);
	list_del(&pmc->of_metered);
	metered--;
	mutex_unlock(&meters_lock);
	free_percpu(pmc->meters);
	pmc->meters = NULL;
}

/*
 * A CPU has gone, and a thread of the kernel was the last to run there: no probe sees it leave,
 * since tracepoints are still where a CPU is not online.  What it counted after its last switch is
 * lost, and its meter says so.
 */
void hwpmc_meters_leave(int cpu)
{
	struct hwpmc_meter *meter;
	struct hwpmc_pmc *pmc;

	mutex_lock(&meters_lock);
	list_for_each_entry(pmc, &metered_pmcs, of_metered) {
		meter = per_cpu_ptr(pmc->meters, cpu);
		if (!meter->is_open)
			continue;
		WRITE_ONCE(meter->starved, true);
		meter_shut(meter);
	}
	/* Also of PMCs that were released since: they are on no list, and their meters are gone. */
	per_cpu(meters_here, cpu).open = NULL;
	per_cpu(meters_here, cpu).nopen = 0;
	mutex_unlock(&meters_lock);
}

/* What brings this CPU back may be a target, too: it is counted from its next turn on. */
static void meter_renews(struct hwpmc_meter *meter)
{
	unsigned long irq;

	local_irq_save(irq);
	if (close_here(meter))
		WRITE_ONCE(meter->starved, true);
	local_irq_restore(irq);
}

/*
 * On the CPU that is back: the event that it had before it went never counts again.  No user thread
 * runs on it yet, nor has since; where there is no event any more, the first that comes finds its
 * meter starved.
 */
void hwpmc_meters_renew(int cpu)
{
	struct hwpmc_meter *meter;
	struct perf_event *event;
	struct hwpmc_pmc *pmc;

	mutex_lock(&meters_lock);
	list_for_each_entry(pmc, &metered_pmcs, of_metered) {
		if (!pmc->meters_run)
			continue;
		meter = per_cpu_ptr(pmc->meters, cpu);
		meter_renews(meter);
		event = meter->event;
		WRITE_ONCE(meter->event, NULL);
		if (event)
			hwpmc_event_release(event, pmc);
		event = hwpmc_event_new(pmc, cpu, NULL, true);
		if (!IS_ERR(event))
			WRITE_ONCE(meter->event, event);
		else
			pr_warn("hwpmc: CPU %d is back, but does not count %s: error %ld\n", cpu,
				pmc->name, PTR_ERR(event));
	}
	mutex_unlock(&meters_lock);
}
