// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Where the kernel tells us something: tracepoints, and where there is none, the entry of a
 * function, by ftrace, which costs some tens of instructions and no trap.
 *
 * Tracepoints are not exported by name: they are looked for among all of them.  Hooks run with
 * preemption off (main.c; here where functions are entered).  fork, exit and exec are hooked while
 * the module is loaded; the others cost something at each switch or mapping, and are there while
 * somebody wants them, or a moment longer: a work item removes them.  All functions: process
 * context; want and unwant under hwpmc_lock.
 *
 * What they call is a table of main.c's: this file is below all that is called.
 */
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/tracepoint.h>

#include "hwpmc_int.h"

static const struct hwpmc_hooks *calls; /* while a hook is registered */

/* Over what is registered, and the counts of those who want it.  Inside hwpmc_lock, or alone. */
static DEFINE_MUTEX(hooks_lock);
static unsigned int names_wanted, maps_wanted, closes_wanted; /* hooks read them */
static unsigned int switch_wanted;

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
static void on_mmap(struct ftrace_regs *regs)
{
	calls->on_mmap((struct vm_area_struct *)hwpmc_argument(regs, 0));
}

/* Also called for each map of a process that is no more. */
static void on_munmap(struct ftrace_regs *regs)
{
	struct vm_area_struct *vma = (struct vm_area_struct *)hwpmc_argument(regs, 0);

	if (vma->vm_flags & VM_EXEC)
		calls->on_munmap(vma->vm_mm, hwpmc_argument(regs, 1), hwpmc_argument(regs, 2));
}

/* Perf is about to close the events of the current thread, or will if its user may not watch it. */
static void on_close(struct ftrace_regs *regs)
{
	calls->on_close(current);
}

struct entry {
	const char *function, *loss;
	const unsigned int *wanted;
	void (*on_call)(struct ftrace_regs *regs);
	unsigned long address; /* 0: this kernel has no such function */
	bool hooked, told;
};

enum { ENTRY_EXEC, ENTRY_EXIT, ENTRY_MMAP, ENTRY_MUNMAP, NENTRIES };

static struct entry entries[NENTRIES] = {
	[ENTRY_EXEC] = {.on_call = on_close,
			.wanted = &closes_wanted,
			.function = "perf_event_exec"},
	[ENTRY_EXIT] = {.on_call = on_close,
			.wanted = &closes_wanted,
			.function = "perf_event_exit_task",
			.loss = "who loses a counter within a second before his exit is not told"},
	[ENTRY_MMAP] = {.on_call = on_mmap,
			.wanted = &maps_wanted,
			.function = "perf_event_mmap",
			.loss = "what programs map while they run is not logged"},
	[ENTRY_MUNMAP] = {.on_call = on_munmap,
			  .wanted = &maps_wanted,
			  .function = "uprobe_munmap",
			  .loss = "what programs unmap is not logged"},
};

/* Of a function's first bytes those that an address of its call by ftrace can be behind. */
#define ENTRY_BYTES 16

/*
 * One for all functions: where there are several, older kernels for arm64 have each call look at
 * all of them.  What nobody wants any more may come for a moment yet.
 */
static void notrace on_entry(unsigned long ip, unsigned long parent, struct ftrace_ops *ops,
			     struct ftrace_regs *regs)
{
	u32 i;

	preempt_disable_notrace();
	for (i = 0; i < NENTRIES; i++)
		if (ip - entries[i].address < ENTRY_BYTES && READ_ONCE(*entries[i].wanted))
			entries[i].on_call(regs);
	preempt_enable_notrace();
}

static struct ftrace_ops entries_ops = {.func = on_entry, .flags = HWPMC_FTRACE_FLAGS};

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

/* That of exec always, since a filter of no function is one of all.  hooks_lock. */
static bool is_due(u32 i)
{
	return entries[i].address && (i == ENTRY_EXEC || *entries[i].wanted);
}

/*
 * Hooks the functions that are wanted, and no others, in one step: each goes through all that the
 * kernel has, and x86 interrupts all CPUs.  hooks_lock.
 */
static int entries_update(void)
{
	unsigned long addresses[NENTRIES];
	bool hook, changes = false;
	int error, n = 0;
	u32 i;

	for (i = 0; i < NENTRIES; i++) {
		hook = is_due(i);
		changes |= hook != entries[i].hooked;
		if (hook)
			addresses[n++] = entries[i].address;
	}
	if (!changes)
		return 0;
	error = ftrace_set_filter_ips(&entries_ops, addresses, n, 0, true);
	if (error)
		return error;
	for (i = 0; i < NENTRIES; i++)
		entries[i].hooked = is_due(i);
	return 0;
}

/* Those that the count is of, which has just grown; tells what is lost. */
static void entries_add(const unsigned int *wanted)
{
	int error = entries_update();
	struct entry *entry;

	for (entry = entries; entry < entries + NENTRIES; entry++) {
		if (entry->wanted != wanted || entry->hooked || entry->told)
			continue;
		pr_notice("hwpmc: ftrace does not tell of calls of %s (error %d): %s\n",
			  entry->function, error ?: -ENOENT, entry->loss);
		entry->told = true;
	}
}

/* hooks_lock. */
static void remove_unwanted(void)
{
	u32 i;

	for (i = 0; i < HOOKS; i++)
		if (hooks[i].wanted && !*hooks[i].wanted)
			hook_remove(&hooks[i]);
	entries_update(); /* what cannot be removed for lack of memory stays */
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
	if (!error) {
		WRITE_ONCE(*wanted, *wanted + 1);
		entries_add(wanted);
	}
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

/* Entries alone, as those of maps: one that cannot be is told, and no error. */
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

/* Finds the functions, and which of them can be hooked. */
static int entries_find(void)
{
	struct entry *entry;
	int error;

	for (entry = entries; entry < entries + NENTRIES; entry++) {
		error = hwpmc_address_of(entry->function, &entry->address);
		if (!error)
			error = ftrace_set_filter_ip(&entries_ops, entry->address, 0, 0);
		if (error)
			entry->address = 0;
		if (error == -ENOMEM || (error && entry == &entries[ENTRY_EXEC]))
			return error;
	}
	return 0;
}

static int entries_init(void)
{
	int error = entries_find();

	if (!error)
		error = entries_update();
	if (!error)
		error = register_ftrace_function(&entries_ops);
	if (error)
		pr_err("hwpmc: ftrace does not tell of calls: error %d%s\n", error,
		       error == -EBUSY ? ", set kernel.ftrace_enabled to 1" : "");
	return error;
}

/* Waits until none runs on_entry(); fails where ftrace has broken, and looks at it for ever. */
static void entries_exit(void)
{
	if (entries_ops.flags & FTRACE_OPS_FL_ENABLED &&
	    WARN_ON(unregister_ftrace_function(&entries_ops)))
		return;
	ftrace_free_filter(&entries_ops);
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
	if (!error)
		error = entries_init();
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
	mutex_unlock(&hooks_lock);
	cancel_delayed_work_sync(&removal_work);
	entries_exit();
	tracepoint_synchronize_unregister();
}
