// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * PMCs as the kernel's perf events: how they are asked for, made, started, stopped and read.
 * Process context; those of tasks between hwpmc_perf_begin() and _end(), under their owner's lock,
 * those of CPUs under hwpmc_lock, hwpmc_event_read_here() in hooks.
 *
 * Events are pinned: one that has no counter of the hardware goes to an error state instead of
 * sharing one by turns.  What cannot fit is found out at allocation (hwpmc_event_try()), what does
 * not fit now at start.
 */
#include <linux/cred.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "hwpmc_int.h"

#define SOFT(name, number, id)                                                   \
	{                                                                        \
		name, 0x20000 + (number), PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id \
	}

/* Names and numbers are those that libpmc writes to logs. */
static const struct hwpmc_dynevent soft_events[] = {
	SOFT("cpu-clock", 0, CPU_CLOCK),
	SOFT("task-clock", 1, TASK_CLOCK),
	SOFT("page-faults", 2, PAGE_FAULTS),
	SOFT("minor-faults", 3, PAGE_FAULTS_MIN),
	SOFT("major-faults", 4, PAGE_FAULTS_MAJ),
	SOFT("context-switches", 5, CONTEXT_SWITCHES),
	SOFT("cpu-migrations", 6, CPU_MIGRATIONS),
	SOFT("alignment-faults", 7, ALIGNMENT_FAULTS),
	SOFT("emulation-faults", 8, EMULATION_FAULTS),
	SOFT("CLOCK.HARD", 9, CPU_CLOCK),
	SOFT("CLOCK.STAT", 10, CPU_CLOCK),
	SOFT("CLOCK.PROF", 11, CPU_CLOCK),
	SOFT("PAGE_FAULT.ALL", 12, PAGE_FAULTS),
};

u32 hwpmc_events_list(u32 pm_class, struct hwpmc_dynevent *events, u32 room)
{
	if (pm_class != PMC_CLASS_SOFT)
		return 0;
	memcpy(events, soft_events, min_t(u32, room, ARRAY_SIZE(soft_events)) * sizeof(*events));
	return ARRAY_SIZE(soft_events);
}

static bool is_clock(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_SOFTWARE && (attr->config == PERF_COUNT_SW_CPU_CLOCK ||
						    attr->config == PERF_COUNT_SW_TASK_CLOCK);
}

/*
 * Whether samples at this rate leave the machine time for anything else.  Perf's guard cannot tell
 * for clocks: a handler that takes longer than the period never lets the CPU go.
 */
static bool rate_ok(const struct hwpmc_pmc *pmc, u64 rate)
{
	if (pmc->flags & PMC_F_FREQUENCY)
		return rate && rate <= NSEC_PER_SEC / hwpmc_min_period_ns &&
		       hwpmc_may_sample_at(rate);
	if (is_clock(&pmc->attr) && rate < hwpmc_min_period_ns)
		return false;
	return rate && rate <= S64_MAX;
}

int hwpmc_event_rate(struct hwpmc_pmc *pmc, u64 rate)
{
	if (!rate_ok(pmc, rate))
		return -EINVAL;
	pmc->rate = rate;
	pmc->attr.freq = !!(pmc->flags & PMC_F_FREQUENCY);
	pmc->attr.sample_period = rate; /* a union with sample_freq */
	/* Perf makes a clock's frequency a period for a new event, and not when it changes. */
	if (pmc->attr.freq && is_clock(&pmc->attr)) {
		pmc->attr.freq = 0;
		pmc->attr.sample_period = NSEC_PER_SEC / rate;
	}
	return 0;
}

int hwpmc_event_set_rate(const struct hwpmc_pmc *pmc, struct perf_event *event)
{
	return perf_event_period(event, pmc->attr.sample_period);
}

