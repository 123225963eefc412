/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/*
 * What the files of hwpmc.ko share: objects, who owns and touches them, and the functions of each
 * file.
 *
 * Objects and lifetimes
 *
 * owner: a process that has PMCs or a log; keyed by its struct pid.  Made by the first operation
 * that needs one; reclaimed when its process has exited or called exec (a work item that the hooks
 * queue), at module exit, or when it owns nothing any more: it is on no list then, and freed by RCU
 * after the last reference, which each of its PMCs has, and who waits for its lock.  Holds a
 * reference to the module while it is on the list, so rmmod is refused.
 *
 * pmc: a PMC that was allocated.  References: its owner's list, each attachment until its grace
 * period is over, each fork work, each event that a worker is to release, and GETKGMON.  After
 * RELEASE it is dead (state DELETED) until the last reference goes; freed by RCU then.
 *
 * process: a target process.  Exists while it has attachments; freed by RCU.
 *
 * attachment: pmc x process, what LOG_PROCEXIT counts.  Freed by RCU.  Heirs (heirs.c), which have
 * inherited an event while no log asks for them, are targets without one until it matters.
 *
 * counter: attachment x thread, of PMCs whose records say which thread or process counted what: one
 * kernel perf event, pinned and not inherited (perf swaps whole contexts between related tasks,
 * which would lose whose count is whose), or the share of the PMC's meters that is the thread's.
 * Found by its task under RCU; freed by RCU after its event was released.
 *
 * root: of other PMCs while they run: one kernel perf event, pinned and inherited, for a thread
 * that was a target at the start or attach, and for what it begets.  Hooks find the events of a
 * task in perf's own lists, under RCU.  It is the sum of its children's: it outlives its thread,
 * until it has none.
 *
 * meter: pmc x possible CPU, with one kernel perf event while the PMC runs, if the CPU is online
 * and had a counter left; from the PMC's allocation to its release.  Changed by its CPU alone, irqs
 * off, and by a callback of CPU hotplug once that has gone; it points to a counter only from when
 * its CPU finds that in the hash to when the thread leaves the CPU, exits there, or process
 * context, after it took the counter from the hash or switched it off, has made all CPUs look
 * (hwpmc_counters_look()).
 *
 * log: rings and writer of an owner.  References: the owner, each PMC that runs with it, and
 * whoever flushes or closes it.  Outlives every event whose handler writes to it.
 *
 * Order of a log
 *
 * A sample comes behind the maps that its addresses are in.  What a process has mapped before it is
 * a target of PMCs that sample, a snapshot tells (snapshot.c): PMCSTART writes it before it starts
 * the PMC; PMCATTACH before the counters of what it attaches start, where the PMC runs or another
 * thread starts it meanwhile, and an exec in that time is one before the attach.  A child has the
 * maps that the log had of its parent at the fork, or tells its own before it has a counter
 * (task.c).  What is mapped later is told by the task that maps it, before it can run there
 * (maps.c).  So it is for PMCs of system scope, with all processes, and for the kernel; but these
 * maps are written once, for the first PMC that needs them, and where another thread of the owner
 * starts one meanwhile, that does not wait.  Where the log has no room, what is lost is counted and
 * told in its place.
 *
 * Threats
 *
 * Whoever may open the device is hostile: his arguments, pages and descriptors, whose servers and
 * readers may never answer; how fast his processes fork, exec and exit, and what they become by
 * exec; when he is killed.  He is to see and count nothing that ptrace(2) and perf_event_open(2)
 * would refuse him (but for what only security modules would), to keep nobody waiting, and to take
 * no memory, rows or time without bound.  So each operation asks for whom it is (access.c); what an
 * exec makes more than its user is counted and told of no more from the exec's hook on (task.c);
 * logs and PMCs are charged to their user (charge.c), and no cgroup's limits are waited for under
 * the lock; and who waits for what others have in their hands is killable, and holds no lock.
 * These ways are open: perf copies to and from who reads or sets an event with the lock of its
 * context held, and whoever has a PMC on that task waits for it unkillably, alone but for his own
 * threads and, for a moment, or once they have had too many children meanwhile (task.c), targets,
 * or, on a CPU, all do; who unloads the module waits with him; targets and their counters are
 * bounded by the user's PMCs and processes alone, and the memory of all but logs is charged to his
 * cgroup only as far as that has room; an operation takes as long as there are targets and threads,
 * and a log waits for processes whose maps are locked, for five seconds altogether; counters of
 * pmc_kapi.h wait as PMCs on that task do, and under the one lock of that interface; class TSC has
 * one row, which a user's PMC of process scope keeps from system scope; limits are of a user id, so
 * who has been given subordinate ones has those of each.
 * hwpmc(4), PERMISSIONS, says who may do what in one table, with its tests; the attacks are
 * tests/vm/stories/attacks.story.
 *
 * Contexts and locks
 *
 * The lock of an owner: a mutex over what that has, held all through an operation (but while an
 * attach or start waits for an exec, or writes maps), through the work that a forked child does for
 * one of its PMCs before its first user instruction, unless it has inherited an event, and through
 * what its workers do (reclaim, and the reaper of what hooks have left).  Nobody has two of them.
 *
 * hwpmc_lock: a mutex over all of the above, inside the owner's.  What is on an owner's lists
 * changes under both, so either is enough to go through them; but others' heirs, and children that
 * have inherited an event, get attachments under this alone, behind all that there are (heirs.c,
 * task.c).  So do those that look at all owners, who change no list but what a reaper is to do: the
 * look for lost counters, lists of rows, the reaper that sorts, and what callbacks of CPU hotplug
 * queue, for PMCs of system scope.  Not these callbacks themselves: making and releasing events
 * takes the lock that they run under.  Operations and forked children wait for both killably, but
 * to undo, and children mostly not for long (task.c).  It is given up around what is asked of perf
 * for events of tasks (hwpmc_perf_begin()), and may be held while those of CPUs, and of threads of
 * the kernel, are made and released: who may open such may keep everybody waiting, and on the
 * machine's first event perf waits for a grace period.  Never while waiting for a log's writer
 * (which may be blocked by a reader), and the writer never takes it; nor for a target's exec (which
 * may be blocked by the server of a file that it closes): an attach then gives up and comes again
 * (device.c).  Nor for a grace period of ours: what hooks may still look at is freed by RCU, or
 * stays on its list until then, and events that are freed only after one are by many (release.c).
 * It is waited for where a tracepoint is wanted that was removed just before (hooks.c), and before
 * a CPU's event of a tracepoint while another's last one is being released, or where 4096 releases
 * wait already.
 *
 * hwpmc_kapi_lock, in kapi_event.c: over the counters of pmc_kapi.h.  Outside hwpmc_lock.
 *
 * meters_lock, in account.c: over the events of meters.  Inside hwpmc_lock, or inside a callback of
 * CPU hotplug, which makes those of a CPU that comes before any target can run there.  So nothing
 * under it takes the lock of CPU hotplug: events of CPUs need none.
 *
 * hooks_lock, in hooks.c: over which hooks are there.  Inside hwpmc_lock, or alone.
 *
 * hwpmc_hash_lock: a raw spinlock, irqs off, over the membership of the hashes and lists that
 * hooks read, and the totals of attachments.  Inside hwpmc_lock and inside hooks.
 *
 * Hooks, which are tracepoints and entries of functions, run with preemption off, in sched_switch
 * also with the runqueue locked: no sleep, no printk, and no wakeup there; they read under RCU and
 * queue.  Nor do they allocate or free, name a path, or take a lock that is not raw, all of which
 * may sleep on PREEMPT_RT: memory for their records is the log's (pool.c), and what takes more than
 * that a hook hands to a task, as work that was made beforehand (works.c).  What finds no room, or
 * no work, is counted and told.
 *
 * The sample path, which is overflow handlers, in NMI on x86, touches its pmc (const while it
 * runs), its log and this CPU's ring; besides these only counts, a KGMON histogram and whether perf
 * has throttled the event.  No lock, allocation, printk or wakeup but irq_work.
 *
 * The writer is a kthread for each log: drains rings and queue, orders by time, writes.
 *
 * Stopping an event (perf_event_disable, _release_kernel; of roots, which have children, the latter
 * alone) returns after its handler has run on every CPU, where that is an interrupt.  One of a
 * software event or a tracepoint runs in the task, with preemption off, and may be interrupted by
 * what stops it: so what handlers use (a PMC, a log's rings, a histogram) is freed a grace period
 * after the events that might were stopped.
 */
