// SPDX-License-Identifier: BSD-2-Clause
/* Chains by hand-made CFI; tests/system/unwind-steps.sh has those of real programs. */
#include <fcntl.h>
#include <unistd.h>

#include "unwind_scene.h"

UNIT(chains_go_from_frame_to_frame_to_the_outermost)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	scene(&s, &c, UNWIND_X86_64);
	/* rbx, return into 0x110 (whose rbp is SP + 32), locals, rbp, return into 0x210. */
	STACK(&s, 1, RA(0x110), 2, 3, 0x77, RA(0x210), 9);
	s.regs.reg[6] = SP + 32;
	CHECK_U64(walk(&s, 0x10), 3);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK_U64(s.frames[0].pc, RA(0x10));
	CHECK_U64(s.frames[0].cfa, SP + 16);
	CHECK(s.frames[0].exact && s.frames[0].how == UNWIND_HOW_SAMPLED);
	CHECK_U64(s.frames[1].pc, RA(0x110));
	CHECK_U64(s.frames[1].cfa, SP + 48);
	CHECK(!s.frames[1].exact && s.frames[1].how == UNWIND_HOW_CFI && !s.frames[1].unread);
	CHECK_U64(s.frames[2].pc, RA(0x210));
	CHECK_U64(s.frames[2].cfa, 0);
	CHECK_U64(s.resolved, 1);
	unwind_image_free(s.image);
}

UNIT(a_return_address_belongs_to_the_call_before_it)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	scene(&s, &c, UNWIND_X86_64);
	/* The function at 0 ends with a call: 0x100 is where the next one begins. */
	STACK(&s, 1, RA(0x100), 2, RA(0x210));
	CHECK_U64(walk(&s, 0x10), 3);
	CHECK(s.end == UNWIND_COMPLETE);
	unwind_image_free(s.image);
}

UNIT(the_window_ends_chains_with_the_cfa_that_was_found)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	scene(&s, &c, UNWIND_X86_64);
	STACK(&s, 1, RA(0x110), 2, 3, 0x77);
	s.regs.reg[6] = SP + 32;
	CHECK_U64(walk(&s, 0x10), 2);
	CHECK(s.end == UNWIND_WINDOW);
	CHECK_U64(s.frames[1].cfa, SP + 48);
	s.words = 0;
	CHECK_U64(walk(&s, 0x10), 1);
	CHECK(s.end == UNWIND_WINDOW);
	CHECK_U64(s.frames[0].cfa, SP + 16);
	/* A word of which it has the half is not in it. */
	STACK(&s, 1, RA(0x110), 2, 3, 0x77);
	s.job.window.length = 12;
	CHECK_U64(unwind_chain(&s.job, &s.end), 1);
	CHECK(s.end == UNWIND_WINDOW);
	unwind_image_free(s.image);
}

/* Why a chain ends whose first return address is at address, of which nothing is at hand. */
static enum unwind_end end_at(uint64_t address)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	scene(&s, &c, UNWIND_X86_64);
	s.regs.reg[UNWIND_X86_64_RSP] = address - 8;
	CHECK_U64(walk(&s, 0x10), 1);
	unwind_image_free(s.image);
	return s.end;
}

UNIT(what_is_outside_of_the_window_may_be_stack_or_cannot_be)
{
	CHECK(end_at(SP) == UNWIND_WINDOW);
	CHECK(end_at(SP + 4) == UNWIND_BAD_RETURN);
	CHECK(end_at(65528) == UNWIND_BAD_RETURN);
	CHECK(end_at(65536) == UNWIND_WINDOW);
	CHECK(end_at((UINT64_C(1) << 56) - 8) == UNWIND_WINDOW);
	CHECK(end_at(UINT64_C(1) << 56) == UNWIND_BAD_RETURN);
}

UNIT(what_follows_no_call_is_no_caller)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	scene(&s, &c, UNWIND_X86_64);
	STACK(&s, 1, RA(0x111), 2);
	CHECK_U64(walk(&s, 0x10), 1);
	CHECK(s.end == UNWIND_BAD_RETURN);
	/* Nor is what is not mapped, or 0. */
	STACK(&s, 1, 0x1234, 2);
	CHECK_U64(walk(&s, 0x10), 1);
	CHECK(s.end == UNWIND_BAD_RETURN);
	STACK(&s, 1, 0, 2);
	s.regs.reg[6] = 5;
	CHECK_U64(walk(&s, 0x10), 1);
	CHECK(s.end == UNWIND_BAD_RETURN);
	/* But 0 and a frame pointer of 0 are how threads are begun by hand. */
	s.regs.reg[6] = 0;
	CHECK_U64(walk(&s, 0x10), 1);
	CHECK(s.end == UNWIND_COMPLETE);
	/* A frame below the stack pointer, or at an odd address, is none either. */
	STACK(&s, 1, RA(0x110), 2);
	s.regs.reg[6] = SP - 64;
	CHECK_U64(walk(&s, 0x10), 2);
	CHECK(s.end == UNWIND_BAD_RETURN);
	s.regs.reg[6] = SP + 0x1003;
	CHECK_U64(walk(&s, 0x10), 2);
	CHECK(s.end == UNWIND_BAD_RETURN);
	unwind_image_free(s.image);
}

