// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Where the kernel tells us something: tracepoints, and kprobes where there is no tracepoint.
 *
 * Tracepoints are not exported by name: they are looked for among all of them.  Hooks run with
 * preemption off (main.c); kprobes in an exception on arm64.  fork, exit and exec are hooked while
 * the module is loaded; the others cost something at each switch or mapping, and are there while
 * somebody wants them, or a moment longer: to remove a kprobe takes a grace period, which a work
 * item waits for; under hwpmc_lock it is waited for only where a hook is wanted just then.  All
 * functions: process context; want and unwant under hwpmc_lock.
 *
 * What they call is a table of main.c's: this file is below all that is called.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/tracepoint.h>

#include "hwpmc_int.h"

static const struct hwpmc_hooks *calls; /* while a hook is registered */

/* Over what is registered, and the counts of those who want it.  Inside hwpmc_lock, or alone. */
static DEFINE_MUTEX(hooks_lock);
static unsigned int names_wanted; /* hooks read it */
static unsigned int maps_wanted, switch_wanted, closes_wanted;

struct hook {
	const char *name;
	const unsigned int *wanted; /* NULL: while the module is loaded */
	void *probe;
	struct tracepoint *tp;
	bool registered;
};

enum { HOOK_FORK, HOOK_EXIT, HOOK_EXEC, HOOK_SWITCH, HOOK_RENAME, HOOKS };

static struct hook hooks[HOOKS] = {
	[HOOK_FORK] = {.name = "sched_process_fork"},
	[HOOK_EXIT] = {.name = "sched_process_exit"},
	[HOOK_EXEC] = {.name = "sched_process_exec"},
	[HOOK_SWITCH] = {.name = "sched_switch", .wanted = &switch_wanted},
	[HOOK_RENAME] = {.name = "task_rename", .wanted = &names_wanted},
};

/* A process' executable mappings have changed, mprotect(2) and exec(2) included. */
static int on_mmap(struct kprobe *probe, struct pt_regs *regs)
{
	calls->on_mmap((struct vm_area_struct *)regs_get_kernel_argument(regs, 0));
	return 0;
}

/* Also called for each map of a process that is no more. */
static int on_munmap(struct kprobe *probe, struct pt_regs *regs)
{
	struct vm_area_struct *vma = (struct vm_area_struct *)regs_get_kernel_argument(regs, 0);

	if (vma->vm_flags & VM_EXEC)
		calls->on_munmap(vma->vm_mm, regs_get_kernel_argument(regs, 1),
				 regs_get_kernel_argument(regs, 2));
	return 0;
}

/* Perf is about to close the events of the current thread, or will if its user may not watch it. */
static int on_close(struct kprobe *probe, struct pt_regs *regs)
{
	calls->on_close(current);
	return 0;
}

struct probe {
	struct kprobe kp;
	const char *symbol, *loss;
	const unsigned int *wanted;
	bool registered, told;
};

static struct probe probes[] = {
	{.kp.pre_handler = on_mmap,
	 .wanted = &maps_wanted,
	 .symbol = "perf_event_mmap",
	 .loss = "what programs map while they run is not logged"},
	{.kp.pre_handler = on_munmap,
	 .wanted = &maps_wanted,
	 .symbol = "uprobe_munmap",
	 .loss = "what programs unmap is not logged"},
	{.kp.pre_handler = on_close,
	 .wanted = &closes_wanted,
	 .symbol = "perf_event_exec",
	 .loss = "a thread that loses its counter just before a set-user-ID program is not told"},
	{.kp.pre_handler = on_close,
	 .wanted = &closes_wanted,
	 .symbol = "perf_event_exit_task",
	 .loss = "a thread that loses its counter within a second before its exit is not told"},
};

static void find_tracepoint(struct tracepoint *tp, void *arg)
{
	u32 i;

	for (i = 0; i < HOOKS; i++)
		if (!strcmp(tp->name, hooks[i].name))
			hooks[i].tp = tp;
}

static int hook_add(struct hook *hook)
{
	int error = 0;

	if (!hook->registered)
		error = tracepoint_probe_register(hook->tp, hook->probe, NULL);
	hook->registered = !error;
	if (error)
		pr_err("hwpmc: tracepoint %s: error %d\n", hook->name, error);
	return error;
}

static void hook_remove(struct hook *hook)
{
	if (hook->registered)
		tracepoint_probe_unregister(hook->tp, hook->probe, NULL);
	hook->registered = false;
}