#ifndef HWPMC_INT_H
#define HWPMC_INT_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/kref.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "charge.h"
#include "compat.h"
#include "hwpmc.h"
#include "log.h"
#include "pmclog/pmclog_wire.h"

/* As in <pmc.h>, which is not for the kernel. */
enum hwpmc_mode {
	PMC_MODE_SS = 0,
	PMC_MODE_SC = 1,
	PMC_MODE_TS = 2,
	PMC_MODE_TC = 3,
};

enum hwpmc_class {
	PMC_CLASS_TSC = 0x00,
	PMC_CLASS_CPU = 0x01,
	PMC_CLASS_SOFT = 0x0F,
};

#define PMC_IS_SYSTEM_MODE(mode)   ((mode) == PMC_MODE_SS || (mode) == PMC_MODE_SC)
#define PMC_IS_SAMPLING_MODE(mode) ((mode) == PMC_MODE_SS || (mode) == PMC_MODE_TS)

#define PMC_CPU_ANY (-1)

/* What a class can do; as in FreeBSD's <sys/pmc.h>. */
#define PMC_CAP_INTERRUPT 0x01u
#define PMC_CAP_USER	  0x02u
#define PMC_CAP_SYSTEM	  0x04u
#define PMC_CAP_EDGE	  0x08u
#define PMC_CAP_THRESHOLD 0x10u
#define PMC_CAP_READ	  0x20u
#define PMC_CAP_WRITE	  0x40u

enum hwpmc_state {
	HWPMC_ALLOCATED,
	HWPMC_RUNNING,
	HWPMC_STOPPED,
	HWPMC_DELETED,
};

struct hwpmc_kgmon_histogram;
struct pmc_profile;

/* Of a task, made beforehand: works.c. */
struct hwpmc_work {
	struct callback_head head;
	struct hwpmc_work *next; /* a free one; whose it is, of the same hook for the same task */
};

struct hwpmc_works {
	raw_spinlock_t lock;
	struct hwpmc_work *free; /* lock */
	u32 left, total;	 /* lock; in number */
	bool grows;		 /* somebody makes more of them; lock, or who does */
	size_t size;		 /* of what begins with a struct hwpmc_work */
	struct hwpmc_chunk *chunks;
};

/* One of the works of a child that a target has forked, for one PMC: task.c. */
struct hwpmc_child_work {
	struct hwpmc_work work; /* next: that for another PMC */
	struct hwpmc_pmc *pmc;	/* a reference, and one of its forks */
	struct hlist_node node; /* hash of children by task; hwpmc_hash_lock */
	const struct task_struct *task; /* the child: it lives while this is in the hash */
	u64 attach, told;		/* of the attachment that it inherits */
	u64 heard; /* the number of its owner's log that heard of the fork, or 0 */
	bool refused; /* that attach was: nothing is to be counted; hwpmc_lock, hwpmc_hash_lock */
	struct llist_node of_left;
};

struct hwpmc_owner {
	struct kref refs; /* the list's, its PMCs', whoever's that has it locked, or works for it */
	struct mutex lock;	      /* over what it has */
	wait_queue_head_t waits;      /* children of targets that want it */
	bool gone;		      /* from the list: it has nothing any more; hwpmc_lock */
	struct list_head of_owners;   /* hwpmc_lock; RCU for who is told of modules */
	struct hlist_node node;	      /* hash by tgid; hwpmc_hash_lock */
	struct pid *tgid;	      /* held */
	struct list_head pmcs;	      /* struct hwpmc_pmc.of_owner; hwpmc_lock */
	struct hwpmc_log *log;	      /* NULL: none; changed under hwpmc_lock; RCU for hooks */
	struct list_head of_system;   /* hwpmc_system_owners: has once wanted all events; RCU */
	unsigned int system_sampling; /* wants them now: PMCs that do; hwpmc_lock, hooks read it */
	unsigned int cpus; /* the fewest that were online when it allocated for one */
	/* The log has the kernel's maps, and hears of modules; hwpmc_lock, hooks read it. */
	bool kernel_logged;
	bool maps_logged; /* and those of programs, as they map and unmap; hwpmc_lock */
	/* In whose exec an attach came, which is waited for without the lock; held; hwpmc_lock */
	struct pid *busy;
	const struct cred *cred; /* held: who may be signalled is by these */
	bool ends;		 /* by the work, as its process exits or execs; hwpmc_hash_lock */
	unsigned long ended;	 /* likewise: since when, jiffies */
	struct work_struct reclaim;
	/* What hooks have left to a worker: counters to free, attachments to end; hwpmc_lock */
	struct list_head dead, ending;
	u32 alone; /* attachments that children have made without its lock since; hwpmc_lock */
	struct workqueue_struct *workers; /* its own: nobody else's wait behind what it waits for */
	struct work_struct reap, bury;
	struct rcu_head rcu;
};

struct hwpmc_pmc {
	struct kref refs;
	struct hwpmc_owner *owner; /* NULL once deleted */
	struct hwpmc_owner *maker; /* held: who that is or was, for the lock */
	struct list_head of_owner;
	enum hwpmc_state state; /* hwpmc_lock */
	u32 id;
	enum hwpmc_mode mode;
	enum hwpmc_class pm_class;
	u32 row;
	int cpu; /* PMC_CPU_ANY in process scope */
	u32 flags;
	u32 event_number;
	u32 depth; /* frames */
	struct perf_event_attr attr;
	const struct cred *cred; /* held: of who allocated it; perf is asked with these */
	bool privileged;	 /* who might perfmon, then */
	u64 rate;	/* sampling: events a sample, or Hz under PMC_F_FREQUENCY */
	u64 base;	/* counting: what is added to what the events counted, modulo 2^64 */
	bool exec_seen; /* PMC_F_START_ON_EXEC: a target has called exec */
	bool orphaned;	/* detached from its last target */
	bool starved;	/* a thread or CPU was without counter: the value lacks something */
	bool counting;	/* but by events of threads: started, and not yet found without counter */
	u64 attaches;	/* calls to attach it that were not refused; hwpmc_lock */
	atomic_t forks; /* children of targets that have not made their counters yet */
	struct hwpmc_works children; /* process scope: what they are handed for it */