UNIT(a_popped_frame_pointer_is_the_callers)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	scene(&s, &c, UNWIND_X86_64);
	/* At 0x1f0 rbp is popped, the rule "at CFA - 16" is below the stack pointer. */
	STACK(&s, RA(0x110), 2, 3, 0x77, RA(0x210));
	s.regs.reg[6] = SP + 24;
	CHECK_U64(walk(&s, 0x1f1), 3);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK_U64(s.frames[1].cfa, SP + 40);
	/* So it serves a caller without CFI. */
	STACK(&s, RA(0x810), 2, 3, 0x77, RA(0x210));
	CHECK_U64(walk(&s, 0x1f1), 3);
	CHECK(s.end == UNWIND_COMPLETE && s.frames[2].how == UNWIND_HOW_FP);
	unwind_image_free(s.image);
}

UNIT(code_without_cfi_goes_by_frame_pointer_and_says_so)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	scene(&s, &c, UNWIND_X86_64);
	STACK(&s, 1, 2, SP + 40, RA(0x120), 5, 0, RA(0x210));
	s.regs.reg[6] = SP + 16;
	CHECK_U64(walk(&s, 0x808), 3);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK(s.frames[1].how == UNWIND_HOW_FP && s.frames[2].how == UNWIND_HOW_CFI);
	CHECK_U64(s.frames[0].cfa, SP + 32);
	/* What is no frame pointer leaves the chain without a rule, not with a false frame. */
	s.stack[3] = RA(0x123);
	CHECK_U64(walk(&s, 0x808), 1);
	CHECK(s.end == UNWIND_NO_RULE);
	s.regs.reg[6] = SP - 8;
	CHECK_U64(walk(&s, 0x808), 1);
	CHECK(s.end == UNWIND_NO_RULE);
	s.regs.reg[6] = 0;
	CHECK_U64(walk(&s, 0x808), 1);
	CHECK(s.end == UNWIND_NO_RULE);
	s.regs.reg[6] = SP + 0x1000;
	CHECK_U64(walk(&s, 0x808), 1);
	CHECK(s.end == UNWIND_WINDOW);
	unwind_image_free(s.image);
}

/* What Python's trampolines have behind their call: add $size,%rsp; ret. */
static uint8_t behind_call[] = {0x48, 0x83, 0xc4, 8, 0xc3};

static bool read_behind_call(void *arg, uint64_t address, void *buf, size_t n)
{
	(void)arg;
	memcpy(buf, behind_call, n);
	return address == 0x9000020 && n <= sizeof(behind_call);
}

UNIT(compiled_code_that_returns_at_once_needs_no_frame_pointer)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	scene(&s, &c, UNWIND_X86_64);
	s.code = UNWIND_CODE_JIT;
	s.job.code = read_behind_call;
	/* The frame pointer is that of a function further out. */
	STACK(&s, 0x9000020, 1, RA(0x20), 2, RA(0x120), 0, RA(0x210));
	s.regs.reg[6] = SP + 40;
	CHECK_U64(walk(&s, 0), 5);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK_U64(s.frames[2].pc, RA(0x20));
	CHECK_U64(s.frames[1].cfa, SP + 24);
	CHECK(s.frames[1].how == UNWIND_HOW_CFI && s.frames[2].how == UNWIND_HOW_FP);
	/* Other code is believed its frame pointer. */
	behind_call[4] = 0xc9;
	CHECK_U64(walk(&s, 0), 3);
	CHECK_U64(s.frames[2].pc, RA(0x210));
	behind_call[4] = 0xc3;
	behind_call[3] = 0x88;
	CHECK_U64(walk(&s, 0), 3);
	behind_call[3] = 8;
	s.job.code = NULL;
	CHECK_U64(walk(&s, 0), 3);
	/* What code by frame pointer leads to is a compiler's own. */
	s.job.code = read_behind_call;
	STACK(&s, SP + 32, 0x9000020, 1, RA(0x20), 0, RA(0x210));
	s.regs.reg[6] = SP;
	CHECK_U64(walk(&s, 0x808), 3);
	CHECK_U64(s.frames[2].pc, RA(0x210));
	/* What it returns to must follow a call all the same. */
	STACK(&s, 0x9000020, 1, RA(0x23));
	CHECK_U64(walk(&s, 0), 2);
	CHECK(s.end == UNWIND_NO_RULE);
	/* And be in the window. */
	s.words = 2;
	CHECK_U64(walk(&s, 0), 2);
	CHECK(s.end == UNWIND_WINDOW);
	CHECK_U64(s.frames[1].cfa, SP + 24);
	unwind_image_free(s.image);
}

