// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * The writer of a log, a kthread: from rings and queue into its file.
 *
 * It works in rounds: each quarter of a second, when a ring or the queue is half full, and when a
 * flush wants it.  A round takes the time T, waits until no CPU is in the middle of a record that
 * it began before T (ring.c), and merges rings and queue by time up to T into one buffer, which
 * it writes when it is full and at the end of the round.  What comes meanwhile is younger than T
 * and waits for the next round; so all that is written is in order of time, but for the
 * nanoseconds that the kernel's fast clock, where stamps are of that (clock.h), may fall back
 * when an NMI meets its update.  Losses that a round finds are told behind its records: a ring
 * that was full held what came before.  A lost sample is one of many, a lost map or fork makes
 * what comes behind it hard to understand: the two are counted apart, and told apart.
 */
#include <linux/cred.h>
#include <linux/delay.h>
#include <linux/freezer.h>
#include <linux/fs.h>
#include <linux/kthread.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "log_int.h"

#define ROUND		  (HZ / 4)
#define STORES_VISIBLE_US 10   /* ring.c: more than a processor keeps a store to itself */
#define QUIET_SPINS	  1000 /* of a microsecond: what a handler under way may take */

static bool is_regular(const struct file *file)
{
	return S_ISREG(file_inode(file)->i_mode);
}

/* As the owner would send it, whoever opened the file: not to who has become another user's. */
static void signal_owner(const struct hwpmc_log *log)
{
	const struct cred *writers = override_creds(log->cred);

	kill_pid(log->owner, SIGIO, 0);
	revert_creds(writers);
}

/*
 * After a write that failed when out bytes of the buffer were through: cuts a regular file back to
 * its last whole record, if nobody else has moved its end, and counts what is lost.
 */
static void give_up(struct hwpmc_log *log, u32 out, int error)
{
	struct file *file = log->file;
	u32 at, next, whole = 0, samples = 0, dropped = 0;

	for (at = 0; at < log->used; at = next) {
		const struct pmclog_wire_header *record = (const void *)(log->buffer + at);
		bool is_sample = hwpmc_record_type(record) == PMCLOG_WIRE_CALLCHAIN;

		next = at + hwpmc_record_length(record);
		if (next <= out) {
			whole = next;
			samples += is_sample;
		} else {
			dropped += is_sample;
		}
	}
	if (whole < out && is_regular(file) && i_size_read(file_inode(file)) == file->f_pos &&
	    !vfs_truncate(&file->f_path, file->f_pos - (out - whole))) {
		file->f_pos -= out - whole;
		out = whole;
	}
	log->stats.bytes += out;
	log->stats.samples += samples;
	log->stats.dropped += dropped;
	log->buffered = 0;
	log->used = 0;
	if (READ_ONCE(log->discard))
		return;
	WRITE_ONCE(log->stats.error, -error);
	WRITE_ONCE(log->discard, true);
	signal_owner(log);
}

/*
 * Whether a write that got nothing through is worth another try.  A signal that comes behind the
 * second look at discard is still pending in the next write.
 */
static bool is_worth_retry(struct hwpmc_log *log, ssize_t n)
{
	if (n == -EAGAIN)
		schedule_timeout_interruptible(HZ / 100);
	else if (n != -EINTR && n != -ERESTARTSYS)
		return false;
	flush_signals(current);
	return !READ_ONCE(log->discard);
}

static void write_out(struct hwpmc_log *log)
{
	struct file *file = log->file;
	u32 out = 0;

	while (out < log->used) {
		loff_t *pos = file->f_mode & FMODE_STREAM ? NULL : &file->f_pos;
		ssize_t n = -EINTR;

		if (!READ_ONCE(log->discard))
			n = kernel_write(file, log->buffer + out, log->used - out, pos);
		if (n > 0) {
			out += n;
		} else if (!is_worth_retry(log, n)) {
			give_up(log, out, n ? n : -EIO);
			return;
		}
	}
	log->stats.bytes += out;
	log->stats.samples += log->buffered;
	log->buffered = 0;
	log->used = 0;
}

static void put(struct hwpmc_log *log, const struct pmclog_wire_header *record)
{
	bool is_sample = hwpmc_record_type(record) == PMCLOG_WIRE_CALLCHAIN;
	u32 length = hwpmc_record_length(record);
	struct pmclog_wire_header *copy;

	log->latest = record->tsc;
	if (log->used + length > log->limit)
		write_out(log);
	if (READ_ONCE(log->discard)) {
		log->stats.dropped += is_sample;
		return;
	}
	copy = memcpy(log->buffer + log->used, record, length);
	copy->tsc = hwpmc_clock_ns(&log->clock, record->tsc);
	log->buffered += is_sample;
	log->used += length;
}

