// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * CPUs that go and come.  A perf event of a CPU that went keeps its count and never runs again,
 * also when the CPU is back: it is released, its count carried, and a new one made in its place.
 * Events of threads move to other CPUs by themselves.
 *
 * The callbacks run under the lock of CPU hotplug, which making and releasing events takes inside
 * hwpmc_lock; so they only note the CPU, and a work item does the rest under hwpmc_lock.
 */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>

#include "hwpmc_int.h"

static int state, state_gone;
static struct cpumask present; /* CPUs between their two callbacks */
static struct cpumask changed; /* CPUs whose events are of no use any more */

static void release(struct hwpmc_pmc *pmc)
{
	u64 enabled, running;

	hwpmc_starve_look(pmc);
	pmc->carried += perf_event_read_value(pmc->event, &enabled, &running);
	pmc->detached_enabled += enabled;
	pmc->detached_running += running;
	hwpmc_event_release(pmc->event, pmc);
	pmc->event = NULL;
}

static void renew(struct hwpmc_pmc *pmc)
{
	struct perf_event *event =
		hwpmc_event_new(pmc, pmc->cpu, NULL, pmc->state == HWPMC_RUNNING);

	if (IS_ERR(event)) {
		pr_warn("hwpmc: CPU %d is back, but does not count %s: error %ld\n", pmc->cpu,
			pmc->name, PTR_ERR(event));
		hwpmc_starve_without(pmc);
		return;
	}
	pmc->event = event;
	pmc->counting = pmc->state == HWPMC_RUNNING;
}

static void replace(struct hwpmc_owner *owner, int cpu)
{
	struct hwpmc_pmc *pmc;

	list_for_each_entry(pmc, &owner->pmcs, of_owner) {
		if (!PMC_IS_SYSTEM_MODE(pmc->mode) || pmc->cpu != cpu)
			continue;
		if (pmc->event)
			release(pmc);
		if (cpumask_test_cpu(cpu, &present))
			renew(pmc);
	}
}

static bool samples_at(const struct hwpmc_owner *owner, int cpu)
{
	const struct hwpmc_pmc *pmc;

	list_for_each_entry(pmc, &owner->pmcs, of_owner)
		if (pmc->mode == PMC_MODE_SS && pmc->cpu == cpu)
			return true;
	return false;
}

/* Whether it was to sample all CPUs, and does not sample this one. */
static bool misses(const struct hwpmc_owner *owner, int cpu)
{
	unsigned int n = 0;
	int other;

	for_each_possible_cpu(other)
		n += samples_at(owner, other);
	return n && n >= owner->cpus && !samples_at(owner, cpu);
}

static void work(struct work_struct *item)
{
	struct hwpmc_owner *owner;
	int cpu;

	mutex_lock(&hwpmc_lock);
	for_each_possible_cpu(cpu) {
		if (!cpumask_test_and_clear_cpu(cpu, &changed))
			continue;
		list_for_each_entry(owner, &hwpmc_owners, of_owners) {
			replace(owner, cpu);
			if (owner->log && cpumask_test_cpu(cpu, &present) && misses(owner, cpu))
				hwpmc_log_late_cpu(owner->log, cpu);
		}
	}
	mutex_unlock(&hwpmc_lock);
}

static DECLARE_WORK(hotplug_work, work);

static int cpu_comes(unsigned int cpu)
{
	hwpmc_meters_renew(cpu);
	cpumask_set_cpu(cpu, &present);
	cpumask_set_cpu(cpu, &changed);
	schedule_work(&hotplug_work);
	return 0;
}

static int cpu_goes(unsigned int cpu)
{
	cpumask_clear_cpu(cpu, &present);
	cpumask_set_cpu(cpu, &changed);
	schedule_work(&hotplug_work);
	return 0;
}

/* On another CPU: nothing runs on it any more. */
static int cpu_is_gone(unsigned int cpu)
{
	hwpmc_meters_leave(cpu);
	return 0;
}

/* Not under hwpmc_lock; there is no PMC yet, or none any more. */
int hwpmc_hotplug_init(void)
{
	cpumask_copy(&present, cpu_online_mask);
	state_gone = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "hwpmc:gone", NULL,
					       cpu_is_gone);
	if (state_gone < 0)
		return state_gone;
	state = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "hwpmc:online", cpu_comes, cpu_goes);
	if (state < 0)
		cpuhp_remove_state_nocalls(state_gone);
	return state < 0 ? state : 0;
}

void hwpmc_hotplug_exit(void)
{
	cpuhp_remove_state_nocalls(state);
	cpuhp_remove_state_nocalls(state_gone);
	flush_work(&hotplug_work);
}