UNIT(callers_in_code_that_cannot_be_read_are_marked)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	scene(&s, &c, UNWIND_X86_64);
	s.code = UNWIND_CODE_JIT;
	STACK(&s, 1, 0x9000123, 2, 3, SP + 48, RA(0x210), 0, RA(0x220));
	s.regs.reg[6] = SP + 32;
	CHECK_U64(walk(&s, 0x10), 3);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK(s.frames[1].unread && !s.frames[2].unread);
	CHECK(s.frames[1].how == UNWIND_HOW_CFI && s.frames[2].how == UNWIND_HOW_FP);
	/* 0 marks the outermost frame of what keeps frame pointers. */
	s.regs.reg[6] = 0;
	CHECK_U64(walk(&s, 0x10), 2);
	CHECK(s.end == UNWIND_COMPLETE);
	/* So it is with a file that cannot be opened, but for that mark. */
	s.code = UNWIND_CODE_FILE;
	CHECK_U64(walk(&s, 0x10), 2);
	CHECK(s.end == UNWIND_NO_RULE && s.frames[1].unread);
	s.code = UNWIND_CODE_NONE;
	CHECK_U64(walk(&s, 0x10), 1);
	CHECK(s.end == UNWIND_BAD_RETURN);
	unwind_image_free(s.image);
}

UNIT(other_registers_are_found_where_callees_saved_them)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	/* CFA = rbx + 16, as _dl_runtime_resolve has it. */
	fde(&c, 0x400, 0x100, BYTES(DW_CFA_def_cfa, 3, 16));
	scene(&s, &c, UNWIND_X86_64);
	STACK(&s, SP + 32, RA(0x410), 2, 3, 4, RA(0x210), 6);
	CHECK_U64(walk(&s, 0x10), 3);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK_U64(s.frames[1].cfa, SP + 48);
	/* In the very frame it is the register. */
	STACK(&s, 1, 2, 3, 4, RA(0x210));
	s.regs.reg[3] = SP + 24;
	CHECK_U64(walk(&s, 0x410), 2);
	CHECK(s.end == UNWIND_COMPLETE);
	s.regs.known = 1 << 7;
	CHECK_U64(walk(&s, 0x410), 1);
	CHECK(s.end == UNWIND_NO_RULE);
	unwind_image_free(s.image);
}

UNIT(each_rule_of_a_callee_says_where_a_register_is)
{
	static const struct {
		uint8_t bytes[8];
		size_t n;
		uint64_t slot, rbx, rax; /* the word below the return address, and registers */
		size_t frames;
	} cases[] = {
		/* At CFA - 16, and there by an expression. */
		{{DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 3, 2}, 4, SP + 32, 1, 1, 3},
		{{DW_CFA_def_cfa_offset, 16, DW_CFA_expression, 3, 2, DW_OP_breg7, 0},
		 7,
		 SP + 32,
		 1,
		 1,
		 3},
		/* It is CFA + 16; rsp + 32 by an expression; one that fails. */
		{{DW_CFA_def_cfa_offset, 16, DW_CFA_val_offset_sf, 3, 0x7e}, 5, 1, 1, 1, 3},
		{{DW_CFA_def_cfa_offset, 16, DW_CFA_val_expression, 3, 2, DW_OP_breg7, 32},
		 7,
		 1,
		 1,
		 1,
		 3},
		{{DW_CFA_def_cfa_offset, 16, DW_CFA_val_expression, 3, 1, DW_OP_call_frame_cfa},
		 6,
		 SP + 32,
		 SP + 32,
		 SP + 32,
		 2},
		/* In rax; left alone; nobody knows. */
		{{DW_CFA_def_cfa_offset, 16, DW_CFA_register, 3, 0}, 5, 1, 1, SP + 32, 3},
		{{DW_CFA_def_cfa_offset, 16, DW_CFA_same_value, 3}, 4, 1, SP + 32, 1, 3},
		{{DW_CFA_def_cfa_offset, 16, DW_CFA_undefined, 3}, 4, SP + 32, SP + 32, SP + 32, 2},
		/* In a register that no machine has. */
		{{DW_CFA_def_cfa_offset, 16, DW_CFA_register, 3, UNWIND_REGS},
		 5,
		 SP + 32,
		 SP + 32,
		 SP + 32,
		 2},
		/* Nothing said: callees keep rbx. */
		{{DW_CFA_def_cfa_offset, 16}, 2, 1, SP + 32, 1, 3},
		/* Popped, behind which the rule was left: below the stack pointer. */
		{{DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 3, 3}, 4, 1, SP + 32, 1, 3},
	};
	struct scene s;
	struct cfi c;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		functions(&c);
		fde(&c, 0x400, 0x100, BYTES(DW_CFA_def_cfa, 3, 16));
		fde(&c, 0x500, 0x100, cases[i].bytes, cases[i].n);
		scene(&s, &c, UNWIND_X86_64);
		STACK(&s, cases[i].slot, RA(0x410), 2, 3, 4, RA(0x210), 6);
		s.regs.reg[3] = cases[i].rbx;
		s.regs.reg[0] = cases[i].rax;
		CHECK_U64(walk(&s, 0x510), cases[i].frames);
		CHECK(s.end == (cases[i].frames == 3 ? UNWIND_COMPLETE : UNWIND_NO_RULE));
		unwind_image_free(s.image);
	}
}

