// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * A module for tests that makes itself the CPU's PMU on x86 machines that have none: four counters
 * a CPU, which count the TSC in all modes, and overflows by NMI.
 *
 * A timer of another CPU, where there is one, looks which counters have overflown and sends the
 * NMI, so that it arrives in user code as well as in the kernel: one that the CPU's own timer sends
 * finds it in that timer's interrupt.  All periods that have passed since are one overflow.
 * Parameters tell how many overflows were handed to event handlers, in user and in kernel code: so
 * many samples must there be; and how many ticks passed while perf paused events, whose overflows
 * were more than kernel.perf_event_max_sample_rate allows.  With throttle=N each Nth comes as one
 * after which perf pauses the event.  Of precise samples it has the first level, and of events
 * those of hardware and raw ones, which with the highest bit are for who may perfmon alone;
 * instructions are more than ticks, for no loop that is known to have so many may count fewer.
 * With dead=N the Nth counter of each CPU counts nothing, as one that a hypervisor announces and
 * does not have.  With fail=N the Nth event from then on, and no other, is refused with
 * error=ERRNO.  Insert it once in a boot: the kernel has one PMU of the CPU.
 */
#include <asm/apic.h>
#include <asm/nmi.h>
#include <asm/tsc.h>
#include <linux/capability.h>
#include <linux/cpuhotplug.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/perf_event.h>

#include "compat.h"

#define COUNTERS    4
#define POLL_NS	    200000
#define THROTTLED   (~0ULL)
#define MAX_PRECISE 1
#define PRIVILEGED  BIT_ULL(63)
#define OF_A_TICK   8 /* instructions: more than an emulated CPU can have */

/* One CPU's: its own with interrupts off, its NMIs, and the poll. */
struct fake_cpu {
	struct perf_event *events[COUNTERS];
	u64 next[COUNTERS];   /* TSC of the next overflow; 0: none is to come */
	u64 period[COUNTERS]; /* constant while next is not 0 */
	unsigned long overflown;
	u64 paused[COUNTERS]; /* when perf paused it; 0: it has not */
	struct hrtimer poll;
	int cpu;
};

static DEFINE_PER_CPU(struct fake_cpu, fake_cpus);

/* What PMUs give overflows to; the kernel keeps its name to itself. */
static int (*perf_overflow)(struct perf_event *event, struct perf_sample_data *data,
			    struct pt_regs *regs);

static atomic_long_t user_overflows, kernel_overflows, throttled, paused_ticks;
static unsigned int throttle;
module_param(throttle, uint, 0644);
static unsigned int dead;
module_param(dead, uint, 0644);
static atomic_t fail = ATOMIC_INIT(0);
module_param_named(fail, fail.counter, int, 0644);
static int error = ENOMEM;
module_param(error, int, 0644);

static int number_get(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%ld\n", atomic_long_read(param->arg));
}

static const struct kernel_param_ops number_ops = {.get = number_get};

module_param_cb(user_overflows, &number_ops, &user_overflows, 0444);
module_param_cb(kernel_overflows, &number_ops, &kernel_overflows, 0444);
module_param_cb(throttled, &number_ops, &throttled, 0444);
module_param_cb(paused_ticks, &number_ops, &paused_ticks, 0444);

static void fake_stop(struct perf_event *event, int flags);

/* perf starts it again at a tick. */
static void pause(struct perf_event *event)
{
	fake_stop(event, 0);
	this_cpu_ptr(&fake_cpus)->paused[event->hw.idx] = rdtsc_ordered();
}

/* A host that lets the CPU stand still makes no pause longer than until perf's next tick. */
static void end_pause(struct fake_cpu *fake, int i)
{
	u64 most = (u64)tsc_khz * MSEC_PER_SEC / HZ;

	if (fake->paused[i])
		atomic_long_add(min(rdtsc_ordered() - fake->paused[i], most), &paused_ticks);
	fake->paused[i] = 0;
}

