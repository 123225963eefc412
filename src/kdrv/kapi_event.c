// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/* Events and rows of pmc_kapi.h's counters.  Process context. */
#include "kapi_int.h"

DEFINE_MUTEX(hwpmc_kapi_lock); /* over all counters of the API */

struct perf_event_attr hwpmc_kapi_attr(const struct pmc_counter_cfg *cfg)
{
	return (struct perf_event_attr){
		.type = cfg->event_id >> 48,
		.size = sizeof(struct perf_event_attr),
		.config = cfg->event_id & ((1ull << 48) - 1),
		.pinned = 1,
		.disabled = 1,
	};
}

struct perf_event *hwpmc_kapi_event_new(int ctr, struct perf_event_attr *attr, int cpu,
					struct task_struct *task, perf_overflow_handler_t handler,
					void *context)
{
	struct perf_event *event =
		perf_event_create_kernel_counter(attr, cpu, task, handler, context);

	if (IS_ERR(event))
		return PTR_ERR(event) == -ENOENT ? ERR_PTR(-EINVAL) : event;
	if (hwpmc_event_is_of_class(event, hwpmc_row_class(ctr))) /* a row: hwpmc_kapi_check() */
		return event;
	hwpmc_event_release(event, NULL);
	return ERR_PTR(-EINVAL);
}

int hwpmc_kapi_event_enable(struct perf_event *event)
{
	perf_event_enable(event);
	if (READ_ONCE(event->state) != PERF_EVENT_STATE_ERROR)
		return 0;
	perf_event_disable(event);
	return -EBUSY;
}

int hwpmc_kapi_check(int ctr, const struct pmc_counter_cfg *cfg)
{
	bool exists;

	mutex_lock(&hwpmc_lock);
	exists = ctr >= 0 && ctr < hwpmc_rows_number() && hwpmc_row_class(ctr) >= 0;
	mutex_unlock(&hwpmc_lock);
	return exists && !(cfg && cfg->flags) ? 0 : -EINVAL;
}

int hwpmc_kapi_row_take(int ctr, int cpu)
{
	int row;

	mutex_lock(&hwpmc_lock);
	row = hwpmc_row_take_at(NULL, ctr, cpu);
	mutex_unlock(&hwpmc_lock);
	return row < 0 ? -EBUSY : 0;
}

void hwpmc_kapi_row_give(int ctr, int cpu)
{
	mutex_lock(&hwpmc_lock);
	hwpmc_row_give(hwpmc_row_class(ctr), ctr, cpu);
	mutex_unlock(&hwpmc_lock);
}