	struct hwpmc_meter __percpu *meters; /* NULL: threads have events of their own */
	bool meters_run;		     /* the meters' lock, in account.c, also the next */
	struct list_head of_metered;

	bool inherits;		/* process scope: events are roots, while it runs */
	bool roots_starved;	/* a thread that has exited was without counter since the start */
	bool heirs; /* children that inherit an event have no attachment; hwpmc_lock, hooks read */
	struct list_head roots; /* struct hwpmc_root.of_pmc */
	u32 nroots, roots_most; /* that there are, and may be before the barren go; hwpmc_lock */

	struct perf_event *event; /* system scope; NULL while its CPU is offline */
	u64 carried; /* system scope: counted by events released since the last reset */
	struct list_head attachments; /* process scope; hwpmc_lock */
	u64 detached;		      /* process scope: counted by attachments that are gone */
	u64 detached_enabled, detached_running; /* ns, likewise, and of carried */

	struct hwpmc_charge *charge;
	struct hwpmc_releasers *releasers; /* where they are to release its events */
	struct hwpmc_log *log; /* while it runs and logs: read by handlers and hooks */
	struct hwpmc_kgmon_histogram *kgmon; /* PMC_F_KGMON */
	char name[HWPMC_NAME_MAX];
	char spec[HWPMC_SPEC_MAX];
	struct rcu_head rcu;
};

/* That of its owner; NULL: it has none, or is deleted.  RCU read side. */
static inline struct hwpmc_log *hwpmc_pmc_log(const struct hwpmc_pmc *pmc)
{
	const struct hwpmc_owner *owner = READ_ONCE(pmc->owner);

	return owner ? READ_ONCE(owner->log) : NULL;
}

/* Of that; 0: there is none.  Any context. */
static inline u64 hwpmc_pmc_log_number(const struct hwpmc_pmc *pmc)
{
	const struct hwpmc_log *log;
	u64 number;

	rcu_read_lock();
	log = hwpmc_pmc_log(pmc);
	number = log ? hwpmc_log_number(log) : 0;
	rcu_read_unlock();
	return number;
}

struct hwpmc_process {
	struct hlist_node node;	      /* hash of target processes by struct pid; RCU */
	struct pid *tgid;	      /* held */
	struct list_head attachments; /* struct hwpmc_attachment.of_process; RCU */
	/* Under hwpmc_hash_lock: */
	bool exited;   /* its last thread has begun to exit */
	bool told;     /* and all of its counters are dead: one thread logs PROCEXIT */
	u32 leaving;   /* threads that are logging their exit */
	bool queued;   /* for the reaper, which alone may free it then */
	struct llist_node of_queued;
	struct rcu_head rcu;
};

/* Nothing more is logged of it.  hwpmc_hash_lock. */
static inline bool hwpmc_process_is_finished(const struct hwpmc_process *process)
{
	return process->told && !process->leaving;
}

struct hwpmc_attachment {
	struct hwpmc_pmc *pmc; /* held */
	struct hwpmc_process *process;
	struct list_head of_pmc;     /* hwpmc_lock */
	struct list_head of_process; /* RCU */
	struct list_head counters;   /* struct hwpmc_counter.of_attachment; hwpmc_lock */
	u32 live;		     /* counters whose thread has not exited; hwpmc_hash_lock */
	u64 exited;		     /* counted by threads that have; hwpmc_hash_lock */
	u64 freed;		     /* what of it has no counter any more; hwpmc_lock */
	/*
	 * The number of the log that has the process' maps; 0: none.  It says nothing where the
	 * PMC does not sample.  Changed under hwpmc_lock, hooks read it.
	 */
	u64 told;
	u64 snapshot; /* which will have told it; 0: none is under way; hwpmc_lock */
	u64 attach;   /* which made it, or what its process is a descendant of */
	u64 named;    /* in ATTACH as of which self_exec_id; U64_MAX: of none; hwpmc_lock */
	/*
	 * An exec has made the process more than its user, or the attach was refused: it is to end,
	 * and until then nothing of the process is counted or logged for it, and no child of it
	 * becomes a target.  Never unset; hwpmc_hash_lock, hooks read it.
	 */
	bool taken;
	bool unsaid; /* likewise, but it is no matter of logs: it never was a target; hwpmc_lock */
	struct list_head of_ending; /* hwpmc_lock */
	struct rcu_head rcu;
};

/* Whether a counter's meters count for it, as hooks are told. */
enum hwpmc_metering {
	HWPMC_METERING_OFF,
	HWPMC_METERING_FROM_EXEC,
	HWPMC_METERING_ON,
};

struct hwpmc_counter {
	struct hlist_node node;	  /* hash of counters by task; RCU */
	struct task_struct *task; /* to compare with only, not held */
	u32 pid, tid;		  /* in the initial namespace: what logs say */
	struct hwpmc_attachment *attachment;
	struct list_head of_attachment;
	struct perf_event *event;
	struct hwpmc_meter __percpu *meters; /* its PMC's; NULL: it has an event */
	u64 value;     /* metered: what was counted; the CPU that the thread runs on, irqs off */
	bool alone;    /* metered: counted apart from the PMC's other threads, in value */
	enum hwpmc_metering metering; /* moved by exchange: an exec and a stop may both */
	u64 last;     /* value at the last PROCCSW; moved by compare-and-exchange */
	u64 snapshot; /* hwpmc_lock: read by hwpmc_process_value */
	u64 total;    /* once it is dead: what it has added to the attachment's exited */
	bool dead;    /* hwpmc_hash_lock */
	bool counting; /* started, and not yet found without hardware; hwpmc_lock, hooks read it */
	bool starved;  /* was without hardware when its thread exited; its thread's hooks */
	struct llist_node of_dead;
	struct list_head of_owner; /* struct hwpmc_owner.dead; hwpmc_lock */
	struct rcu_head rcu;
};

/* ---- state.c: what is the module's as a whole ---- */

extern struct mutex hwpmc_lock;
extern raw_spinlock_t hwpmc_hash_lock;
extern struct list_head hwpmc_owners;	     /* hwpmc_lock; RCU */
extern struct list_head hwpmc_system_owners; /* RCU */

/* Of the whole driver, for GETDRIVERSTATS; any context. */
struct hwpmc_counts {
	atomic64_t intr_ignored, intr_processed, intr_bufferfull, intr_throttled;
	atomic64_t syscalls, syscall_errors, buffer_requests, buffer_requests_failed;
	atomic64_t log_sweeps, threads_missed, records_lost, starved;
};

extern struct hwpmc_counts hwpmc_counts;

/* Zeroed, for who may have hwpmc_lock; kvfree(), or kfree() of what is smaller than a page. */
void *hwpmc_zalloc(size_t bytes);

/* ---- lock.c: owners' locks and workers; process context, unless it says otherwise ---- */

