/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which processes, threads and CPUs there are, from /proc and /sys.
 *
 * What vanishes while it is being read is left out; that is no error, but the want of memory or of
 * descriptors is.
 */
#ifndef PMC_PROC_LIST_H
#define PMC_PROC_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/vec.h"

enum { PROC_NAME_MAX = 15 }; /* bytes that Linux keeps of a process' name */

struct proc_pids {
	VEC(pid_t) pids;
};

struct proc_thread {
	pid_t pid, tid;
};

struct proc_threads {
	VEC(struct proc_thread) threads;
};

struct proc_cpus {
	VEC(int) cpus; /* ascending */
};

/* All of these: 0, or -1 with errno set.  They append. */
int proc_list_all(struct proc_pids *list);
int proc_list_tree(pid_t root, struct proc_pids *list); /* root and its descendants */
int proc_list_threads(pid_t pid, struct proc_threads *list);

/* Of a file stat of /proc. */
struct proc_stat {
	char state;
	pid_t parent;
	/* Clock ticks; those of children that ended and were waited for are apart. */
	unsigned long long user, system, children_user, children_system;
	unsigned long long started; /* clock ticks since the boot */
};

/* Of a process, or of one of its threads.  False: there is none, with errno set. */
bool proc_read_stat(const char *path, struct proc_stat *stat);

/* False of a thread that is gone, and of one that waits to be reaped, which is still listed. */
bool proc_thread_lives(pid_t pid, pid_t tid);

/* A list like "0-3,8".  False: not such a list; what came before is in cpus.  */
bool proc_parse_cpus(const char *text, struct proc_cpus *cpus);

bool proc_cpus_have(const struct proc_cpus *cpus, int cpu);

/*
 * The arguments of a process, each with a NUL behind it, at most size - 1 bytes; 0: they are not
 * known.
 */
size_t proc_read_arguments(pid_t pid, char *text, size_t size);
/* How many of len bytes of arguments a PROCEXEC record takes; one that was cut ends in no NUL. */
size_t proc_cut_arguments(const char *text, size_t len);

#endif
