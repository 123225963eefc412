// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Who may do what.
 *
 * Attaching asks what ptrace(2) asks of a debugger: see __ptrace_may_access() of the kernel, which
 * modules cannot call.  The hooks of security modules (Yama, SELinux, AppArmor) are not exported
 * either: what these restrict further does not hold for hwpmc.  The check of the capability module,
 * the only one that every kernel has, is made here.  Of perf_event_open(2) two hooks are asked
 * where the kernel has them for modules: those of the kernel and of whole CPUs.
 *
 * Context: process.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mount.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "hwpmc_int.h"

/* Of a namespace, perf_event_open(2) takes nobody's CAP_PERFMON but the initial one's. */
static bool is_privileged(struct user_namespace *ns)
{
	return ns_capable(ns, CAP_SYS_PTRACE) || perfmon_capable();
}

/* All of the target's ids are the caller's real ones. */
static bool same_ids(const struct cred *caller, const struct cred *target)
{
	return uid_eq(caller->uid, target->euid) && uid_eq(caller->uid, target->suid) &&
	       uid_eq(caller->uid, target->uid) && gid_eq(caller->gid, target->egid) &&
	       gid_eq(caller->gid, target->sgid) && gid_eq(caller->gid, target->gid);
}

/* The target can do nothing that the caller could not: the capability module's rule. */
static bool has_no_more(const struct cred *caller, const struct cred *target)
{
	return caller->user_ns == target->user_ns &&
	       cap_issubset(target->cap_permitted, caller->cap_permitted);
}

/* A program that cannot be read, or that changed its ids, is closed to its own user as well. */
bool hwpmc_may_user_see(struct task_struct *task)
{
	struct user_namespace *ns;

	return hwpmc_task_is_open(task, &ns);
}

static bool may_see_memory(struct task_struct *thread)
{
	struct user_namespace *ns;
	bool may;

	/* Ids are changed before dumpability: they were read before. */
	smp_rmb();
	task_lock(thread);
	may = hwpmc_task_is_open(thread, &ns) || is_privileged(ns);
	task_unlock(thread);
	return may;
}

bool hwpmc_may_users_see(struct task_struct *leader)
{
	struct user_namespace *ns;
	struct task_struct *thread;
	bool may = true;

	rcu_read_lock();
	for_each_thread(leader, thread) {
		task_lock(thread);
		may = may && hwpmc_task_is_open(thread, &ns);
		task_unlock(thread);
	}
	rcu_read_unlock();
	return may;
}

static bool may_attach_thread(struct task_struct *thread)
{
	const struct cred *caller = current_cred(), *cred = get_task_cred(thread);
	bool may;

	may = is_privileged(cred->user_ns) || (READ_ONCE(hwpmc_unprivileged_proc_debug) &&
					       same_ids(caller, cred) && has_no_more(caller, cred));
	put_cred(cred);
	return may && may_see_memory(thread);
}

/* Threads may have ids of their own, and a first one that has ended has no memory to ask of. */
int hwpmc_may_attach(struct task_struct *target)
{
	struct task_struct *thread;
	bool may = true;

	if (same_thread_group(target, current))
		return 0;
	rcu_read_lock();
	for_each_thread(target, thread)
		may = may && may_attach_thread(thread);
	rcu_read_unlock();
	return may ? 0 : -EPERM;
}

/*
 * kernel.perf_event_paranoid and kernel.perf_event_max_sample_rate, which are not exported: read
 * from a /proc of our own, since the caller's may be another.  Unreadable is as good as forbidden.
 */
static struct vfsmount *proc;
static struct file *paranoid, *max_sample_rate;

static int setting(struct file *file, int unreadable)
{
	char text[16] = "";
	loff_t at = 0;
	int value;

	if (kernel_read(file, text, sizeof(text) - 1, &at) <= 0 ||
	    kstrtoint(strim(text), 10, &value))
		return unreadable;
	return value;
}

