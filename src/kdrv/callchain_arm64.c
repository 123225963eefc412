// SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0-only
/*
 * Call chains on arm64, by frame records (x29, x30).  Called by the sample path, in interrupts:
 * nothing here sleeps, locks or faults.  A chain of a 32-bit program is its pc alone.
 */
#include <asm/sysreg.h>
#include <linux/bits.h>
#include <linux/sched/task_stack.h>
#include <linux/uaccess.h>

#include "hwpmc_int.h"

/* Bits of an address in user or kernel space; pointer authentication uses those above them. */
static unsigned int user_bits(void)
{
	return 64 - (read_sysreg(tcr_el1) & 0x3f);
}

static unsigned int kernel_bits(void)
{
	return 64 - (read_sysreg(tcr_el1) >> 16 & 0x3f);
}

/* stp x29, x30, [sp, #offset] */
static bool saves_frame(u32 code)
{
	return (code & 0xffc07fff) == 0xa9007bfd;
}

/*
 * Whether x30 still, or again, has the return address of the function that executes code, and x29
 * the frame of its caller: its first instructions, up to the one that sets x29, and its last.
 */
static bool is_without_frame(const u32 *code)
{
	switch (code[0]) {
	case 0xd503245f: /* bti c */
	case 0xd50324df: /* bti jc */
	case 0xd503233f: /* paciasp */
	case 0xd503237f: /* pacibsp */
	case 0xd50323bf: /* autiasp */
	case 0xd50323ff: /* autibsp */
	case 0xd65f03c0: /* ret */
	case 0xd65f0bff: /* retaa */
	case 0xd65f0fff: /* retab */
		return true;
	}
	if ((code[0] & 0xff8003ff) == 0xd10003ff) /* sub sp, sp, #size */
		return saves_frame(code[1]);
	return saves_frame(code[0]) || (code[0] & 0xffc07fff) == 0xa9807bfd || /* stp ...]! */
	       (code[0] & 0xffc003ff) == 0x910003fd;			       /* mov x29, sp */
}

/* Words of the user's memory, page faults disabled; a call of _nofault takes twice as long. */
static bool fetch_code(u32 code[2], unsigned long from)
{
	const u32 __user *words = (const u32 __user *)from;

	if (!user_access_begin(words, 2 * sizeof(*words)))
		return false;
	unsafe_get_user(code[0], words, fault);
	unsafe_get_user(code[1], words + 1, fault);
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

static bool fetch_frame(u64 frame[2], unsigned long from)
{
	const u64 __user *words = (const u64 __user *)from;

	if (!user_access_begin(words, 2 * sizeof(*words)))
		return false;
	unsafe_get_user(frame[0], words, fault);
	unsafe_get_user(frame[1], words + 1, fault);
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

/* The same of the kernel's memory: from is in its half of the addresses. */
static bool fetch_kernel_code(u32 code[2], unsigned long from)
{
	const u32 *words = (const u32 *)from;

	__get_kernel_nofault(&code[0], words, u32, fault);
	__get_kernel_nofault(&code[1], words + 1, u32, fault);
	return true;
fault:
	return false;
}

/*
 * From Linux 6.13 on the record that an entry leaves is empty, and lies within the registers of
 * what it interrupted: those stand for it.  False: it is the last.
 */
static bool fetch_interrupted(u64 frame[2], unsigned long from)
{
#ifdef FRAME_META_TYPE_PT_REGS
	const struct frame_record_meta *meta = (const void *)from;
	const struct pt_regs *regs = container_of(meta, struct pt_regs, stackframe);
	u64 type;

	__get_kernel_nofault(&type, &meta->type, u64, fault);
	if (type != FRAME_META_TYPE_PT_REGS)
		return false;
	__get_kernel_nofault(&frame[0], &regs->regs[29], u64, fault);
	__get_kernel_nofault(&frame[1], &regs->pc, u64, fault);
	return true;
fault:
#endif
	return false;
}

/* False: there is none. */
static bool fetch_kernel_frame(u64 frame[2], unsigned long from)
{
	const u64 *words = (const u64 *)from;

	__get_kernel_nofault(&frame[0], words, u64, fault);
	__get_kernel_nofault(&frame[1], words + 1, u64, fault);
	return frame[1] || fetch_interrupted(frame, from);
fault:
	return false;
}

u32 hwpmc_user_chain(struct pt_regs *regs, u64 *pcs, u32 max, bool *cut)
{
	u64 mask = GENMASK_ULL(user_bits() - 1, 0), frame[2];
	unsigned long fp, floor;
	u32 code[2], n = 0;

	if (!max) {
		*cut = true;
		return 0;
	}
	pcs[n++] = instruction_pointer(regs);
	if (compat_user_mode(regs))
		return n;
	fp = regs->regs[29] & mask;
	floor = regs->sp & mask;
	pagefault_disable();
	if (n < max && fetch_code(code, instruction_pointer(regs)) && is_without_frame(code) &&
	    (regs->regs[30] & mask))
		pcs[n++] = regs->regs[30] & mask;
	while (fp >= floor && !(fp & 7) && fetch_frame(frame, fp) && (frame[1] & mask)) {
		if (n == max) {
			*cut = true;
			break;
		}
		pcs[n++] = frame[1] & mask;
		floor = fp + sizeof(frame);
		fp = frame[0] & mask;
	}
	pagefault_enable();
	return n;
}

struct stack {
	unsigned long from, to;
};

/* Of the stack that sp is on, what is in use. */
static struct stack stack_of(unsigned long sp)
{
	/* Those of the vmalloc area are as long as they are aligned. */
	unsigned long rest =
		IS_ENABLED(CONFIG_VMAP_STACK) ? -sp & (THREAD_SIZE - 1) : THREAD_SIZE;

	return (struct stack){sp, sp + rest};
}

static struct stack stack_of_task(void)
{
	unsigned long base = (unsigned long)task_stack_page(current);

	return (struct stack){base, base + THREAD_SIZE};
}

/* Whether there is a frame record at fp; what is below it on the stack is done with. */
static bool has_frame(struct stack *stack, unsigned long fp)
{
	bool has = fp >= stack->from && fp + 2 * sizeof(u64) <= stack->to && !(fp & 7);

	if (has)
		stack->from = fp + 2 * sizeof(u64);
	return has;
}

/*
 * Every entry of the kernel leaves a frame record of what it interrupted, with that one's pc, so
 * the walk runs through interrupts: from their stack to the task's.  Elsewhere it reads nothing,
 * since code that has no frames may keep anything in x29.  The entry from user space leaves zeroes,
 * or what says that it is the last.  The kernel's half of the addresses begins at mask.
 */
u32 hwpmc_kernel_chain(struct pt_regs *regs, u64 *pcs, u32 max, bool *cut)
{
	u64 mask = ~GENMASK_ULL(kernel_bits() - 1, 0), frame[2];
	struct stack stack = stack_of(regs->sp), task = stack_of_task();
	unsigned long fp = regs->regs[29];
	u32 code[2], n = 0;

	pcs[n++] = instruction_pointer(regs);
	pagefault_disable();
	if (n < max && pcs[0] >= mask && fetch_kernel_code(code, pcs[0]) && is_without_frame(code))
		pcs[n++] = regs->regs[30] | mask;
	while ((has_frame(&stack, fp) || has_frame(&task, fp)) && fetch_kernel_frame(frame, fp)) {
		if (n == max) {
			*cut = true;
			break;
		}
		pcs[n++] = frame[1] | mask;
		fp = frame[0];
	}
	pagefault_enable();
	return n;
}
