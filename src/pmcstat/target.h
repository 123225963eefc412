/* SPDX-License-Identifier: BSD-2-Clause */
/* What process-scope PMCs are attached to: a command to be run, or processes that run already. */
#ifndef PMCSTAT_TARGET_H
#define PMCSTAT_TARGET_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/vec.h"

struct target {
	pid_t pid;
	int pidfd;	/* readable when the process has exited; -1: not available */
	int release_fd; /* a command's: written to let it exec; -1 otherwise */
	int exec_fd;	/* a command's: its exec error, or end of file when exec worked; -1 */
	bool by_name;	/* found by a regular expression: may be gone before it is attached to */
	bool gone;	/* and was */
};

typedef VEC(struct target) target_list;

/* The exit codes of a shell, env(1) and nice(1) for a command that does not start. */
enum { COMMAND_NOT_RUN = 126, COMMAND_NOT_FOUND = 127 };

/* Forks a child that waits to exec argv.  0, or -1 with err set, also to a code above. */
int target_prepare_command(target_list *list, char **argv, struct err *err);

/* Lets the child exec.  0, or -1 with err set (one of the codes above). */
int target_release_command(struct target *t, const char *name, struct err *err);

/* Whether -t's argument is a regular expression, which more processes may match later. */
bool target_is_regex(const char *pid_or_regex);

/* The process with this pid, or all whose command name matches a regular expression, once each. */
int target_find(target_list *list, const char *pid_or_regex, struct err *err);

/* Adds those that match by now, if any.  0, or -1 with err set. */
int target_find_more(target_list *list, const char *pid_or_regex, struct err *err);

/*
 * Why the kernel takes the PMCs from a program when it starts, in words that go behind "it is";
 * NULL: it does not.  Such a program is not an open book to whom may start it.
 */
const char *target_why_hidden(const char *name);

bool target_has_exited(const struct target *t);

/* CPU seconds of the children that a process has waited for; 0 where that is not known. */
double target_children_seconds(pid_t pid);

/* Seconds that its first thread waited for a CPU, ready to run; 0 where that is not known. */
double target_starved_seconds(pid_t pid);

/* Closes what belongs to the target at index i, and takes it out. */
void target_remove(target_list *list, size_t i);

void target_list_free(target_list *list);

#endif
