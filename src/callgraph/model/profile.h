/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A profile: what a log says, added up.
 *
 * A builder makes it of records (builder.h), cg_transform() another one of it (transform.h), and
 * then it stays as it is: who reads it has it as const, mostly in a view (view.h).  Its texts and
 * its images' symbols are its own.  One profile is used by one thread at a time.
 */
#ifndef CALLGRAPH_PROFILE_H
#define CALLGRAPH_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/numbers.h"
#include "base/vec.h"
#include "callgraph/model/packed_source.h"
#include "pmclog/reader.h"
#include "pmclog/drops.h"
#include "symbol/symbol.h"

struct strpool;

#define CG_NONE UINT32_MAX

/* What events can be divided by (--by), and what tells groups apart. */
enum cg_key {
	CG_KEY_EVENT = 0, /* always */
	CG_KEY_COMM = 1,  /* always known to groups */
	CG_KEY_PID = 2,
	CG_KEY_TID = 4,
	CG_KEY_CPU = 8,
	CG_KEY_OBJECT = 16, /* that of the leaf; known once resolved */
	CG_KEY_HOST = 32,
};

/* What users call them; ended by an empty name. */
struct cg_key_name {
	const char *name;
	enum cg_key key;
};
extern const struct cg_key_name cg_key_names[];

/* Told now and then how far a long step is. */
struct cg_progress {
	void (*tell)(void *arg, const char *step, uint64_t done, uint64_t total); /* or NULL */
	void *arg;
};

/* How long PMCs could sample, in nanoseconds; all 0 where the log has nothing to tell of it. */
struct cg_times {
	uint64_t enabled; /* they were to */
	uint64_t running; /* of that, they had a counter */
	uint64_t paused;  /* of that, the kernel held them still */
	uint64_t paced;	  /* of that, it is known how fast samples came just before */
	double missed;	  /* samples that were not taken in it */
};

/* The same of a PMC of the log. */
struct cg_pmc_times {
	uint32_t pmcid;
	struct cg_times times;
	uint64_t untold; /* threads that exited while it had no counter */
};

/* All PMCs of one event name; or, in a divided profile, the part of them with one key. */
struct cg_event {
	const char *name;  /* "cpu-clock"; of a part "cpu-clock/comm=xz" */
	const char *whole; /* "cpu-clock"; parts of one event are neighbours */
	const char *spec;  /* as the user wrote it, "" when the log does not say */
	uint64_t rate;	   /* events a sample; 0: not known, or PMCs differ */
	bool frequency;	   /* rate is samples a second */
	bool unannounced;  /* no record said which event it is */
	uint32_t kin;	   /* which of those with one name, which see the same: events.c */
	uint64_t samples;  /* those selected */
	/* Of them, with a chain as long as its PMC takes at most; 0 for parts. */
	uint64_t truncated;
	uint64_t guessed, stitched; /* the same, with frames so marked */
	bool takes_chains;	    /* its PMCs do, not the leaf alone */
	uint32_t first;		    /* of its stacks in by_event; once chains have names */
	uint32_t stacks;	    /* as many; the same */
	/* PMCs of a CPU each, where all of their samples are selected; 0: not so, or a part. */
	uint32_t whole_cpus;
	struct cg_times times;	    /* of all PMCs, selected or not */
	bool scaled;		    /* samples are an estimate for all of the time */
};

/* What the samples of one chain have in common besides the chain. */
struct cg_group {
	uint32_t event; /* index of events */
	const char *comm;
	uint32_t pid, tid, cpu; /* CG_NONE unless the configuration's keys ask for them */
	const char *host;	/* "": not known; NULL unless the keys ask for it */
	const char *thread;	/* its last name; NULL: none of its own, or no keys pid and tid */
	uint32_t life; /* which of the threads that had its number; 0 where there is no name */
};

/* One distinct chain of one group. */
struct cg_stack {
	uint64_t count; /* samples */
	uint64_t first; /* of its pcs in the profile's words, and of its locations */
	uint32_t npcs;
	uint32_t group;	 /* index of groups */
	uint32_t space;	 /* generation of its address space */
	uint32_t kernel; /* that of the kernel's maps; CG_NONE: sampled in user mode */
	uint8_t end;	 /* enum pmclog_chain_end, as the log has it */
	uint8_t marks;	 /* words behind the pcs: a bit for each frame that did not call */
};

