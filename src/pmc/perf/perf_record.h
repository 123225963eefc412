/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From one record of perf_event_open(2) to records of the log.
 *
 * Works on bytes alone, so that tests can feed it records made by hand.  The kernel wrote what it
 * reads, yet no length is used unchecked: a record that is too short for its type, and a sample of
 * an event that nobody opened, are counted as lost.
 */
#ifndef PMC_PERF_RECORD_H
#define PMC_PERF_RECORD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/vec.h"
#include "pmc/perf/perf_execs.h"
#include "pmc/perf/perf_jit.h"
#include "pmc/perf/perf_tally.h"
#include "pmc/perf/perf_tasks.h"
#include "pmc/pmc.h"
#include "pmc/perf/proc_images.h"
#include "pmclog/writer.h"

/* On whose behalf an event was opened: a PMC, or a target's or the system's side-band. */
struct perf_source {
	uint32_t pmcid; /* UINT32_MAX: the system's side-band */
	uint32_t flags; /* PMC_F_*; of a side-band: PMC_F_DESCENDANTS when it follows children */
	uint32_t depth; /* frames at which a chain is cut */
	bool system;	/* its events are of a CPU, whatever runs there */
	bool soft;	/* its samples may have other events' ids: perf_soft.h */
	int cpu;	/* theirs then */
	bool throttled; /* it was, in the present log */
	bool has_window; /* its samples have registers and stack, for the unwinder */
	bool user_only;	 /* it samples no kernel */
	/* Of a PMC that logs its counts, borrowed; its samples then tell these. */
	struct perf_tally *tally;
};

struct perf_id {
	uint64_t id; /* as the kernel gave it */
	uint32_t source;
};

/* A pause that goes on, of one event: a PMC has several. */
struct perf_pause {
	uint64_t stream; /* the event's own id */
	uint64_t since;
};

struct perf_record_reader {
	struct pmclog_writer *writer; /* NULL: keep account of tasks only */
	struct pmc_log_stats *stats;
	struct proc_images *images; /* NULL: no build-ids but those in records */
	uint64_t lost_time; /* of the last record that says that others were lost */
	struct perf_tasks tasks;
	struct perf_jit jit;
	struct perf_execs execs;
	struct table by_id; /* index into ids */
	VEC(struct perf_id) ids;
	VEC(struct perf_source) sources;
	VEC(struct perf_pause) pauses; /* oldest first */
	uint64_t tick; /* ns that a pause of a thread that runs lasts at most; 0: not known */
	VEC(struct perf_tally *) tallies; /* of the sources that have one */
	/* The processes are not those that run here now: /proc tells nothing of them. */
	bool past;
	bool nomem;			  /* a task could not be noted down */
	uint64_t last_time;		  /* of the record read last */
	/* Of the sample in hand. */
	uint64_t pcs[PMCLOG_MAX_FRAMES];
	uint8_t guessed[PMCLOG_MAX_FRAMES / 8], exact[PMCLOG_MAX_FRAMES / 8];
};

/* The frames of one kind in a chain: contiguous, without the markers. */
struct perf_frames {
	const uint64_t *pcs;
	size_t n;
};

/* Finds the kernel's and the user's frames in a chain that PERF_CONTEXT_* markers divide. */
void perf_record_split_chain(const uint64_t *ips, uint64_t n, struct perf_frames *kernel,
			     struct perf_frames *user);

void perf_record_reader_fini(struct perf_record_reader *r);

/* Both: an index, or UINT32_MAX / -1 when out of memory. */
uint32_t perf_record_add_source(struct perf_record_reader *r, const struct perf_source *source);
int perf_record_add_id(struct perf_record_reader *r, uint64_t id, uint32_t source);

/* Of the event with an id; NULL: nobody opened it. */
const struct perf_source *perf_record_source(const struct perf_record_reader *r, uint64_t id);
/* Of a sample, which has that head.  NULL: of no event of ours, or of which cannot be told. */
const struct perf_source *perf_record_sampled(const struct perf_record_reader *r,
					      const struct perf_ring_sample *s);

/* cpu: of the ring.  Returns how many lost records this one tells of. */
uint64_t perf_record_read(struct perf_record_reader *r, uint32_t cpu,
			  const struct perf_event_header *record);

/* Counts records that could not be understood as lost, and writes so to the log. */
void perf_record_lose(struct perf_record_reader *r, uint64_t time, uint32_t cpu, uint64_t count);
/* Counts one of what no record tells of, now, on a CPU (-1: on none), and writes so to the log. */
void perf_record_drop(struct perf_record_reader *r, int cpu, enum pmclog_drop_cause cause);

#endif
