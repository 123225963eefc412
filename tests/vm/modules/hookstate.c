// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * A module for tests that looks in what state hwpmc's hooks run: the parameter called says how
 * often the function was called that the parameter function names, and preemptible in how many of
 * these calls its task could have been switched away from.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/preempt.h>

static char function[32];
module_param_string(function, function, sizeof(function), 0444);

static atomic_t called = ATOMIC_INIT(0), preemptible = ATOMIC_INIT(0);
module_param_named(called, called.counter, int, 0444);
module_param_named(preemptible, preemptible.counter, int, 0444);

static int usual = -1; /* preempt_count() in the probe of what may be preempted */

static noinline void may_be_preempted(void)
{
	barrier();
}

static int calibrate(struct kprobe *kp, struct pt_regs *regs)
{
	usual = preempt_count();
	return 0;
}

static int look(struct kprobe *kp, struct pt_regs *regs)
{
	atomic_inc(&called);
	if (IS_ENABLED(CONFIG_PREEMPT_COUNT) && preempt_count() <= usual)
		atomic_inc(&preemptible);
	return 0;
}

static struct kprobe calibration = {.pre_handler = calibrate,
				    .addr = (kprobe_opcode_t *)may_be_preempted};
static struct kprobe call = {.pre_handler = look, .symbol_name = function};

static int __init hookstate_init(void)
{
	int err = register_kprobe(&calibration);

	if (err)
		return err;
	may_be_preempted();
	unregister_kprobe(&calibration);
	return usual < 0 ? -EIO : register_kprobe(&call);
}
module_init(hookstate_init);

static void __exit hookstate_exit(void)
{
	unregister_kprobe(&call);
}
module_exit(hookstate_exit);

MODULE_DESCRIPTION("looks in what state hooks run, for tests");
MODULE_LICENSE("Dual BSD/GPL");