struct hwpmc_owner *hwpmc_owner_hold(struct hwpmc_owner *owner);
void hwpmc_owner_put(struct hwpmc_owner *owner); /* any context but NMI */
/* The owner's lock, and hwpmc_lock. */
void hwpmc_owner_lock(struct hwpmc_owner *owner);
int hwpmc_owner_lock_killable(struct hwpmc_owner *owner); /* -EINTR: neither */
/* The same, and until then, in jiffies: also -ETIMEDOUT. */
int hwpmc_owner_lock_until(struct hwpmc_owner *owner, unsigned long end);
void hwpmc_owner_unlock(struct hwpmc_owner *owner);
/*
 * Around what perf is asked of a task's event for pmc: its owner's lock is held, and hwpmc_lock is
 * not, in between.  What others may change meanwhile is to be looked at anew.
 */
void hwpmc_perf_begin(const struct hwpmc_pmc *pmc);
void hwpmc_perf_end(void);
void hwpmc_owner_reap(struct hwpmc_owner *owner); /* its worker does what is left; hwpmc_lock */
int hwpmc_owner_hire(struct hwpmc_owner *owner);  /* makes its workers; -ENOMEM */
/* They end, and with them the reference that is given; it is on no list any more. */
void hwpmc_owner_bury(struct hwpmc_owner *owner);
int hwpmc_burials_init(void);
void hwpmc_burials_exit(void);

/* ---- spares.c: memory of objects that have ended, for those that begin ---- */

#define HWPMC_SPARES 256 /* of a kind, at most */

struct hwpmc_spares {
	size_t size;		/* of an object: that of a struct llist_node at least */
	struct llist_node *mine; /* hwpmc_lock */
	struct llist_head given;
	atomic_t n; /* in both */
};

void *hwpmc_spare_take(struct hwpmc_spares *spares); /* as hwpmc_zalloc(); under hwpmc_lock */
void hwpmc_spare_give(struct hwpmc_spares *spares, void *object); /* any context but NMI */
void hwpmc_spares_free(struct hwpmc_spares *spares);

/* ---- tunables.c: module parameters and /proc/sys/kernel/hwpmc/ ---- */

extern int hwpmc_callchaindepth;   /* frames, 1 to 127 */
extern int hwpmc_hashsize;	   /* rows of the hashes */
extern int hwpmc_logbuffersize;	   /* KB */
extern int hwpmc_nbuffers;	   /* bounds what may be queued: nbuffers * logbuffersize */
extern int hwpmc_nsamples;	   /* samples of full depth that a ring has room for */
extern int hwpmc_debugflags;	   /* HWPMC_DEBUG_*: what is written to the kernel's log */
#define HWPMC_DEBUG_OPERATIONS 0x1 /* each operation and what came of it */
#define HWPMC_DEBUG_ROWS       0x2 /* each row that is taken or given back */
extern int hwpmc_min_period_ns;	   /* of clock events */
extern int hwpmc_unprivileged_syspmcs;
extern int hwpmc_unprivileged_proc_debug;
extern int hwpmc_user_log_kb; /* a possible CPU, of an ordinary user's logs */
extern int hwpmc_user_pmcs;   /* of an ordinary user */
extern int hwpmc_kept_counters; /* of each CPU, by meters */
extern int hwpmc_unthrottle; /* 1: perf's guard against too many interrupts is off for our events */

int hwpmc_tunables_init(void); /* 0, or -EINVAL after a line of hwpmc(4)'s DIAGNOSTICS */
void hwpmc_tunables_exit(void);

/* ---- device.c: /dev/hwpmc; one function for each operation, all in process context ---- */

int hwpmc_device_init(void);
void hwpmc_device_exit(void);

/* ---- owner.c: all under hwpmc_lock, and where something changes the owner's ---- */

struct hwpmc_owner *hwpmc_owner_find(struct pid *tgid); /* or without: may go meanwhile */
/*
 * For an operation: locks the caller's owner, *owner, made if need be or, without make, NULL, and
 * hwpmc_lock.  -EINTR, -ENOMEM.
 */
int hwpmc_owner_enter(bool make, struct hwpmc_owner **owner);
void hwpmc_owner_leave(struct hwpmc_owner *owner); /* unlocks; one that has nothing goes */
/* ERR_PTR(-ESRCH): it owns none at all, -EINVAL: not this one. */
struct hwpmc_pmc *hwpmc_owner_pmc(struct hwpmc_owner *owner, u32 id);
/* Hooks of a process' exit and of exec: queues the owner's reclaim.  Any context but NMI. */
void hwpmc_owner_process_ends(struct task_struct *task);
/* Waits until the caller, which exits, owns nothing any more; NOT under hwpmc_lock. */
void hwpmc_owner_wait_reclaimed(void);
int hwpmc_owner_wait_reclaimed_killable(void); /* likewise; -EINTR */
int hwpmc_owner_set_log(struct hwpmc_owner *owner, struct hwpmc_log *log);
/* Stops every PMC that needs the log; the log (or NULL), for the caller to close and put. */
struct hwpmc_log *hwpmc_owner_drop_log(struct hwpmc_owner *owner);
int hwpmc_owner_init(void);
void hwpmc_owner_exit(void); /* waits for queued reclaims */

/* ---- rows.c: rows, classes, dispositions; under hwpmc_lock ---- */

int hwpmc_rows_init(void);
void hwpmc_rows_exit(void);
/* Takes a row of class: the row, or -EINVAL when none suits.  cpu as in struct hwpmc_pmc. */
int hwpmc_row_take(const struct hwpmc_owner *owner, enum hwpmc_class pm_class, enum hwpmc_mode mode,
		   int cpu);
/* The same for this row; owner NULL: the kernel, which may have a row several times. */
int hwpmc_row_take_at(const struct hwpmc_owner *owner, u32 row, int cpu);
void hwpmc_row_give(enum hwpmc_class pm_class, u32 row, int cpu); /* row: within all classes */
u32 hwpmc_rows_number(void);
u32 hwpmc_rows_of_cpu(void); /* of class CPU */
/* The class of a row; -EINVAL: no such row. */
int hwpmc_row_class(u32 row);
int hwpmc_row_admin(const struct hwpmc_admin *admin);
void hwpmc_rows_cpuinfo(struct hwpmc_cpuinfo *info);
int hwpmc_rows_pmcinfo(int cpu, struct hwpmc_rowinfo *rows, u32 room); /* how many there are */

/* ---- pmc_new.c: a PMC as it was asked for; under hwpmc_lock ---- */

/* Not the owner's yet; ERR_PTR. */
struct hwpmc_pmc *hwpmc_pmc_new(struct hwpmc_owner *owner, const struct hwpmc_allocate *args);

/* ---- pmc_end.c ---- */

void hwpmc_pmc_put(struct hwpmc_pmc *pmc); /* any context but NMI */

/* ---- pmc.c: the life of a PMC; under hwpmc_lock ---- */

