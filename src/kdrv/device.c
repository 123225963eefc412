// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * /dev/hwpmc: one function for each operation of hwpmc(4), all in process context.
 *
 * Who may do what is checked by each operation (access.c).  All is copied in before hwpmc_lock is
 * taken and out after it was given back: a page of the caller can keep whoever touches it waiting,
 * for as long as the caller likes.
 */
#include <linux/cpu.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/nospec.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "hwpmc_int.h"

/* Larger than every argument (the dispatcher's is on its stack). */
#define ARGUMENT_MAX 512

/* hwpmc_lock, for an operation that changes nothing of its owner: one that does enters. */
static int lock(void)
{
	int err = hwpmc_owner_wait_reclaimed_killable();

	if (err)
		return err;
	return mutex_lock_killable(&hwpmc_lock) ? -EINTR : 0;
}

/* The caller's log, held; ERR_PTR. */
static struct hwpmc_log *own_log(void)
{
	struct hwpmc_owner *owner;
	struct hwpmc_log *log = ERR_PTR(-EINVAL);

	if (lock())
		return ERR_PTR(-EINTR);
	owner = hwpmc_owner_find(task_tgid(current));
	if (owner && owner->log)
		log = hwpmc_log_get(owner->log);
	mutex_unlock(&hwpmc_lock);
	return log;
}

/* The log is the caller's no more, and no event writes to it any more. */
static int end_log(bool now)
{
	struct hwpmc_log *log = NULL;
	struct hwpmc_owner *owner;
	int err = hwpmc_owner_enter(false, &owner);

	if (err)
		return err;
	if (owner)
		log = hwpmc_owner_drop_log(owner);
	hwpmc_owner_leave(owner);
	if (!log)
		return -EINVAL;
	err = hwpmc_log_close(log, now);
	hwpmc_log_put(log);
	return err;
}

/* *opened: a log that cannot be begun is then to be closed, not only freed. */
static int begin_log(struct hwpmc_owner *owner, struct hwpmc_log *log, bool *opened)
{
	int err = owner->log ? -EBUSY : hwpmc_log_open(log);

	*opened = !err;
	return err ? err : hwpmc_owner_set_log(owner, log);
}

/* Its memory is made, cleared and given back without hwpmc_lock. */
static int new_log(const struct hwpmc_configurelog *args, const u8 *trailer)
{
	struct hwpmc_log *log = hwpmc_log_new(args, trailer);
	struct hwpmc_owner *owner;
	bool opened = false;
	int err;

	if (IS_ERR(log))
		return PTR_ERR(log);
	err = hwpmc_owner_enter(true, &owner);
	if (!err) {
		err = begin_log(owner, log, &opened);
		hwpmc_owner_leave(owner);
	}
	if (err && opened) {
		hwpmc_log_close(log, true);
		hwpmc_log_put(log);
	} else if (err) {
		hwpmc_log_free(log);
	}
	return err;
}

static int op_configurelog(void *argument)
{
	const struct hwpmc_configurelog *args = argument;
	u8 *trailer = NULL;
	int err;

	if (args->fd == -1) {
		err = end_log(true);
		return err == -EINVAL ? err : 0;
	}
	if (args->trailer_length > HWPMC_TRAILER_MAX)
		return -EINVAL;
	err = hwpmc_may_count();
	if (err)
		return err;
	if (args->trailer_length) {
		trailer = memdup_user(u64_to_user_ptr(args->trailer), args->trailer_length);
		if (IS_ERR(trailer))
			return PTR_ERR(trailer);
	}
	err = new_log(args, trailer);
	kfree(trailer);
	return err;
}

static int op_flushlog(void *argument)
{
	struct hwpmc_log *log = own_log();
	int err;

	if (IS_ERR(log))
		return PTR_ERR(log);
	err = hwpmc_log_flush(log);
	hwpmc_log_put(log);
	return err;
}

static int op_closelog(void *argument)
{
	return end_log(false);
}

static int op_writelog(void *argument)
{
	struct hwpmc_log *log = own_log();

	if (IS_ERR(log))
		return PTR_ERR(log);
	hwpmc_log_userdata(log, *(u32 *)argument);
	hwpmc_log_put(log);
	return 0;
}