UNIT(registers_that_no_callee_keeps_are_lost)
{
	struct scene s;
	struct cfi c;
	size_t i;

	functions(&c);
	/* CFA = rbx + 16; rcx + 16; nothing said; a register that no machine has. */
	fde(&c, 0x400, 0x100, BYTES(DW_CFA_def_cfa, 3, 16));
	fde(&c, 0x500, 0x100, BYTES(DW_CFA_def_cfa, 2, 16));
	fde(&c, 0x600, 0x100, BYTES(DW_CFA_nop));
	fde(&c, 0x700, 0x100, BYTES(DW_CFA_def_cfa_expression, 3, DW_OP_bregx, UNWIND_REGS, 0));
	scene(&s, &c, UNWIND_X86_64);
	s.regs.reg[2] = s.regs.reg[3] = SP + 16;
	STACK(&s, RA(0x410), 2, 3, RA(0x210));
	CHECK_U64(walk(&s, 0x610), 3);
	CHECK(s.end == UNWIND_COMPLETE);
	/* Functions keep rbx for who called them, but not rcx. */
	STACK(&s, RA(0x510), 2, 3, RA(0x210));
	CHECK_U64(walk(&s, 0x610), 2);
	CHECK(s.end == UNWIND_NO_RULE);
	CHECK_U64(walk(&s, 0x710), 1);
	CHECK(s.end == UNWIND_NO_RULE);
	/* Nobody knows what a function without CFI does to rbx. */
	STACK(&s, 1, 2, SP + 40, RA(0x410), 5, RA(0x210));
	s.regs.reg[6] = SP + 16;
	s.regs.reg[3] = SP + 24;
	CHECK_U64(walk(&s, 0x808), 2);
	CHECK(s.end == UNWIND_NO_RULE && s.frames[1].how == UNWIND_HOW_FP);
	/* Nor is it looked for in more than 64 callees. */
	for (i = 0; i < 64; i++)
		s.stack[i] = RA(0x610);
	s.stack[i++] = RA(0x410);
	s.stack[i++] = RA(0x210);
	s.words = i;
	s.regs.reg[3] = SP + 64 * 8;
	s.job.frames = (struct unwind_frame[67]){0};
	s.job.max = 67;
	CHECK_U64(walk(&s, 0x610), 66);
	CHECK(s.end == UNWIND_NO_RULE);
	s.job.window = (struct unwind_window){SP + 8, (const uint8_t *)(s.stack + 1), 0};
	s.regs.reg[7] = SP + 8;
	s.words--;
	CHECK_U64(walk(&s, 0x610), 66);
	CHECK(s.end == UNWIND_COMPLETE);
	unwind_image_free(s.image);
}

UNIT(a_register_is_looked_for_where_the_call_was)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	fde(&c, 0x400, 0x100, BYTES(DW_CFA_def_cfa, 3, 16));
	scene(&s, &c, UNWIND_X86_64);
	/* The function at 0 ends with a call and has saved rbx, that at 0x100 has not. */
	STACK(&s, 1, RA(0x100), SP + 48, RA(0x410), 4, 5, 6, RA(0x210));
	CHECK_U64(walk(&s, 0x10), 4);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK_U64(s.frames[2].cfa, SP + 64);
	unwind_image_free(s.image);
}

UNIT(an_expression_may_ask_where_its_frame_is_at)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	/* CFA = rsp + (rip & 15). */
	fde(&c, 0x400, 0x100,
	    BYTES(DW_CFA_def_cfa_expression, 7, DW_OP_breg7, 0, DW_OP_breg16, 0, DW_OP_lit15,
		  DW_OP_and, DW_OP_plus));
	scene(&s, &c, UNWIND_X86_64);
	STACK(&s, RA(0x210));
	CHECK_U64(walk(&s, 0x408), 2);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK_U64(s.frames[0].cfa, SP + 8);
	unwind_image_free(s.image);
}

