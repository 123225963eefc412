// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * PMCs that have lost their counter.  Others may pin the hardware while a PMC runs; perf then gives
 * the PMC's event up until it is started anew, and tells nobody.  Here it is found out: once a
 * second while PMCs that use the hardware run, whenever one is read, stopped or detached, and when
 * a thread execs or exits, since perf forgets it then: where perf closes events, for whether that
 * is before or behind the tracepoints differs among kernels, stable ones of one version too.  The
 * log is told once for each event and start, and the PMC remembers that its value lacks something.
 *
 * Process context under hwpmc_lock, but for hwpmc_starve_see().
 */
#include <linux/workqueue.h>

#include "hwpmc_int.h"

#define LOOK_EVERY HZ

static void look_at_all(struct work_struct *work);
static DECLARE_DELAYED_WORK(look_work, look_at_all);

static bool starves(const struct perf_event *event)
{
	return event && READ_ONCE(event->state) == PERF_EVENT_STATE_ERROR;
}

static void note(struct hwpmc_pmc *pmc, bool is_starved, bool *counting)
{
	if (!is_starved || !*counting)
		return;
	*counting = false;
	WRITE_ONCE(pmc->starved, true);
	atomic64_inc(&hwpmc_counts.starved);
	if (pmc->owner && pmc->owner->log)
		hwpmc_log_starved(pmc->owner->log, pmc);
}

void hwpmc_starve_look(struct hwpmc_pmc *pmc)
{
	note(pmc,
	     starves(pmc->event) || (pmc->meters && hwpmc_meters_starve(pmc)) ||
		     (pmc->inherits && hwpmc_roots_starve(pmc)),
	     &pmc->counting);
}

void hwpmc_starve_without(struct hwpmc_pmc *pmc)
{
	note(pmc, pmc->state == HWPMC_RUNNING, &pmc->counting);
}

void hwpmc_starve_look_thread(struct hwpmc_counter *counter)
{
	note(counter->attachment->pmc, starves(counter->event) || READ_ONCE(counter->starved),
	     &counter->counting);
}

/* Preemption off, in the counter's thread, which exits; what comes of it is left to the reaper. */
void hwpmc_starve_see(struct hwpmc_counter *counter, const struct perf_event *event)
{
	if (!starves(event) || !READ_ONCE(counter->counting))
		return;
	WRITE_ONCE(counter->starved, true);
	WRITE_ONCE(counter->attachment->pmc->starved, true);
}

static bool can_starve(const struct hwpmc_pmc *pmc)
{
	return pmc->pm_class == PMC_CLASS_CPU;
}

static bool has_thread_events(const struct hwpmc_pmc *pmc)
{
	return !PMC_IS_SYSTEM_MODE(pmc->mode) && !pmc->meters;
}

static void look(struct hwpmc_pmc *pmc)
{
	struct hwpmc_attachment *attachment;
	struct hwpmc_counter *counter;

	hwpmc_starve_look(pmc);
	list_for_each_entry(attachment, &pmc->attachments, of_pmc)
		list_for_each_entry(counter, &attachment->counters, of_attachment)
			hwpmc_starve_look_thread(counter);
}

static void look_at_all(struct work_struct *work)
{
	struct hwpmc_owner *owner;
	struct hwpmc_pmc *pmc;
	bool again = false;

	mutex_lock(&hwpmc_lock);
	list_for_each_entry(owner, &hwpmc_owners, of_owners)
		list_for_each_entry(pmc, &owner->pmcs, of_owner)
			if (can_starve(pmc) && pmc->state == HWPMC_RUNNING) {
				look(pmc);
				again = true;
			}
	mutex_unlock(&hwpmc_lock);
	if (again)
		schedule_delayed_work(&look_work, LOOK_EVERY);
}

void hwpmc_starve_begin(struct hwpmc_pmc *pmc)
{
	if (!can_starve(pmc))
		return;
	if (has_thread_events(pmc))
		hwpmc_hooks_want_closes();
	schedule_delayed_work(&look_work, LOOK_EVERY);
}

void hwpmc_starve_end(struct hwpmc_pmc *pmc)
{
	if (can_starve(pmc) && has_thread_events(pmc))
		hwpmc_hooks_unwant_closes();
}

/* No owner is left. */
void hwpmc_starve_exit(void)
{
	cancel_delayed_work_sync(&look_work);
}
