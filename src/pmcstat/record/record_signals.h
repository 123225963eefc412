/* SPDX-License-Identifier: BSD-2-Clause */
/* The signals of a recording: read from a descriptor, so that none interrupts closing a log. */
#ifndef PMCSTAT_RECORD_SIGNALS_H
#define PMCSTAT_RECORD_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/signalfd.h>

#include "base/err.h"

struct record_signals {
	int fd;		 /* -1: not open */
	sigset_t enders; /* the signals that end a recording */
	sigset_t heard;	 /* those of fd: enders, and what wakes the recording */
};

/*
 * hwpmc(4) sends SIGIO when the last target of a PMC has gone and when the log has failed: it wakes
 * the recording, which looks for both, and must not kill us before.
 */
void record_signals_outlive_io(void);

/* From here on signals wait to be read: SIGUSR2 too, where the log rotates. */
int record_signals_open(struct record_signals *s, bool rotates, struct err *err);

/* Whether there was one. */
bool record_signals_read(const struct record_signals *s, struct signalfd_siginfo *info);

/* Whether signals that end a recording end us at once. */
void record_signals_kill(const struct record_signals *s, bool kills);

/* Whether the descriptor tells of enders alone. */
void record_signals_only_enders(const struct record_signals *s, bool only);

void record_signals_close(struct record_signals *s);

#endif
