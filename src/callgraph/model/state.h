/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A builder: the profile that grows, and what is kept beside it.  Private to the files that take
 * records in and name what they say.
 */
#ifndef CALLGRAPH_STATE_H
#define CALLGRAPH_STATE_H

#include "callgraph/model/builder.h"
#include "callgraph/model/make.h"
#include "callgraph/model/space.h"
#include "pmclog/appendix.h"

/* The kernel's address space, which no process shares. */
enum { CG_KERNEL_SPACE = 0 };

/* The latest process of a pid. */
struct cg_process {
	uint32_t pid;
	uint32_t space;
	uint32_t jit_space; /* of what it compiled, one of jit_spaces; 0: none yet */
	uint64_t since; /* ticks: what ran under this pid before was another one; 0: not known */
	uint32_t program; /* image that is mapped somewhere; CG_NONE: the maps have all */
	const char *comm;
	bool attached; /* it is a target */
	bool has_ran;  /* what it ran for while it was one is known */
	uint64_t user, system; /* ns, then */
	uint64_t user_before, system_before; /* the same, of earlier times */
	bool exited;   /* kept for late samples until the pid is used again */
	bool selected; /* by pid and comm */
};

/* A thread that was named or sampled, but for main threads. */
struct cg_thread {
	uint32_t tid, pid;
	const char *name; /* its last, interned; "": none yet */
	bool exited;
};

/* A process with code of a JIT compiler; one for each space of such code. */
struct cg_jit_process {
	uint32_t pid;
	uint32_t jit_space; /* its own; 0: given up */
	bool named;	/* the log or a file has given names of it */
	bool of_file;	/* a file, or an appendix that has them of it */
	uint64_t since; /* when it can have begun at the earliest; 0: before the log */
	uint64_t end;	/* when it exited or called exec(2); UINT64_MAX: not in this log */
};

struct cg_pmc {
	uint32_t pmcid;
	struct cg_event announced; /* what the log said that it counts or samples */
	const char *host; /* where it was, in a merged log; NULL: where the log was made */
	uint32_t event; /* index of the profile's events; CG_NONE: it counts, and has no samples */
	uint32_t alike; /* PMCs of its event and CPU, or of processes, that came before it */
	uint32_t max_depth; /* frames a chain is cut at; UINT32_MAX: not known */
	bool descends;	    /* it follows processes that its targets create */
	struct cg_times times;
	uint64_t untold; /* threads that exited while it had no counter */
};

/* How fast samples of a PMC come on a CPU where the kernel pauses it because they are too many. */
struct cg_pace {
	uint32_t pmcid, cpu;
	uint64_t since;	    /* it goes on again, or a while ago; 0: not known */
	uint64_t samples;   /* from then on */
	uint64_t throttled; /* when it was paused; 0: it is not */
};

/* A direct-mapped cache in front of the search for a location. */
enum { CG_LOCATION_CACHE = 1 << 14 };

struct cg_location_cache {
	uint64_t pc;
	uint32_t map;
	bool is_return, filled;
	uint32_t location;
};

/* What samples of one process, PMC and mode have in common, until a record of another kind. */
enum { CG_CONTEXTS = 256 };

struct cg_context {
	uint64_t epoch; /* 0: not filled in */
	uint32_t pid, pmcid;
	uint32_t tid, cpu; /* 0 where groups do not tell them apart */
	bool usermode, selected;
	uint32_t event, max_depth;
	uint32_t space;			    /* of the process */
	uint32_t group, generation, kernel; /* as in struct cg_stack */
};

/* Samples whose chains are still to be counted; see batch.c. */
enum {
	CG_BATCH = 64,
	CG_BATCH_WORDS = PMCLOG_MAX_FRAMES + PMCLOG_MAX_FRAMES / 64, /* a chain with its marks */
};

struct cg_batch_sample {
	uint32_t hash;
	uint32_t first, npcs;		    /* of its words in the batch */
	uint32_t space;			    /* where its addresses are; as long as the batch */
	uint32_t group, generation, kernel; /* as in struct cg_stack */
	uint8_t end, marks;		    /* likewise */
	bool unfolded;			    /* has frames that its record only repeats */
};

struct cg_batch {
	uint32_t n, used; /* samples, words */
	struct cg_batch_sample sample[CG_BATCH];
	uint64_t words[CG_BATCH_WORDS];
};