/* In NMI, on the event's CPU. */
static void overflow(struct perf_event *event, struct pt_regs *regs)
{
	bool user = user_mode(regs);
	struct perf_sample_data data;
	long n;

	if (!event->overflow_handler ||
	    (user ? event->attr.exclude_user : event->attr.exclude_kernel))
		return;
	n = atomic_long_inc_return(user ? &user_overflows : &kernel_overflows);
	perf_sample_data_init(&data, 0, event->hw.sample_period);
	if (!throttle) {
		if (perf_overflow(event, &data, regs))
			pause(event);
		return;
	}
	if (n % throttle == 0) {
		atomic_long_inc(&throttled);
		event->hw.interrupts = THROTTLED;
	}
	event->overflow_handler(event, &data, regs);
	event->hw.interrupts = 0;
}

static int handle_nmi(unsigned int type, struct pt_regs *regs)
{
	struct fake_cpu *fake = this_cpu_ptr(&fake_cpus);
	int i;

	for (i = 0; i < COUNTERS; i++) {
		struct perf_event *event = READ_ONCE(fake->events[i]);

		if (!test_and_clear_bit(i, &fake->overflown))
			continue;
		if (event && READ_ONCE(fake->next[i]))
			overflow(event, regs);
	}
	/* Nobody else sends any; one that came while the last was handled finds nothing left. */
	return NMI_HANDLED;
}

static enum hrtimer_restart poll(struct hrtimer *timer)
{
	struct fake_cpu *fake = container_of(timer, struct fake_cpu, poll);
	u64 now = rdtsc_ordered();
	bool any = false;
	int i;

	for (i = 0; i < COUNTERS; i++) {
		u64 next = READ_ONCE(fake->next[i]);

		if (!next || (s64)(now - next) < 0)
			continue;
		/* A counter that is stopped meanwhile stays so. */
		if (cmpxchg(&fake->next[i], next, now + READ_ONCE(fake->period[i])) != next)
			continue;
		set_bit(i, &fake->overflown);
		any = true;
	}
	if (any && cpu_online(fake->cpu))
		apic->send_IPI(fake->cpu, NMI_VECTOR);
	hrtimer_forward_now(timer, ns_to_ktime(POLL_NS));
	return HRTIMER_RESTART;
}

static bool is_instructions(const struct perf_event *event)
{
	return event->attr.type == PERF_TYPE_HARDWARE &&
	       event->attr.config == PERF_COUNT_HW_INSTRUCTIONS;
}

static void fake_read(struct perf_event *event)
{
	u64 now = rdtsc_ordered(), before = local64_xchg(&event->hw.prev_count, now);

	if (event->hw.idx + 1 != READ_ONCE(dead))
		local64_add((now - before) * (is_instructions(event) ? OF_A_TICK : 1),
			    &event->count);
}

static void fake_start(struct perf_event *event, int flags)
{
	struct fake_cpu *fake = this_cpu_ptr(&fake_cpus);
	struct hw_perf_event *hw = &event->hw;
	u64 now = rdtsc_ordered();

	hw->state = 0;
	local64_set(&hw->prev_count, now);
	if (!is_sampling_event(event))
		return;
	end_pause(fake, hw->idx);
	fake->period[hw->idx] = hw->sample_period;
	WRITE_ONCE(fake->next[hw->idx], now + hw->sample_period);
}

static void fake_stop(struct perf_event *event, int flags)
{
	struct hw_perf_event *hw = &event->hw;

	if (hw->state & PERF_HES_STOPPED)
		return;
	WRITE_ONCE(this_cpu_ptr(&fake_cpus)->next[hw->idx], 0);
	fake_read(event);
	hw->state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
}

static int fake_add(struct perf_event *event, int flags)
{
	struct fake_cpu *fake = this_cpu_ptr(&fake_cpus);
	int i = event->hw.idx;

	/* As x86 does: the counter that it had, if that is free. */
	if (i < 0 || fake->events[i])
		for (i = 0; i < COUNTERS && fake->events[i]; i++)
			;
	if (i == COUNTERS)
		return -EAGAIN;
	event->hw.idx = i;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	clear_bit(i, &fake->overflown);
	WRITE_ONCE(fake->events[i], event);
	if (flags & PERF_EF_START)
		fake_start(event, flags);
	return 0;
}

static void fake_del(struct perf_event *event, int flags)
{
	struct fake_cpu *fake = this_cpu_ptr(&fake_cpus);

	fake_stop(event, PERF_EF_UPDATE);
	end_pause(fake, event->hw.idx);
	WRITE_ONCE(fake->events[event->hw.idx], NULL);
}

