// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * kapi_demo.ko: /proc/kapi_demo, through which a process calls the functions of pmc_kapi.h.
 *
 * A write is one command, a read gives what came of the last one: "ok", a number, or -errno.  The
 * task is who writes; for commands behind "kernel" it is NULL.  One process at a time.
 */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/proc_fs.h>
#include <linux/sched/task.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "kdrv/pmc_kapi.h"

static DEFINE_MUTEX(lock);
static char answer[64];

/* The arguments of a command; what is not given is 0. */
struct arguments {
	int ctr;
	unsigned int type;
	unsigned long long config, reset;
};

static void say(long long value)
{
	snprintf(answer, sizeof(answer), "%lld\n", value);
}

static void say_error(int error)
{
	if (error)
		say(error);
	else
		strscpy(answer, "ok\n", sizeof(answer));
}

static struct pmc_counter_cfg cfg_of(const struct arguments *a)
{
	return (struct pmc_counter_cfg){.event_id = PMC_EVID(a->type, a->config),
					.reset_value = a->reset};
}

static void do_num(struct task_struct *task, const struct arguments *a)
{
	say(pmc_get_num_counters());
}

static void do_type(struct task_struct *task, const struct arguments *a)
{
	say(pmc_get_counter_type(a->ctr));
}

static void do_configure(struct task_struct *task, const struct arguments *a)
{
	const struct pmc_counter_cfg cfg = cfg_of(a);

	say_error(task ? pmc_configure_counter(task, a->ctr, &cfg)
		       : pmc_alloc_kernel_counter(a->ctr, &cfg));
}

static void do_free(struct task_struct *task, const struct arguments *a)
{
	say_error(task ? pmc_configure_counter(task, a->ctr, NULL)
		       : pmc_free_kernel_counter(a->ctr));
}

static void do_enable(struct task_struct *task, const struct arguments *a)
{
	say_error(pmc_enable_counter(task, a->ctr));
}

static void do_disable(struct task_struct *task, const struct arguments *a)
{
	say_error(pmc_disable_counter(task, a->ctr));
}

static void do_running(struct task_struct *task, const struct arguments *a)
{
	say(pmc_counter_isrunning(task, a->ctr));
}

static void do_configured(struct task_struct *task, const struct arguments *a)
{
	say(pmc_counter_isconfigured(task, a->ctr));
}

static void say_value(struct task_struct *task, int ctr, int flags)
{
	u64 value;
	int error = pmc_get_counter_value(task, ctr, flags, &value);

	say(error ? error : value);
}

static void do_value(struct task_struct *task, const struct arguments *a)
{
	say_value(task, a->ctr, 0);
}

static void do_children(struct task_struct *task, const struct arguments *a)
{
	say_value(task, a->ctr, PMC_VALUE_FLAGS_CHILDREN);
}

/* Before the task exits: its parent gets what it has counted until now, and no more at exit. */
static void do_accumulate(struct task_struct *task, const struct arguments *a)
{
	struct task_struct *parent;

	rcu_read_lock();
	parent = rcu_dereference(current->real_parent);
	get_task_struct(parent);
	rcu_read_unlock();
	pmc_save_context(current);
	say_error(pmc_accumulate(parent, current));
	pmc_restore_context(current);
	put_task_struct(parent);
}

static void do_profile(struct task_struct *task, const struct arguments *a)
{
	const struct pmc_counter_cfg cfg = cfg_of(a);

	say_error(pmc_start_profiling(a->ctr, &cfg));
}

static void do_stop(struct task_struct *task, const struct arguments *a)
{
	say_error(pmc_stop_profiling(a->ctr));
}

/* Samples of the kernel's text, and bytes of a bin. */
static void do_samples(struct task_struct *task, const struct arguments *a)
{
	struct pmc_profile profile = {.nbins = 8 << 20};
	u64 sum = 0;
	int error;
	u32 i;

	profile.bins = vmalloc(profile.nbins * sizeof(*profile.bins));
	if (!profile.bins)
		return say_error(-ENOMEM);
	error = pmc_get_profile(a->ctr, &profile);
	for (i = 0; !error && i < profile.nbins; i++)
		sum += profile.bins[i];
	vfree(profile.bins);
	if (error)
		return say_error(error);
	snprintf(answer, sizeof(answer), "%s in the kernel, %s outside\n", sum ? "some" : "none",
		 profile.outside ? "some" : "none");
}

static void do_enabled(struct task_struct *task, const struct arguments *a)
{
	say(PMC_ENABLED(task));
}

static const struct {
	const char *word;
	void (*act)(struct task_struct *task, const struct arguments *a);
} commands[] = {
	{"num", do_num},
	{"type", do_type},
	{"configure", do_configure},
	{"free", do_free},
	{"enable", do_enable},
	{"disable", do_disable},
	{"running", do_running},
	{"configured", do_configured},
	{"value", do_value},
	{"children", do_children},
	{"accumulate", do_accumulate},
	{"profile", do_profile},
	{"stop", do_stop},
	{"samples", do_samples},
	{"enabled", do_enabled},
};

static ssize_t command(struct file *file, const char __user *buffer, size_t n, loff_t *at)
{
	char text[128] = "", word[16] = "";
	struct task_struct *task = current;
	struct arguments a = {};
	const char *rest = text;
	size_t i;

	if (n >= sizeof(text) || copy_from_user(text, buffer, n))
		return -EINVAL;
	if (!strncmp(rest, "kernel ", 7)) {
		rest += 7;
		task = NULL;
	}
	sscanf(rest, "%15s %d %u %llu %llu", word, &a.ctr, &a.type, &a.config, &a.reset);
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (strcmp(word, commands[i].word))
			continue;
		mutex_lock(&lock);
		commands[i].act(task, &a);
		mutex_unlock(&lock);
		return n;
	}
	return -EINVAL;
}

static ssize_t result(struct file *file, char __user *buffer, size_t n, loff_t *at)
{
	ssize_t length;

	mutex_lock(&lock);
	length = simple_read_from_buffer(buffer, n, at, answer, strlen(answer));
	mutex_unlock(&lock);
	return length;
}

static const struct proc_ops operations = {.proc_write = command, .proc_read = result};

static int __init demo_init(void)
{
	return proc_create("kapi_demo", 0600, NULL, &operations) ? 0 : -ENOMEM;
}

static void __exit demo_exit(void)
{
	remove_proc_entry("kapi_demo", NULL);
}

module_init(demo_init);
module_exit(demo_exit);
MODULE_DESCRIPTION("Calls every function of hwpmc's API for modules");
MODULE_LICENSE("Dual BSD/GPL");