struct cg_builder {
	struct cg_profile p; /* what it makes */
	struct pmclog_appendix appendix;
	const struct cg_select *select;
	bool by_sample;		     /* it has threads, CPUs or times */
	unsigned int keys;	     /* CG_KEY_* that groups tell apart */
	uint64_t secret;	     /* hash_secret() */
	uint32_t tid_mask, cpu_mask; /* all ones where they do, else 0 */
	bool timeline, moments, lifetimes, scale;
	bool maps_programs;	     /* the log does not say what exec(2) maps */
	uint64_t time_zero, ticks;   /* the log's start, and its ticks a second */
	uint64_t time_last;	     /* the latest of any record */
	uint64_t time_sampled;	     /* the first sample's; 0: none yet */
	bool forgot;		     /* samples: what processes ran for is of those, too */
	uint64_t time_from, time_to; /* the selected ticks */
	struct symbol_config symbols; /* texts in the pool */
	struct cg_spaces spaces;
	VEC(struct cg_jit_process) jit_processes;
	bool jit_unpacked;	/* an appendix gave names */
	bool renamed;		/* names came since the last resolving */
	size_t jit_processes_read;	/* whose files were looked for */
	/* Where JIT-compiled code is; the image of a map is its name, a text of the pool. */
	struct cg_spaces jit_spaces;
	VEC(struct cg_pmc) pmcs;
	VEC(struct cg_pace) paces;
	VEC(struct cg_process) processes;
	VEC(struct cg_thread) threads;
	struct table pace_of_pmc;
	struct table event_of_name, pmc_of_id, pmcs_alike;
	struct table process_of_pid, image_of_ref, group_of_key;
	struct table thread_of_tid, lifetime_of_pid;
	struct table stack_of_chain, location_of_address, function_of_start;
	struct cg_location_cache *cache;
	size_t resolved; /* stacks that have locations */
	uint64_t folded;   /* frames of records that repeat some of them */
	uint64_t unfolded; /* of distinct chains of such records, as they are in memory */
	uint64_t epoch;	 /* records other than samples so far, from 1 */
	struct cg_context context[CG_CONTEXTS];
	struct cg_batch batch;
};

/* Moves the texts of b->symbols to a pool.  0, or -1 when out of memory. */
static inline int cg_symbols_move(struct cg_builder *b, struct strpool *pool)
{
	struct symbol_config *s = &b->symbols;
	bool failed = strpool_move(pool, &s->fsroot) || strpool_move(pool, &s->kernel) ||
		      strpool_move(pool, &s->debug_dir) ||
		      strpool_move(pool, &s->log_boot_id) || strpool_move(pool, &s->log_machine) ||
		      strpool_move(pool, &s->log_host);

	return failed ? -1 : 0;
}

/* process.c: the index of the process of a pid, made if it is not known; CG_NONE: out of memory. */
uint32_t cg_process_of(struct cg_builder *b, uint32_t pid);
/* The same for a record of a living process: one that had exited is a new one with an old pid. */
uint32_t cg_process_living(struct cg_builder *b, uint32_t pid);
/* Each of these is one record's effect.  0, or -1 when out of memory. */
int cg_process_name(struct cg_builder *b, uint32_t pid, const char *comm, size_t len);
int cg_process_fork(struct cg_builder *b, uint32_t parent, uint32_t child);
int cg_process_exec(struct cg_builder *b, uint32_t pid, const struct pmclog_text *path);
int cg_process_attach(struct cg_builder *b, uint32_t pid, const struct pmclog_text *path);
int cg_process_exit(struct cg_builder *b, uint32_t pid);
/* The index of the latest thread of a process with that number; CG_NONE: out of memory. */
uint32_t cg_thread_of(struct cg_builder *b, uint32_t pid, uint32_t tid);
int cg_thread_name(struct cg_builder *b, uint32_t pid, uint32_t tid, const char *name, size_t len);
void cg_thread_exit(struct cg_builder *b, uint32_t tid);
/* Whether groups tell apart what has names. */
static inline bool cg_names_threads(const struct cg_builder *b)
{
	return (b->keys & CG_KEY_PID) && (b->keys & CG_KEY_TID);
}

/* Gives the groups the names of their threads. */
void cg_threads_resolve(struct cg_builder *b);

/* map.c: the effect of MAP_IN and MAP_OUT.  0, or -1 when out of memory. */
int cg_map_in(struct cg_builder *b, const struct pmclog_record *rec);
int cg_map_out(struct cg_builder *b, const struct pmclog_record *rec);
/* Puts a map of length bytes, where its own length is 0 at most so many, into a process. */
int cg_map_into(struct cg_builder *b, uint32_t pid, const struct cg_map *map, uint64_t length);
/* The bytes that a map may have at most for which the log gives no length; 0: out of memory. */
uint64_t cg_map_guess_length(struct cg_builder *b, const struct cg_map *map);

/* image.c: the store, opened if it is not; NULL when out of memory. */
struct symbol_store *cg_symbol_store(struct cg_builder *b);
/* The index of the image, made if it is new; CG_NONE when out of memory. */
uint32_t cg_image_intern(struct cg_builder *b, const struct cg_image *image);
/* The opened image.  NULL when out of memory. */
struct symbol_image *cg_image_symbols(struct cg_builder *b, struct cg_image *image);

