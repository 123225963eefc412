/* SPDX-License-Identifier: BSD-2-Clause */
/* The command that a recording runs: when it ends, how, and what it used. */
#ifndef PMCSTAT_RECORD_COMMAND_H
#define PMCSTAT_RECORD_COMMAND_H

#include <sys/resource.h>

#include "pmcstat/target.h"

struct record_command {
	const char *name; /* NULL: there is none */
	pid_t pid;	  /* 0: not forked yet */
	bool gone, reaped;
	double began, ended;	 /* monotonic seconds; 0: not yet */
	int status;		 /* of wait(2) */
	struct rusage usage;	 /* with that of its children */
	double children_seconds; /* of usage, at the kernel's clock ticks */
	double starved_seconds;	 /* its first thread was ready, and others had the CPUs */
	double starved_before;	 /* of that, before it was let go */
};

/* It is forked, and about to be let go. */
void record_command_begins(struct record_command *c);

/* Whether it has ended; what tells of it stays. */
bool record_command_has_ended(struct record_command *c);

/* Once that is in the log: if it has ended, sets how and what it used. */
void record_command_reap(struct record_command *c);

/* Ends one that was never let go: it must not stay. */
void record_command_abandon(struct record_command *c, struct target *t);

/* As a shell has it; 0 without a command, or while it runs. */
int record_command_status(const struct record_command *c);

double record_command_user_seconds(const struct record_command *c);
double record_command_system_seconds(const struct record_command *c);

#endif