/* Waits until every record begun before now is in its ring; bounded, for a CPU may halt. */
static void settle(struct hwpmc_log *log)
{
	u32 i, spins = 0;

	udelay(STORES_VISIBLE_US);
	for (i = 0; i < log->nsources; i++)
		/* Pairs with hwpmc_ring_leave(): what was published is seen with nest 0. */
		while (smp_load_acquire(&log->sources[i].ring->nest) && spins++ < QUIET_SPINS)
			udelay(1);
}

/* Moves the source at place i of the heap to where it belongs below. */
static void sift(struct hwpmc_log *log, u32 i)
{
	struct hwpmc_source **heap = log->heap, *moved = heap[i];
	u32 child;

	for (; (child = 2 * i + 1) < log->nheap; i = child) {
		if (child + 1 < log->nheap && heap[child + 1]->time < heap[child]->time)
			child++;
		if (moved->time <= heap[child]->time)
			break;
		heap[i] = heap[child];
	}
	heap[i] = moved;
}

/* Whether the source has a record of a time up to until. */
static bool has_record(struct hwpmc_source *source, u64 until)
{
	const struct pmclog_wire_header *record = hwpmc_ring_peek(source->ring);

	if (!record || record->tsc > until)
		return false;
	source->time = record->tsc;
	return true;
}

/* A record that was made here. */
static void put_made(struct hwpmc_log *log, struct pmclog_wire_header *record, u32 length, u64 time)
{
	record->header = PMCLOG_WIRE_HEADER(PMCLOG_WIRE_DROPNOTIFY, length);
	record->spare = 0;
	record->tsc = time;
	put(log, record);
}

/* Before the sample that ends a pause, and not before what is in the log already. */
static void put_pause(struct hwpmc_log *log, const struct hwpmc_source *source,
		      const struct pmclog_wire_callchain *sample, const struct hwpmc_pause *pause)
{
	u8 bytes[HWPMC_RECORD_PAUSE] __aligned(8);
	struct pmclog_wire_header *record = (void *)bytes;
	u32 length = hwpmc_record_pause(record, pause->ns, source->cpu, sample->pmcid);

	put_made(log, record, length, max(pause->end, log->latest));
	log->stats.paused += pause->ns;
}

static void put_oldest(struct hwpmc_log *log, u64 until)
{
	struct hwpmc_source *source = log->heap[0];
	const struct pmclog_wire_header *record = hwpmc_ring_peek(source->ring);

	if (hwpmc_record_type(record) == PMCLOG_WIRE_CALLCHAIN) {
		const struct pmclog_wire_callchain *sample = (const void *)record;
		struct hwpmc_pause pause;

		log->drained++;
		if (unlikely(hwpmc_pace_sample(source, sample, &log->clock, &pause)))
			put_pause(log, source, sample, &pause);
	} else if (hwpmc_record_type(record) == PMCLOG_WIRE_DROPNOTIFY) {
		log->stats.throttled++;
		hwpmc_pace_pause(source, hwpmc_record_drop_pmcid(record));
	}
	put(log, record);
	hwpmc_ring_advance(source->ring);
	if (!has_record(source, until))
		log->heap[0] = log->heap[--log->nheap];
	if (log->nheap)
		sift(log, 0);
}

/* The oldest record of the queue, of a time up to until, or NULL.  It stays there. */
static struct pmclog_wire_header *queue_first(struct hwpmc_log *log, u64 until)
{
	struct pmclog_wire_header *record = NULL;
	struct hwpmc_queued *first;
	unsigned long flags;

	raw_spin_lock_irqsave(&log->queue_lock, flags);
	first = list_first_entry_or_null(&log->queue, struct hwpmc_queued, of_queue);
	if (first)
		record = (void *)first->record;
	if (record && record->tsc > until)
		record = NULL;
	raw_spin_unlock_irqrestore(&log->queue_lock, flags);
	return record;
}

static void queue_pop(struct hwpmc_log *log, struct pmclog_wire_header *record)
{
	struct hwpmc_queued *queued = container_of((void *)record, struct hwpmc_queued, record);
	unsigned long flags;
	bool pooled;

	raw_spin_lock_irqsave(&log->queue_lock, flags);
	list_del(&queued->of_queue);
	log->queued -= hwpmc_record_length(record);
	pooled = queued->block.room;
	if (pooled)
		hwpmc_pool_give(&log->pool, &queued->block);
	raw_spin_unlock_irqrestore(&log->queue_lock, flags);
	if (!pooled)
		kvfree(queued);
}

