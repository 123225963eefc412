/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The unwinder's address spaces: what is mapped executable in every process, at the moment up to
 * which the records were read.
 *
 * Records of maps, forks, execs and exits change it.  A process that was there before is read from
 * /proc when its first sample, or its first child, comes.  Files are opened when the first chain
 * goes through them, and stay open as long as a process maps them.
 */
#ifndef PMC_PERF_SPACES_H
#define PMC_PERF_SPACES_H

#include "base/vec.h"
#include "pmc/perf/proc_images.h"
#include "unwind/unwind.h"

/* A file, shared by all that map it. */
struct space_image {
	uint32_t refs; /* maps */
	uint32_t hash;
	uint32_t device_major, device_minor;
	uint64_t inode, generation; /* 0: not known */
	uint8_t build_id[BUILD_ID_MAX];
	uint32_t build_id_len;
	unsigned int tries; /* to open it */
	enum unwind_code code;
	struct unwind_image *unwind; /* NULL: not yet, or not to be had */
	struct image_state state;    /* of the file, when it was opened */
	struct space_image *next;    /* in its bucket */
	char path[];
};

struct space_map {
	uint64_t start, end, offset; /* in the file */
	uint64_t from;		     /* where the mapping began that this is the rest of */
	uint64_t length;	     /* of that one */
	uint64_t bias;
	bool has_bias;
	struct space_image *image; /* NULL: memory without a file */
};

struct space_process {
	uint32_t pid;
	uint32_t tid;	     /* the thread that was sampled last */
	uint32_t generation; /* what no other process had, nor this one before its last exec */
	bool exited;	     /* its first thread has; others may live on */
	bool no_ptrace;		    /* its memory cannot be read */
	struct perf_spaces *spaces;
	size_t inherited;	    /* maps that it had when it was born */
	uint64_t told;		    /* the spaces' doubts when its maps were read last */
	VEC(struct space_map) maps; /* by address, not overlapping */
	struct space_process *next; /* in its bucket */
};

enum { PERF_SPACES_BUCKETS = 1024, SPACE_PAGES = 4, SPACE_PAGE = 4096 };

/* Code that no file has, as a process had it in a round. */
struct space_code {
	uint32_t pid, generation;
	uint64_t round, address;
	uint8_t bytes[SPACE_PAGE];
};

/* A zeroed one knows of no process. */
struct perf_spaces {
	struct space_process *process[PERF_SPACES_BUCKETS];
	struct space_image *image[PERF_SPACES_BUCKETS];
	size_t processes, images, exited;
	size_t inherited; /* maps, by all processes */
	uint64_t doubts; /* how often records were lost */
	uint32_t generations; /* that there have been */
	/* The processes are not those that run here now: records alone tell of them. */
	bool past;
	bool foreign_vdso; /* nor is their kernel ours */
	size_t missing;	   /* files of the past that are not here, or are others */
	char missed[256];  /* the first of them */
	uint64_t round;
	struct space_code code[SPACE_PAGES]; /* that was read last */
};

void perf_spaces_fini(struct perf_spaces *sp);

/*
 * What records say.  Out of memory leaves maps out: chains through them end there.  A map with a
 * build-id instead of an inode has that.
 */
void perf_spaces_map(struct perf_spaces *sp, const struct proc_map *map, const uint8_t *build_id,
		     size_t build_id_len);
void perf_spaces_fork(struct perf_spaces *sp, uint32_t parent, uint32_t child);
void perf_spaces_exec(struct perf_spaces *sp, uint32_t pid);
void perf_spaces_exit(struct perf_spaces *sp, uint32_t pid);
/*
 * Records may not have told that another process got a number, or what it mapped: one is read from
 * /proc at once, for it may end before its samples are read, or all are when they are next used.
 */
void perf_spaces_renew(struct perf_spaces *sp, uint32_t pid);
void perf_spaces_forget_all(struct perf_spaces *sp);
/* Records were lost: maps of all that run are read from /proc before they are next used. */
void perf_spaces_doubt(struct perf_spaces *sp);

/* The process of a thread, made and read from /proc if it is new; NULL when out of memory. */
struct space_process *perf_spaces_find(struct perf_spaces *sp, uint32_t pid, uint32_t tid);
/* By whose number /proc and memory are asked: a first thread that has ended has nothing. */
uint32_t perf_spaces_thread(const struct space_process *process);

/* What a process has at an address; opens the file where that is still to be done. */
void perf_spaces_resolve(struct space_process *process, uint64_t address,
			 struct unwind_place *place);

/* Code that no file has: a page is read once a round, and kept for when its process is gone. */
bool perf_spaces_code(struct space_process *process, uint64_t address, void *buf, size_t n);
void perf_spaces_next_round(struct perf_spaces *sp);

#endif
