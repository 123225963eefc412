// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * What is mapped where, for logs: programs and libraries of processes, the kernel and its modules.
 *
 * Names are those that perf gives: the path of a file, "[vdso]", "//anon" for memory without a
 * file, "[kernel]" and "[module]".
 *
 * Contexts: what hooks call (hwpmc_maps_mmap, _munmap, _exec) runs with preemption off and, in mmap
 * and munmap, with the process' mmap_lock held; of what is new it makes a note, which the task
 * itself then tells.  All else is process context, without hwpmc_lock but where a function says so.
 */
#include <linux/dcache.h>
#include <linux/delay.h>
#include <linux/elf.h>
#include <linux/hashtable.h>
#include <linux/kdev_t.h>
#include <linux/kobject.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pid_namespace.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "hwpmc_int.h"

#define KERNEL_PID U32_MAX

/* What a snapshot tells of a process that changes while it is told; the rest counts as lost. */
#define MAPS_MORE  1024 /* maps above twice those that it began with */
#define EXECS_MOST 16

/* At a process whose maps are locked. */
#define FIRST_LOOK_US 50
#define LAST_LOOK_US  10000
#define LEAST_US      200 /* for each process, whatever others have taken */

/* Where the kernel's addresses cannot be found: its half of every 64-bit address space. */
#define KERNEL_HALF_START  0x8000000000000000ull
#define KERNEL_HALF_LENGTH 0x7ffffffffffff000ull

/* A map with room for its path, which the caller frees; without memory the path says so. */
struct named_map {
	struct hwpmc_map map;
	char *path; /* PMCLOG_MAX_PATH bytes; NULL: no memory */
	bool busy;  /* of an address space: it could not be looked at */
	/* Called under mmap_lock, so that no MAP_OUT of the map comes before; NULL: none. */
	void (*tell)(struct named_map *m);
	struct hwpmc_log *log; /* for tell, and of another process; or pmc's owner's */
	const struct hwpmc_pmc *pmc;
};

static struct named_map named_map_new(void)
{
	return (struct named_map){.path = kmalloc(PMCLOG_MAX_PATH, GFP_KERNEL | __GFP_NOWARN)};
}

static const char no_memory[] = "//enomem";
static const char hidden[] = "//hidden";

/* ---- maps of processes ---- */

/* What perf calls memory without a file. */
static const char *anonymous_name(struct vm_area_struct *vma)
{
	const struct mm_struct *mm = vma->vm_mm;
	const char *name = NULL;

	if (vma->vm_ops && vma->vm_ops->name)
		name = vma->vm_ops->name(vma);
	if (name)
		return name;
	if (vma->vm_start <= mm->brk && vma->vm_end >= mm->start_brk)
		return "[heap]";
	if (vma->vm_start <= mm->start_stack && vma->vm_end >= mm->start_stack)
		return "[stack]";
	return "//anon";
}

/* Process context; vma cannot go away. */
static void describe(struct vm_area_struct *vma, u32 pid, struct named_map *m)
{
	const struct inode *inode;
	char *path;

	m->map = (struct hwpmc_map){
		.pid = pid,
		.start = vma->vm_start,
		.length = vma->vm_end - vma->vm_start,
	};
	if (!vma->vm_file) {
		m->map.path = anonymous_name(vma);
		return;
	}
	inode = hwpmc_file_inode(vma->vm_file);
	m->map.offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	m->map.device = (u64)MAJOR(inode->i_sb->s_dev) << 32 | MINOR(inode->i_sb->s_dev);
	m->map.inode = inode->i_ino;
	if (!m->path) {
		m->map.path = no_memory;
		return;
	}
	path = d_path(hwpmc_file_path(vma->vm_file), m->path, PMCLOG_MAX_PATH);
	m->map.path = IS_ERR(path) ? "//toolong" : path;
}

/*
 * What a task has mapped, or that it has called exec: noted by hooks, which may neither name a file
 * nor wait for anything, and told by the task itself on its way back to user mode, before it can
 * run what is mapped there.  In a hash by task while it is to be told; notes_lock.
 */
struct note {
	struct hwpmc_work work;
	struct hlist_node node;
	const struct task_struct *task; /* to compare with only, not held */
	u64 start, end;			/* within, not all is new */
	bool exec;
};

