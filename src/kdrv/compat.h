/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* What differs between the kernels that hwpmc.ko builds for, Linux 6.1 and later. */
#ifndef HWPMC_COMPAT_H
#define HWPMC_COMPAT_H

#include <linux/fs.h>
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/coredump.h>
#include <linux/user_namespace.h>
#include <linux/version.h>
#ifdef CONFIG_X86
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 16, 0)
#include <asm/cpuid/api.h>
#else
#include <asm/processor.h>
#endif
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error hwpmc.ko needs Linux 6.1 or later
#endif

/* Tables of register_sysctl() ended with an empty row before they had a size. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
#define HWPMC_SYSCTL_END {}
#else
#define HWPMC_SYSCTL_END
#endif

/* The file that a process mapped, as it named it: an overlay hides the one below. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 8, 0)
static inline const struct path *hwpmc_file_path(const struct file *file)
{
	return &file->f_path;
}

static inline const struct inode *hwpmc_file_inode(const struct file *file)
{
	return file_inode(file);
}
#else
#define hwpmc_file_path	 file_user_path
#define hwpmc_file_inode file_user_inode
#endif

/* What the tracepoint sched_process_exit calls; newer kernels say whether it is the last thread. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define HWPMC_ON_EXIT(name) name(void *data, struct task_struct *task)
#else
#define HWPMC_ON_EXIT(name) name(void *data, struct task_struct *task, bool group_dead)
#endif

/*
 * Whether a program may be watched by its own user; by others, those may who are privileged in
 * *ns.  What has no memory has nothing to hide.  Context: RCU, and task_lock() unless the task is
 * the current one.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 2, 0)
#include <linux/sched/exec_state.h>
static inline bool hwpmc_task_is_open(struct task_struct *task, struct user_namespace **ns)
{
	const struct task_exec_state *state = rcu_dereference(task->exec_state);

	*ns = state->user_ns;
	return READ_ONCE(state->dumpable) == TASK_DUMPABLE_OWNER;
}
#else
static inline bool hwpmc_task_is_open(struct task_struct *task, struct user_namespace **ns)
{
	struct mm_struct *mm = task->mm;

	*ns = mm ? mm->user_ns : NULL;
	return !mm || get_dumpable(mm) == SUID_DUMP_USER;
}
#endif

/* Perf's checks that ask security modules: once they took attributes, which most do not look at. */
static inline int hwpmc_call_check(int (*check)(void))
{
	return check();
}

static inline int hwpmc_call_check_of(int (*check)(struct perf_event_attr *attr))
{
	struct perf_event_attr attr = {.size = sizeof(attr)};

	return check(&attr);
}

#define HWPMC_CALL_CHECK(check)                                                       \
	__builtin_choose_expr(__same_type(&(check), int (*)(void)), hwpmc_call_check, \
			      hwpmc_call_check_of)(&(check))

static inline int hwpmc_perf_allow_kernel(void)
{
#ifdef HWPMC_PERF_ALLOW_KERNEL
	return HWPMC_CALL_CHECK(perf_allow_kernel);
#else
	return 0;
#endif
}

static inline int hwpmc_perf_allow_cpu(void)
{
#ifdef HWPMC_PERF_ALLOW_CPU
	return HWPMC_CALL_CHECK(perf_allow_cpu);
#else
	return 0;
#endif
}

/* Functions' arguments at their entry, by ftrace. */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 2, 0) && defined(CONFIG_DYNAMIC_FTRACE_WITH_ARGS)
#define HWPMC_FTRACE_FLAGS FTRACE_OPS_FL_PERMANENT
#define hwpmc_argument	   ftrace_regs_get_argument
#elif defined(CONFIG_DYNAMIC_FTRACE_WITH_REGS)
#define HWPMC_FTRACE_FLAGS (FTRACE_OPS_FL_PERMANENT | FTRACE_OPS_FL_SAVE_REGS)
static inline unsigned long hwpmc_argument(struct ftrace_regs *regs, unsigned int n)
{
	return regs_get_kernel_argument(ftrace_get_regs(regs), n);
}
#else
#error hwpmc.ko needs a kernel with CONFIG_DYNAMIC_FTRACE, with arguments or registers
#endif

/* Perf's contexts of a task: once one for the hardware, and one for software events. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define HWPMC_CONTEXTS perf_nr_task_contexts
static inline struct perf_event_context *hwpmc_context(const struct task_struct *task, int i)
{
	return READ_ONCE(task->perf_event_ctxp[i]);
}
#else
#define HWPMC_CONTEXTS 1
static inline struct perf_event_context *hwpmc_context(const struct task_struct *task, int i)
{
	return READ_ONCE(task->perf_event_ctxp);
}
#endif

static inline u64 hwpmc_module_text(const struct module *mod, u64 *length)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
	*length = mod->core_layout.text_size;
	return (unsigned long)mod->core_layout.base;
#else
	*length = mod->mem[MOD_TEXT].size;
	return (unsigned long)mod->mem[MOD_TEXT].base;
#endif
}

#endif