/* A mapped file; opened when the first address in it is to be named. */
struct cg_image {
	struct symbol_image *symbols; /* NULL until then */
	const char *path;
	const char *shown; /* the last part of path in reports; NULL: path itself */
	uint8_t build_id[32];
	uint32_t build_id_len;	 /* bytes; 0: not known */
	uint64_t device, inode;	 /* of the file, where it has no build-id; 0: not known */
	time_t mapped;		 /* likewise: when it was first seen; 0: not known */
	uint32_t pids[SYMBOL_PIDS]; /* the first and the last that mapped it */
	bool kernel;		 /* the kernel or a module */
	uint32_t jit_space;	 /* of memory without a file: where its names are; 0: has a file */
	const char *jit_problem; /* why a file with names of it was not used; NULL: there is none */
	uint64_t start, length;	 /* of the kernel or module: where it is; 0 otherwise */
	uint64_t samples;	 /* with the leaf in it; once chains have names */
	uint64_t unresolved;	 /* of these, where no symbol covers it */
};

struct cg_function {
	/*
	 * Of the symbol; without one "file+0x1c40.." by where it begins, or "0x..." where that is
	 * not known (both link-time addresses); "[unknown]" unmapped.
	 */
	const char *name;
	const char *shown;   /* a shorter name for reports; NULL: the name itself */
	uint32_t image;	     /* index of images; CG_NONE: not mapped */
	bool resolved;	     /* a symbol covers it */
	bool is_inlined;     /* debug information alone knows it: no symbol has its name */
	/*
	 * Link-time addresses; end 0 where it is not known.  Of what a JIT compiler made several
	 * times, the first and the last of all its code.
	 */
	uint64_t start, end;
};

/* A place in the source. */
struct cg_frame {
	uint32_t function; /* index of functions */
	uint32_t line;	   /* from 1; 0: not known */
	const char *file;  /* equal texts have equal addresses; NULL: not known */
};

/* A distinct address of an image. */
struct cg_location {
	uint64_t address; /* link-time; the runtime address where nothing is mapped */
	uint64_t start, end; /* of the function's code there */
	uint32_t function;
	uint32_t image;	      /* index of images; CG_NONE: not mapped */
	bool is_return;	      /* a return address: the call is the instruction before it */
	uint32_t frames;      /* places in the source, inlined ones first; 0 before lines are found,
			      * then at least 1: that of the function itself */
	uint64_t first_frame; /* of them, index of frames */
};

/* Samples over time. */
enum { CG_TIME_SLOTS = 512 };

struct cg_cpu_time {
	uint32_t cpu;
	uint64_t *samples; /* CG_TIME_SLOTS of them */
};

struct cg_timeline {
	double seconds;		      /* of a slot */
	uint32_t slots;		      /* how many were reached */
	VEC(struct cg_cpu_time) cpus; /* by number */
};

/* When a sample was taken. */
struct cg_moment {
	double seconds; /* from the log's first record on */
	uint32_t stack; /* index of stacks */
};

/* A process from its birth to its end; a parent's index is below those of its children. */
struct cg_lifetime {
	uint32_t pid;
	uint32_t parent; /* index of lifetimes; CG_NONE: not in this log */
	/* The last program that it was, with arguments where the log has them; "": not known. */
	const char *command;
	bool has_arguments;
	bool born, ended;    /* in this log */
	uint64_t begin, end; /* ticks; of one that was not born here when the log first named it */
};

/* What a process counted until it exited. */
struct cg_lifetime_count {
	uint32_t lifetime, pmcid;
	const char *event;
	bool descends; /* the PMC follows processes that its targets create */
	uint64_t value;
};

/* What the quality line says. */
struct cg_quality {
	uint64_t samples;  /* in the log */
	uint64_t selected; /* of them, the ones that the selection takes */
	struct pmclog_drops drops;
	uint64_t paused;     /* nanoseconds of throttling, as far as they are known */
	uint64_t missed;     /* roughly the samples not taken then; 0: not known */
	uint64_t shared;     /* events that had a counter for a part of their time */
	uint64_t unresolved; /* selected samples whose leaf has no symbol */
	uint64_t unmapped;   /* of them, whose leaf is in no mapping */
	uint64_t truncated;  /* selected samples whose chain was cut at the depth limit */
	/*
	 * Selected samples whose chain should lead to where a thread began: with user frames, or of
	 * a thread of the kernel.  How many of them end how, and have frames that are not certain.
	 */
	uint64_t chains, ends[PMCLOG_NENDS], guessed, stitched;
	uint64_t at_unknown;  /* of chains that are not whole: the outermost frame is unmapped */
	uint64_t unannounced; /* selected samples whose PMC the log never announced */
	uint64_t foreign;     /* multipart records without a call chain */
	bool scaled;	      /* selected is an estimate: configuration.scale */
	bool closed;	      /* by who recorded the log: nothing is missing behind its end */
};