#define NOTES 256 /* of tasks on their way back to user mode, at first */

static DEFINE_HASHTABLE(noted, 6);
static DEFINE_RAW_SPINLOCK(notes_lock);
static struct hwpmc_works notes;

static void grow_notes(struct work_struct *unused)
{
	hwpmc_works_grow(&notes);
}

/* Tasks that wait in mmap() for a file's server may have all, and never come to tell. */
static DECLARE_WORK(grow_work, grow_notes);

/* Tells the logs that hear of current, or of its maps, which are found under RCU. */
static void tell_logs(u32 flags, void (*each)(struct hwpmc_log *log, void *arg), void *arg)
{
	rcu_read_lock();
	hwpmc_each_log(task_tgid(current), flags, each, arg);
	rcu_read_unlock();
}

static void see_log(struct hwpmc_log *log, void *arg)
{
	*(bool *)arg = true;
}

static bool are_heard(u32 flags)
{
	bool is_heard = false;

	tell_logs(flags, see_log, &is_heard);
	return is_heard;
}

static void log_no_note(struct hwpmc_log *log, void *arg)
{
	hwpmc_log_no_memory(log, 1);
}

static void tell(struct callback_head *head);

/* Of current; NULL: there is none left to make one.  *first: it has just been made.  notes_lock. */
static struct note *note_of_current(bool *first)
{
	struct note *note;

	*first = false;
	hash_for_each_possible(noted, note, node, (unsigned long)current)
		if (note->task == current)
			return note;
	note = hwpmc_work_take(&notes);
	if (!note)
		return NULL;
	*first = true;
	note->task = current;
	note->start = U64_MAX;
	note->end = 0;
	note->exec = false;
	hash_add(noted, &note->node, (unsigned long)current);
	return note;
}

static void note_remove(struct note *note)
{
	unsigned long irq;

	raw_spin_lock_irqsave(&notes_lock, irq);
	hash_del(&note->node);
	raw_spin_unlock_irqrestore(&notes_lock, irq);
}

/* Hooks', of current. */
static void take_note(u64 start, u64 end, bool exec)
{
	const u32 flags = exec ? 0 : HWPMC_HEARS_MAPS;
	struct note *note;
	unsigned long irq;
	bool first;

	if (!are_heard(flags))
		return;
	raw_spin_lock_irqsave(&notes_lock, irq);
	/* A thread of the kernel never comes to do it. */
	note = current->flags & PF_KTHREAD ? NULL : note_of_current(&first);
	if (note) {
		note->start = min(note->start, start);
		note->end = max(note->end, end);
		note->exec |= exec;
	}
	raw_spin_unlock_irqrestore(&notes_lock, irq);
	if (hwpmc_works_are_few(&notes))
		schedule_work(&grow_work);
	if (!note) {
		tell_logs(flags, log_no_note, NULL);
	} else if (first && !hwpmc_work_hand(&note->work, current, tell)) {
		note_remove(note);
		hwpmc_work_give(&notes, &note->work);
	}
}

/*
 * The process maps vma.  What exec maps is left to hwpmc_maps_exec(), since the log's reader
 * forgets at PROCEXEC what was mapped before it.
 */
void hwpmc_maps_mmap(struct vm_area_struct *vma)
{
	if ((vma->vm_flags & VM_EXEC) && !current->in_execve && vma->vm_mm == current->mm)
		take_note(vma->vm_start, vma->vm_end, false);
}

void hwpmc_maps_exec(void)
{
	take_note(0, U64_MAX, true);
}

struct unmapped {
	u32 pid;
	u64 start, end;
};

static void log_unmap(struct hwpmc_log *log, void *arg)
{
	const struct unmapped *r = arg;

	hwpmc_log_map_out(log, r->pid, r->start, r->end);
}

/*
 * Also called when an address space is torn down, which exit and exec tell of; and when a mapping
 * is split, or gives its pages back: then it is still there.  What exec unmaps was never told, and
 * may say where a program is that the log's owner may not see: he has its process until the hook.
 */
