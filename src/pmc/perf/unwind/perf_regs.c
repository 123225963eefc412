// SPDX-License-Identifier: BSD-2-Clause
#include <asm/perf_regs.h>
#include <linux/perf_event.h>

#include "pmc/perf/unwind/perf_regs.h"

/* What the sampled registers of one kind of program are. */
struct kind {
	enum unwind_machine machine;
	uint8_t stack_pointer; /* by DWARF number */
	uint8_t n;
	int8_t dwarf[33]; /* the number of the n-th sampled register; -1: the pc */
};

#if defined(__x86_64__)
/* All but the segment registers, whose bits the kernel refuses. */
const uint64_t perf_regs_mask = ((1ull << (PERF_REG_X86_IP + 1)) - 1) | 0xffull << PERF_REG_X86_R8;
const uint64_t perf_regs_stack_pointer = 1ull << PERF_REG_X86_SP;
#define PC_AT PERF_REG_X86_IP
static const struct kind wide = {UNWIND_X86_64,
				 UNWIND_X86_64_RSP,
				 17,
				 {0, 3, 2, 1, 4, 5, 6, 7, -1, 8, 9, 10, 11, 12, 13, 14, 15}};
static const struct kind narrow = {UNWIND_X86, UNWIND_X86_ESP, 9, {0, 3, 1, 2, 6, 7, 5, 4, -1}};
#elif defined(__aarch64__)
const uint64_t perf_regs_mask = (1ull << PERF_REG_ARM64_MAX) - 1;
const uint64_t perf_regs_stack_pointer = 1ull << PERF_REG_ARM64_SP;
#define PC_AT PERF_REG_ARM64_PC
static const struct kind wide = {
	UNWIND_ARM64,
	UNWIND_ARM64_SP,
	33,
	{0,  1,	 2,  3,	 4,  5,	 6,  7,	 8,  9,	 10, 11, 12, 13, 14, 15, 16,
	 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, -1}};
/* Their unwind data are .ARM.exidx, which src/unwind/ does not read. */
static const struct kind narrow = {.machine = UNWIND_NO_MACHINE};
#else
const uint64_t perf_regs_mask, perf_regs_stack_pointer;
#define PC_AT 0
static const struct kind wide, narrow;
#endif

/* The bits of a user's return address that may have an authentication code: the CPU strips one. */
static uint64_t pac_mask(void)
{
#if defined(__aarch64__)
	register uint64_t lr __asm__("x30") = (1ull << 55) - 1;

	/* xpaclri, which CPUs without pointer authentication take for a nop. */
	__asm__("hint #7" : "+r"(lr));
	return ~lr;
#else
	return 0;
#endif
}

uint64_t perf_regs_pc(const uint64_t *sampled)
{
	return sampled[PC_AT];
}

enum unwind_machine perf_regs_read(const uint64_t *sampled, uint64_t abi, struct unwind_regs *regs,
				   uint64_t *stack_pointer)
{
	const struct kind *k = abi == PERF_SAMPLE_REGS_ABI_32 ? &narrow : &wide;
	uint64_t mask = k == &narrow ? UINT32_MAX : UINT64_MAX;
	size_t i;

	if (k->machine == UNWIND_NO_MACHINE)
		return UNWIND_NO_MACHINE;
	*regs = (struct unwind_regs){.pac_mask = pac_mask()};
	for (i = 0; i < k->n; i++) {
		if (k->dwarf[i] < 0) {
			regs->pc = sampled[i] & mask;
			continue;
		}
		regs->reg[k->dwarf[i]] = sampled[i] & mask;
		regs->known |= 1ull << k->dwarf[i];
	}
	*stack_pointer = regs->reg[k->stack_pointer];
	return k->machine;
}