/* The TSC neither interrupts nor knows modes; only CPUs know instructions precisely. */
static int check_capabilities(const struct hwpmc_pmc *pmc, const struct hwpmc_allocate *args)
{
	const u32 excludes = HWPMC_F_EXCL_USER | HWPMC_F_EXCL_KERNEL;

	switch (pmc->pm_class) {
	case PMC_CLASS_TSC:
		if (PMC_IS_SAMPLING_MODE(pmc->mode) || (pmc->flags & excludes) || args->precise)
			return -EOPNOTSUPP;
		/* Nobody is asked for permission below, so nothing else may pass for it. */
		return args->type == hwpmc_tsc_type && !args->config ? 0 : -EINVAL;
	case PMC_CLASS_SOFT:
		if (args->type != PERF_TYPE_SOFTWARE && args->type != PERF_TYPE_TRACEPOINT)
			return -EINVAL;
		return args->precise ? -EOPNOTSUPP : 0;
	case PMC_CLASS_CPU:
		if (args->type == PERF_TYPE_SOFTWARE || args->type == PERF_TYPE_TRACEPOINT ||
		    args->type == PERF_TYPE_BREAKPOINT || hwpmc_type_has_pointers(args->type) ||
		    args->precise > 3)
			return -EINVAL;
		return 0;
	}
	return -EINVAL;
}

int hwpmc_event_attr(struct hwpmc_pmc *pmc, const struct hwpmc_allocate *args)
{
	struct perf_event_attr *attr = &pmc->attr;
	int err = check_capabilities(pmc, args);

	if (err)
		return err;
	*attr = (struct perf_event_attr){
		.type = args->type,
		.size = sizeof(*attr),
		.config = args->config,
		.config1 = args->config1,
		.config2 = args->config2,
		.sample_type = PERF_SAMPLE_IP,
		.pinned = 1,
		.exclude_user = !!(pmc->flags & HWPMC_F_EXCL_USER),
		.exclude_kernel = !!(pmc->flags & HWPMC_F_EXCL_KERNEL),
		.exclude_hv = !!(pmc->flags & HWPMC_F_EXCL_KERNEL),
		.precise_ip = args->precise,
	};
	/* The time is no secret: programs read it as well.  A histogram is of the kernel's text. */
	if (pmc->pm_class != PMC_CLASS_TSC) {
		err = attr->exclude_kernel && !(pmc->flags & PMC_F_KGMON)
			      ? hwpmc_may_count()
			      : hwpmc_may_sample_kernel();
		if (err)
			return err;
	}
	return PMC_IS_SAMPLING_MODE(pmc->mode) ? hwpmc_event_rate(pmc, args->count) : 0;
}

bool hwpmc_event_is_of_class(const struct perf_event *event, enum hwpmc_class pm_class)
{
	const char *name = event->pmu->name; /* not every one has */

	switch (pm_class) {
	case PMC_CLASS_TSC:
		return name && !strcmp(name, "msr") && !event->attr.config;
	case PMC_CLASS_CPU:
		return event->pmu->task_ctx_nr == perf_hw_context;
	default:
		return event->pmu->task_ctx_nr == perf_sw_context;
	}
}

/* What perf_event_create_kernel_counter() says, in hwpmc(4)'s words. */
static int error_of_create(int err)
{
	if (err == -ENOENT)
		return -EINVAL;
	if (err == -ENODEV) /* the CPU is offline */
		return -ENXIO;
	return err == -EACCES ? -EPERM : err;
}

/*
 * With the rights of who allocated the PMC: this may be a worker of the kernel, or the child of a
 * target, and what PMUs refuse to users they must refuse here.
 */
static struct perf_event *make(struct hwpmc_pmc *pmc, int cpu, struct task_struct *task,
			       const struct perf_event_attr *attr, perf_overflow_handler_t handler)
{
	struct perf_event_attr copy = *attr; /* perf changes it */
	const struct cred *own = override_creds(pmc->cred);
	struct perf_event *event = perf_event_create_kernel_counter(&copy, cpu, task, handler, pmc);
	int err = 0;

	revert_creds(own);
	if (IS_ERR(event))
		return ERR_PTR(error_of_create(PTR_ERR(event)));
	if (!hwpmc_event_is_of_class(event, pmc->pm_class))
		err = -EINVAL;
	else if (READ_ONCE(event->state) == PERF_EVENT_STATE_ERROR)
		err = task ? -EBUSY : -EINVAL;
	if (!err)
		return event;
	hwpmc_event_release(event, pmc);
	return ERR_PTR(err);
}