void hwpmc_maps_munmap(struct mm_struct *mm, u64 start, u64 end)
{
	struct unmapped r = {.pid = task_tgid_nr(current), .start = start, .end = end};

	if (mm == current->mm && !current->in_execve && atomic_read(&mm->mm_users) &&
	    !mtree_load(&mm->mm_mt, start))
		hwpmc_each_log(task_tgid(current), HWPMC_HEARS_MAPS, log_unmap, &r);
}

/*
 * The address at which the program begins, from the vector that the kernel made for it; 0: not
 * known.  Not that of the dynamic linker, which runs before.
 */
static u64 entry_of(const struct mm_struct *mm)
{
	const bool narrow = mm->task_size <= SZ_4G;
	const u32 *words = (const u32 *)mm->saved_auxv;
	size_t i, n = sizeof(mm->saved_auxv) / (narrow ? sizeof(u32) : sizeof(long));

	for (i = 0; i + 1 < n; i += 2) {
		u64 type = narrow ? words[i] : mm->saved_auxv[i];

		if (type == AT_NULL)
			break;
		if (type == AT_ENTRY)
			return narrow ? words[i + 1] : mm->saved_auxv[i + 1];
	}
	return 0;
}

/*
 * Another process may hold its lock for a moment, as one that maps all the time; for longer, as a
 * large one that forks; or for as long as it likes, as in an mmap() of a file that a server of its
 * own gives.  It gets half of the time that the log has left for all of them.
 */
static bool await_maps(struct mm_struct *mm, struct hwpmc_log *log)
{
	const int most = max(hwpmc_log_spare_us(log) / 2, LEAST_US);
	const ktime_t began = ktime_get();
	int look = FIRST_LOOK_US, waited = 0;
	bool locked = false;

	while (!locked && waited < most && !fatal_signal_pending(current)) {
		usleep_range(look, 2 * look);
		look = min(2 * look, LAST_LOOK_US);
		locked = mmap_read_trylock(mm);
		waited = ktime_us_delta(ktime_get(), began);
	}
	hwpmc_log_spend_us(log, waited);
	return locked;
}

static int lock_maps(struct mm_struct *mm, const struct named_map *m)
{
	if (mm == current->mm)
		return mmap_read_lock_killable(mm);
	return mmap_read_trylock(mm) || await_maps(mm, m->log) ? 0 : -EBUSY;
}

/*
 * The next executable mapping from address on that begins before end, told; false: none, or, where
 * m->busy is set, it cannot be known.
 */
static bool next_map(struct mm_struct *mm, u64 address, u64 end, u32 pid, struct named_map *m)
{
	struct vm_area_struct *vma;

	m->busy = lock_maps(mm, m);
	if (m->busy)
		return false;
	vma = find_vma(mm, address);
	while (vma && !(vma->vm_flags & VM_EXEC))
		vma = find_vma(mm, vma->vm_end);
	if (vma && vma->vm_start >= end)
		vma = NULL;
	if (vma) {
		describe(vma, pid, m);
		m->tell(m);
	}
	mmap_read_unlock(mm);
	return vma;
}

/* The file that the program is in; mmap_lock. */
static struct vm_area_struct *program_of(struct mm_struct *mm)
{
	struct vm_area_struct *vma = find_vma(mm, mm->start_code);

	return vma && vma->vm_file && vma->vm_start <= mm->start_code ? vma : NULL;
}

/* NULL: it has none, or it cannot be known. */
static const char *program_path(struct mm_struct *mm, struct named_map *m)
{
	struct vm_area_struct *vma;

	m->busy = lock_maps(mm, m);
	if (m->busy)
		return NULL;
	vma = program_of(mm);
	if (vma)
		describe(vma, 0, m);
	mmap_read_unlock(mm);
	return vma ? m->map.path : NULL;
}

struct program {
	struct hwpmc_exec exec;
	bool wanted; /* its arguments, by some log */
	char *arguments;
};

static void see_arguments(struct hwpmc_log *log, void *arg)
{
	((struct program *)arg)->wanted |= hwpmc_log_wants_arguments(log, task_tgid(current));
}

/*
 * The arguments of this process, which the kernel has just put on its stack.  What is too long is
 * cut, so that it does not end in a NUL.
 */
