// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * A module for tests that plays a security module (x86-64): the hook of perf_event_open(2) refuses
 * everybody what the parameter type says, as PERF_SECURITY_KERNEL.
 */
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/perf_event.h>

static int type = -1;
module_param(type, int, 0444);

/* The hook takes the type alone; it returns at once. */
static int hook_enters(struct kprobe *probe, struct pt_regs *regs)
{
	if ((int)regs->di != type)
		return 0;
	regs->ax = -EACCES;
	regs->ip = *(unsigned long *)regs->sp;
	regs->sp += sizeof(unsigned long);
	return 1;
}

static struct kprobe hook = {
	.symbol_name = "security_perf_event_open",
	.pre_handler = hook_enters,
};

static int __init deny_init(void)
{
	return register_kprobe(&hook);
}

static void __exit deny_exit(void)
{
	unregister_kprobe(&hook);
}

module_init(deny_init);
module_exit(deny_exit);

MODULE_DESCRIPTION("a security module for tests");
MODULE_LICENSE("Dual BSD/GPL");