static int fake_event_init(struct perf_event *event)
{
	if (event->attr.type != PERF_TYPE_HARDWARE && event->attr.type != PERF_TYPE_RAW)
		return -ENOENT;
	if (event->attr.precise_ip > MAX_PRECISE)
		return -EOPNOTSUPP;
	if (atomic_dec_if_positive(&fail) == 0)
		return -error;
	event->hw.idx = -1;
	switch (event->attr.type) {
	case PERF_TYPE_HARDWARE:
		return event->attr.config < PERF_COUNT_HW_MAX ? 0 : -EINVAL;
	case PERF_TYPE_RAW:
		return (event->attr.config & PRIVILEGED) && !perfmon_capable() ? -EACCES : 0;
	default:
		return -ENOENT;
	}
}

static ssize_t max_precise_show(struct device *dev, struct device_attribute *attr, char *text)
{
	return sysfs_emit(text, "%d\n", MAX_PRECISE);
}

static DEVICE_ATTR_RO(max_precise);
static struct attribute *caps[] = {&dev_attr_max_precise.attr, NULL};
static const struct attribute_group caps_group = {.name = "caps", .attrs = caps};
static const struct attribute_group *fake_groups[] = {&caps_group, NULL};

static struct pmu fake_pmu = {
	.module = THIS_MODULE,
	.attr_groups = fake_groups,
	.task_ctx_nr = perf_hw_context,
	.event_init = fake_event_init,
	.add = fake_add,
	.del = fake_del,
	.start = fake_start,
	.stop = fake_stop,
	.read = fake_read,
};

/* On the CPU that is to look at the counters of another one. */
static void start_poll(void *arg)
{
	struct fake_cpu *fake = arg;

	hrtimer_start(&fake->poll, ns_to_ktime(POLL_NS), HRTIMER_MODE_REL_PINNED_HARD);
}

/*
 * A CPU that goes leaves its timers to others, and of two CPUs the other is then looked at by its
 * own timer: when one comes all are dealt out anew.  Under the lock of CPU hotplug.
 */
static int deal_polls(unsigned int came)
{
	int cpu, other;

	for_each_online_cpu(cpu) {
		struct fake_cpu *fake = per_cpu_ptr(&fake_cpus, cpu);

		other = cpumask_next(cpu, cpu_online_mask);
		if (other >= nr_cpu_ids)
			other = cpumask_first(cpu_online_mask);
		hrtimer_cancel(&fake->poll);
		smp_call_function_single(other, start_poll, fake, 1);
	}
	return 0;
}

static int polls;

static int start_polls(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		struct fake_cpu *fake = per_cpu_ptr(&fake_cpus, cpu);

		fake->cpu = cpu;
		hrtimer_setup(&fake->poll, poll, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	}
	polls = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "fakepmu:online", deal_polls, NULL);
	return polls < 0 ? polls : 0;
}

static void stop_polls(void)
{
	int cpu;

	cpuhp_remove_state_nocalls(polls);
	for_each_possible_cpu(cpu)
		hrtimer_cancel(&per_cpu(fake_cpus, cpu).poll);
}

static int find_perf_overflow(void)
{
	struct kprobe probe = {.symbol_name = "perf_event_overflow"};
	int err = register_kprobe(&probe);

	if (err)
		return err;
	perf_overflow = (void *)probe.addr;
	unregister_kprobe(&probe);
	return 0;
}

static int __init fakepmu_init(void)
{
	int err = find_perf_overflow();

	if (!err)
		err = perf_pmu_register(&fake_pmu, "cpu", PERF_TYPE_RAW);
	if (err)
		return err;
	err = register_nmi_handler(NMI_LOCAL, handle_nmi, 0, "fakepmu");
	if (err)
		goto registered;
	err = start_polls();
	if (err)
		goto handled;
	return 0;
handled:
	unregister_nmi_handler(NMI_LOCAL, "fakepmu");
registered:
	perf_pmu_unregister(&fake_pmu);
	return err;
}

static void __exit fakepmu_exit(void)
{
	stop_polls();
	unregister_nmi_handler(NMI_LOCAL, "fakepmu");
	perf_pmu_unregister(&fake_pmu);
}

module_init(fakepmu_init);
module_exit(fakepmu_exit);

MODULE_DESCRIPTION("a PMU of the CPU for tests: counts the TSC, overflows by NMI");
MODULE_LICENSE("Dual BSD/GPL");