static void read_arguments(struct program *p)
{
	const struct mm_struct *mm = current->mm;
	u32 length = min_t(unsigned long, mm->arg_end - mm->arg_start, PMCLOG_MAX_ARGUMENTS);

	p->arguments = kmalloc(PMCLOG_MAX_ARGUMENTS, GFP_KERNEL | __GFP_NOWARN);
	if (!p->arguments) {
		p->exec.arguments = no_memory;
		p->exec.arguments_length = sizeof(no_memory);
		return;
	}
	if (mm->arg_end <= mm->arg_start)
		return;
	length -= copy_from_user(p->arguments, (void __user *)mm->arg_start, length);
	if (length && length < mm->arg_end - mm->arg_start && !p->arguments[length - 1])
		length--;
	p->exec.arguments = p->arguments;
	p->exec.arguments_length = length;
}

static void log_exec(struct hwpmc_log *log, void *arg)
{
	const struct program *p = arg;
	struct hwpmc_exec exec = p->exec;

	if (!hwpmc_log_wants_arguments(log, task_tgid(current)))
		exec.arguments_length = 0;
	hwpmc_log_procexec(log, &exec, GFP_ATOMIC);
}

static void tell_exec(struct named_map *m)
{
	struct mm_struct *mm = current->mm;
	struct program p = {
		.exec = {.pid = task_tgid_nr(current), .entry = entry_of(mm)},
	};

	p.exec.path = program_path(mm, m) ?: "//anon";
	tell_logs(0, see_arguments, &p);
	if (p.wanted)
		read_arguments(&p);
	tell_logs(0, log_exec, &p);
	kfree(p.arguments);
}

static void log_map_now(struct hwpmc_log *log, void *arg)
{
	hwpmc_log_map_in(log, arg, GFP_ATOMIC);
}

static void tell_logs_of_map(struct named_map *m)
{
	tell_logs(HWPMC_HEARS_MAPS, log_map_now, &m->map);
}

static void tell_maps(u64 start, u64 end, struct named_map *m)
{
	u32 pid = task_tgid_nr(current);

	m->tell = tell_logs_of_map;
	while (start < end && next_map(current->mm, start, end, pid, m))
		start = m->map.start + m->map.length;
}

/* On its way to user mode, or, with its address space gone, at its end. */
static void tell(struct callback_head *head)
{
	struct note *note = container_of(head, struct note, work.head);
	struct named_map m = named_map_new();

	note_remove(note);
	if (current->mm && note->exec)
		tell_exec(&m);
	if (current->mm && are_heard(HWPMC_HEARS_MAPS))
		tell_maps(note->start, note->end, &m);
	if (current->mm && note->exec)
		hwpmc_task_named_by_exec(current);
	kfree(m.path);
	hwpmc_works_grow(&notes);
	hwpmc_work_give(&notes, &note->work);
	hwpmc_work_done();
}

static void tell_log_of_pmc(struct named_map *m)
{
	struct hwpmc_log *log;

	rcu_read_lock();
	log = hwpmc_pmc_log(m->pmc);
	if (log)
		hwpmc_log_map_in(log, &m->map, GFP_ATOMIC);
	rcu_read_unlock();
}

u64 hwpmc_maps_log_current(const struct hwpmc_pmc *pmc, u64 told)
{
	u64 number = hwpmc_pmc_log_number(pmc), at = 0;
	struct named_map m;

	if (!number || number == told)
		return number;
	m = named_map_new();
	m.tell = tell_log_of_pmc;
	m.pmc = pmc;
	while (hwpmc_pmc_log_number(pmc) == number && current->mm &&
	       next_map(current->mm, at, U64_MAX, task_tgid_nr(current), &m))
		at = m.map.start + m.map.length;
	kfree(m.path);
	return hwpmc_pmc_log_number(pmc) == number ? number : 0;
}

/* ---- processes that are there already ---- */

/* A first thread that has ended while others live has no address space any more. */
static struct mm_struct *mm_of_process(struct task_struct *leader)
{
	struct task_struct *t;
	struct mm_struct *mm;

	rcu_read_lock();
	for_each_thread(leader, t) {
		mm = get_task_mm(t);
		if (mm) {
			rcu_read_unlock();
			return mm;
		}
	}
	rcu_read_unlock();
	return NULL;
}

/*
 * Whether the caller may attach to the process now: it may have become another program since it was
 * asked.  0: nor does it become one before look_end(); -EBUSY: it cannot be known, as in the middle
 * of an exec, whose hook tells of it.
 */