/* appendix.c: the effect of APPENDIX.  0, or -1 with err set: it is damaged, or out of memory. */
int cg_appendix_add(struct cg_builder *b, const struct pmclog_record *rec, struct err *err);

/* exec.c: maps what exec(2) maps, for logs that do not say it.  0, or -1 when out of memory. */
int cg_exec_map(struct cg_builder *b, const struct pmclog_record *rec);
/*
 * Maps the program of a process that has it somewhere, if a sample of it shows where.
 * 0, or -1 when out of memory.
 */
int cg_exec_place(struct cg_builder *b, const struct pmclog_record *rec);

/* jit.c: says of an image that a process maps whose names its code has, if no file has them. */
int cg_jit_map(struct cg_builder *b, uint32_t pid, struct cg_image *image);
/* The effect of a MAP_IN record with a symbol. */
int cg_jit_name(struct cg_builder *b, const struct pmclog_record *rec);
/* The process is another one from now on, or gone. */
void cg_jit_end(struct cg_builder *b, uint32_t pid, uint64_t tsc);
/* Reads the names that this machine still has and the log has not. */
int cg_jit_complete(struct cg_builder *b);
/* Takes names that a packed log has of files: a block, which is borrowed. */
int cg_jit_unpack(struct cg_builder *b, const uint8_t *block, size_t len, struct err *err);
/* Keeps the names of files that samples have.  0, or -1 when out of memory. */
int cg_jit_keep(struct cg_builder *b);
/* Gives up the names of processes that are gone, once their samples are.  0, or -1. */
int cg_jit_forget(struct cg_builder *b);
/* After cg_process_fork(): the child's code in memory without a file is its own. */
int cg_jit_fork(struct cg_builder *b, uint32_t parent, uint32_t child);
/* The function at an address of such an image: 1 with f set, 0: none, -1: out of memory. */
int cg_jit_find(struct cg_builder *b, uint32_t image, uint64_t address, struct cg_function *f);

/* lifetimes.c: what a record says of processes.  0, or -1 when out of memory. */
int cg_lifetime_add(struct cg_builder *b, const struct pmclog_record *rec);

/* timeline.c: what a log's first record says of its clock. */
void cg_timeline_start(struct cg_builder *b, const struct pmclog_record *rec);
/* How long the log is, as far as its time is selected. */
void cg_timeline_measure(struct cg_builder *b);
/* Counts a selected sample at its time.  0, or -1 when out of memory. */
int cg_timeline_add(struct cg_builder *b, const struct pmclog_record *rec);
/* A time in seconds from the log's first record on; 0 for what is before it. */
double cg_seconds_of(const struct cg_builder *b, uint64_t tsc);
/* Likewise in seconds since 1970; 0: the log does not say. */
time_t cg_date_of(const struct cg_builder *b, uint64_t tsc);

/* pace.c: a sample of a log in which PMCs were paused. */
void cg_pace_sample(struct cg_builder *b, const struct pmclog_record *rec);
/* A DROPNOTIFY record of a pause.  Samples that were not taken in it; below 0: nobody knows. */
double cg_pace_pause(struct cg_builder *b, const struct pmclog_record *rec);

/* times.c: what a DROPNOTIFY record says of a PMC's times. */
void cg_times_add(struct cg_builder *b, const struct pmclog_record *rec);
/* Has samples of events that shared counters stand for all of their time.  0, or -1: no memory. */
int cg_times_scale(struct cg_builder *b);

/* ran.c: PMCATTACH begins a time that PMCDETACH may tell.  0, or -1 when out of memory. */
int cg_ran_add(struct cg_builder *b, const struct pmclog_record *rec);
/* Adds up what targets ran for. */
void cg_ran_measure(struct cg_builder *b);
void cg_ran_count_cpus(struct cg_builder *b);

/* resolve.c: names what was added since the last time.  0, or -1 when out of memory. */
int cg_resolve(struct cg_builder *b);

/* sample.c: the effect of CALLCHAIN.  0, or -1 when out of memory. */
int cg_sample_add(struct cg_builder *b, const struct pmclog_record *rec);

/* batch.c: counts what cg_sample_add() has only gathered: before anything reads stacks or changes
 * maps. */
int cg_samples_flush(struct cg_builder *b);

/* events.c: the PMC of an id, CG_NONE when no record announced it. */
uint32_t cg_pmc_find(struct cg_builder *b, uint32_t pmcid);
bool cg_pmc_is_of_processes(const struct cg_pmc *pmc);
/* The PMC of a sample, one of its own where no record announced it.  NULL when out of memory. */
const struct cg_pmc *cg_pmc_of(struct cg_builder *b, uint32_t pmcid);
/* Announces a PMC; an id announced before gets the new event. */
int cg_pmc_announce(struct cg_builder *b, const struct pmclog_record *rec);

#endif