int hwpmc_pmc_allocate(struct hwpmc_owner *owner, struct hwpmc_allocate *args);
void hwpmc_pmc_release(struct hwpmc_pmc *pmc);
/* Whether it can start; one that was never attached is attached to its owner. */
int hwpmc_pmc_ready(struct hwpmc_pmc *pmc);
int hwpmc_pmc_start(struct hwpmc_pmc *pmc);
int hwpmc_pmc_stop(struct hwpmc_pmc *pmc);
int hwpmc_pmc_rw(struct hwpmc_pmc *pmc, struct hwpmc_rw *args);
int hwpmc_pmc_setcount(struct hwpmc_pmc *pmc, u64 count);
int hwpmc_pmc_getmsr(struct hwpmc_pmc *pmc, u32 *msr);
/* Stops it if it runs, wherever it is. */
void hwpmc_pmc_halt(struct hwpmc_pmc *pmc);
void hwpmc_pmc_log_maps(struct hwpmc_pmc *pmc); /* its owner's log hears of them, if it needs any */
static inline bool hwpmc_pmc_needs_maps(const struct hwpmc_pmc *pmc) /* in its log */
{
	return PMC_IS_SAMPLING_MODE(pmc->mode) && !(pmc->flags & PMC_F_KGMON);
}

static inline bool hwpmc_pmc_logs(const struct hwpmc_pmc *pmc) /* needs a log to run */
{
	return hwpmc_pmc_needs_maps(pmc) || (pmc->flags & (PMC_F_LOG_PROCCSW | PMC_F_LOG_PROCEXIT));
}

/* ---- snapshot.c: what a log must have before samples come ---- */

struct hwpmc_snapshot {
	struct hwpmc_log *log;	   /* held; NULL: nothing to write */
	struct hwpmc_owner *hears; /* has an hwpmc_owner_hear_all of ours */
	u64 number;
	bool kernel, all;
	unsigned int ntgids;
	struct pid **tgids; /* held */
};

/* Under hwpmc_lock: what the log of a sampling PMC lacks and no other snapshot tells.  -ENOMEM. */
int hwpmc_snapshot_take(struct hwpmc_pmc *pmc, struct hwpmc_snapshot *snapshot);
void hwpmc_snapshot_write(struct hwpmc_snapshot *snapshot); /* NOT under hwpmc_lock */
/* Under hwpmc_lock: what was written may be sampled, and is if the PMC runs.  -EBUSY. */
int hwpmc_snapshot_end(struct hwpmc_pmc *pmc, const struct hwpmc_snapshot *snapshot);
void hwpmc_snapshot_free(struct hwpmc_snapshot *snapshot);  /* likewise */

/* ---- counter.c: perf events; process context, under hwpmc_lock, or see there ---- */

/* The events of a class that has a fixed list: how many there are; at most room are filled in. */
u32 hwpmc_events_list(u32 pm_class, struct hwpmc_dynevent *events, u32 room);

/* Fills in attr for a PMC: pinned, excludes, period.  -EINVAL, -EOPNOTSUPP, -EPERM. */
int hwpmc_event_attr(struct hwpmc_pmc *pmc, const struct hwpmc_allocate *args);
/*
 * A stopped or running event of pmc on cpu, or of task.  ERR_PTR: also -EINVAL (EBUSY for a task)
 * when it is pinned and the hardware has no counter left for it.
 */
struct perf_event *hwpmc_event_new(struct hwpmc_pmc *pmc, int cpu, struct task_struct *task,
				   bool running);
/*
 * The same, but that what task begets has its own: threads, and with PMC_F_DESCENDANTS all.
 * attach as of its attachment; waits: from its next exec on, which hwpmc_root_execs() is to hear
 * of; else it runs.
 */
struct perf_event *hwpmc_event_new_root(struct hwpmc_pmc *pmc, u64 attach,
					struct task_struct *task, bool waits);
u64 hwpmc_root_attach(const struct perf_event *event); /* a root's, or inherited from one */
int hwpmc_event_start(struct perf_event *event); /* -EBUSY: no counter was left for it */
/* Whether the hardware has room for pmc beside the owner's other PMCs of process scope. */
int hwpmc_event_try(const struct hwpmc_owner *owner, struct hwpmc_pmc *pmc);
/* A new rate for PMCs; then for each of its (stopped) events.  -EINVAL: too often. */
int hwpmc_event_rate(struct hwpmc_pmc *pmc, u64 rate);
int hwpmc_event_set_rate(const struct hwpmc_pmc *pmc, struct perf_event *event);
int hwpmc_event_try_rate(struct hwpmc_pmc *pmc); /* where it has none yet */
/* Whether the PMU that took the event is one of the class. */
bool hwpmc_event_is_of_class(const struct perf_event *event, enum hwpmc_class pm_class);
/* The event's count on this CPU, irqs off, its task current or just being switched out. */
u64 hwpmc_event_read_here(struct perf_event *event);

/* ---- account.c: PMCs that count processes by an event on each CPU; under hwpmc_lock ---- */

/* Of a PMC that may have some; 0 also where it is to have none.  -ENOMEM. */
int hwpmc_meters_new(struct hwpmc_pmc *pmc);
void hwpmc_meters_free(struct hwpmc_pmc *pmc); /* it has no target any more */
int hwpmc_meters_start(struct hwpmc_pmc *pmc);
void hwpmc_meters_stop(struct hwpmc_pmc *pmc);
/* Adds what was counted of all threads together, and the times of all, until now. */
void hwpmc_meters_value(struct hwpmc_pmc *pmc, u64 *value, u64 *enabled, u64 *running);
void hwpmc_meters_reset(struct hwpmc_pmc *pmc); /* counts 0, times stay; PMC stopped */
/* Since it was started a target was on a CPU without a counter. */
bool hwpmc_meters_starve(const struct hwpmc_pmc *pmc);
void hwpmc_meters_leave(int cpu); /* which has gone; not under hwpmc_lock */
void hwpmc_meters_renew(int cpu); /* on a CPU that comes; not under hwpmc_lock */
/*
 * From now on the meters of this CPU count for task, by its counters in row.  switches: slices of
 * the thread that leaves are logged.  Irqs off.
 */
void hwpmc_meters_turn(const struct hlist_head *row, const struct task_struct *task, bool switches);
/* A counter of the current thread is counted no more.  Its value.  Irqs off. */
u64 hwpmc_meter_close(struct hwpmc_counter *counter);
/* A PROCCSW of what was counted since the last one.  Irqs off. */
void hwpmc_slice_log(struct hwpmc_counter *counter, u64 value, bool even_if_empty);

/* ---- roots.c: events that children inherit; under hwpmc_lock, unless it says otherwise ---- */