/* Of a function with an expression, which takes its whole row, and a caller that needs rbp. */
UNIT(the_whole_row_tells_of_the_frame_pointer_too)
{
	static const struct {
		uint8_t bytes[4];
		size_t n;
		uint64_t slot, rbp;
		size_t frames;
	} cases[] = {
		/* At CFA - 16; nothing said and the same: callees keep it; nobody knows. */
		{{DW_CFA_offset | 6, 2}, 2, SP + 32, 1, 3},
		{{DW_CFA_nop}, 1, 1, SP + 32, 3},
		{{DW_CFA_same_value, 6}, 2, 1, SP + 32, 3},
		{{DW_CFA_undefined, 6}, 2, SP + 32, SP + 32, 2},
	};
	struct scene s;
	struct cfi c;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		functions(&c);
		cie(&c, "zR", 1, -8, 16,
		    BYTES(DW_CFA_def_cfa_expression, 4, DW_OP_breg7, 15, DW_OP_lit1, DW_OP_plus,
			  DW_CFA_offset | 16, 1));
		fde(&c, 0x400, 0x100, cases[i].bytes, cases[i].n);
		scene(&s, &c, UNWIND_X86_64);
		STACK(&s, cases[i].slot, RA(0x110), 2, 3, 4, RA(0x210));
		s.regs.reg[6] = cases[i].rbp;
		CHECK_U64(walk(&s, 0x410), cases[i].frames);
		CHECK(s.end == (cases[i].frames == 3 ? UNWIND_COMPLETE : UNWIND_NO_RULE));
		/* A caller without CFI needs it as well. */
		s.stack[1] = RA(0x810);
		CHECK_U64(walk(&s, 0x410), cases[i].frames);
		CHECK(s.end == (cases[i].frames == 3 ? UNWIND_COMPLETE : UNWIND_NO_RULE));
		unwind_image_free(s.image);
	}
}

UNIT(a_return_address_may_be_in_a_register)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	/* As vfork(2) keeps it: CFA = rsp, return address in rdi. */
	fde(&c, 0x400, 0x100, BYTES(DW_CFA_def_cfa_offset, 0, DW_CFA_register, 16, 5));
	scene(&s, &c, UNWIND_X86_64);
	STACK(&s, 1, RA(0x110), 2);
	s.regs.reg[5] = RA(0x20);
	s.regs.reg[6] = SP;
	CHECK_U64(walk(&s, 0x410), 3);
	CHECK_U64(s.frames[0].cfa, SP);
	CHECK_U64(s.frames[1].pc, RA(0x20));
	CHECK_U64(s.frames[2].pc, RA(0x110));
	unwind_image_free(s.image);
}

UNIT(signal_frames_lead_to_the_very_instruction)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	cie_x86_64(&c, "zRS");
	/* CFA = *(rsp + 24), return address at rsp + 32, rbp at rsp + 8. */
	fde(&c, 0x400, 0x100,
	    BYTES(DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 24, DW_OP_deref, DW_CFA_expression, 16,
		  2, DW_OP_breg7, 32, DW_CFA_expression, 6, 2, DW_OP_breg7, 8));
	scene(&s, &c, UNWIND_X86_64);
	/* The handler returns to 0x408, which no call is before; 0x100 was interrupted. */
	STACK(&s, 1, RA(0x408), 2, 3, 4, SP + 64, RA(0x100), 7, RA(0x210));
	CHECK_U64(walk(&s, 0x10), 4);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK(s.frames[1].exact && s.frames[2].exact && !s.frames[3].exact);
	CHECK_U64(s.frames[1].cfa, SP + 64);
	CHECK_U64(s.frames[2].pc, RA(0x100));
	CHECK_U64(s.frames[2].cfa, SP + 72);
	unwind_image_free(s.image);
}

UNIT(a_handler_may_have_a_stack_of_its_own)
{
	const uint64_t other[] = {RA(0x210), 8}, there[] = {SP - 0x10000, SP + 0x10000};
	struct scene s;
	struct cfi c;
	size_t i;

	functions(&c);
	cie_x86_64(&c, "zRS");
	/* As before. */
	fde(&c, 0x400, 0x100,
	    BYTES(DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 24, DW_OP_deref, DW_CFA_expression, 16,
		  2, DW_OP_breg7, 32, DW_CFA_expression, 6, 2, DW_OP_breg7, 8));
	scene(&s, &c, UNWIND_X86_64);
	for (i = 0; i < 2; i++) {
		STACK(&s, 1, RA(0x408), 2, 3, 4, there[i], RA(0x100));
		s.job.interrupted.length = 0;
		CHECK_U64(walk(&s, 0x10), 3);
		CHECK(s.end == UNWIND_WINDOW);
		s.job.interrupted =
			(struct unwind_window){there[i], (const uint8_t *)other, sizeof(other)};
		CHECK_U64(walk(&s, 0x10), 4);
		CHECK(s.end == UNWIND_COMPLETE);
		CHECK_U64(s.frames[3].pc, RA(0x210));
		/* It ends, too. */
		s.job.interrupted.length = 7;
		CHECK_U64(walk(&s, 0x10), 3);
		CHECK(s.end == UNWIND_WINDOW);
	}
	unwind_image_free(s.image);
}

