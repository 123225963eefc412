/* SPDX-License-Identifier: BSD-2-Clause */
/* The processes of a recording: its command and those of -t, which may become more meanwhile. */
#ifndef PMCSTAT_RECORD_TARGETS_H
#define PMCSTAT_RECORD_TARGETS_H

#include "pmcstat/record/record_pmcs.h"
#include "pmcstat/status.h"
#include "pmcstat/target.h"

struct record_targets {
	target_list list;
	bool by_name;	  /* -t has a regular expression */
	double last_look; /* for more processes of -t; monotonic seconds */
	bool looks_soon;  /* one may have appeared */
	int exec_fd;	  /* of exec_watch_open(); -1: not there */
	bool told_missed; /* that one of them could not be attached to */
	bool told_reused; /* that one has the number of one that has exited */
};

/*
 * Forks the command, which is the first then, and finds the processes of -t.  0, or -1 with err
 * set.
 */
int record_targets_find(struct record_targets *t, const struct record_options *options,
			struct err *err);

/* Attaches PMCs to them.  0, or an exit status after having said why. */
int record_targets_attach(struct record_targets *t, const struct record_pmcs *pmcs);

/* When to look next for processes that match -t by now; INFINITY: never. */
double record_targets_next_look(const struct record_targets *t);

/* Attaches PMCs to these when it is time; the status line makes room for what is said. */
void record_targets_look(struct record_targets *t, const struct record_options *options,
			 const struct record_pmcs *pmcs, struct status_line *status);

/* Whether -t's processes have all exited. */
bool record_targets_are_gone(const struct record_targets *t);

void record_targets_fini(struct record_targets *t);

#endif