bool hwpmc_roots_suit(const struct hwpmc_pmc *pmc); /* that has its meters, or none */
/* Counted: a PMC may have roots, or not any more. */
void hwpmc_roots_anchor(void);
void hwpmc_roots_weigh(void);
/* Whether a thread has an event of pmc; any context but NMI. */
bool hwpmc_root_covers(const struct hwpmc_pmc *pmc, const struct task_struct *task);
/* Its event counts, now that it has called exec, and so will its children's.  Its own hook. */
bool hwpmc_root_execs(const struct hwpmc_pmc *pmc, const struct task_struct *task);
/* For a thread that has none; attach as of its attachment, waits: for an exec.  -EBUSY, -ESRCH. */
int hwpmc_root_new(struct hwpmc_pmc *pmc, u64 attach, struct task_struct *task, bool waits);
/* After new ones: those that count no more are to end, but not by a child, nor within an exec. */
bool hwpmc_roots_are_many(const struct hwpmc_pmc *pmc);
void hwpmc_roots_thin(struct hwpmc_pmc *pmc); /* then */
/* Adds what they count, until now. */
void hwpmc_roots_value(const struct hwpmc_pmc *pmc, u64 *value, u64 *enabled, u64 *running);
/* Of an attach, 0: of all; what they have counted is the PMC's. */
void hwpmc_roots_end(struct hwpmc_pmc *pmc, u64 attach);
bool hwpmc_roots_starve(const struct hwpmc_pmc *pmc); /* a thread was without counter */
/* A thread is about to lose its events; its own hooks, RCU read side. */
void hwpmc_roots_see(const struct task_struct *task);
/* Each event that a thread has as a root, or from one, perhaps twice.  RCU read side. */
typedef void (*hwpmc_root_visit_t)(struct hwpmc_pmc *pmc, struct perf_event *event, void *arg);
void hwpmc_roots_each(const struct task_struct *task, hwpmc_root_visit_t visit, void *arg);

/* ---- starve.c: events that have lost their counter; under hwpmc_lock ---- */

void hwpmc_starve_begin(struct hwpmc_pmc *pmc); /* it runs */
void hwpmc_starve_end(struct hwpmc_pmc *pmc);	/* it does not any more */
/* What is found is noted, and told in the log: of a PMC of system scope, or of a thread. */
void hwpmc_starve_look(struct hwpmc_pmc *pmc);
void hwpmc_starve_without(struct hwpmc_pmc *pmc); /* it has no event, now that its CPU is back */
void hwpmc_starve_look_thread(struct hwpmc_counter *counter);
/* A thread that exits; its own hooks.  Preemption off; not under hwpmc_lock. */
void hwpmc_starve_see(struct hwpmc_counter *counter, const struct perf_event *event);
void hwpmc_starve_exit(void);

/* ---- process.c: target processes, in a hash; process context, unless it says otherwise ---- */

/* RCU read side, hwpmc_hash_lock or hwpmc_lock. */
struct hwpmc_process *hwpmc_process_find(const struct pid *tgid);
/* hwpmc_lock. */
struct hwpmc_attachment *hwpmc_attachment_find(const struct hwpmc_process *process,
					       const struct hwpmc_pmc *pmc);
/*
 * Whether threads of its process are counted: its PMC runs, and where that samples, its log has
 * their maps.  hwpmc_lock.
 */
bool hwpmc_attachment_counts(const struct hwpmc_attachment *attachment);
#define HWPMC_HEARS_MAPS BIT(31) /* beside flags of PMCs: its log needs maps */
/* Whether its owner hears of what the process does, by a PMC with all of flags.  RCU read side. */
bool hwpmc_attachment_hears(const struct hwpmc_attachment *attachment, u32 flags);
/*
 * The number of log, if that has the maps of the process by an attach to another of the owner's
 * PMCs; 0: it has not.  RCU read side or hwpmc_lock.
 */
u64 hwpmc_process_told(const struct pid *tgid, const struct hwpmc_log *log);
/* Of any PMC.  hwpmc_lock. */
bool hwpmc_process_is_target_of(const struct hwpmc_process *process,
				const struct hwpmc_owner *owner);
/* A process has a row once, but that privileged owners do not mind others' PMCs.  Any context. */
bool hwpmc_pmcs_conflict(const struct hwpmc_pmc *pmc, const struct hwpmc_pmc *before);
/* With any PMC whose target it still is.  hwpmc_lock. */
bool hwpmc_process_conflicts(const struct hwpmc_process *process, const struct hwpmc_pmc *pmc);
struct hwpmc_process *hwpmc_process_new(struct pid *tgid); /* in no hash yet; NULL: no memory */
void hwpmc_process_add(struct hwpmc_process *process);	    /* hwpmc_hash_lock */
void hwpmc_process_free(struct hwpmc_process *process);    /* by RCU; out of the hash */
int hwpmc_processes_init(void);
void hwpmc_processes_exit(void);

/* ---- children.c: children of targets that have not done their works yet ---- */

/* Hooks', before it is handed out.  False: what it would inherit is to end.  RCU read side. */
bool hwpmc_child_add(struct hwpmc_child_work *child, const struct hwpmc_attachment *from);
void hwpmc_child_del(struct hwpmc_child_work *child); /* the child's own, or not handed out */
/*
 * What it inherits is one PMC of a row.  -EEXIST: it will look after itself for pmc; -EBUSY: for
 * another that has the row of pmc; 0: neither.  hwpmc_lock, or else it may have done so meanwhile.
 */
int hwpmc_child_waits(const struct hwpmc_pmc *pmc, const struct task_struct *task);
/* What an attach made has been taken: its children are to inherit nothing.  hwpmc_lock. */
void hwpmc_children_refuse(const struct hwpmc_pmc *pmc, u64 attach);

/* ---- listeners.c: which logs hear of a process; any context but NMI unless said otherwise ---- */

/*
 * Calls each() once for every log that is to hear of what the process does: of the owners of PMCs
 * with all of flags that are attached to it, and of system scope.  RCU read side.
 */
void hwpmc_each_log(struct pid *tgid, u32 flags, void (*each)(struct hwpmc_log *log, void *arg),
		    void *arg);
/*
 * Whether log is to have what the process calls programs with: a PMC that asks for that is attached
 * to it.  RCU read side.
 */
bool hwpmc_log_wants_arguments(const struct hwpmc_log *log, const struct pid *tgid);
bool hwpmc_all_are_heard(void); /* some log may hear of every process; RCU read side */
/* Counted: the owner's log hears of every process.  True for the first.  hwpmc_lock, both. */
bool hwpmc_owner_hear_all(struct hwpmc_owner *owner);
void hwpmc_owner_unhear_all(struct hwpmc_owner *owner);
void hwpmc_task_named_by_exec(struct task_struct *task);
void hwpmc_task_renames(struct task_struct *task, const char *name);

/* ---- attachment.c: process context, under hwpmc_lock, unless it says otherwise ---- */

struct hwpmc_attachment *hwpmc_attachment_new(struct hwpmc_pmc *pmc, struct pid *tgid, u64 attach,
					      u64 told);
/* Its meters count no more, once CPUs have looked; false: it has none that counts. */
bool hwpmc_attachment_unmeter(struct hwpmc_attachment *attachment);
void hwpmc_attachment_end(struct hwpmc_attachment *attachment);
/* Of an attach that was refused: no child inherits it any more. */
void hwpmc_attachment_undo(struct hwpmc_attachment *attachment);
/* The same, by its owner's worker: the caller need not have that owner's lock. */
void hwpmc_attachment_leave(struct hwpmc_attachment *attachment);
/* By the same worker: it has been taken, or its process has exited. */
void hwpmc_attachment_ends(struct hwpmc_attachment *attachment);
/* ATTACH; asked: the caller has asked who may, and holds exec_update_lock. */
void hwpmc_attachment_log(struct hwpmc_attachment *attachment, struct hwpmc_log *log, bool asked);
/* Again, for a log that hooks see now, where there was an exec since or is one. */
void hwpmc_attachment_log_again(struct hwpmc_attachment *attachment, struct hwpmc_log *log);
/* PMCDETACH, for the owner's log. */
void hwpmc_attachment_log_end(const struct hwpmc_pmc *pmc, struct pid *tgid);
void hwpmc_thread_missed(struct hwpmc_pmc *pmc); /* hooks' too */
void hwpmc_attachments_exit(void);

