/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* A log, for format.c, log.c, pool.c, record.c, sample.c and writer.c alone. */
#ifndef HWPMC_LOG_INT_H
#define HWPMC_LOG_INT_H

#include <linux/completion.h>
#include <linux/percpu.h>
#include <linux/wait.h>

#include "hwpmc_int.h"
#include "pool.h"
#include "ring.h"

/* A record that waits in a log's queue. */
struct hwpmc_queued {
	struct hwpmc_block block; /* of the log's pool; with no room: it has memory of its own */
	struct list_head of_queue;
	u8 record[] __aligned(8);
};

/* How fast samples come of the PMC that has a row on one CPU.  All 0: none has come. */
struct hwpmc_pace {
	u64 last, before; /* stamps of its last two samples; before 0: a pause parts them */
	u32 pmcid, tid;	  /* of the last */
	bool paused;	  /* by perf, after the last */
};

struct hwpmc_pause {
	u64 ns;	 /* how long it was */
	u64 end; /* stamp */
};

/* What the writer knows of a ring. */
struct hwpmc_source {
	struct hwpmc_ring *ring;
	u64 time; /* of its next record */
	u32 cpu;
	struct hwpmc_pace paces[HWPMC_ROWS_MAX];
	long lost, records, missed, untold; /* what the log was told of */
};

struct hwpmc_log {
	struct kref refs;
	u64 number;
	struct rcu_work free;
	struct work_struct finish;   /* of one whose writer does not end when it is told to */
	struct pid *owner;	     /* held; gets SIGIO */
	const struct cred *cred;     /* held: the owner's, by which it gets it */
	struct hwpmc_charge *charge; /* what it takes of its user's share of memory */
	struct hwpmc_ring __percpu *rings;

	raw_spinlock_t queue_lock; /* queue, queued and pool, and the order of their times */
	struct list_head queue;	   /* struct hwpmc_queued */
	size_t queued;		   /* bytes */
	struct hwpmc_pool pool;

	struct task_struct *writer; /* held; NULL once the log is closed */
	struct completion ended;    /* the writer is through */
	wait_queue_head_t wake;	    /* of the writer */
	wait_queue_head_t waiters;  /* for a flush, for room in the queue, for the end */
	atomic_long_t flush_wanted;
	long flush_done;
	bool half;	/* a ring or the queue is half full */
	bool closing;	/* the writer is to end */
	bool discard;	/* nothing more is to be written: close(now), or a write failed */
	bool over;	/* the writer has ended */
	bool arguments; /* of programs are wanted; never unset */
	atomic_t spare_us; /* that may be spent on processes whose maps are locked */

	/* The writer's alone, but for stats, which others read. */
	struct file *file;
	struct mem_cgroup *memcg; /* held; pays for what is written */
	u8 *buffer;		  /* begins with a whole record */
	u32 used, limit;
	u32 buffered, drained; /* samples in the buffer, and of this round */
	u64 latest;	       /* stamp of what was written last */
	struct hwpmc_clock clock;
	struct hwpmc_source *sources; /* one for each possible CPU */
	struct hwpmc_source **heap;   /* those with records for this round, the oldest first */
	u32 nsources, nheap;
	struct hwpmc_logstats stats;

	atomic64_t starved; /* counters that others took */
	atomic64_t hidden;  /* programs that became more than their user */
	atomic64_t late_cpus;
};

/* DROPNOTIFY: header, trailer, four fields of 16 bytes; with the length of a pause, five. */
#define HWPMC_RECORD_DROP  (16 + 8 + 4 * 16)
#define HWPMC_RECORD_PAUSE (HWPMC_RECORD_DROP + 16)

/* ---- format.c ---- */

/* Zeroed memory of its own for a record of at most length bytes; NULL: none. */
struct hwpmc_queued *hwpmc_record_alloc(enum pmclog_wire_type type, u32 length);
/* Bytes that text takes with its NUL, at most max of them. */
u32 hwpmc_text_size(const char *text, u32 max);
/* Appends at offset at, where all is zero behind a text; the next offset. */
u32 hwpmc_put_text(u8 *record, u32 at, const char *text, u32 max);
u32 hwpmc_put_field(u8 *record, u32 at, enum pmclog_field type, const void *value, u32 length);
u32 hwpmc_put_u64(u8 *record, u32 at, enum pmclog_field type, u64 value);
u32 hwpmc_put_u32(u8 *record, u32 at, enum pmclog_field type, u32 value);
/* The header of the trailer at offset at, whose last field ends at end. */
void hwpmc_put_trailer(u8 *record, u32 at, u32 end);
/* Fills in what is behind the header; pmcid U32_MAX: not known.  Its length.  Any context. */
u32 hwpmc_record_drop(struct pmclog_wire_header *record, u64 count, u32 cpu, u32 cause, u32 pmcid);
/* Of one with a pmcid. */
u32 hwpmc_record_drop_pmcid(const struct pmclog_wire_header *record);
/* The same for a pause that has ended, which was ns long. */
u32 hwpmc_record_pause(struct pmclog_wire_header *record, u64 ns, u32 cpu, u32 pmcid);
/* INITIALIZE; trailer has length bytes, which are right.  NULL: no memory. */
struct hwpmc_queued *hwpmc_record_initialize(const char *cpuid, const void *trailer, u32 length);
/* Whether a trailer of the user's is one that INITIALIZE may have. */
bool hwpmc_record_trailer_ok(const u8 *trailer, u32 length);

/* ---- pace.c ---- */

/* perf paused a PMC of this ring after its last sample. */
void hwpmc_pace_pause(struct hwpmc_source *source, u32 pmcid);
/* A sample that hwpmc_pace_sample() has no fast way for. */
bool hwpmc_pace_other(struct hwpmc_pace *pace, const struct pmclog_wire_callchain *sample,
		      const struct hwpmc_clock *clock, struct hwpmc_pause *pause);

/* The next sample of a ring; whether it ends a pause whose length is known. */
static __always_inline bool hwpmc_pace_sample(struct hwpmc_source *source,
					      const struct pmclog_wire_callchain *sample,
					      const struct hwpmc_clock *clock,
					      struct hwpmc_pause *pause)
{
	struct hwpmc_pace *pace = &source->paces[sample->pmcid % HWPMC_ROWS_MAX];

	if (unlikely(pace->tid != sample->tid || pace->pmcid != sample->pmcid || pace->paused))
		return hwpmc_pace_other(pace, sample, clock, pause);
	pace->before = pace->last;
	pace->last = sample->h.tsc;
	return false;
}

/* ---- writer.c ---- */

int hwpmc_log_writer(void *log); /* the thread */

/* ---- log.c ---- */

enum hwpmc_queue_how {
	HWPMC_QUEUE_TRY,    /* counted as a lost record when the queue is full */
	HWPMC_QUEUE_WAIT,   /* killable; for callers that may sleep */
	HWPMC_QUEUE_ALWAYS, /* beyond the bound: without it others mean nothing */
};

/* Memory for a record of length bytes from the log's pool; NULL: no room.  Any context but NMI. */
struct hwpmc_queued *hwpmc_log_take(struct hwpmc_log *log, u32 length);
/* Stamps and queues a record, which it takes; NULL is one that found no memory. */
void hwpmc_log_queue(struct hwpmc_log *log, struct hwpmc_queued *queued, enum hwpmc_queue_how how);

#endif
