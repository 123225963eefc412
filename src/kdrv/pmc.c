// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The life of a PMC: given to an owner, started, stopped, read, set, released.  Process context,
 * under the owner's lock and hwpmc_lock.
 *
 * A PMC's value is base + what its events have counted, modulo 2^64.
 */
#include <linux/cpu.h>
#include <linux/cred.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "hwpmc_int.h"

static void read_value(struct hwpmc_pmc *pmc, struct hwpmc_rw *now)
{
	u64 enabled, running;

	if (!PMC_IS_SYSTEM_MODE(pmc->mode)) {
		hwpmc_process_value(pmc, &now->value, &now->enabled, &now->running);
		now->value += pmc->base;
		return;
	}
	now->value = pmc->base + pmc->carried;
	now->enabled = pmc->detached_enabled;
	now->running = pmc->detached_running;
	if (!pmc->event)
		return;
	hwpmc_starve_look(pmc);
	now->value += perf_event_read_value(pmc->event, &enabled, &running);
	now->enabled += enabled;
	now->running += running;
}

/* The times begin anew as well. */
static void set_value(struct hwpmc_pmc *pmc, u64 value)
{
	struct hwpmc_rw now;

	if (!PMC_IS_SYSTEM_MODE(pmc->mode)) {
		hwpmc_process_reset(pmc);
		pmc->base = value;
	} else {
		read_value(pmc, &now);
		pmc->base += value - now.value;
		pmc->detached_enabled -= now.enabled;
		pmc->detached_running -= now.running;
	}
	pmc->starved = false;
}

/*
 * A tracepoint's may wait for others' that are being closed.  Of the CPU's counters nobody else is
 * to take one for a moment.
 */
static int try_hardware(struct hwpmc_owner *owner, struct hwpmc_pmc *pmc)
{
	int err;

	if (pmc->pm_class == PMC_CLASS_CPU)
		return hwpmc_event_try(owner, pmc);
	hwpmc_perf_begin(pmc);
	err = hwpmc_event_try(owner, pmc);
	hwpmc_perf_end();
	return err;
}

/* Its event, or the proof that there can be one. */
static int take_hardware(struct hwpmc_owner *owner, struct hwpmc_pmc *pmc)
{
	struct perf_event *event;

	if (!PMC_IS_SYSTEM_MODE(pmc->mode)) {
		int err = try_hardware(owner, pmc);

		if (!err)
			err = hwpmc_meters_new(pmc);
		pmc->inherits = !err && hwpmc_roots_suit(pmc);
		if (pmc->inherits)
			hwpmc_roots_anchor();
		return err;
	}
	event = hwpmc_event_new(pmc, pmc->cpu, NULL, false);
	if (IS_ERR(event))
		return PTR_ERR(event);
	pmc->event = event;
	/* For a moment: it says now when the hardware has no counter left. */
	if (hwpmc_event_start(event))
		return -EINVAL;
	perf_event_disable(event);
	set_value(pmc, pmc->base);
	return 0;
}

static void give_hardware(struct hwpmc_pmc *pmc)
{
	hwpmc_meters_free(pmc);
	if (pmc->inherits)
		hwpmc_roots_weigh();
	if (pmc->event)
		hwpmc_event_release(pmc->event, pmc);
	pmc->event = NULL;
}

static bool needs_switch(const struct hwpmc_pmc *pmc)
{
	return (pmc->flags & PMC_F_LOG_PROCCSW) || pmc->meters;
}

void hwpmc_pmc_log_maps(struct hwpmc_pmc *pmc)
{
	struct hwpmc_owner *owner = pmc->owner;

	if (!hwpmc_pmc_needs_maps(pmc) || owner->maps_logged)
		return;
	hwpmc_hooks_want_maps();
	owner->maps_logged = true;
}

static int add_to_owner(struct hwpmc_owner *owner, struct hwpmc_pmc *pmc)
{
	int err = hwpmc_row_take(owner, pmc->pm_class, pmc->mode, pmc->cpu);

	if (err < 0)
		return err;
	pmc->row = err;
	pmc->id = ((u32)pmc->cpu & 0xfff) << 20 | (u32)pmc->mode << 12 | (u32)pmc->pm_class << 8 |
		  pmc->row;
	err = take_hardware(owner, pmc);
	if (!err && (pmc->flags & PMC_F_KGMON))
		err = hwpmc_kgmon_new(pmc);
	/* Not only while it runs: a tracepoint that comes back waits for a grace period. */
	if (!err && needs_switch(pmc))
		err = hwpmc_hooks_want_switch();
	if (err) {
		give_hardware(pmc);
		hwpmc_row_give(pmc->pm_class, pmc->row, pmc->cpu);
		return err;
	}
	pmc->owner = owner;
	list_add_tail(&pmc->of_owner, &owner->pmcs);
	if (PMC_IS_SYSTEM_MODE(pmc->mode))
		owner->cpus = min(owner->cpus, num_online_cpus());
	if (owner->log) {
		hwpmc_pmc_log_maps(pmc);
		hwpmc_log_allocate(owner->log, pmc);
	}
	return 0;
}

