// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * A log: its rings, its queue, and its life; its writer is writer.c's.
 *
 * Samples and switches come through the rings, one for each possible CPU (ring.c, sample.c);
 * everything else through the queue, a list under a raw spinlock that is held for some stores:
 * hooks queue with interrupts off.  Their records are in memory that the log has for them (pool.c),
 * since on PREEMPT_RT nothing may be allocated in a hook, nor freed.  A record's time is taken
 * under that lock, so the queue is in order of time.  Nobody is woken under it: hooks leave that to
 * irq_work.
 *
 * A reader that does not read blocks the writer and nobody else.  Rings and queue then fill up and
 * count.  A failed write ends the writing for good: a regular file is cut back to its last whole
 * record, the owner gets SIGIO, flushes return the error, and what comes is counted and thrown
 * away.
 *
 * Lifetime.  The owner and each running PMC have a reference.  The writer ends in
 * hwpmc_log_close(), which no event outlives; the last reference frees the memory after an RCU
 * grace period, since hooks may have found the log by the owner under RCU.  SIGKILL frees a writer
 * that waits for a reader; one whose file does not answer, as that of a dead server, is left to a
 * work item, which has a reference to the log and to the module for as long as that takes.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/memcontrol.h>
#include <linux/module.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "log_int.h"

#define LONGEST_SAMPLE	  (sizeof(struct pmclog_wire_callchain) + HWPMC_DEPTH_MAX * sizeof(u64))
#define RING_LEAST	  (8 * LONGEST_SAMPLE)
#define POOL_LEAST	  (32 * 1024)
#define POOL_MOST	  (4 * 1024 * 1024)
#define PATIENCE	  (3 * HZ)
#define SPARE_US	  5000000

static struct workqueue_struct *free_works;
static struct workqueue_struct *end_works;
static atomic64_t log_numbers = ATOMIC64_INIT(0);

/* ---- the queue ---- */

static void wake_writer(struct irq_work *work)
{
	struct hwpmc_log *log = container_of(work, struct hwpmc_ring, wake)->log;

	WRITE_ONCE(log->half, true);
	wake_up(&log->wake);
}

static size_t queue_bound(void)
{
	return (size_t)hwpmc_nbuffers * hwpmc_logbuffersize * 1024;
}

bool hwpmc_log_is_behind(const struct hwpmc_log *log)
{
	return READ_ONCE(log->queued) >= 2 * queue_bound();
}

int hwpmc_log_spare_us(const struct hwpmc_log *log)
{
	return max(atomic_read(&log->spare_us), 0);
}

void hwpmc_log_spend_us(struct hwpmc_log *log, int us)
{
	atomic_sub(us, &log->spare_us);
}

bool hwpmc_log_wait(struct hwpmc_log *log)
{
	if (READ_ONCE(log->queued) >= queue_bound()) {
		WRITE_ONCE(log->half, true);
		wake_up(&log->wake);
		wait_event_killable(log->waiters,
				    READ_ONCE(log->queued) < queue_bound() ||
					    READ_ONCE(log->closing));
	}
	return !fatal_signal_pending(current);
}

struct hwpmc_queued *hwpmc_log_take(struct hwpmc_log *log, u32 length)
{
	struct hwpmc_block *block;
	unsigned long flags;

	raw_spin_lock_irqsave(&log->queue_lock, flags);
	block = hwpmc_pool_take(&log->pool, sizeof(struct hwpmc_queued) + length);
	raw_spin_unlock_irqrestore(&log->queue_lock, flags);
	return block ? container_of(block, struct hwpmc_queued, block) : NULL;
}

/* Whether the writer is to come before its time.  queue_lock. */
static bool is_half_full(const struct hwpmc_log *log)
{
	return log->queued > queue_bound() / 2 ||
	       log->pool.head - log->pool.tail > log->pool.size / 2;
}