/* Rings and queue up to the time until, in order of time. */
static void merge(struct hwpmc_log *log, u64 until)
{
	struct pmclog_wire_header *record;
	u32 i;

	log->nheap = 0;
	for (i = 0; i < log->nsources; i++)
		if (has_record(&log->sources[i], until))
			log->heap[log->nheap++] = &log->sources[i];
	for (i = log->nheap / 2; i-- > 0;)
		sift(log, i);
	record = queue_first(log, until);
	while (record || log->nheap) {
		if (record && (!log->nheap || record->tsc <= log->heap[0]->time)) {
			put(log, record);
			queue_pop(log, record);
			record = queue_first(log, until);
		} else {
			put_oldest(log, until);
		}
	}
	wake_up(&log->waiters);
}

static void put_drop(struct hwpmc_log *log, const struct hwpmc_source *source, u64 time, u64 count,
		     enum pmclog_drop_cause cause)
{
	u8 bytes[HWPMC_RECORD_DROP] __aligned(8);
	struct pmclog_wire_header *record = (void *)bytes;

	put_made(log, record, hwpmc_record_drop(record, count, source->cpu, cause, U32_MAX), time);
}

/* What the rings lost since the last round. */
static void tell_losses(struct hwpmc_log *log, u64 time)
{
	u32 i;

	for (i = 0; i < log->nsources; i++) {
		struct hwpmc_source *source = &log->sources[i];
		long lost = local_read(&source->ring->lost) - source->lost;
		long records = local_read(&source->ring->records) - source->records;
		long missed = local_read(&source->ring->missed) - source->missed;
		long untold = local_read(&source->ring->untold) - source->untold;

		if (lost) {
			put_drop(log, source, time, lost, PMCLOG_DROP_RING);
			atomic64_add(lost, &hwpmc_counts.intr_bufferfull);
		}
		if (records) {
			put_drop(log, source, time, records, PMCLOG_DROP_RECORD);
			atomic64_add(records, &hwpmc_counts.records_lost);
		}
		if (missed)
			put_drop(log, source, time, missed, PMCLOG_DROP_UNCOUNTED);
		if (untold) {
			put_drop(log, source, time, untold, PMCLOG_DROP_THROTTLE);
			log->stats.throttled += untold;
		}
		source->lost += lost;
		source->records += records;
		source->missed += missed;
		source->untold += untold;
	}
}

static void do_round(struct hwpmc_log *log)
{
	long wanted = atomic_long_read(&log->flush_wanted);
	u64 throttled = log->stats.throttled, now;

	log->drained = 0;
	WRITE_ONCE(log->half, false);
	now = hwpmc_clock_round(&log->clock);
	settle(log);
	merge(log, now);
	tell_losses(log, now);
	write_out(log);
	atomic64_inc(&hwpmc_counts.log_sweeps);
	atomic64_add(log->drained, &hwpmc_counts.intr_processed);
	atomic64_add(log->stats.throttled - throttled, &hwpmc_counts.intr_throttled);
	/* Pairs with is_flushed(): what was wanted before is in the file, and in stats. */
	smp_store_release(&log->flush_done, wanted);
	wake_up(&log->waiters);
}

/* No event writes to the log any more: whatever is there goes out, or is counted. */
static void end_log(struct hwpmc_log *log)
{
	struct pmclog_wire_header close = {
		.header = PMCLOG_WIRE_HEADER(PMCLOG_WIRE_CLOSELOG, sizeof(close))};

	do_round(log);
	close.tsc = hwpmc_clock_round(&log->clock);
	put(log, &close);
	write_out(log);
}

static bool is_wanted(struct hwpmc_log *log)
{
	return READ_ONCE(log->half) || READ_ONCE(log->closing) ||
	       atomic_long_read(&log->flush_wanted) != log->flush_done;
}

/*
 * Writes as who began the log would, and from his memory.  A machine that hibernates must not find
 * files changed; a pipe is left to its reader, who is frozen first, so that waiting for it would
 * keep the machine awake.
 */
int hwpmc_log_writer(void *arg)
{
	struct hwpmc_log *log = arg;
	const struct cred *own = override_creds(log->cred);
	struct mem_cgroup *own_memcg = set_active_memcg(log->memcg);

	if (is_regular(log->file))
		set_freezable();
	/*
	 * hwpmc_log_close() frees a write from a pipe that nobody reads; a FUSE file whose server
	 * does not answer lets only those go that die.
	 */
	allow_kernel_signal(SIGKILL);
	while (!READ_ONCE(log->closing)) {
		wait_event_idle_timeout(log->wake, is_wanted(log), ROUND);
		try_to_freeze();
		do_round(log);
	}
	end_log(log);
	set_active_memcg(own_memcg);
	revert_creds(own);
	/* Pairs with is_flushed(): stats do not change any more. */
	smp_store_release(&log->over, true);
	wake_up_all(&log->waiters);
	complete_all(&log->ended);
	return 0;
}