UNIT(entries_of_the_plt_have_a_rule_of_their_own)
{
	struct unwind_rule r;
	struct scene s;
	struct cfi c;

	functions(&c);
	fde(&c, 0x400, 0x100,
	    BYTES(DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15,
		  DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus));
	scene(&s, &c, UNWIND_X86_64);
	CHECK(unwind_image_rule(s.image, TEXT + 0x400, &r));
	CHECK(r.cfa == UNWIND_CFA_PLT && r.cfa_add == 11 && r.cfa_offset == 8);
	STACK(&s, RA(0x210), RA(0x220));
	CHECK_U64(walk(&s, 0x41a), 2);
	CHECK_U64(s.frames[0].cfa, SP + 8);
	CHECK_U64(walk(&s, 0x41b), 2);
	CHECK_U64(s.frames[0].cfa, SP + 16);
	CHECK_U64(s.frames[1].pc, RA(0x220));
	unwind_image_free(s.image);
}

UNIT(expressions_end)
{
	struct scene s;
	struct cfi c;

	functions(&c);
	/* rsp + 8 by a detour; a loop; nothing; more than the stack of values holds. */
	fde(&c, 0x400, 0x10,
	    BYTES(DW_CFA_def_cfa_expression, 7, DW_OP_breg7, 4, DW_OP_lit2, DW_OP_lit1, DW_OP_shl,
		  DW_OP_plus, DW_OP_nop));
	fde(&c, 0x410, 0x10, BYTES(DW_CFA_def_cfa_expression, 3, DW_OP_skip, 0xfd, 0xff));
	fde(&c, 0x420, 0x10, BYTES(DW_CFA_def_cfa_expression, 0));
	fde(&c, 0x430, 0x10,
	    BYTES(DW_CFA_def_cfa_expression, 5, DW_OP_lit1, DW_OP_dup, DW_OP_skip, 0xfc, 0xff));
	fde(&c, 0x440, 0x10, BYTES(DW_CFA_def_cfa_expression, 1, DW_OP_call_frame_cfa));
	scene(&s, &c, UNWIND_X86_64);
	STACK(&s, RA(0x210));
	CHECK_U64(walk(&s, 0x400), 2);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK_U64(s.frames[0].cfa, SP + 8);
	for (uint64_t at = 0x410; at <= 0x440; at += 0x10) {
		CHECK_U64(walk(&s, at), 1);
		CHECK(s.end == UNWIND_NO_RULE);
	}
	unwind_image_free(s.image);
}

UNIT(chains_end_at_the_room_there_is)
{
	struct scene s;
	struct cfi c;
	size_t i;

	functions(&c);
	scene(&s, &c, UNWIND_X86_64);
	for (i = 0; i < 100; i += 2) {
		s.stack[i] = 0;
		s.stack[i + 1] = RA(0x10);
	}
	s.stack[101] = RA(0x210);
	s.words = 102;
	s.job.max = 10;
	CHECK_U64(walk(&s, 0x10), 10);
	CHECK(s.end == UNWIND_DEPTH);
	s.job.max = 52;
	CHECK_U64(walk(&s, 0x10), 52);
	CHECK(s.end == UNWIND_COMPLETE);
	unwind_image_free(s.image);
}

UNIT(the_cache_changes_nothing_but_time)
{
	struct unwind_cache *cache = unwind_cache_new();
	struct unwind_cache_stats stats;
	struct scene s, other;
	struct cfi c;

	functions(&c);
	scene(&s, &c, UNWIND_X86_64);
	c = (struct cfi){0};
	cie_x86_64(&c, "zR");
	fde(&c, 0, 0x300, BYTES(DW_CFA_undefined, 16));
	scene(&other, &c, UNWIND_X86_64);
	s.job.cache = other.job.cache = cache;
	STACK(&s, 1, RA(0x110), 2, 3, 0x77, RA(0x210), 9);
	s.regs.reg[6] = SP + 32;
	CHECK_U64(walk(&s, 0x10), 3);
	unwind_cache_get_stats(cache, &stats);
	CHECK_U64(stats.misses, 3);
	CHECK_U64(stats.hits, 0);
	CHECK_U64(walk(&s, 0x10), 3);
	unwind_cache_get_stats(cache, &stats);
	CHECK_U64(stats.misses, 3);
	CHECK_U64(stats.hits, 3);
	/* The same addresses of another image are other rules. */
	CHECK_U64(walk(&other, 0x10), 1);
	CHECK(other.end == UNWIND_COMPLETE);
	CHECK_U64(walk(&s, 0x10), 3);
	/* What has no rule is remembered, too. */
	s.regs.reg[6] = 0;
	CHECK_U64(walk(&s, 0x900), 1);
	unwind_cache_get_stats(cache, &stats);
	CHECK_U64(walk(&s, 0x900), 1);
	CHECK_U64(stats.misses, 5);
	unwind_image_free(s.image);
	unwind_image_free(other.image);
	unwind_cache_free(cache);
}

