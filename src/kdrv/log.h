/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only */
/* Logs of owners, for all files of hwpmc.ko; log_int.h is for those that logs are made of. */
#ifndef HWPMC_LOG_H
#define HWPMC_LOG_H

#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "hwpmc.h"

struct hwpmc_charge;
struct hwpmc_log;
struct hwpmc_pmc;

/*
 * ---- log.c: the log of an owner and its queue; writer.c: from there into its file; record.c: what
 * is queued; format.c: what that is made of; pool.c: in what memory ----
 */

int hwpmc_logs_init(void);
void hwpmc_logs_exit(void); /* waits until every log is freed */
/*
 * The caller's, with INITIALIZE queued; NOT under hwpmc_lock.  ERR_PTR: EBADF, EINVAL, EFAULT,
 * ENOMEM, ENOBUFS.
 */
struct hwpmc_log *hwpmc_log_new(const struct hwpmc_configurelog *args, const u8 *trailer);
void hwpmc_log_free(struct hwpmc_log *log); /* one that was never opened */
int hwpmc_log_open(struct hwpmc_log *log);  /* starts its writer; -EAGAIN.  hwpmc_lock */
u64 hwpmc_log_number(const struct hwpmc_log *log); /* no other log has, nor had it */
struct hwpmc_log *hwpmc_log_get(struct hwpmc_log *log);
void hwpmc_log_put(struct hwpmc_log *log); /* the last frees it by RCU; any context but NMI */
/* From now on PROCEXEC is to have the arguments of some targets.  Any context, both. */
void hwpmc_log_want_arguments(struct hwpmc_log *log);
bool hwpmc_log_may_have_arguments(const struct hwpmc_log *log);
/*
 * May sleep until the reader reads; NOT under hwpmc_lock.  0, -EINTR, or the first write error, and
 * that in each call from then on.
 */
int hwpmc_log_flush(struct hwpmc_log *log);
/*
 * Ends the writer; NOT under hwpmc_lock; once.  No event writes to the log any more.  now: what is
 * not written yet is thrown away and counted; takes at most some seconds, also where a write to the
 * file does not end.  0, or the first write error; without now also -EINTR: the log was then ended
 * as by now.
 */
int hwpmc_log_close(struct hwpmc_log *log, bool now);
void hwpmc_log_stats(struct hwpmc_log *log, struct hwpmc_logstats *stats);
/* Waits, killable, while the queue is full and the log not closed; false: killed. */
bool hwpmc_log_wait(struct hwpmc_log *log);
/* What is left of its time to wait for processes whose maps are locked: 0 or more. */
int hwpmc_log_spare_us(const struct hwpmc_log *log);
void hwpmc_log_spend_us(struct hwpmc_log *log, int us);
/* So much waits for the reader that nothing may be begun which the log must have.  Any context. */
bool hwpmc_log_is_behind(const struct hwpmc_log *log);

/*
 * Queue a record, in any context but NMI; irqs may be off.  gfp GFP_ATOMIC or GFP_KERNEL: with the
 * former its memory is the log's, nothing is allocated; with the latter they wait, killable, while
 * the queue is full.  What finds no room is counted, apart from
 * samples, and told in the log by a DROPNOTIFY.  Times are taken inside.
 */
void hwpmc_log_allocate(struct hwpmc_log *log, const struct hwpmc_pmc *pmc);
void hwpmc_log_attach(struct hwpmc_log *log, const struct hwpmc_pmc *pmc, u32 pid,
		      const char *path);
void hwpmc_log_detach(struct hwpmc_log *log, const struct hwpmc_pmc *pmc, u32 pid);
struct hwpmc_exec {
	u32 pid;
	u32 arguments_length; /* bytes, at most PMCLOG_MAX_ARGUMENTS; 0: none */
	u64 entry;
	const char *path, *arguments;
};

void hwpmc_log_procexec(struct hwpmc_log *log, const struct hwpmc_exec *exec, gfp_t gfp);
void hwpmc_log_procexit(struct hwpmc_log *log, const struct hwpmc_pmc *pmc, u32 pid, u64 value);
void hwpmc_log_procfork(struct hwpmc_log *log, u32 oldpid, u32 newpid);
void hwpmc_log_sysexit(struct hwpmc_log *log, u32 pid);
void hwpmc_log_userdata(struct hwpmc_log *log, u32 userdata);
/* An event of pmc has lost its counter; process context. */
void hwpmc_log_starved(struct hwpmc_log *log, const struct hwpmc_pmc *pmc);
/* A target has become a program that its owner may not watch; process context. */
void hwpmc_log_hidden(struct hwpmc_log *log);
/* A CPU came online that no PMC samples, where all others are sampled; process context. */
void hwpmc_log_late_cpu(struct hwpmc_log *log, u32 cpu);
/* There was no memory to make n records; they are counted as lost. */
void hwpmc_log_no_memory(struct hwpmc_log *log, size_t n);
/* A thread got no counter.  Needs no memory. */
void hwpmc_log_missed(struct hwpmc_log *log);

struct hwpmc_map {
	u32 pid; /* U32_MAX: the kernel */
	u64 start, length, offset, device, inode;
	const char *path;
};

/* Never waits for room, so that it may be called with mmap_lock held: see hwpmc_log_wait(). */
void hwpmc_log_map_in(struct hwpmc_log *log, const struct hwpmc_map *map, gfp_t gfp);
void hwpmc_log_map_out(struct hwpmc_log *log, u32 pid, u64 start, u64 end);
void hwpmc_log_thr_create(struct hwpmc_log *log, u32 tid, u32 pid, const char *name, gfp_t gfp);
void hwpmc_log_thr_exit(struct hwpmc_log *log, u32 tid);
void hwpmc_log_proc_create(struct hwpmc_log *log, u32 pid, const char *comm, gfp_t gfp);

#endif