/* Until its last reference goes. */
static int charge(struct hwpmc_pmc *pmc)
{
	struct hwpmc_charge *charge = hwpmc_charge_pmc();

	if (IS_ERR(charge))
		return PTR_ERR(charge);
	pmc->charge = charge;
	if (!hwpmc_releases_wait(&pmc->attr))
		return 0;
	pmc->releasers = hwpmc_charge_releasers(charge);
	return pmc->releasers ? 0 : -ENOMEM;
}

int hwpmc_pmc_allocate(struct hwpmc_owner *owner, struct hwpmc_allocate *args)
{
	struct hwpmc_pmc *pmc = hwpmc_pmc_new(owner, args);
	int err;

	if (IS_ERR(pmc))
		return PTR_ERR(pmc);
	err = owner->log && hwpmc_log_is_behind(owner->log) ? -ENOMEM : charge(pmc);
	if (!err)
		err = add_to_owner(owner, pmc);
	if (err)
		hwpmc_pmc_put(pmc);
	else
		args->id = pmc->id;
	return err;
}

void hwpmc_pmc_release(struct hwpmc_pmc *pmc)
{
	WRITE_ONCE(pmc->heirs, false); /* nobody misses them any more */
	hwpmc_pmc_halt(pmc);
	if (!PMC_IS_SYSTEM_MODE(pmc->mode))
		hwpmc_detach_all(pmc);
	if (needs_switch(pmc))
		hwpmc_hooks_unwant_switch();
	give_hardware(pmc);
	hwpmc_row_give(pmc->pm_class, pmc->row, pmc->cpu);
	list_del_init(&pmc->of_owner);
	pmc->state = HWPMC_DELETED;
	pmc->owner = NULL;
	hwpmc_pmc_put(pmc);
}

/*
 * One that has not exited: the attachments of others end by the reaper, at some time.  Or a child
 * that is about to be one, whose parent may have gone.
 */
static bool has_target(const struct hwpmc_pmc *pmc)
{
	const struct hwpmc_attachment *attachment;

	if (atomic_read(&pmc->forks))
		return true;
	list_for_each_entry(attachment, &pmc->attachments, of_pmc)
		if (!READ_ONCE(attachment->process->exited))
			return true;
	return false;
}

int hwpmc_pmc_ready(struct hwpmc_pmc *pmc)
{
	u64 attach;

	if (hwpmc_pmc_logs(pmc) && !pmc->owner->log)
		return -EDESTADDRREQ;
	if (PMC_IS_SYSTEM_MODE(pmc->mode))
		return pmc->event && cpu_online(pmc->cpu) ? 0 : -ENXIO;
	if (!pmc->attaches)
		return hwpmc_attach(pmc, task_tgid(current), &attach);
	return has_target(pmc) ? 0 : -ESRCH;
}

/* The log is there before the first event can write to it, and goes after the last. */
static void take_log(struct hwpmc_pmc *pmc)
{
	if (!hwpmc_pmc_logs(pmc))
		return;
	WRITE_ONCE(pmc->log, hwpmc_log_get(pmc->owner->log));
	if (pmc->flags & PMC_F_LOG_ARGUMENTS)
		hwpmc_log_want_arguments(pmc->log);
	if (pmc->mode == PMC_MODE_SS)
		hwpmc_owner_hear_all(pmc->owner);
}

static void give_log(struct hwpmc_pmc *pmc)
{
	struct hwpmc_log *log = pmc->log;

	if (!log)
		return;
	WRITE_ONCE(pmc->log, NULL);
	if (pmc->mode == PMC_MODE_SS)
		hwpmc_owner_unhear_all(pmc->owner);
	hwpmc_log_put(log);
}

int hwpmc_pmc_start(struct hwpmc_pmc *pmc)
{
	int err;

	if (pmc->state == HWPMC_RUNNING)
		return 0;
	err = hwpmc_pmc_ready(pmc);
	if (err)
		return err;
	take_log(pmc);
	WRITE_ONCE(pmc->state, HWPMC_RUNNING);
	pmc->roots_starved = false;
	hwpmc_starve_begin(pmc); /* before anything counts */
	err = PMC_IS_SYSTEM_MODE(pmc->mode) ? hwpmc_event_start(pmc->event)
					    : hwpmc_process_start(pmc);
	pmc->counting = !err && (pmc->event || pmc->meters || pmc->inherits);
	if (err)
		hwpmc_pmc_halt(pmc);
	return err;
}