static int op_getlogstats(void *argument)
{
	struct hwpmc_log *log = own_log();

	if (IS_ERR(log))
		return PTR_ERR(log);
	hwpmc_log_stats(log, argument);
	hwpmc_log_put(log);
	return 0;
}

static int op_getcpuinfo(void *argument)
{
	int err = lock();

	if (err)
		return err;
	hwpmc_rows_cpuinfo(argument);
	mutex_unlock(&hwpmc_lock);
	return 0;
}

static int op_getdriverstats(void *argument)
{
	*(struct hwpmc_driverstats *)argument = (struct hwpmc_driverstats){
		.intr_ignored = atomic64_read(&hwpmc_counts.intr_ignored),
		.intr_processed = atomic64_read(&hwpmc_counts.intr_processed),
		.intr_bufferfull = atomic64_read(&hwpmc_counts.intr_bufferfull),
		.intr_throttled = atomic64_read(&hwpmc_counts.intr_throttled),
		.syscalls = atomic64_read(&hwpmc_counts.syscalls),
		.syscall_errors = atomic64_read(&hwpmc_counts.syscall_errors),
		.buffer_requests = atomic64_read(&hwpmc_counts.buffer_requests),
		.buffer_requests_failed = atomic64_read(&hwpmc_counts.buffer_requests_failed),
		.log_sweeps = atomic64_read(&hwpmc_counts.log_sweeps),
		.threads_missed = atomic64_read(&hwpmc_counts.threads_missed),
		.records_lost = atomic64_read(&hwpmc_counts.records_lost),
		.starved = atomic64_read(&hwpmc_counts.starved),
	};
	return 0;
}

static int op_getmoduleversion(void *argument)
{
	*(u32 *)argument = HWPMC_VERSION;
	return 0;
}

static int op_getpmcinfo(void *argument)
{
	struct hwpmc_pmcinfo *info = argument;
	struct hwpmc_rowinfo *rows = kcalloc(HWPMC_ROWS_MAX, sizeof(*rows), GFP_KERNEL);
	u32 room = info->nrows;
	int n;

	if (!rows)
		return -ENOMEM;
	n = lock();
	if (!n) {
		n = hwpmc_rows_pmcinfo(info->cpu, rows, HWPMC_ROWS_MAX);
		mutex_unlock(&hwpmc_lock);
	}
	if (n >= 0 &&
	    copy_to_user(u64_to_user_ptr(info->rows), rows, min_t(u32, room, n) * sizeof(*rows)))
		n = -EFAULT;
	kfree(rows);
	if (n < 0)
		return n;
	info->nrows = n;
	return 0;
}

static int op_getdyneventinfo(void *argument)
{
	struct hwpmc_dynevents *info = argument;
	struct hwpmc_dynevent *events;
	u32 room = min(info->nevents, HWPMC_ROWS_MAX);
	int err = 0;

	if (info->pm_class != PMC_CLASS_SOFT)
		return -EINVAL;
	events = kcalloc(HWPMC_ROWS_MAX, sizeof(*events), GFP_KERNEL);
	if (!events)
		return -ENOMEM;
	info->nevents = hwpmc_events_list(info->pm_class, events, HWPMC_ROWS_MAX);
	if (copy_to_user(u64_to_user_ptr(info->events), events,
			 min(room, info->nevents) * sizeof(*events)))
		err = -EFAULT;
	kfree(events);
	return err;
}

static int op_pmcadmin(void *argument)
{
	int err = lock();

	if (err)
		return err;
	err = hwpmc_row_admin(argument);
	mutex_unlock(&hwpmc_lock);
	return err;
}

static int try_pmcallocate(struct hwpmc_allocate *args)
{
	struct hwpmc_owner *owner;
	int err = hwpmc_owner_enter(true, &owner);

	if (err)
		return err;
	err = hwpmc_pmc_allocate(owner, args);
	hwpmc_owner_leave(owner);
	return err;
}

