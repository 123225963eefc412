// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * A module for tests that has the kernel refuse hwpmc one thing: memory, a counter, a probe, a
 * thread.  Calls of the functions below are counted where hwpmc makes them on behalf of a process
 * that is named as the parameter comm says.  The one behind as many as the parameter after says
 * fails, and, where the parameter lasting is set, each behind it; the parameter refused then says
 * which function of hwpmc made the first.  Nothing fails while after is -1.  Calls of the function
 * of hwpmc that spared names are left alone; where only names one, all but its.  While the
 * parameter waits is set what fails does not return yet.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/sched.h>

static char comm[TASK_COMM_LEN] = "hwpmcctl";
module_param_string(comm, comm, sizeof(comm), 0644);

static char spared[KSYM_NAME_LEN], only[KSYM_NAME_LEN];
module_param_string(spared, spared, sizeof(spared), 0644);
module_param_string(only, only, sizeof(only), 0644);

static bool lasting, waits;
module_param(lasting, bool, 0644);
module_param(waits, bool, 0644);

static bool armed;
static atomic_t left;
static char refused[KSYM_SYMBOL_LEN];
module_param_string(refused, refused, sizeof(refused), 0444);

static int after_set(const char *text, const struct kernel_param *param)
{
	int after;
	int err = kstrtoint(text, 10, &after);

	if (err)
		return err;
	refused[0] = '\0';
	atomic_set(&left, after);
	WRITE_ONCE(armed, after >= 0);
	return 0;
}

static const struct kernel_param_ops after_ops = {.set = after_set};

module_param_cb(after, &after_ops, NULL, 0200);

static void wait(void)
{
	while (READ_ONCE(waits))
		schedule_timeout_uninterruptible(HZ / 100);
}

/* What a refused call calls instead. */
static noinline void *says_null(void)
{
	wait();
	return NULL;
}

static noinline long says_enomem(void)
{
	wait();
	return -ENOMEM;
}

#define NULLS(function)                                                              \
	{                                                                            \
		.kp = {.symbol_name = function}, .instead = (unsigned long)says_null \
	}
#define ERRORS(function)                                                               \
	{                                                                              \
		.kp = {.symbol_name = function}, .instead = (unsigned long)says_enomem \
	}

/* Under the names that 6.1 and 6.12 have for them. */
static struct refusal {
	struct kprobe kp;
	unsigned long instead;
	bool probed;
} refusals[] = {
	NULLS("__alloc_percpu"),
	NULLS("__kmalloc"),
	NULLS("__kmalloc_cache_noprof"),
	NULLS("__kmalloc_large_noprof"),
	NULLS("__kmalloc_noprof"),
	NULLS("__kvmalloc_node_noprof"),
	NULLS("__vmalloc"),
	NULLS("__vmalloc_noprof"),
	NULLS("alloc_workqueue"),
	NULLS("hwpmc_spare_take"),
	NULLS("hwpmc_zalloc"),
	NULLS("kmalloc_large"),
	NULLS("kmalloc_trace"),
	NULLS("kvmalloc_node"),
	NULLS("pcpu_alloc_noprof"),
	NULLS("register_sysctl"),
	NULLS("register_sysctl_sz"),
	ERRORS("ftrace_set_filter_ip"),
	ERRORS("ftrace_set_filter_ips"),
	ERRORS("kthread_create_on_node"),
	ERRORS("memdup_user"),
	ERRORS("misc_register"),
	ERRORS("perf_event_create_kernel_counter"),
	ERRORS("register_ftrace_function"),
	ERRORS("register_kprobe"),
	ERRORS("register_module_notifier"),
	ERRORS("tracepoint_probe_register"),
};

static unsigned long caller_of(struct pt_regs *regs)
{
#ifdef CONFIG_X86
	return *(unsigned long *)kernel_stack_pointer(regs);
#else
	return procedure_link_pointer(regs);
#endif
}

/* Of what sprint_symbol() says; a compiler may have added to the function's name. */
static bool is_meant(const char *caller)
{
	/* These ask in turn, and are refused as a whole. */
	if (str_has_prefix(caller, "hwpmc_zalloc") || str_has_prefix(caller, "hwpmc_spare_take"))
		return false;
	return strstr(caller, " [hwpmc]") && (!only[0] || str_has_prefix(caller, only)) &&
	       !(spared[0] && str_has_prefix(caller, spared));
}

/* At a function's first instruction, with preemption off. */
static int on_call(struct kprobe *kp, struct pt_regs *regs)
{
	struct refusal *refusal = container_of(kp, struct refusal, kp);
	char name[KSYM_SYMBOL_LEN];
	int n;

	if (!READ_ONCE(armed) || !in_task() || strcmp(current->comm, comm))
		return 0;
	sprint_symbol_no_offset(name, caller_of(regs));
	if (!is_meant(name))
		return 0;
	n = atomic_dec_return(&left);
	if (n >= 0 || (n < -1 && !lasting))
		return 0;
	if (n == -1)
		strscpy(refused, name, sizeof(refused));
	instruction_pointer_set(regs, refusal->instead);
	return 1;
}

/* A probe that has one is never made a jump, behind which it could not go elsewhere. */
static void behind_call(struct kprobe *kp, struct pt_regs *regs, unsigned long flags)
{
}

static void nomem_exit(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refusals); i++)
		if (refusals[i].probed)
			unregister_kprobe(&refusals[i].kp);
}

static int __init nomem_init(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(refusals); i++) {
		struct kprobe *kp = &refusals[i].kp;
		int err;

		kp->pre_handler = on_call;
		kp->post_handler = behind_call;
		err = register_kprobe(kp);
		if (err && err != -ENOENT) {
			pr_err("%s: %d\n", kp->symbol_name, err);
			nomem_exit();
			return err;
		}
		refusals[i].probed = !err;
	}
	return 0;
}

module_init(nomem_init);
module_exit(nomem_exit);
MODULE_DESCRIPTION("refuses hwpmc memory, for tests");
MODULE_LICENSE("Dual BSD/GPL");
