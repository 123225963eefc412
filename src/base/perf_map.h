/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code that a program made while it ran, as JIT compilers do: memory that no file holds, and the
 * files /tmp/perf-PID.map, which name what is in it.
 *
 * Such a file lies where every user may write, so none is read that its process did not leave, and
 * each only so far.
 */
#ifndef BASE_PERF_MAP_H
#define BASE_PERF_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* The object that functions made at run time are said to be in. */
#define PERF_MAP_OBJECT "[jit]"

/* What is behind it is not read. */
enum { PERF_MAP_SIZE_MAX = 64 << 20, PERF_MAP_LINE_MAX = 4096 };

/* Whether memory that is mapped under this name is of no file that would say what it holds. */
bool perf_map_is_anonymous(const char *path);

/* One line: "START SIZE NAME", both numbers in hexadecimal. */
struct perf_map_symbol {
	uint64_t start, size; /* their sum is at most UINT64_MAX */
	const char *name;     /* printable but for blanks; NUL-terminated */
};

/*
 * Opens perf-PID.map in the directory dir.  -1 where there is none, where it is no regular file,
 * neither owner's nor root's, or was last written before since, by an earlier process of this pid.
 */
int perf_map_open(int dir, uint32_t pid, uid_t owner, time_t since);

/*
 * Calls each() for the symbols of the file at fd, in their order, with the number of the line, from
 * 0 on, until it returns other than 0; returns that.  Lines that are too long are left out.
 */
int perf_map_read(int fd, int (*each)(void *arg, uint32_t line, const struct perf_map_symbol *s),
		  void *arg);

#endif