UNIT(calls_are_known_in_all_their_forms)
{
	static const struct {
		enum unwind_machine machine;
		bool call;
		uint8_t n, b[8];
	} t[] = {
		{UNWIND_X86_64, true, 5, {0xe8, 1, 2, 3, 4}},
		{UNWIND_X86_64, false, 5, {0xe9, 1, 2, 3, 4}},
		{UNWIND_X86_64, true, 2, {0xff, 0xd0}},
		{UNWIND_X86_64, true, 3, {0x41, 0xff, 0xd3}},
		{UNWIND_X86_64, false, 2, {0xff, 0xe0}}, /* jmp */
		{UNWIND_X86_64, true, 2, {0xff, 0x13}},
		{UNWIND_X86_64, true, 6, {0xff, 0x15, 1, 2, 3, 4}},
		{UNWIND_X86_64, true, 3, {0xff, 0x50, 8}},
		{UNWIND_X86_64, true, 6, {0xff, 0x90, 1, 2, 3, 4}},
		{UNWIND_X86_64, true, 3, {0xff, 0x14, 0xc2}},
		{UNWIND_X86_64, true, 7, {0xff, 0x14, 0xc5, 1, 2, 3, 4}},
		{UNWIND_X86_64, true, 4, {0xff, 0x54, 0xc2, 8}},
		{UNWIND_X86_64, true, 7, {0xff, 0x94, 0xc2, 1, 2, 3, 4}},
		{UNWIND_X86_64, true, 2, {0xff, 0x18}},	 /* far, from memory */
		{UNWIND_X86_64, false, 2, {0xff, 0xd8}}, /* and not from a register */
		{UNWIND_X86_64, false, 7, {0x9a, 1, 2, 3, 4, 5, 6}},
		{UNWIND_X86, true, 7, {0x9a, 1, 2, 3, 4, 5, 6}},
		{UNWIND_X86, true, 7, {0x65, 0xff, 0x15, 0x10, 0, 0, 0}},
		{UNWIND_X86_64, false, 4, {0xff, 0x90, 1, 2}},
		{UNWIND_X86_64, false, 1, {0xe8}},
		{UNWIND_X86_64, false, 0, {0}},
		{UNWIND_ARM64, true, 4, {0, 0, 0, 0x94}},	 /* bl */
		{UNWIND_ARM64, false, 4, {0, 0, 0, 0x14}},	 /* b */
		{UNWIND_ARM64, true, 4, {0, 0, 0x3f, 0xd6}},	 /* blr x0 */
		{UNWIND_ARM64, false, 4, {0, 0, 0x1f, 0xd6}},	 /* br x0 */
		{UNWIND_ARM64, true, 4, {0x41, 8, 0x3f, 0xd7}},	 /* blraa x2, x1 */
		{UNWIND_ARM64, true, 4, {0x5f, 8, 0x3f, 0xd6}},	 /* blraaz x2 */
		{UNWIND_ARM64, true, 4, {0x5f, 12, 0x3f, 0xd6}}, /* blrabz x2 */
		{UNWIND_ARM64, false, 3, {0, 0, 0x94}},
	};
	size_t i;

	for (i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		if (unwindint_is_call(t[i].machine, t[i].b, t[i].n) != t[i].call) {
			printf("# form %zu\n", i);
			CHECK(false);
		}
}

UNIT(files_are_opened_by_descriptor_and_say_where_they_are_mapped)
{
	char path[] = "/tmp/test_unwind.XXXXXX";
	const struct unwind_segment *segment;
	struct unwind_elf elf;
	struct unwind_image *image;
	struct err err = {0};
	uint8_t text[8], *bytes;
	uint64_t bias;
	size_t n;
	int fd = mkstemp(path);

	unlink(path);
	unwind_elf_init(&elf, UNWIND_X86_64);
	elf.text = text_of(UNWIND_X86_64);
	elf.text_length = 0x1000;
	bytes = unwind_elf_bytes(&elf, &n);
	CHECK(write(fd, bytes, n) == (ssize_t)n);
	free(bytes);
	image = unwind_image_open("file", fd, &err);
	close(fd);
	CHECK(image);
	CHECK(unwind_image_machine(image) == UNWIND_X86_64);
	segment = unwind_image_segments(image, &n);
	CHECK_U64(n, 1);
	CHECK(segment->offset == TEXT && segment->vaddr == TEXT);
	CHECK(!unwind_image_bias(image, 0x7000, TEXT, &bias));
	CHECK_U64(bias, 0x7000 - TEXT);
	CHECK(unwind_image_bias(image, 0x7000, UNWIND_ELF_CFI, &bias) == -1);
	/* Mappings begin at pages, which may be before the segment. */
	CHECK(!unwind_image_bias(image, 0x7000, 0, &bias));
	CHECK_U64(bias, 0x7000);
	CHECK_U64(unwind_image_text(image, TEXT + 11, text, 8), 8);
	CHECK_U64(text[0], 0xe8);
	CHECK_U64(unwind_image_text(image, UNWIND_ELF_CFI - 3, text, 8), 3);
	CHECK_U64(unwind_image_text(image, UNWIND_ELF_CFI, text, 8), 0);
	unwind_image_free(image);
}

UNIT(what_is_no_program_is_refused)
{
	struct unwind_elf elf;
	struct err err = {0};
	uint8_t *bytes;
	size_t n, k;
	int fd = open("/", O_RDONLY | O_DIRECTORY);

	CHECK(!unwind_image_open("dir", fd, &err));
	CHECK_STR(err.msg, "dir: no regular file");
	CHECK_U64(err.code, EX_DATAERR);
	close(fd);
	CHECK(!unwind_image_of_memory("empty", NULL, 0, &err));
	CHECK_STR(err.msg, "empty: no ELF file");
	unwind_elf_init(&elf, UNWIND_X86_64);
	bytes = unwind_elf_bytes(&elf, &n);
	CHECK(!unwind_image_of_memory("cut", bytes, 40, &err));
	CHECK_STR(err.msg, "cut: the file ends within its ELF header");
	CHECK(!unwind_image_of_memory("cut", bytes, 70, &err));
	CHECK_STR(err.msg, "cut: program header 0 of 2 is behind the end of the file");
	bytes[18] = 3;
	CHECK(!unwind_image_of_memory("other", bytes, n, &err));
	CHECK_STR(err.msg, "other: no program or library of x86-64, x86 or arm64");
	bytes[18] = 62;
	/* Cut anywhere else it is an image with less. */
	for (k = 64 + 2 * 56; k < n; k += 37) {
		struct unwind_image *image = unwind_image_of_memory("cut", bytes, k, &err);

		CHECK(image);
		unwind_image_cfi(image);
		unwind_image_free(image);
	}
	free(bytes);
}

UNIT_MAIN(UNIT_ENTRY(chains_go_from_frame_to_frame_to_the_outermost),
	  UNIT_ENTRY(a_return_address_belongs_to_the_call_before_it),
	  UNIT_ENTRY(the_window_ends_chains_with_the_cfa_that_was_found),
	  UNIT_ENTRY(what_is_outside_of_the_window_may_be_stack_or_cannot_be),
	  UNIT_ENTRY(what_follows_no_call_is_no_caller),
	  UNIT_ENTRY(a_popped_frame_pointer_is_the_callers),
	  UNIT_ENTRY(code_without_cfi_goes_by_frame_pointer_and_says_so),
	  UNIT_ENTRY(compiled_code_that_returns_at_once_needs_no_frame_pointer),
	  UNIT_ENTRY(callers_in_code_that_cannot_be_read_are_marked),
	  UNIT_ENTRY(other_registers_are_found_where_callees_saved_them),
	  UNIT_ENTRY(each_rule_of_a_callee_says_where_a_register_is),
	  UNIT_ENTRY(registers_that_no_callee_keeps_are_lost),
	  UNIT_ENTRY(a_register_is_looked_for_where_the_call_was),
	  UNIT_ENTRY(an_expression_may_ask_where_its_frame_is_at),
	  UNIT_ENTRY(the_whole_row_tells_of_the_frame_pointer_too),
	  UNIT_ENTRY(a_return_address_may_be_in_a_register),
	  UNIT_ENTRY(signal_frames_lead_to_the_very_instruction),
	  UNIT_ENTRY(a_handler_may_have_a_stack_of_its_own),
	  UNIT_ENTRY(entries_of_the_plt_have_a_rule_of_their_own), UNIT_ENTRY(expressions_end),
	  UNIT_ENTRY(chains_end_at_the_room_there_is),
	  UNIT_ENTRY(the_cache_changes_nothing_but_time),
	  UNIT_ENTRY(calls_are_known_in_all_their_forms),
	  UNIT_ENTRY(files_are_opened_by_descriptor_and_say_where_they_are_mapped),
	  UNIT_ENTRY(what_is_no_program_is_refused))