static int look_begin(struct task_struct *leader)
{
	int error;

	if (!down_read_trylock(&leader->signal->exec_update_lock))
		return -EBUSY;
	error = hwpmc_may_attach(leader);
	if (error)
		up_read(&leader->signal->exec_update_lock);
	return error;
}

static void look_end(struct task_struct *leader)
{
	up_read(&leader->signal->exec_update_lock);
}

/*
 * ATTACH, with the program's path; or its name, where there is no memory, or others change what is
 * mapped just now: under hwpmc_lock nothing waits for a process that may wait for anything.
 */
bool hwpmc_maps_log_attach(struct hwpmc_log *log, const struct hwpmc_attachment *attachment,
			   struct task_struct *leader, bool asked)
{
	struct named_map m = named_map_new();
	int error = asked ? 0 : look_begin(leader);
	struct mm_struct *mm = NULL;
	/* A copy: the target may change its own while it is logged. */
	char comm[TASK_COMM_LEN];
	const char *path = hidden;
	struct vm_area_struct *vma;

	if (!error) {
		mm = mm_of_process(leader);
		get_task_comm(comm, leader);
		path = comm;
	}
	if (!error && !asked)
		look_end(leader);
	if (m.path && mm && mmap_read_trylock(mm)) {
		vma = program_of(mm);
		if (vma) {
			describe(vma, leader->tgid, &m);
			path = m.map.path;
		}
		mmap_read_unlock(mm);
	}
	/* It may have ended, and then nobody knows any more whose it was. */
	if (READ_ONCE(attachment->taken))
		path = hidden;
	hwpmc_log_attach(log, attachment->pmc, leader->tgid, path);
	/* Where this is the last use of it, its end may wait as well. */
	if (mm)
		mmput_async(mm);
	kfree(m.path);
	return error != -EBUSY;
}

static void tell_log(struct named_map *m)
{
	hwpmc_log_map_in(m->log, &m->map, GFP_KERNEL);
}

/* The next map from *at on, which is then its end, of an address space that may have ended. */
static bool log_next_map(struct mm_struct *mm, u64 *at, u32 pid, struct named_map *m)
{
	bool any;

	if (!mmget_not_zero(mm))
		return false;
	any = next_map(mm, *at, U64_MAX, pid, m);
	mmput(mm);
	*at = m->map.start + m->map.length;
	return any;
}

/*
 * The log's reader may be waited for, and its process may exit meanwhile: mm's memory is not kept,
 * only its struct, which the caller holds.
 */
static void log_image(struct hwpmc_log *log, struct mm_struct *mm, u32 pid, const char *comm)
{
	struct named_map m = named_map_new();
	struct hwpmc_exec exec = {.pid = pid, .entry = entry_of(mm)};
	/* A process that goes on mapping above what was logged would never be done with. */
	long most = 2L * READ_ONCE(mm->map_count) + MAPS_MORE;
	u64 at = 0;

	m.tell = tell_log;
	m.log = log;
	if (mmget_not_zero(mm)) {
		exec.path = program_path(mm, &m);
		mmput(mm);
	}
	if (exec.path)
		hwpmc_log_procexec(log, &exec, GFP_KERNEL);
	else if (m.busy)
		hwpmc_log_no_memory(log, 1);
	hwpmc_log_proc_create(log, pid, comm, GFP_KERNEL);
	while (most && !m.busy && hwpmc_log_wait(log) && log_next_map(mm, &at, pid, &m))
		most--;
	if (!most || m.busy)
		hwpmc_log_no_memory(log, 1);
	kfree(m.path);
}

struct thread {
	u32 tid;
	char comm[TASK_COMM_LEN];
};

/* Threads of leader but itself: how many there are; at most room are filled in. */
static size_t list_threads(struct task_struct *leader, struct thread *list, size_t room)
{
	struct task_struct *t;
	size_t n = 0;

	rcu_read_lock();
	for_each_thread(leader, t) {
		if (t == leader)
			continue;
		if (n < room) {
			list[n].tid = task_pid_nr(t);
			get_task_comm(list[n].comm, t);
		}
		n++;
	}
	rcu_read_unlock();
	return n;
}

