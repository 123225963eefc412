/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The terminal that is standard output: what it was like before a screen is shown, and its way back
 * there, also by a crash.  Nothing here waits for it longer than a second.
 */
#ifndef PMCSTAT_TERMINAL_H
#define PMCSTAT_TERMINAL_H

#include <stdbool.h>
#include <termios.h>

#include "base/err.h"

struct terminal {
	int fd; /* of its own, since it does not block; the shell's descriptors go on to do so */
	int rows, cols; /* where the terminal does not tell */
	struct termios before;
	char leave[256]; /* ends what curses has begun */
};

/* Finds out whether it can show a screen, and how that is left.  0, or -1 with err set. */
int terminal_open(struct terminal *t, struct err *err);
void terminal_close(struct terminal *t);

/* Another descriptor of it, which blocks; -1 with errno. */
int terminal_open_again(void);

void terminal_size(const struct terminal *t, int *rows, int *cols);

/* From here on, until it is given back, a crash gives it back; of one terminal at a time. */
void terminal_watch(const struct terminal *t);
void terminal_give_back(const struct terminal *t);

#endif
