// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * A module that measures what a function of the kernel takes, on machines where a nanosecond is an
 * instruction: insmod probe_cost.ko function=NAME.  Parameters calls and mean, in ns, tell of the
 * calls since; what the probe itself takes, found on a function that does nothing, is taken off.
 * That function's own instructions are told apart by hand.
 * One CPU, and functions that are not interrupted by others of the same name.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/timekeeping.h>

#define CALIBRATIONS 10000
#define NOTHING	     5 /* nop, nop, paciasp, autiasp, ret */

static char *function = "";
static ulong calls;
static u64 total, overhead; /* ns; overhead of one call */
module_param(function, charp, 0444);
module_param(calls, ulong, 0444);

static int mean_get(char *text, const struct kernel_param *param)
{
	u64 spent = overhead * calls;

	return sysfs_emit(text, "%llu\n", calls && total > spent ? (total - spent) / calls : 0);
}

static const struct kernel_param_ops mean_ops = {.get = mean_get};

module_param_cb(mean, &mean_ops, NULL, 0444);

static int enters(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	*(u64 *)instance->data = ktime_get_mono_fast_ns();
	return 0;
}

static int returns(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	total += ktime_get_mono_fast_ns() - *(u64 *)instance->data;
	calls++;
	return 0;
}

static struct kretprobe probe = {
	.handler = returns,
	.entry_handler = enters,
	.data_size = sizeof(u64),
	.maxactive = 64,
};

static int start(const char *name)
{
	probe.kp = (struct kprobe){.symbol_name = name};
	calls = 0;
	total = 0;
	return register_kretprobe(&probe);
}

noinline void probe_cost_nothing(void);

void probe_cost_nothing(void)
{
	barrier();
}

static int calibrate(void)
{
	int i, err = start("probe_cost_nothing");

	if (err)
		return err;
	for (i = 0; i < CALIBRATIONS; i++)
		probe_cost_nothing();
	unregister_kretprobe(&probe);
	overhead = total / CALIBRATIONS - NOTHING;
	return 0;
}

static int __init probe_cost_init(void)
{
	return calibrate() ?: start(function);
}

static void __exit probe_cost_exit(void)
{
	unregister_kretprobe(&probe);
}

module_init(probe_cost_init);
module_exit(probe_cost_exit);

MODULE_DESCRIPTION("what a function takes, for benchmarks");
MODULE_LICENSE("Dual BSD/GPL");