/* A thread that comes meanwhile is told of by its fork.  any: as for hwpmc_maps_log_process(). */
static void log_threads(struct hwpmc_log *log, struct task_struct *leader, u32 pid, bool any)
{
	size_t i, n = list_threads(leader, NULL, 0), room = n;
	struct thread *list;
	bool may;

	if (!room)
		return;
	list = kvmalloc_array(room, sizeof(*list), GFP_KERNEL);
	if (!list) {
		hwpmc_log_no_memory(log, n);
		return;
	}
	may = !look_begin(leader);
	n = may || any ? min(list_threads(leader, list, room), room) : 0;
	if (may)
		look_end(leader);
	for (i = 0; i < n && !fatal_signal_pending(current); i++)
		hwpmc_log_thr_create(log, list[i].tid, pid, list[i].comm, GFP_KERNEL);
	kvfree(list);
}

/*
 * What the process is now, unless that is *told already, which it then becomes, by mmgrab().
 * False: there is nothing more to tell.
 */
static bool log_program(struct hwpmc_log *log, struct pid *tgid, bool any, struct mm_struct **told)
{
	struct task_struct *leader = get_pid_task(tgid, PIDTYPE_TGID);
	char comm[TASK_COMM_LEN];
	struct mm_struct *mm = NULL;
	bool is_new;
	int error;

	if (!leader)
		return false;
	error = look_begin(leader);
	get_task_comm(comm, leader);
	if (!error) {
		mm = mm_of_process(leader);
		/* Of one that has ended nobody knows any more whose it was. */
		if (!mm && !atomic_read(&leader->signal->live))
			error = -ESRCH;
		look_end(leader);
	}
	/* Who execs is alone: this is Landlock's, which changes all threads. */
	if (error == -EBUSY && !thread_group_empty(leader))
		hwpmc_log_no_memory(log, 1);
	put_task_struct(leader);
	is_new = mm && mm != *told;
	if (mm) {
		mmgrab(mm);
		mmput(mm);
	}
	if (is_new)
		log_image(log, mm, pid_nr(tgid), comm);
	else if (!*told && (!error || any))
		hwpmc_log_proc_create(log, pid_nr(tgid), comm, GFP_KERNEL);
	if (*told)
		mmdrop(*told);
	*told = mm;
	return is_new && !fatal_signal_pending(current);
}

/*
 * A process that calls exec while it is told is told anew: PROCEXEC of the exec's hook has readers
 * forget the program before, and may have come before the last of what was told of that.
 */
void hwpmc_maps_log_process(struct hwpmc_log *log, struct pid *tgid, bool any)
{
	struct mm_struct *told = NULL;
	struct task_struct *leader;
	int tries;

	for (tries = 0; log_program(log, tgid, any, &told); tries++)
		if (tries == EXECS_MOST) {
			hwpmc_log_no_memory(log, 1);
			break;
		}
	if (told)
		mmdrop(told);
	leader = get_pid_task(tgid, PIDTYPE_TGID);
	if (!leader)
		return;
	log_threads(log, leader, pid_nr(tgid), any);
	put_task_struct(leader);
}

/* The process with the lowest pid from *nr on, held; *nr becomes that behind it. */
static struct pid *next_process(int *nr)
{
	struct pid *pid;

	rcu_read_lock();
	while ((pid = find_ge_pid(*nr, &init_pid_ns))) {
		*nr = pid_nr(pid) + 1;
		if (pid_task(pid, PIDTYPE_TGID))
			break;
	}
	get_pid(pid);
	rcu_read_unlock();
	return pid;
}

/* By an attach. */
static bool is_told(const struct hwpmc_log *log, const struct pid *tgid)
{
	bool is;

	rcu_read_lock();
	is = hwpmc_process_told(tgid, log);
	rcu_read_unlock();
	return is;
}

void hwpmc_maps_log_all(struct hwpmc_log *log)
{
	struct pid *tgid;
	int nr = 1;

	/* The idle loop, which has no process. */
	hwpmc_log_proc_create(log, 0, "swapper", GFP_KERNEL);
	while ((tgid = next_process(&nr))) {
		if (!is_told(log, tgid))
			hwpmc_maps_log_process(log, tgid, true);
		put_pid(tgid);
		if (fatal_signal_pending(current))
			break;
		cond_resched();
	}
}