/* PMCs that were released a moment ago may still be on their way back, by RCU twice. */
static int op_pmcallocate(void *argument)
{
	int err = try_pmcallocate(argument), waits;

	for (waits = 0; err == -ENOBUFS && waits < 2; waits++) {
		rcu_barrier();
		err = try_pmcallocate(argument);
	}
	return err;
}

/* The process that pid names to the caller, held. */
static struct pid *tgid_of(s32 pid)
{
	struct pid *tgid;
	bool leads;

	if (pid < 0)
		return ERR_PTR(-EINVAL);
	if (!pid)
		return get_pid(task_tgid(current));
	tgid = find_get_pid(pid);
	rcu_read_lock();
	leads = tgid && pid_task(tgid, PIDTYPE_TGID);
	rcu_read_unlock();
	if (leads)
		return tgid;
	put_pid(tgid);
	return ERR_PTR(-ESRCH);
}

/*
 * Runs act on the caller's PMC id, under its owner's lock and hwpmc_lock; *busy: what it is to be
 * done again after.
 */
static int try_with_pmc(u32 id, int (*act)(struct hwpmc_pmc *pmc, void *arg), void *arg,
			struct pid **busy)
{
	struct hwpmc_owner *owner;
	struct hwpmc_pmc *pmc;
	int err = hwpmc_owner_enter(false, &owner);

	*busy = NULL;
	if (err)
		return err;
	pmc = hwpmc_owner_pmc(owner, id);
	err = IS_ERR(pmc) ? PTR_ERR(pmc) : act(pmc, arg);
	if (err == -EAGAIN)
		swap(*busy, owner->busy);
	hwpmc_owner_leave(owner);
	return err;
}

/* Until the process is through with its exec; gives tgid back. */
static int wait_for_exec(struct pid *tgid)
{
	struct task_struct *leader = get_pid_task(tgid, PIDTYPE_TGID);
	int err = 0;

	put_pid(tgid);
	if (!leader)
		return 0;
	err = down_read_killable(&leader->signal->exec_update_lock);
	if (!err)
		up_read(&leader->signal->exec_update_lock);
	put_task_struct(leader);
	return err;
}

static int with_pmc(u32 id, int (*act)(struct hwpmc_pmc *pmc, void *arg), void *arg)
{
	struct pid *busy;
	int err;

	do
		err = try_with_pmc(id, act, arg, &busy);
	while (busy && !(err = wait_for_exec(busy)));
	return err;
}

struct attach {
	struct pid *tgid;
	u64 number;
	struct hwpmc_snapshot snapshot;
};

static int attach(struct hwpmc_pmc *pmc, void *arg)
{
	struct attach *a = arg;
	int err;

	if (PMC_IS_SYSTEM_MODE(pmc->mode))
		return -EINVAL;
	if (IS_ERR(a->tgid))
		return PTR_ERR(a->tgid);
	err = hwpmc_attach(pmc, a->tgid, &a->number);
	if (err)
		return err;
	err = hwpmc_snapshot_take(pmc, &a->snapshot);
	if (err)
		hwpmc_attach_undo(pmc, a->number);
	return err;
}

/* Its log has the maps: counters start where the PMC runs, or none was attached. */
static int end_attach(struct hwpmc_pmc *pmc, void *arg)
{
	struct attach *a = arg;
	int err = hwpmc_snapshot_end(pmc, &a->snapshot);

	if (err)
		hwpmc_attach_undo(pmc, a->number);
	return err;
}

static int op_pmcattach(void *argument)
{
	const struct hwpmc_attach *args = argument;
	struct attach a = {.tgid = tgid_of(args->pid)};
	int err = with_pmc(args->id, attach, &a);

	if (!err && a.snapshot.log) {
		hwpmc_snapshot_write(&a.snapshot);
		err = with_pmc(args->id, end_attach, &a);
	}
	hwpmc_snapshot_free(&a.snapshot);
	if (!IS_ERR(a.tgid))
		put_pid(a.tgid);
	return err;
}

static int detach(struct hwpmc_pmc *pmc, void *arg)
{
	int err;

	if (PMC_IS_SYSTEM_MODE(pmc->mode))
		return -EINVAL;
	err = IS_ERR(arg) ? PTR_ERR(arg) : hwpmc_detach(pmc, arg);
	if (!err && list_empty(&pmc->attachments))
		pmc->orphaned = true;
	return err;
}

