// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The functions of pmc_kapi.h for counters of the kernel: each has an event on every CPU; hooks do
 * not touch them.
 *
 * Contexts: exported functions are process context and take hwpmc_kapi_lock.  profile_sample() is
 * an overflow handler, in NMI on x86.
 */
#include <linux/export.h>
#include <linux/ptrace.h>
#include <linux/slab.h>

#include "kapi_int.h"

static struct hwpmc_kapi_kernel kernel_counters[HWPMC_ROWS_MAX]; /* hwpmc_kapi_lock */

struct hwpmc_kapi_kernel *hwpmc_kapi_kernel_counter(int ctr)
{
	struct hwpmc_kapi_kernel *k =
		ctr >= 0 && ctr < HWPMC_ROWS_MAX ? &kernel_counters[ctr] : NULL;

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
		if (hwpmc_kapi_row_take(ctr, cpu)) {
			failed = cpu;
			break;
		}
	}
	if (failed == nr_cpu_ids)
		return 0;
	for_each_possible_cpu(cpu) {
		if (cpu == failed)
			break;
		hwpmc_kapi_row_give(ctr, cpu);
	}
	return -EBUSY;
}

/* Also one that was made in part. */
static void kernel_free(struct hwpmc_kapi_kernel *k, int ctr)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (k->events[cpu])
			hwpmc_event_release(k->events[cpu], NULL);
		if (k->profile)
			hwpmc_kgmon_histogram_free(k->profile[cpu]);
		hwpmc_kapi_row_give(ctr, cpu);
	}
	kfree(k->events);
	kfree(k->profile);
	*k = (struct hwpmc_kapi_kernel){};
}

static int kernel_event_new(struct hwpmc_kapi_kernel *k, int ctr, int cpu)
{
	struct perf_event_attr attr = hwpmc_kapi_attr(&k->cfg);
	struct perf_event *event;

	if (k->profile) {
		struct hwpmc_kgmon_histogram *h = hwpmc_kgmon_histogram_new();

		if (IS_ERR(h))
			return PTR_ERR(h);
		k->profile[cpu] = h;
		attr.sample_period = -k->cfg.reset_value;
		event = hwpmc_kapi_event_new(ctr, &attr, cpu, NULL, profile_sample, h);
	} else {
		event = hwpmc_kapi_event_new(ctr, &attr, cpu, NULL, NULL, NULL);
	}
	if (IS_ERR(event))
		return PTR_ERR(event);
	k->events[cpu] = event;
	return 0;
}

/* hwpmc_kapi_lock. */
static int kernel_alloc(int ctr, const struct pmc_counter_cfg *cfg, bool profile)
{
	struct hwpmc_kapi_kernel *k;
	int cpu, error = cfg ? hwpmc_kapi_check(ctr, cfg) : -EINVAL;

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
			hwpmc_kapi_row_give(ctr, cpu);
		kfree(k->events);
		kfree(k->profile);
		*k = (struct hwpmc_kapi_kernel){};
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

int hwpmc_kapi_kernel_enable(struct hwpmc_kapi_kernel *k, bool on)
{
	int cpu, error = 0;

	for_each_possible_cpu(cpu) {
		if (!k->events[cpu])
			continue;
		if (!on)
			perf_event_disable(k->events[cpu]);
		else if (!error)
			error = hwpmc_kapi_event_enable(k->events[cpu]);
	}
	if (error)
		hwpmc_kapi_kernel_enable(k, false);
	k->enabled = on && !error;
	return error;
}

u64 hwpmc_kapi_kernel_value(const struct hwpmc_kapi_kernel *k)
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

	mutex_lock(&hwpmc_kapi_lock);
	error = kernel_alloc(ctr, cfg, false);
	mutex_unlock(&hwpmc_kapi_lock);
	return error;
}
EXPORT_SYMBOL_GPL(pmc_alloc_kernel_counter);

static int kernel_free_checked(int ctr, bool profiles)
{
	struct hwpmc_kapi_kernel *k;
	int error = -EINVAL;

	mutex_lock(&hwpmc_kapi_lock);
	k = hwpmc_kapi_kernel_counter(ctr);
	if (k && profiles == !!k->profile) {
		kernel_free(k, ctr);
		error = 0;
	}
	mutex_unlock(&hwpmc_kapi_lock);
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
	mutex_lock(&hwpmc_kapi_lock);
	error = kernel_alloc(ctr, cfg, true);
	if (!error) {
		error = hwpmc_kapi_kernel_enable(&kernel_counters[ctr], true);
		if (error)
			kernel_free(&kernel_counters[ctr], ctr);
	}
	mutex_unlock(&hwpmc_kapi_lock);
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
	const struct hwpmc_kapi_kernel *k;
	u32 room = profile->nbins;
	int cpu, error = -EINVAL;

	memset(profile->bins, 0, room * sizeof(*profile->bins));
	profile->outside = 0;
	mutex_lock(&hwpmc_kapi_lock);
	k = hwpmc_kapi_kernel_counter(ctr);
	if (k && k->profile) {
		for_each_possible_cpu(cpu)
			if (k->profile[cpu])
				hwpmc_kgmon_histogram_add(k->profile[cpu], profile, room);
		error = 0;
	}
	mutex_unlock(&hwpmc_kapi_lock);
	return error;
}
EXPORT_SYMBOL_GPL(pmc_get_profile);

void hwpmc_kapi_kernel_free_all(void)
{
	int ctr;

	for (ctr = 0; ctr < HWPMC_ROWS_MAX; ctr++)
		if (hwpmc_kapi_kernel_counter(ctr))
			kernel_free(&kernel_counters[ctr], ctr);
}