/* ---- tgids.c: processes by what they are; process context ---- */

struct hwpmc_tgids {
	struct pid **tgids; /* held */
	u32 n, room;
};

/* In place of those before, all whose leader is() says.  RCU read side for that.  -ENOMEM. */
int hwpmc_tgids_find(struct hwpmc_tgids *tgids, bool (*is)(struct task_struct *leader, void *arg),
		     void *arg);
void hwpmc_tgids_free(struct hwpmc_tgids *tgids);

/* ---- heirs.c: targets that perf alone knows; process context, under hwpmc_lock ---- */

void hwpmc_heirs_allow(struct hwpmc_pmc *pmc);	/* from now on, if it may have some */
void hwpmc_heirs_attach(struct hwpmc_pmc *pmc); /* it has none any more: all have attachments */
/* It is none any more, of any PMC of owner; NULL: of any at all; -ENOMEM. */
int hwpmc_heirs_know(struct pid *tgid, const struct hwpmc_owner *owner);

/* ---- target.c: what is attached to target processes; process context, under hwpmc_lock ---- */

/*
 * To a process alone; attach is the number of the call.  -EAGAIN: it is in the middle of an exec,
 * and then the owner's busy.
 */
int hwpmc_attach_one(struct hwpmc_pmc *pmc, struct pid *tgid, struct task_struct *leader,
		     u64 attach);
int hwpmc_detach(struct hwpmc_pmc *pmc, struct pid *tgid);
void hwpmc_detach_all(struct hwpmc_pmc *pmc);
/* All counters of pmc; start: -EBUSY, and all are stopped again. */
int hwpmc_process_start(struct hwpmc_pmc *pmc);
void hwpmc_process_stop(struct hwpmc_pmc *pmc);
void hwpmc_process_value(struct hwpmc_pmc *pmc, u64 *value, u64 *enabled, u64 *running);
void hwpmc_process_reset(struct hwpmc_pmc *pmc); /* all counts 0; PMC stopped */
/* SIGIO to the owner when pmc has no target left and none is to come. */
void hwpmc_tell_if_idle(struct hwpmc_pmc *pmc);
/* The log has the maps of its process: its counters start if the PMC runs.  -EBUSY. */
int hwpmc_attachment_told(struct hwpmc_attachment *attachment, u64 log);
void hwpmc_process_queue(struct hwpmc_process *process); /* hwpmc_hash_lock */
void hwpmc_targets_reap(void);				 /* hooks'; preemption may be off */
void hwpmc_targets_reap_of(struct work_struct *reap);	 /* an owner's: without its lock */
void hwpmc_targets_exit(void); /* waits for the reaper */

/* ---- family.c: attaches ---- */

/*
 * To descendants too, where flagged.  -EAGAIN: to none, since one is in the middle of an exec, as
 * of hwpmc_attach_one(), or, without a busy one, since they fork too fast.  -EINTR: to none, the
 * caller was killed.
 */
int hwpmc_attach(struct hwpmc_pmc *pmc, struct pid *tgid, u64 *attach);
void hwpmc_attach_undo(struct hwpmc_pmc *pmc, u64 attach);

/* ---- thread.c: counters of threads; process context, hwpmc_lock, unless it says otherwise ---- */

bool hwpmc_counter_exists(const struct hwpmc_attachment *attachment,
			  const struct task_struct *task);
int hwpmc_counter_new(struct hwpmc_attachment *attachment, struct task_struct *task);
int hwpmc_counter_start(struct hwpmc_counter *counter);
/* Metered ones: from hwpmc_counters_look() on it is counted no more. */
void hwpmc_counter_unmeter(struct hwpmc_counter *counter);
void hwpmc_counters_look(void); /* on return each CPU counts for whom the counters say */
void hwpmc_counter_stop(struct hwpmc_counter *counter);
u64 hwpmc_counter_value(const struct hwpmc_counter *counter);
void hwpmc_counter_reset(struct hwpmc_counter *counter);
void hwpmc_counter_end(struct hwpmc_counter *counter);
/* Its value and times as they are now, for hwpmc_counter_value(). */
void hwpmc_counter_snapshot(struct hwpmc_counter *counter, u64 *enabled, u64 *running);
int hwpmc_counter_set_rate(struct hwpmc_counter *counter); /* stopped: its PMC's new one */
/* What hooks have left, to the owners' dead; workers free it, but that of reaped, who does. */
void hwpmc_counters_sort(const struct hwpmc_owner *reaped);
void hwpmc_counters_reap(struct hwpmc_owner *owner);
void hwpmc_counters_reap_of(struct hwpmc_attachment *attachment);
bool hwpmc_counters_may_be(const struct task_struct *task); /* exits; RCU read side */
bool hwpmc_counters_exit(struct task_struct *task, bool taken); /* hwpmc_hash_lock */
bool hwpmc_counters_exec(struct task_struct *task);  /* RCU read side */
void hwpmc_counters_close(struct task_struct *task); /* exits: before perf's; preemption off */
/* As the tracepoint calls it: irqs off, runqueue locked. */
void hwpmc_task_switches(void *data, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int state);
int hwpmc_threads_init(void);
void hwpmc_threads_exit(void);

/* ---- task.c: what hooks call; preemption off ---- */

void hwpmc_task_forks(struct task_struct *parent, struct task_struct *child);
void hwpmc_task_exits(struct task_struct *task);
void hwpmc_task_execs(struct task_struct *task); /* PMC_F_START_ON_EXEC, set-user-ID programs */
void hwpmc_task_exit(void);			 /* waits for what children left to do */

/* ---- works.c: what hooks hand to tasks ---- */

int hwpmc_works_init(struct hwpmc_works *works, size_t size, u32 n); /* -ENOMEM; may sleep */
void hwpmc_works_fini(struct hwpmc_works *works); /* all have come back, or none was made */
bool hwpmc_works_are_few(const struct hwpmc_works *works); /* less than half is left */
void hwpmc_works_grow(struct hwpmc_works *works);	    /* then makes more; may sleep */
void *hwpmc_work_take(struct hwpmc_works *works); /* NULL: none is left.  Any context but NMI */
void hwpmc_work_give(struct hwpmc_works *works, struct hwpmc_work *work); /* likewise */
/*
 * The task is to call function(&work->head), which calls hwpmc_work_done() at its end.  False: it
 * exits, and will not.  Hooks'.
 */
bool hwpmc_work_hand(struct hwpmc_work *work, struct task_struct *task, task_work_func_t function);
void hwpmc_work_done(void);
void hwpmc_works_exit(void); /* hooks are gone: waits until no task is in, or to do, a work */

/* ---- hooks.c: tracepoints, and functions that are entered ---- */

