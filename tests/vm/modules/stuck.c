// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * A module for tests whose file /dev/stuck answers no write, no mmap, and no close of what was
 * opened for reading, and lets no signal end them, until the parameter answers is set; as that of
 * a file server that is gone.  The parameter waiting says how many wait.  The parameter slow has
 * the module's loading take as many milliseconds.
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/uio.h>
#include <linux/wait.h>

static DECLARE_WAIT_QUEUE_HEAD(writers);
static bool answers;
static atomic_t waiting;

static int answers_set(const char *text, const struct kernel_param *param)
{
	int err = param_set_bool(text, param);

	wake_up_all(&writers);
	return err;
}

static const struct kernel_param_ops answers_ops = {.set = answers_set, .get = param_get_bool};

module_param_cb(answers, &answers_ops, &answers, 0644);

static int waiting_get(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%d\n", atomic_read(&waiting));
}

static const struct kernel_param_ops waiting_ops = {.get = waiting_get};

module_param_cb(waiting, &waiting_ops, NULL, 0444);

static int slow_set(const char *text, const struct kernel_param *param)
{
	unsigned int ms;
	int err = kstrtouint(text, 0, &ms);

	if (!err)
		msleep(ms);
	return err;
}

static const struct kernel_param_ops slow_ops = {.set = slow_set};

module_param_cb(slow, &slow_ops, NULL, 0);

static void wait_for_answer(void)
{
	atomic_inc(&waiting);
	wait_event(writers, READ_ONCE(answers));
	atomic_dec(&waiting);
}

static ssize_t stuck_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	size_t n = iov_iter_count(from);

	wait_for_answer();
	iov_iter_advance(from, n);
	return n;
}

static int stuck_flush(struct file *file, fl_owner_t id)
{
	if (!(file->f_mode & FMODE_WRITE))
		wait_for_answer();
	return 0;
}

static int stuck_mmap(struct file *file, struct vm_area_struct *vma)
{
	wait_for_answer();
	return 0;
}

static const struct file_operations stuck_fops = {
	.owner = THIS_MODULE,
	.flush = stuck_flush,
	.mmap = stuck_mmap,
	.write_iter = stuck_write_iter,
};

static struct miscdevice stuck = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "stuck",
	.mode = 0666,
	.fops = &stuck_fops,
};

module_misc_device(stuck);

MODULE_DESCRIPTION("a file for tests that does not answer");
MODULE_LICENSE("Dual BSD/GPL");