/* A kprobe may be registered anew only after what registering left in it has been cleared. */
static void probe_add(struct probe *probe)
{
	int error;

	if (probe->registered)
		return;
	probe->kp.symbol_name = probe->symbol;
	probe->kp.addr = NULL;
	probe->kp.flags = 0;
	error = register_kprobe(&probe->kp);
	probe->registered = !error;
	if (error && !probe->told)
		pr_notice("hwpmc: no kprobe at %s (error %d): %s\n", probe->symbol, error,
			  probe->loss);
	probe->told |= error;
}

/* Those that nobody wants, or all: together, since it takes grace periods. */
static void probes_remove(bool all)
{
	struct kprobe *list[ARRAY_SIZE(probes)];
	int n = 0;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(probes); i++) {
		if (!probes[i].registered || (*probes[i].wanted && !all))
			continue;
		list[n++] = &probes[i].kp;
		probes[i].registered = false;
	}
	if (n)
		unregister_kprobes(list, n);
}

/* hooks_lock. */
static void remove_unwanted(void)
{
	u32 i;

	for (i = 0; i < HOOKS; i++)
		if (hooks[i].wanted && !*hooks[i].wanted)
			hook_remove(&hooks[i]);
	probes_remove(false);
}

static void removal(struct work_struct *work)
{
	mutex_lock(&hooks_lock);
	remove_unwanted();
	mutex_unlock(&hooks_lock);
}

static DECLARE_DELAYED_WORK(removal_work, removal);

/*
 * Not for owners that a forced unload comes to, when all hooks have gone.  Once a second at most:
 * who wants them and leaves them in a loop has others wait for no more than that.  hooks_lock.
 */
static void remove_soon(void)
{
	if (hooks[HOOK_FORK].registered)
		schedule_delayed_work(&removal_work, HZ);
}

/* One more wants what the count is of.  An error of a tracepoint: it is not counted. */
static int want(unsigned int *wanted)
{
	int error = 0;
	u32 i;

	mutex_lock(&hooks_lock);
	for (i = 0; i < HOOKS && !error; i++)
		if (hooks[i].wanted == wanted)
			error = hook_add(&hooks[i]);
	for (i = 0; i < ARRAY_SIZE(probes) && !error; i++)
		if (probes[i].wanted == wanted)
			probe_add(&probes[i]);
	if (!error)
		WRITE_ONCE(*wanted, *wanted + 1);
	mutex_unlock(&hooks_lock);
	return error;
}

static void unwant(unsigned int *wanted)
{
	mutex_lock(&hooks_lock);
	WRITE_ONCE(*wanted, *wanted - 1);
	remove_soon();
	mutex_unlock(&hooks_lock);
}

int hwpmc_hooks_want_switch(void)
{
	return want(&switch_wanted);
}

void hwpmc_hooks_unwant_switch(void)
{
	unwant(&switch_wanted);
}

/* Kprobes alone, as those of maps: one that cannot be is told, and no error. */
void hwpmc_hooks_want_closes(void)
{
	want(&closes_wanted);
}

void hwpmc_hooks_unwant_closes(void)
{
	unwant(&closes_wanted);
}

int hwpmc_hooks_want_names(void)
{
	return want(&names_wanted);
}

void hwpmc_hooks_unwant_names(void)
{
	unwant(&names_wanted);
}

bool hwpmc_hooks_names_are_wanted(void)
{
	return READ_ONCE(names_wanted);
}

void hwpmc_hooks_want_maps(void)
{
	want(&maps_wanted);
}

void hwpmc_hooks_unwant_maps(void)
{
	unwant(&maps_wanted);
}

int hwpmc_hooks_init(const struct hwpmc_hooks *table)
{
	int error = 0;
	u32 i;

	calls = table;
	hooks[HOOK_FORK].probe = table->on_fork;
	hooks[HOOK_EXIT].probe = table->on_exit;
	hooks[HOOK_EXEC].probe = table->on_exec;
	hooks[HOOK_SWITCH].probe = table->on_switch;
	hooks[HOOK_RENAME].probe = table->on_rename;
	for_each_kernel_tracepoint(find_tracepoint, NULL)
		;
	for (i = 0; i < HOOKS; i++)
		if (!hooks[i].tp) {
			pr_err("hwpmc: this kernel has no tracepoint %s\n", hooks[i].name);
			return -ENOENT;
		}
	for (i = HOOK_FORK; i <= HOOK_EXEC && !error; i++)
		error = hook_add(&hooks[i]);
	if (error)
		hwpmc_hooks_exit();
	return error;
}

void hwpmc_hooks_exit(void)
{
	u32 i;

	/* The work may be at it. */
	mutex_lock(&hooks_lock);
	for (i = 0; i < HOOKS; i++)
		hook_remove(&hooks[i]);
	probes_remove(true);
	mutex_unlock(&hooks_lock);
	cancel_delayed_work_sync(&removal_work);
	tracepoint_synchronize_unregister();
}