struct perf_event *hwpmc_event_new(struct hwpmc_pmc *pmc, int cpu, struct task_struct *task,
				   bool running)
{
	struct perf_event_attr attr = pmc->attr;

	attr.disabled = !running;
	return make(pmc, task ? -1 : cpu, task, &attr, hwpmc_sample_handler(pmc));
}

struct perf_event *hwpmc_event_new_root(struct hwpmc_pmc *pmc, u64 attach,
					struct task_struct *task, bool waits)
{
	struct perf_event_attr attr = pmc->attr;

	/* Perf hands it down, and looks at it only for events that send signals. */
	attr.sig_data = attach;
	attr.inherit = !waits; /* hwpmc_root_execs() */
	attr.inherit_thread = attr.inherit && !(pmc->flags & PMC_F_DESCENDANTS);
	attr.disabled = waits;
	attr.enable_on_exec = waits;
	return make(pmc, -1, task, &attr, hwpmc_sample_handler(pmc));
}

u64 hwpmc_root_attach(const struct perf_event *event)
{
	return event->attr.sig_data;
}

static void ignore_sample(struct perf_event *event, struct perf_sample_data *data,
			  struct pt_regs *regs)
{
}

struct trial {
	const struct hwpmc_owner *owner;
	struct hwpmc_pmc *pmc;
};

static struct perf_event *try_one(struct hwpmc_pmc *pmc)
{
	return make(pmc, -1, current, &pmc->attr, ignore_sample);
}

/* In a kernel worker, which has no counters of its own: all of the owner's at once. */
static long try_all(void *arg)
{
	struct perf_event *events[HWPMC_ROWS_MAX];
	struct trial *trial = arg;
	struct perf_event *event;
	struct hwpmc_pmc *other;
	unsigned int n = 0;
	long err = 0;

	list_for_each_entry(other, &trial->owner->pmcs, of_owner) {
		/* Meters that run have their counters on this CPU already. */
		if (PMC_IS_SYSTEM_MODE(other->mode) || other->pm_class != PMC_CLASS_CPU ||
		    (other->meters && other->state == HWPMC_RUNNING) ||
		    trial->pmc->pm_class != PMC_CLASS_CPU || n == ARRAY_SIZE(events) - 1)
			continue;
		event = try_one(other);
		if (!IS_ERR(event))
			events[n++] = event;
	}
	event = try_one(trial->pmc);
	if (IS_ERR(event))
		err = PTR_ERR(event) == -EBUSY ? -EINVAL : PTR_ERR(event);
	else
		events[n++] = event;
	while (n--)
		hwpmc_event_release(events[n], events[n]->overflow_handler_context);
	return err;
}

int hwpmc_event_try(const struct hwpmc_owner *owner, struct hwpmc_pmc *pmc)
{
	struct trial trial = {owner, pmc};

	return work_on_cpu(raw_smp_processor_id(), try_all, &trial);
}

int hwpmc_event_try_rate(struct hwpmc_pmc *pmc)
{
	struct perf_event *event = hwpmc_event_new(pmc, PMC_CPU_ANY, current, false);

	if (IS_ERR(event))
		return PTR_ERR(event);
	hwpmc_event_release(event, pmc);
	return 0;
}

int hwpmc_event_start(struct perf_event *event)
{
	perf_event_enable(event);
	if (READ_ONCE(event->state) == PERF_EVENT_STATE_ERROR) {
		perf_event_disable(event);
		return -EBUSY;
	}
	return 0;
}

/* Irqs off, in hooks too: at a switch the event is still on this CPU. */
u64 hwpmc_event_read_here(struct perf_event *event)
{
	if (READ_ONCE(event->state) == PERF_EVENT_STATE_ACTIVE &&
	    READ_ONCE(event->oncpu) == smp_processor_id())
		event->pmu->read(event);
	return local64_read(&event->count);
}