/* ---- the kernel and its modules ---- */

/* A module's text. */
struct module_map {
	struct hwpmc_map map;
	char path[MODULE_NAME_LEN + 3];
};

static void describe_module(const struct module *mod, struct module_map *m)
{
	m->map = (struct hwpmc_map){.pid = KERNEL_PID, .path = m->path};
	m->map.start = hwpmc_module_text(mod, &m->map.length);
	snprintf(m->path, sizeof(m->path), "[%s]", mod->name);
}

/*
 * The list of modules is not exported; the directory of their sysfs is reached from ours, and has
 * built-in ones, too.
 */
static struct kset *modules(void)
{
	return THIS_MODULE->mkobj.kobj.kset;
}

/*
 * Tells log of the loaded module with the lowest text at or above address; false: there is none.
 * Under the lock that module_changes() takes, so that no MAP_OUT of it comes before.
 */
static bool tell_next_module(struct hwpmc_log *log, u64 address, struct module_map *found)
{
	struct kset *kset = modules();
	const struct module *mod, *best = NULL;
	u64 start, length, lowest = U64_MAX;
	struct kobject *k;

	spin_lock(&kset->list_lock);
	list_for_each_entry(k, &kset->list, entry) {
		mod = container_of(k, struct module_kobject, kobj)->mod;
		if (!mod || mod->state == MODULE_STATE_GOING)
			continue;
		start = hwpmc_module_text(mod, &length);
		if (length && start >= address && start < lowest) {
			lowest = start;
			best = mod;
		}
	}
	if (best) {
		describe_module(best, found);
		hwpmc_log_map_in(log, &found->map, GFP_ATOMIC);
	}
	spin_unlock(&kset->list_lock);
	return best;
}

void hwpmc_maps_log_kernel(struct hwpmc_log *log)
{
	struct hwpmc_map kernel = {.pid = KERNEL_PID, .path = "[kernel]"};
	struct module_map m;
	u64 end, at = 0;

	if (hwpmc_kernel_text(&kernel.start, &end)) {
		kernel.length = hwpmc_kernel_code_end() - kernel.start;
	} else {
		kernel.start = KERNEL_HALF_START;
		kernel.length = KERNEL_HALF_LENGTH;
	}
	hwpmc_log_wait(log);
	hwpmc_log_map_in(log, &kernel, GFP_KERNEL);
	while (hwpmc_log_wait(log) && tell_next_module(log, at, &m))
		at = m.map.start + m.map.length;
}

/*
 * A module comes or goes: the logs that have the kernel's maps are told.  Also when it has come:
 * it enters sysfs behind COMING only, and a log may have been told of the kernel between.
 */
static int module_changes(struct notifier_block *block, unsigned long state, void *data)
{
	struct hwpmc_owner *owner;
	struct hwpmc_log *log;
	struct module_map m;

	describe_module(data, &m);
	if (!m.map.length)
		return NOTIFY_DONE;
	if (state == MODULE_STATE_GOING) {
		/* Who has not seen that it goes has told of it. */
		spin_lock(&modules()->list_lock);
		spin_unlock(&modules()->list_lock);
	}
	rcu_read_lock();
	list_for_each_entry_rcu(owner, &hwpmc_owners, of_owners) {
		log = READ_ONCE(owner->log);
		if (!log || !READ_ONCE(owner->kernel_logged))
			continue;
		if (state == MODULE_STATE_GOING)
			hwpmc_log_map_out(log, KERNEL_PID, m.map.start, m.map.start + m.map.length);
		else
			hwpmc_log_map_in(log, &m.map, GFP_ATOMIC);
	}
	rcu_read_unlock();
	return NOTIFY_DONE;
}

static struct notifier_block module_notifier = {.notifier_call = module_changes};

int hwpmc_maps_init(void)
{
	int err = hwpmc_works_init(&notes, sizeof(struct note), NOTES);

	if (err)
		return err;
	err = register_module_notifier(&module_notifier);
	if (err)
		hwpmc_works_fini(&notes);
	return err;
}

/* Tasks have done what they were handed. */
void hwpmc_maps_exit(void)
{
	unregister_module_notifier(&module_notifier);
	cancel_work_sync(&grow_work);
	hwpmc_works_fini(&notes);
}