struct linux_binprm;
/* What hooks call, preemption off; that of a switch also with irqs off and the runqueue locked. */
struct hwpmc_hooks {
	/* As the tracepoints call it. */
	void HWPMC_ON_EXIT((*on_exit));
	void (*on_fork)(void *data, struct task_struct *parent, struct task_struct *child);
	void (*on_exec)(void *data, struct task_struct *task, pid_t old,
			struct linux_binprm *bprm);
	void (*on_switch)(void *data, bool preempt, struct task_struct *prev,
			  struct task_struct *next, unsigned int state);
	void (*on_rename)(void *data, struct task_struct *task, const char *name);
	/* Where functions are entered. */
	void (*on_mmap)(struct vm_area_struct *vma);
	void (*on_munmap)(struct mm_struct *mm, u64 start, u64 end);
	void (*on_close)(struct task_struct *task);
};

/* fork, exec, exit: there while the module is.  The table stays the caller's. */
int hwpmc_hooks_init(const struct hwpmc_hooks *table);
void hwpmc_hooks_exit(void); /* on return no hook runs or will run */
/* Counted; under hwpmc_lock.  sched_switch, while a PMC has LOG_PROCCSW or meters. */
int hwpmc_hooks_want_switch(void);
void hwpmc_hooks_unwant_switch(void);
/* Counted; under hwpmc_lock.  Threads that exec or exit, before perf closes their events. */
void hwpmc_hooks_want_closes(void);
void hwpmc_hooks_unwant_closes(void);
/* Counted; under hwpmc_lock.  Names, and what exec runs: while a log is configured. */
int hwpmc_hooks_want_names(void);
void hwpmc_hooks_unwant_names(void);
bool hwpmc_hooks_names_are_wanted(void); /* any context */
/* Likewise.  mmap, munmap: while a log is configured that has had PMCs that sample. */
void hwpmc_hooks_want_maps(void);
void hwpmc_hooks_unwant_maps(void);

/* ---- access.c: who may do what; process context ---- */

int hwpmc_access_init(void);
extern u32 hwpmc_tsc_type; /* perf's type of the PMU that has the TSC; U32_MAX: there is none */

/* Perf would read the caller's memory for an event of it, which nothing may wait for. */
bool hwpmc_type_has_pointers(u32 type);
void hwpmc_access_exit(void);
int hwpmc_may_count(void);			  /* at all: -EPERM */
int hwpmc_may_attach(struct task_struct *target); /* -EPERM; as ptrace for a debugger */
/* Whether the program's own user may look into it; any context. */
bool hwpmc_may_user_see(struct task_struct *task);
bool hwpmc_may_users_see(struct task_struct *leader); /* likewise, each thread's */
int hwpmc_may_system(void);			  /* system scope: -EPERM */
int hwpmc_may_sample_kernel(void);		  /* perf_event_paranoid: -EPERM */
bool hwpmc_may_sample_at(u64 frequency);	  /* perf_event_max_sample_rate */
int hwpmc_may_admin(void);
void hwpmc_owner_signal(struct hwpmc_owner *owner, int sig); /* SIGIO, SIGBUS */

/* ---- sample.c, callchain_*.c: the sample path, through the rings of ring.c ---- */

/* The overflow handler for events of a PMC, which is their context. */
perf_overflow_handler_t hwpmc_sample_handler(const struct hwpmc_pmc *pmc);
bool hwpmc_sample_is_ours(const struct perf_event *event); /* it is of process scope or a CPU's */
/* A PROCCSW record into this CPU's ring; irqs off. */
void hwpmc_sample_proccsw(const struct hwpmc_pmc *pmc, u32 pid, u32 tid, u64 value);
/*
 * Frames of the interrupted code, the leaf first: at most max; sets *cut when there were more.
 * NMI-safe.
 */
u32 hwpmc_user_chain(struct pt_regs *regs, u64 *pcs, u32 max, bool *cut);
u32 hwpmc_kernel_chain(struct pt_regs *regs, u64 *pcs, u32 max, bool *cut);

/* ---- maps.c: what is mapped where, for logs ---- */

/* Hooks', of current.  Preemption off. */
void hwpmc_maps_mmap(struct vm_area_struct *vma);
void hwpmc_maps_munmap(struct mm_struct *mm, u64 start, u64 end);
void hwpmc_maps_exec(void);
/*
 * PROC_CREATE, PROCEXEC, THR_CREATE and MAP_INs of a process that the caller may attach to; any: of
 * another the names, without MAP_INs.  May sleep; not under hwpmc_lock.
 */
void hwpmc_maps_log_process(struct hwpmc_log *log, struct pid *tgid, bool any);
/*
 * MAP_INs of current, whom the log of pmc's owner need not hear of yet, unless told is that log's
 * number; waits for no room.  The number; 0: there is no log, or it is another one now.  May sleep;
 * not under hwpmc_lock.
 */
u64 hwpmc_maps_log_current(const struct hwpmc_pmc *pmc, u64 told);
void hwpmc_maps_log_all(struct hwpmc_log *log);	   /* every process; likewise */
void hwpmc_maps_log_kernel(struct hwpmc_log *log); /* and its modules; likewise */
/* Whether with a name, unless that is not to be known.  Under hwpmc_lock. */
bool hwpmc_maps_log_attach(struct hwpmc_log *log, const struct hwpmc_attachment *attachment,
			   struct task_struct *leader, bool asked);
int hwpmc_maps_init(void); /* module notifier */
void hwpmc_maps_exit(void);

/* ---- text.c ---- */

/* -ENOENT, and an address of 0: the kernel has no such symbol.  Waits for a grace period. */
int hwpmc_address_of(const char *symbol, unsigned long *address);
int hwpmc_kernel_text_init(void);
/* The kernel's text; false: its addresses cannot be found. */
bool hwpmc_kernel_text(u64 *start, u64 *end);
/* With what runs at boot alone, from where CPU 0 calls all that it ever does while it is idle. */
u64 hwpmc_kernel_code_end(void);

/* ---- kgmon.c: PMC_F_KGMON ---- */

struct hwpmc_kgmon_histogram *hwpmc_kgmon_histogram_new(void); /* ERR_PTR */
void hwpmc_kgmon_histogram_free(struct hwpmc_kgmon_histogram *histogram);
/* Adds the counts of at most room bins to sum; the other members become the histogram's. */
void hwpmc_kgmon_histogram_add(const struct hwpmc_kgmon_histogram *histogram,
			       struct pmc_profile *sum, u32 room);
int hwpmc_kgmon_new(struct hwpmc_pmc *pmc);
void hwpmc_kgmon_free(struct hwpmc_pmc *pmc);
void hwpmc_kgmon_count(struct hwpmc_kgmon_histogram *histogram, u64 pc,
		       bool user); /* any context */
int hwpmc_kgmon_get(struct hwpmc_pmc *pmc, struct hwpmc_kgmon *args);

/* ---- hotplug.c: CPUs that go and come; work items that take hwpmc_lock ---- */

int hwpmc_hotplug_init(void);
void hwpmc_hotplug_exit(void);

/* ---- kapi.c, kapi_event.c, kapi_kernel.c: the functions of pmc_kapi.h ---- */

void hwpmc_kapi_task_forks(struct task_struct *parent, struct task_struct *child);
void hwpmc_kapi_task_exits(struct task_struct *task);
int hwpmc_kapi_init(void);
void hwpmc_kapi_exit(void);

#endif