static int op_pmcdetach(void *argument)
{
	const struct hwpmc_attach *args = argument;
	struct pid *tgid = tgid_of(args->pid);
	int err = with_pmc(args->id, detach, tgid);

	if (!IS_ERR(tgid))
		put_pid(tgid);
	return err;
}

static int getmsr(struct hwpmc_pmc *pmc, void *arg)
{
	return hwpmc_pmc_getmsr(pmc, arg);
}

static int op_pmcgetmsr(void *argument)
{
	struct hwpmc_getmsr *args = argument;

	return with_pmc(args->id, getmsr, &args->msr);
}

static int release(struct hwpmc_pmc *pmc, void *arg)
{
	hwpmc_pmc_release(pmc);
	return 0;
}

static int op_pmcrelease(void *argument)
{
	return with_pmc(*(u32 *)argument, release, NULL);
}

/* The caller could not be told of its new PMC. */
static void undo_pmcallocate(void *argument)
{
	with_pmc(((struct hwpmc_allocate *)argument)->id, release, NULL);
}

static int rw(struct hwpmc_pmc *pmc, void *arg)
{
	return hwpmc_pmc_rw(pmc, arg);
}

static int op_pmcrw(void *argument)
{
	return with_pmc(((struct hwpmc_rw *)argument)->id, rw, argument);
}

static int setcount(struct hwpmc_pmc *pmc, void *arg)
{
	const struct hwpmc_setcount *args = arg;

	return args->pad ? -EINVAL : hwpmc_pmc_setcount(pmc, args->count);
}

static int op_pmcsetcount(void *argument)
{
	return with_pmc(((struct hwpmc_setcount *)argument)->id, setcount, argument);
}

static int prepare_start(struct hwpmc_pmc *pmc, void *arg)
{
	int err = pmc->state == HWPMC_RUNNING ? 0 : hwpmc_pmc_ready(pmc);

	return err ? err : hwpmc_snapshot_take(pmc, arg);
}

/* The log that was told where everything is mapped gets the samples, or none does. */
static int start(struct hwpmc_pmc *pmc, void *arg)
{
	const struct hwpmc_snapshot *snapshot = arg;
	int err;

	if (snapshot->log && snapshot->log != pmc->owner->log)
		return -EDESTADDRREQ;
	err = hwpmc_snapshot_end(pmc, snapshot);
	if (err) /* it was started meanwhile */
		hwpmc_pmc_halt(pmc);
	return err ? err : hwpmc_pmc_start(pmc);
}

static int op_pmcstart(void *argument)
{
	struct hwpmc_snapshot snapshot = {};
	u32 id = *(u32 *)argument;
	int err = with_pmc(id, prepare_start, &snapshot);

	if (err)
		return err;
	hwpmc_snapshot_write(&snapshot);
	err = with_pmc(id, start, &snapshot);
	hwpmc_snapshot_free(&snapshot);
	return err;
}

static int stop(struct hwpmc_pmc *pmc, void *arg)
{
	return hwpmc_pmc_stop(pmc);
}

static int op_pmcstop(void *argument)
{
	return with_pmc(*(u32 *)argument, stop, NULL);
}

static int hold(struct hwpmc_pmc *pmc, void *arg)
{
	kref_get(&pmc->refs);
	*(struct hwpmc_pmc **)arg = pmc;
	return 0;
}

/* Memory of the caller can take its time to come: it is not waited for under hwpmc_lock. */
static int op_getkgmon(void *argument)
{
	struct hwpmc_kgmon *args = argument;
	struct hwpmc_pmc *pmc;
	int err = with_pmc(args->id, hold, &pmc);

	if (err)
		return err;
	err = pmc->kgmon ? hwpmc_kgmon_get(pmc, args) : -EINVAL;
	hwpmc_pmc_put(pmc);
	return err;
}

