/* SPDX-License-Identifier: BSD-2-Clause */
/* The one line that shows a long work to be alive: on a terminal, rewritten in place. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <stdbool.h>
#include <stdint.h>

struct status_line {
	double started; /* monotonic seconds; 0: no line is shown */
	double next;	/* when status_step() may write again */
	bool shown;
};

/* Shows a line from now on if standard error is a terminal. */
void status_start(struct status_line *s);
/*
 * How far a step of a work is, once it takes longer than a second; total 0: not known.  what
 * is a sentence without its number: "reading the log".  Cheap enough for every thousandth record.
 */
void status_step(struct status_line *s, const char *what, uint64_t done, uint64_t total);
/* Takes the line away. */
void status_end(struct status_line *s);

/* Seconds of the monotonic clock. */
double status_now(void);

#endif
