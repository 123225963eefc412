/* SPDX-License-Identifier: BSD-2-Clause */
/* Call chains by libdw, from the same registers and stack as ours, to be compared with them. */
#ifndef BENCH_LIBDW_H
#define BENCH_LIBDW_H

#include <stdbool.h>
#include <sys/types.h>

#include "unwind/unwind.h"

/*
 * The program counters of the thread's chain, the leaf first: how many, 0 where libdw finds none.
 * moved: what is mapped has changed since the last call.  x86-64 alone.
 */
size_t libdw_chain(pid_t pid, bool moved, const struct unwind_regs *regs,
		   const struct unwind_window *window, uint64_t *pcs, size_t max);

#endif