void hwpmc_log_queue(struct hwpmc_log *log, struct hwpmc_queued *queued, enum hwpmc_queue_how how)
{
	struct pmclog_wire_header *record;
	bool fits, pooled = queued && queued->block.room;
	struct hwpmc_ring *ring;
	unsigned long flags;

	atomic64_inc(&hwpmc_counts.buffer_requests);
	if (queued && how == HWPMC_QUEUE_WAIT)
		hwpmc_log_wait(log);
	raw_spin_lock_irqsave(&log->queue_lock, flags);
	ring = this_cpu_ptr(log->rings);
	fits = queued && !log->over && (how == HWPMC_QUEUE_ALWAYS || log->queued < queue_bound());
	if (fits) {
		record = (void *)queued->record;
		record->tsc = hwpmc_stamp();
		list_add_tail(&queued->of_queue, &log->queue);
		log->queued += hwpmc_record_length(record);
		if (is_half_full(log) && !READ_ONCE(log->half))
			irq_work_queue(&ring->wake);
	} else {
		local_inc(&ring->records);
		if (pooled)
			hwpmc_pool_give(&log->pool, &queued->block);
	}
	raw_spin_unlock_irqrestore(&log->queue_lock, flags);
	if (!queued)
		atomic64_inc(&hwpmc_counts.buffer_requests_failed);
	else if (!fits && !pooled)
		kvfree(queued);
}

void hwpmc_log_missed(struct hwpmc_log *log)
{
	local_inc(&get_cpu_ptr(log->rings)->missed);
	put_cpu_ptr(log->rings);
}

/* ---- making and freeing ---- */

static void rings_free(struct hwpmc_log *log)
{
	int cpu;

	if (!log->rings)
		return;
	for_each_possible_cpu(cpu) {
		struct hwpmc_ring *ring = per_cpu_ptr(log->rings, cpu);

		irq_work_sync(&ring->wake);
		kvfree(ring->data);
	}
	free_percpu(log->rings);
}

/* Bytes of one ring. */
static size_t ring_size(void)
{
	size_t sample = sizeof(struct pmclog_wire_callchain) + hwpmc_callchaindepth * sizeof(u64);

	return roundup_pow_of_two(max(hwpmc_nsamples * sample, RING_LEAST));
}

/* As much as may be queued, within reason. */
static size_t pool_size(void)
{
	return roundup_pow_of_two(clamp_t(size_t, queue_bound(), POOL_LEAST, POOL_MOST));
}

static int pool_alloc(struct hwpmc_log *log)
{
	log->pool.size = pool_size();
	log->pool.data = kvmalloc(log->pool.size, GFP_KERNEL_ACCOUNT);
	return log->pool.data ? 0 : -ENOMEM;
}

static int rings_alloc(struct hwpmc_log *log)
{
	size_t size = ring_size();
	struct hwpmc_source *source;
	int cpu;

	log->rings = alloc_percpu(struct hwpmc_ring);
	log->sources = kvcalloc(num_possible_cpus(), sizeof(*log->sources), GFP_KERNEL);
	log->heap = kcalloc(num_possible_cpus(), sizeof(*log->heap), GFP_KERNEL);
	if (!log->rings)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		init_irq_work(&per_cpu_ptr(log->rings, cpu)->wake, wake_writer);
	if (!log->sources || !log->heap)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		source = &log->sources[log->nsources++];
		source->cpu = cpu;
		source->ring = per_cpu_ptr(log->rings, cpu);
		source->ring->log = log;
		source->ring->cpu = cpu;
		source->ring->size = size;
		source->ring->data = kvzalloc_node(size, GFP_KERNEL_ACCOUNT, cpu_to_node(cpu));
		if (!source->ring->data)
			return -ENOMEM;
	}
	return 0;
}

static void log_free(struct hwpmc_log *log)
{
	struct hwpmc_queued *queued, *next;

	rings_free(log);
	list_for_each_entry_safe(queued, next, &log->queue, of_queue)
		if (!queued->block.room)
			kvfree(queued);
	kvfree(log->pool.data);
	kvfree(log->sources);
	kfree(log->heap);
	kvfree(log->buffer);
	if (log->file)
		fput(log->file);
	mem_cgroup_put(log->memcg);
	put_pid(log->owner);
	put_cred(log->cred);
	hwpmc_charge_free(log->charge);
	kfree(log);
}

static void log_free_work(struct work_struct *work)
{
	log_free(container_of(to_rcu_work(work), struct hwpmc_log, free));
}

/* For a log's memory.  That of one that was closed a moment ago may still be on its way back. */
static struct hwpmc_charge *charge_new(u64 bytes)
{
	struct hwpmc_charge *charge = hwpmc_charge_log(bytes);

