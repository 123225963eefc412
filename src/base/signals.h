/* SPDX-License-Identifier: BSD-2-Clause */
/* What the threads of libraries do with signals. */
#ifndef BASE_SIGNALS_H
#define BASE_SIGNALS_H

#include <signal.h>

/*
 * All signals that a thread may leave to others: not those of a crash, which a thread that blocks
 * them dies of before anyone can restore the terminal.
 */
static inline void signals_of_others(sigset_t *set)
{
	sigfillset(set);
	sigdelset(set, SIGABRT);
	sigdelset(set, SIGBUS);
	sigdelset(set, SIGFPE);
	sigdelset(set, SIGILL);
	sigdelset(set, SIGSEGV);
}

#endif