void hwpmc_pmc_halt(struct hwpmc_pmc *pmc)
{
	if (pmc->state != HWPMC_RUNNING)
		return;
	if (!PMC_IS_SYSTEM_MODE(pmc->mode))
		hwpmc_process_stop(pmc);
	hwpmc_starve_look(pmc);
	pmc->counting = false;
	if (pmc->event)
		perf_event_disable(pmc->event);
	hwpmc_starve_end(pmc);
	pmc->state = HWPMC_STOPPED;
	give_log(pmc);
}

int hwpmc_pmc_stop(struct hwpmc_pmc *pmc)
{
	if (PMC_IS_SYSTEM_MODE(pmc->mode) && !cpu_online(pmc->cpu))
		return -ENXIO;
	hwpmc_pmc_halt(pmc);
	return 0;
}

int hwpmc_pmc_rw(struct hwpmc_pmc *pmc, struct hwpmc_rw *args)
{
	const u32 known = PMC_F_OLDVALUE | PMC_F_NEWVALUE;
	struct hwpmc_rw now;

	if ((args->flags & ~known) || !(args->flags & known) || PMC_IS_SAMPLING_MODE(pmc->mode))
		return -EINVAL;
	if (!PMC_IS_SYSTEM_MODE(pmc->mode) && (!pmc->attaches || pmc->orphaned)) {
		hwpmc_owner_signal(pmc->owner, SIGIO);
		return -ESRCH;
	}
	if ((args->flags & PMC_F_NEWVALUE) && pmc->state == HWPMC_RUNNING)
		return -EBUSY;
	read_value(pmc, &now);
	if ((args->flags & PMC_F_OLDVALUE) && pmc->starved)
		return -EIO;
	if (args->flags & PMC_F_NEWVALUE)
		set_value(pmc, args->value);
	if (args->flags & PMC_F_OLDVALUE)
		args->value = now.value;
	args->enabled = now.enabled;
	args->running = now.running;
	return 0;
}

/* Of all its events, which are stopped. */
static int set_rate_of_events(struct hwpmc_pmc *pmc)
{
	struct hwpmc_attachment *attachment;
	struct hwpmc_counter *counter;
	int err = 0;

	if (pmc->event) {
		err = hwpmc_event_set_rate(pmc, pmc->event);
	} else if (pmc->inherits) {
		hwpmc_perf_begin(pmc);
		err = hwpmc_event_try_rate(pmc);
		hwpmc_perf_end();
	}
	list_for_each_entry(attachment, &pmc->attachments, of_pmc)
		list_for_each_entry(counter, &attachment->counters, of_attachment)
			err = err ?: hwpmc_counter_set_rate(counter);
	return err;
}

/* Perf knows more limits than hwpmc_event_rate() does: what it refuses leaves all as it was. */
static int set_rate(struct hwpmc_pmc *pmc, u64 rate)
{
	const struct perf_event_attr attr = pmc->attr;
	const u64 old = pmc->rate;
	int err = hwpmc_event_rate(pmc, rate);

	if (err)
		return err;
	err = set_rate_of_events(pmc);
	if (err) {
		pmc->attr = attr;
		pmc->rate = old;
		set_rate_of_events(pmc);
	}
	return err;
}

int hwpmc_pmc_setcount(struct hwpmc_pmc *pmc, u64 count)
{
	int err;

	if (pmc->state == HWPMC_RUNNING)
		return -EBUSY;
	if (!PMC_IS_SAMPLING_MODE(pmc->mode)) {
		set_value(pmc, count);
		return 0;
	}
	if (pmc->owner->log && hwpmc_log_is_behind(pmc->owner->log))
		return -ENOMEM;
	err = set_rate(pmc, count);
	/* The newest of a log's allocations says what its samples are worth. */
	if (!err && pmc->owner->log)
		hwpmc_log_allocate(pmc->owner->log, pmc);
	return err;
}

/* Linux moves an event to whatever counter is free, at each switch: no register's number holds. */
int hwpmc_pmc_getmsr(struct hwpmc_pmc *pmc, u32 *msr)
{
	const struct hwpmc_attachment *only;

	if (PMC_IS_SYSTEM_MODE(pmc->mode) || (pmc->flags & PMC_F_DESCENDANTS) ||
	    !list_is_singular(&pmc->attachments))
		return -EINVAL;
	only = list_first_entry(&pmc->attachments, struct hwpmc_attachment, of_pmc);
	return only->process->tgid == pmc->owner->tgid ? -ENOSYS : -EINVAL;
}