	if (charge != ERR_PTR(-ENOBUFS))
		return charge;
	rcu_barrier();
	flush_workqueue(free_works);
	return hwpmc_charge_log(bytes);
}

/* A log without writer, of the caller's: its memory and its file, which it takes; ERR_PTR. */
static struct hwpmc_log *log_new(struct file *file)
{
	struct hwpmc_log *log = kzalloc(sizeof(*log), GFP_KERNEL);
	struct hwpmc_charge *charge;

	if (!log) {
		fput(file);
		return ERR_PTR(-ENOMEM);
	}
	kref_init(&log->refs);
	log->number = atomic64_inc_return(&log_numbers);
	INIT_RCU_WORK(&log->free, log_free_work);
	raw_spin_lock_init(&log->queue_lock);
	INIT_LIST_HEAD(&log->queue);
	init_completion(&log->ended);
	init_waitqueue_head(&log->wake);
	init_waitqueue_head(&log->waiters);
	log->owner = get_pid(task_tgid(current));
	log->cred = get_current_cred();
	atomic_set(&log->spare_us, SPARE_US);
	log->file = file;
	log->memcg = get_mem_cgroup_from_mm(current->mm);
	hwpmc_clock_round(&log->clock);
	log->limit = max_t(u32, hwpmc_logbuffersize * 1024, PMCLOG_MAX_RECORD);
	charge = charge_new((u64)ring_size() * num_possible_cpus() + pool_size() + log->limit);
	if (IS_ERR(charge)) {
		log_free(log);
		return ERR_CAST(charge);
	}
	log->charge = charge;
	log->buffer = kvmalloc(log->limit, GFP_KERNEL_ACCOUNT);
	if (!log->buffer || pool_alloc(log) || rings_alloc(log)) {
		log_free(log);
		return ERR_PTR(-ENOMEM);
	}
	return log;
}

/* The file that a log is to go to; ERR_PTR. */
static struct file *log_file(int fd)
{
	struct file *file = fget(fd);

	if (!file)
		return ERR_PTR(-EBADF);
	if (!(file->f_mode & FMODE_WRITE)) {
		fput(file);
		return ERR_PTR(-EBADF);
	}
	/* What kernel_write() takes. */
	if (!file->f_op->write_iter || file->f_op->write) {
		fput(file);
		return ERR_PTR(-EINVAL);
	}
	return file;
}

/* INITIALIZE with the caller's trailer; ERR_PTR. */
static struct hwpmc_queued *initialize_new(const struct hwpmc_configurelog *args, const u8 *trailer)
{
	if (args->trailer_length && !hwpmc_record_trailer_ok(trailer, args->trailer_length))
		return ERR_PTR(-EINVAL);
	return hwpmc_record_initialize(args->cpuid, trailer, args->trailer_length)
		       ?: ERR_PTR(-ENOMEM);
}

struct hwpmc_log *hwpmc_log_new(const struct hwpmc_configurelog *args, const u8 *trailer)
{
	struct hwpmc_queued *initialize = initialize_new(args, trailer);
	struct hwpmc_log *log;
	struct file *file;

	if (IS_ERR(initialize))
		return ERR_CAST(initialize);
	file = log_file(args->fd);
	log = IS_ERR(file) ? ERR_CAST(file) : log_new(file);
	if (IS_ERR(log)) {
		kfree(initialize);
		return log;
	}
	hwpmc_log_queue(log, initialize, HWPMC_QUEUE_ALWAYS);
	return log;
}

void hwpmc_log_free(struct hwpmc_log *log)
{
	log_free(log);
}

int hwpmc_log_open(struct hwpmc_log *log)
{
	struct task_struct *task =
		kthread_create(hwpmc_log_writer, log, "hwpmc/%d", pid_nr(log->owner));

	if (IS_ERR(task))
		return -EAGAIN;
	log->writer = get_task_struct(task);
	wake_up_process(task);
	return 0;
}

u64 hwpmc_log_number(const struct hwpmc_log *log)
{
	return log->number;
}

struct hwpmc_log *hwpmc_log_get(struct hwpmc_log *log)
{
	kref_get(&log->refs);
	return log;
}

static void log_release(struct kref *refs)
{
	queue_rcu_work(free_works, &container_of(refs, struct hwpmc_log, refs)->free);
}