/* What the recorded processes ran for, by the kernel's accounts and not by samples. */
struct cg_ran {
	bool known;	       /* of all of them, and nothing else is in the profile */
	uint64_t user, system; /* ns */
};

/* Where and of what the log was recorded, as far as it says. */
struct cg_origin {
	const char *host, *cpu, *release, *command, *collector; /* NULL or "": not known */
	uint64_t time;	 /* seconds since 1970; 0: not known */
	bool of_freebsd; /* recorded by its hwpmc(4) */
};

enum { CG_JIT_VERSION = 1 }; /* of a packed log's block of names */

/* JIT-compiled code that the records do not name, but what the process left. */
struct cg_jit_name {
	uint32_t pid;
	uint64_t end; /* ticks: when the process exited or called exec(2); UINT64_MAX: not known */
	uint64_t start, length;
	const char *name;
};

struct cg_profile {
	VEC(struct cg_event) events;
	VEC(struct cg_group) groups;
	VEC(struct cg_stack) stacks;
	VEC(uint64_t) words;	    /* pcs of all stacks, leaf first; of a union none */
	VEC(uint32_t) locations_of; /* for each pc the index of its location; before, its map */
	VEC(uint32_t) by_event;	    /* indices of stacks; once chains have names */
	VEC(struct cg_location) locations;
	VEC(struct cg_function) functions;
	VEC(struct cg_image) images;
	VEC(struct cg_frame) frames;   /* of locations whose places were looked for */
	VEC(struct cg_lifetime) lifetimes; /* both empty unless the configuration asks for them */
	VEC(struct cg_lifetime_count) lifetime_counts;
	bool lifetimes_have_arguments; /* some of them */
	uint64_t ticks;		       /* a second; with lifetimes */
	double seconds;	   /* that the log took, of those selected; once chains have names */
	double sampled;	   /* of them, from the first sample on that is not forgotten */
	struct cg_ran ran; /* the same */
	struct cg_origin origin;
	struct cg_timeline timeline;
	VEC(struct cg_moment) moments; /* of all selected samples, as they came; if asked for */
	struct cg_quality quality;
	VEC(struct cg_pmc_times) pmc_times;   /* of every PMC that the log announced */
	VEC(struct cg_packed_source) sources; /* of a packed log */
	VEC(struct cg_jit_name) jit_names;    /* in samples; in the order in which they came */
	struct strpool *pool;		      /* what its texts are in */
	struct symbol_store *store; /* what its images' symbols are in; NULL: it has none */
	struct cg_progress progress;
};

void cg_profile_free(const struct cg_profile *p); /* NULL is legal */

/* The function of frame i (0 is the leaf) of a resolved stack. */
static inline uint32_t cg_function_of(const struct cg_profile *p, const struct cg_stack *s,
				      uint32_t i)
{
	return p->locations.v[p->locations_of.v[s->first + i]].function;
}

/* Whether it stands for more than one address: a symbol or the unwind data tells its bounds. */
static inline bool cg_is_function(const struct cg_function *f)
{
	return f->resolved || f->end;
}

/* The path of a function's object: "/usr/bin/xz", "[kernel]"; "[unknown]" if not mapped. */
static inline const char *cg_object_of(const struct cg_profile *p, const struct cg_function *f)
{
	return f->image == CG_NONE ? "[unknown]" : p->images.v[f->image].path;
}

/* The last part of the path of an object, or of a source file: "xz". */
static inline const char *cg_object_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* What reports for people show: shortened unless full names were asked for. */
static inline const char *cg_shown_name(const struct cg_function *f)
{
	return f->shown ? f->shown : f->name;
}

static inline const char *cg_shown_object(const struct cg_profile *p, const struct cg_function *f)
{
	const struct cg_image *image = f->image == CG_NONE ? NULL : &p->images.v[f->image];

	return image && image->shown ? image->shown : cg_object_of(p, f);
}

/* A part's share of the whole; 0 of nothing. */
static inline double cg_percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* Whether it counts nanoseconds of running. */
bool cg_event_is_clock(const struct cg_event *e);

/*
 * Nanoseconds of running that a sample stands for; 0: the event is no clock, or not known.  Cycles
 * at a frequency are one, as near as the kernel keeps to the frequency.
 */
uint64_t cg_event_nanoseconds(const struct cg_event *e);

/* Whether so few chains are whole that inclusive numbers are wrong. */
bool cg_chains_are_partial(const struct cg_quality *q);

#endif
