// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * A module for tests on PREEMPT_RT: complains where hwpmc takes a lock that may sleep while
 * switches or interrupts are off.  The kernel itself notices that only when such a lock is
 * contended just then; its allocator, its wait queues and the names of paths take such locks.
 */
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/stacktrace.h>

#define FRAMES	   32
#define COMPLAINTS 8 /* that are said; one is a failed test */

/* A function that may sleep. */
struct lock {
	struct kprobe kp;
	int usual; /* preempt_count() in its probe when it may */
};

static const struct task_struct *calibrates;
static atomic_t complaints = ATOMIC_INIT(0);

static bool is_hwpmc(unsigned long address)
{
	char name[KSYM_SYMBOL_LEN];

	sprint_symbol(name, address);
	return strstr(name, " [hwpmc]");
}

static void complain(const char *function, bool irqs_off)
{
	unsigned long frames[FRAMES];
	unsigned int i, n = stack_trace_save(frames, FRAMES, 0);
	bool ours = false;

	for (i = 0; i < n && !ours; i++)
		ours = is_hwpmc(frames[i]);
	if (!ours || atomic_inc_return(&complaints) > COMPLAINTS)
		return;
	pr_err("BUG: %s while %s are off, in %s:\n", function, irqs_off ? "interrupts" : "switches",
	       current->comm);
	for (i = 0; i < n; i++)
		pr_err("   %pS\n", (void *)frames[i]);
}

static int on_lock(struct kprobe *kp, struct pt_regs *regs)
{
	struct lock *lock = container_of(kp, struct lock, kp);
	bool irqs_off = regs_irqs_disabled(regs);

	if (READ_ONCE(calibrates) == current)
		lock->usual = preempt_count();
	else if (!READ_ONCE(calibrates) && (preempt_count() > lock->usual || irqs_off))
		complain(kp->symbol_name, irqs_off);
	return 0;
}

static struct lock locks[] = {
	{.kp = {.pre_handler = on_lock, .symbol_name = "rt_spin_lock"}},
	{.kp = {.pre_handler = on_lock, .symbol_name = "rt_read_lock"}},
	{.kp = {.pre_handler = on_lock, .symbol_name = "rt_write_lock"}},
	{.kp = {.pre_handler = on_lock, .symbol_name = "mutex_lock"}},
	{.kp = {.pre_handler = on_lock, .symbol_name = "down_read"}},
};

/* Each of them once, where it may sleep. */
static void calibrate(void)
{
	static DEFINE_SPINLOCK(spin);
	static DEFINE_RWLOCK(rw);
	static DEFINE_MUTEX(mutex);
	static DECLARE_RWSEM(semaphore);

	spin_lock(&spin);
	spin_unlock(&spin);
	read_lock(&rw);
	read_unlock(&rw);
	write_lock(&rw);
	write_unlock(&rw);
	mutex_lock(&mutex);
	mutex_unlock(&mutex);
	down_read(&semaphore);
	up_read(&semaphore);
}

static void unregister(size_t n)
{
	while (n)
		unregister_kprobe(&locks[--n].kp);
}

static int __init atomic_init(void)
{
	size_t i;
	int err;

	WRITE_ONCE(calibrates, current);
	for (i = 0; i < ARRAY_SIZE(locks); i++) {
		err = register_kprobe(&locks[i].kp);
		if (err) {
			pr_err("%s: %d\n", locks[i].kp.symbol_name, err);
			unregister(i);
			return err;
		}
	}
	calibrate();
	WRITE_ONCE(calibrates, NULL);
	return 0;
}

static void __exit atomic_exit(void)
{
	unregister(ARRAY_SIZE(locks));
}

module_init(atomic_init);
module_exit(atomic_exit);
MODULE_DESCRIPTION("complains where hwpmc may sleep and must not, for tests");
MODULE_LICENSE("Dual BSD/GPL");
