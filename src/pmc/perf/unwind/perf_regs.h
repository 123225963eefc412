/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The user's registers as perf samples them on this machine, and as src/unwind/ has them.
 */
#ifndef PMC_PERF_REGS_H
#define PMC_PERF_REGS_H

#include "unwind/unwind.h"

/* For attr.sample_regs_user: what unwinding takes; 0: chains of this machine are not unwound. */
extern const uint64_t perf_regs_mask;
/* The same for the stack pointer alone; 0: it is not known which that is. */
extern const uint64_t perf_regs_stack_pointer;

/* The pc among those of perf_regs_mask, whatever program they are of. */
uint64_t perf_regs_pc(const uint64_t *sampled);

/*
 * Those of perf_regs_mask, of a program with an abi (PERF_SAMPLE_REGS_ABI_*), and its stack
 * pointer.  UNWIND_NO_MACHINE, and nothing set: programs like that are not unwound, as 32-bit ones
 * of arm64.
 */
enum unwind_machine perf_regs_read(const uint64_t *sampled, uint64_t abi, struct unwind_regs *regs,
				   uint64_t *stack_pointer);

#endif