void hwpmc_log_want_arguments(struct hwpmc_log *log)
{
	WRITE_ONCE(log->arguments, true);
}

bool hwpmc_log_may_have_arguments(const struct hwpmc_log *log)
{
	return READ_ONCE(log->arguments);
}

void hwpmc_log_put(struct hwpmc_log *log)
{
	kref_put(&log->refs, log_release);
}

/* ---- flush, close, statistics ---- */

static bool is_flushed(struct hwpmc_log *log, long wanted)
{
	/* Pairs with do_round() and hwpmc_log_writer(). */
	return smp_load_acquire(&log->flush_done) >= wanted || smp_load_acquire(&log->over);
}

int hwpmc_log_flush(struct hwpmc_log *log)
{
	long wanted = atomic_long_inc_return(&log->flush_wanted);

	wake_up(&log->wake);
	if (wait_event_interruptible(log->waiters, is_flushed(log, wanted)))
		return -EINTR;
	return -READ_ONCE(log->stats.error);
}

/*
 * A writer that waits for its reader is freed from that.  False: it has not ended yet, since its
 * file does not answer, or the caller was killed.
 */
static bool end_now(struct hwpmc_log *log)
{
	WRITE_ONCE(log->discard, true);
	send_sig(SIGKILL, log->writer, 1);
	return wait_for_completion_killable_timeout(&log->ended, PATIENCE) > 0;
}

/* The writer has ended. */
static void finish(struct hwpmc_log *log)
{
	kthread_stop(log->writer);
	put_task_struct(log->writer);
	log->writer = NULL;
	fput(log->file);
	log->file = NULL;
}

static void finish_work(struct work_struct *work)
{
	struct hwpmc_log *log = container_of(work, struct hwpmc_log, finish);

	wait_for_completion(&log->ended);
	finish(log);
	hwpmc_log_put(log);
	module_put(THIS_MODULE);
}

static void finish_later(struct hwpmc_log *log)
{
	hwpmc_log_get(log);
	__module_get(THIS_MODULE); /* the caller has one */
	INIT_WORK(&log->finish, finish_work);
	queue_work(end_works, &log->finish);
}

/* A signal may have come for another reason: what the file takes in time is written. */
static bool ends(struct hwpmc_log *log)
{
	return !wait_for_completion_interruptible(&log->ended) ||
	       wait_for_completion_killable_timeout(&log->ended, PATIENCE) > 0;
}

int hwpmc_log_close(struct hwpmc_log *log, bool now)
{
	bool interrupted;

	WRITE_ONCE(log->closing, true);
	wake_up(&log->wake);
	wake_up_all(&log->waiters);
	interrupted = !now && !ends(log);
	if ((now || interrupted) && !end_now(log))
		finish_later(log);
	else
		finish(log);
	return interrupted ? -EINTR : -READ_ONCE(log->stats.error);
}

void hwpmc_log_stats(struct hwpmc_log *log, struct hwpmc_logstats *stats)
{
	int cpu;

	*stats = log->stats;
	stats->lost = 0;
	stats->records_lost = 0;
	stats->starved = atomic64_read(&log->starved);
	stats->hidden = atomic64_read(&log->hidden);
	stats->late_cpus = atomic64_read(&log->late_cpus);
	stats->threads_missed = 0;
	stats->truncated = 0;
	for_each_possible_cpu(cpu) {
		const struct hwpmc_ring *ring = per_cpu_ptr(log->rings, cpu);

		stats->lost += local_read(&ring->lost);
		stats->records_lost += local_read(&ring->records);
		stats->threads_missed += local_read(&ring->missed);
		stats->truncated += local_read(&ring->truncated);
	}
}

int hwpmc_logs_init(void)
{
	free_works = alloc_workqueue("hwpmc_log", WQ_UNBOUND, 0);
	end_works = alloc_workqueue("hwpmc_end", WQ_UNBOUND, 0);
	if (free_works && end_works)
		return 0;
	if (free_works)
		destroy_workqueue(free_works);
	if (end_works)
		destroy_workqueue(end_works);
	return -ENOMEM;
}

void hwpmc_logs_exit(void)
{
	destroy_workqueue(end_works);
	rcu_barrier();
	destroy_workqueue(free_works);
}
