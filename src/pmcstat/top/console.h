/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The standard descriptors while a screen is shown: nothing else may write to the terminal or read
 * from it, neither this program nor the command that it runs, which inherits them.
 */
#ifndef PMCSTAT_CONSOLE_H
#define PMCSTAT_CONSOLE_H

#include "base/err.h"

struct console {
	int saved[3]; /* what the descriptors were; -1: left alone */
	int kept;     /* what was written to standard error meanwhile; -1: it is no terminal */
};

/*
 * Where they are terminals, input and output become /dev/null, and error becomes memory.  0, or -1
 * with err set.
 */
int console_take(struct console *c, struct err *err);

/* Gives up all but the end of what was written to standard error; to be called now and then. */
void console_trim(const struct console *c);

/* Gives them back, and writes to standard error the last of what was meant for it. */
void console_release(struct console *c);

#endif
