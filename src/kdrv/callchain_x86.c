// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Call chains on x86: user frames by frame pointers, 64 and 32 bits; kernel frames by the kernel's
 * own unwinder.  Called by the sample path, in NMI too: nothing here sleeps, locks or faults.
 */
#include <linux/uaccess.h>

#include <asm/segment.h>
#include <asm/unwind.h>

#include "hwpmc_int.h"

/*
 * Where in a function without a frame of its own pc is: how many words above the stack pointer its
 * return address lies, or -1.  code holds the bytes from pc - 4 to pc + 4.  A push of the frame
 * pointer alone proves nothing: code without frames saves it like any other register.
 */
static int return_address_slot(const u8 *code, bool wide)
{
	const u8 *at = code + 4, *move = wide ? at + 1 : at;
	bool entry = !memcmp(code, "\xf3\x0f\x1e", 3) && (code[3] == 0xfa || code[3] == 0xfb);
	bool moves = (move[0] == 0x89 && move[1] == 0xe5) || (move[0] == 0x8b && move[1] == 0xec);

	if (!memcmp(at, "\xf3\x0f\x1e", 3) && (at[3] == 0xfa || at[3] == 0xfb))
		return 0; /* endbr */
	if (at[0] == 0xc3 || at[0] == 0xc2 || ((at[0] == 0xf3 || at[0] == 0xf2) && at[1] == 0xc3))
		return 0; /* ret */
	if (moves && (!wide || at[0] == 0x48))
		return 1; /* mov %rsp,%rbp */
	if (at[0] != 0x55)
		return -1;
	/* push %rbp, and then mov %rsp,%rbp */
	if (wide)
		moves = at[1] == 0x48 &&
			(at[2] == 0x89 ? at[3] == 0xe5 : at[2] == 0x8b && at[3] == 0xec);
	else
		moves = (at[1] == 0x89 && at[2] == 0xe5) || (at[1] == 0x8b && at[2] == 0xec);
	return moves || entry ? 0 : -1;
}

static bool fetch(void *to, unsigned long from, size_t size)
{
	return !copy_from_user_nmi(to, (const void __user *)from, size);
}

/* Two words at address, 8 bytes each or 4. */
static bool fetch_frame(u64 frame[2], unsigned long address, bool wide)
{
	u32 narrow[2];

	if (wide)
		return fetch(frame, address, 2 * sizeof(*frame));
	if (!fetch(narrow, address, sizeof(narrow)))
		return false;
	frame[0] = narrow[0];
	frame[1] = narrow[1];
	return true;
}

u32 hwpmc_user_chain(struct pt_regs *regs, u64 *pcs, u32 max, bool *cut)
{
	bool wide = regs->cs != __USER32_CS;
	unsigned int word = wide ? sizeof(u64) : sizeof(u32);
	unsigned long fp = regs->bp, floor = regs->sp;
	u64 frame[2] = {};
	u8 code[8];
	u32 n = 0;
	int slot;

	if (!max) {
		*cut = true;
		return 0;
	}
	pcs[n++] = regs->ip;
	if (fetch(code, regs->ip - 4, sizeof(code))) {
		slot = return_address_slot(code, wide);
		if (slot >= 0 && n < max && fetch(frame, regs->sp + slot * word, word) && frame[0])
			pcs[n++] = frame[0];
	}
	while (fp >= floor && !(fp & (word - 1)) && fetch_frame(frame, fp, wide) && frame[1]) {
		if (n == max) {
			*cut = true;
			break;
		}
		pcs[n++] = frame[1];
		floor = fp + 2 * word;
		fp = frame[0];
	}
	return n;
}

u32 hwpmc_kernel_chain(struct pt_regs *regs, u64 *pcs, u32 max, bool *cut)
{
	struct unwind_state state;
	unsigned long address;
	u32 n = 0;

	/* Software events bring what perf_fetch_caller_regs() made: no more than ip, sp and bp. */
	if (regs->flags & X86_EFLAGS_FIXED) {
		unwind_start(&state, current, regs, NULL);
	} else {
		pcs[n++] = regs->ip;
		unwind_start(&state, current, NULL, (void *)regs->sp);
	}
	for (; !unwind_done(&state); unwind_next_frame(&state)) {
		address = unwind_get_return_address(&state);
		if (!address)
			break;
		if (n == max) {
			*cut = true;
			break;
		}
		pcs[n++] = address;
	}
	if (!n)
		pcs[n++] = regs->ip;
	return n;
}