#define OPERATION(what, function) \
	[_IOC_NR(HWPMC_##what)] = {.command = HWPMC_##what, .operate = op_##function, .name = #what}

static const struct operation {
	unsigned int command;
	int (*operate)(void *argument);
	void (*undo)(void *argument); /* its answer could not be copied out */
	const char *name;
} operations[] = {
	OPERATION(CONFIGURELOG, configurelog),
	OPERATION(FLUSHLOG, flushlog),
	OPERATION(CLOSELOG, closelog),
	OPERATION(WRITELOG, writelog),
	OPERATION(GETLOGSTATS, getlogstats),
	OPERATION(GETCPUINFO, getcpuinfo),
	OPERATION(GETDRIVERSTATS, getdriverstats),
	OPERATION(GETMODULEVERSION, getmoduleversion),
	OPERATION(GETPMCINFO, getpmcinfo),
	OPERATION(GETDYNEVENTINFO, getdyneventinfo),
	OPERATION(PMCADMIN, pmcadmin),
	[_IOC_NR(HWPMC_PMCALLOCATE)] = {HWPMC_PMCALLOCATE, op_pmcallocate, undo_pmcallocate,
					"PMCALLOCATE"},
	OPERATION(PMCATTACH, pmcattach),
	OPERATION(PMCDETACH, pmcdetach),
	OPERATION(PMCGETMSR, pmcgetmsr),
	OPERATION(PMCRELEASE, pmcrelease),
	OPERATION(PMCRW, pmcrw),
	OPERATION(PMCSETCOUNT, pmcsetcount),
	OPERATION(PMCSTART, pmcstart),
	OPERATION(PMCSTOP, pmcstop),
	OPERATION(GETKGMON, getkgmon),
};

static int operate(const struct operation *o, void __user *user)
{
	u64 argument[ARGUMENT_MAX / sizeof(u64)];
	size_t size = _IOC_SIZE(o->command);
	int err;

	memset(argument, 0, size);
	if ((_IOC_DIR(o->command) & _IOC_WRITE) && copy_from_user(argument, user, size))
		return -EFAULT;
	err = o->operate(argument);
	if (err || !(_IOC_DIR(o->command) & _IOC_READ))
		return err;
	if (!copy_to_user(user, argument, size))
		return 0;
	if (o->undo)
		o->undo(argument);
	return -EFAULT;
}

static long hwpmc_ioctl(struct file *file, unsigned int command, unsigned long arg)
{
	unsigned int number = _IOC_NR(command);
	const struct operation *o = NULL;
	int err = -ENOTTY;

	BUILD_BUG_ON(sizeof(struct hwpmc_allocate) > ARGUMENT_MAX);
	atomic64_inc(&hwpmc_counts.syscalls);
	if (number < ARRAY_SIZE(operations))
		o = &operations[array_index_nospec(number, ARRAY_SIZE(operations))];
	if (o && o->operate && o->command == command)
		err = operate(o, (void __user *)arg);
	if (err)
		atomic64_inc(&hwpmc_counts.syscall_errors);
	if (err != -ENOTTY && (READ_ONCE(hwpmc_debugflags) & HWPMC_DEBUG_OPERATIONS))
		pr_info("hwpmc: process %d: %s: %d\n", task_tgid_nr(current), o->name, err);
	return err;
}

/*
 * Who waits for a process that exits finds nothing left of what it owned, but where that takes so
 * long that the process does not wait for it.
 */
static int hwpmc_flush(struct file *file, fl_owner_t id)
{
	if (current->flags & PF_EXITING)
		hwpmc_owner_wait_reclaimed();
	return 0;
}

static const struct file_operations hwpmc_fops = {
	.owner = THIS_MODULE,
	.open = nonseekable_open,
	.flush = hwpmc_flush,
	.unlocked_ioctl = hwpmc_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice hwpmc_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "hwpmc",
	/* The system gives it to the group that may: contrib/hwpmc/99-hwpmc.rules. */
	.mode = 0660,
	.fops = &hwpmc_fops,
};

int hwpmc_device_init(void)
{
	return misc_register(&hwpmc_device);
}

void hwpmc_device_exit(void)
{
	misc_deregister(&hwpmc_device);
}