static int paranoia(void)
{
	return setting(paranoid, INT_MAX);
}

bool hwpmc_may_sample_at(u64 frequency)
{
	return frequency <= max(setting(max_sample_rate, 0), 0);
}

int hwpmc_may_count(void)
{
	/* Debian's level 3; without the patch a user can set it, and then means it. */
	return perfmon_capable() || paranoia() <= 2 ? 0 : -EPERM;
}

int hwpmc_may_sample_kernel(void)
{
	bool may = perfmon_capable() || paranoia() <= 1;

	return may && !hwpmc_perf_allow_kernel() ? 0 : -EPERM;
}

int hwpmc_may_system(void)
{
	bool may = perfmon_capable() ||
		   (READ_ONCE(hwpmc_unprivileged_syspmcs) && paranoia() <= 0);

	return may && !hwpmc_perf_allow_cpu() ? 0 : -EPERM;
}

int hwpmc_may_admin(void)
{
	return capable(CAP_SYS_ADMIN) ? 0 : -EPERM;
}

static struct file *open_below(struct vfsmount *mnt, const char *path)
{
	struct path root = {.mnt = mnt, .dentry = mnt->mnt_root};

	return file_open_root(&root, path, O_RDONLY, 0);
}

/*
 * A file of a file system mounted for us alone, which *mnt is then; ERR_PTR: and nothing is held.
 * Neither file system is ever a module: get_fs_type() took no reference that would have to go.
 */
static struct file *open_own(const char *name, const char *path, struct vfsmount **mnt)
{
	struct file_system_type *type = get_fs_type(name);
	struct file *file;

	if (!type)
		return ERR_PTR(-ENODEV);
	*mnt = kern_mount(type);
	if (IS_ERR(*mnt))
		return ERR_CAST(*mnt);
	file = open_below(*mnt, path);
	if (IS_ERR(file))
		kern_unmount(*mnt);
	return file;
}

/* As the owner would send it: not to a process that has become another user's. */
void hwpmc_owner_signal(struct hwpmc_owner *owner, int sig)
{
	const struct cred *own = override_creds(owner->cred);

	kill_pid(owner->tgid, sig, 0);
	revert_creds(own);
}

u32 hwpmc_tsc_type = U32_MAX;
static u32 kprobe_type = U32_MAX, uprobe_type = U32_MAX;

bool hwpmc_type_has_pointers(u32 type)
{
	return type != U32_MAX && (type == kprobe_type || type == uprobe_type);
}

/* That of a PMU of this kernel; U32_MAX: there is none. */
static u32 find_type(const char *path)
{
	u32 type = U32_MAX;
	char text[16] = "";
	struct vfsmount *sysfs;
	struct file *file;
	loff_t at = 0;

	file = open_own("sysfs", path, &sysfs);
	if (IS_ERR(file))
		return U32_MAX;
	if (kernel_read(file, text, sizeof(text) - 1, &at) <= 0 ||
	    kstrtou32(strim(text), 10, &type))
		type = U32_MAX;
	fput(file);
	kern_unmount(sysfs);
	return type;
}

int hwpmc_access_init(void)
{
	paranoid = open_own("proc", "sys/kernel/perf_event_paranoid", &proc);
	if (IS_ERR(paranoid))
		return PTR_ERR(paranoid);
	max_sample_rate = open_below(proc, "sys/kernel/perf_event_max_sample_rate");
	if (IS_ERR(max_sample_rate)) {
		fput(paranoid);
		kern_unmount(proc);
		return PTR_ERR(max_sample_rate);
	}
	hwpmc_tsc_type = find_type("bus/event_source/devices/msr/type");
	kprobe_type = find_type("bus/event_source/devices/kprobe/type");
	uprobe_type = find_type("bus/event_source/devices/uprobe/type");
	return 0;
}

void hwpmc_access_exit(void)
{
	fput(max_sample_rate);
	fput(paranoid);
	kern_unmount(proc);
}
