// SPDX-License-Identifier: BSD-2-Clause
/* Chains of programs that make stacks: where those begin, and from one to another. */
#include "unwind_scene.h"

/* One that has pushed a register; what is from 0x200 on has no CFI. */
static void pushes(struct cfi *c)
{
	*c = (struct cfi){0};
	cie_x86_64(c, "zR");
	fde(c, 0, 0x100, BYTES(DW_CFA_def_cfa_offset, 16));
}

UNIT(contexts_and_goroutines_begin_where_nobody_called)
{
	static const unsigned int begins[] = {CONTEXT, GOEXIT_X86_64};
	struct scene s;
	struct cfi c;
	size_t i;

	pushes(&c);
	/* As if it were a function that returns to somewhere. */
	fde(&c, 0xe00, 0x100, BYTES(DW_CFA_nop));
	scene(&s, &c, UNWIND_X86_64);
	for (i = 0; i < sizeof(begins) / sizeof(begins[0]); i++) {
		STACK(&s, 1, RA(begins[i]), RA(0x110), 3);
		CHECK_U64(walk(&s, 0x10), 2);
		CHECK(s.end == UNWIND_COMPLETE && s.frames[1].exact);
		CHECK_U64(s.frames[1].pc, RA(begins[i]));
		/* Beside it, it is no return address. */
		STACK(&s, 1, RA(begins[i] + 1), RA(0x110), 3);
		CHECK_U64(walk(&s, 0x10), 1);
		CHECK(s.end == UNWIND_BAD_RETURN);
	}
	unwind_image_free(s.image);
}

UNIT(frame_pointers_that_lead_to_another_stack_were_followed_by_the_kernel)
{
	const uint64_t followed[] = {RA(0x808), RA(0x910), RA(0xa10), RA(GOEXIT_X86_64), RA(0xb10)};
	struct scene s;
	struct cfi c;

	pushes(&c);
	scene(&s, &c, UNWIND_X86_64);
	/* The caller's frame pointer is in a stack that the window has not. */
	STACK(&s, 1, 2, SP + (1 << 20), RA(0x910));
	s.regs.reg[6] = SP + 16;
	CHECK_U64(walk(&s, 0x808), 2);
	CHECK(s.end == UNWIND_WINDOW);
	s.job.followed = followed;
	s.job.nfollowed = 5;
	CHECK_U64(walk(&s, 0x808), 4);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK_U64(s.frames[3].pc, RA(GOEXIT_X86_64));
	CHECK(s.frames[2].how == UNWIND_HOW_FP && s.frames[3].how == UNWIND_HOW_FP);
	/* It may be one further down, but not where this one has been. */
	s.stack[2] = SP - (1 << 20);
	CHECK_U64(walk(&s, 0x808), 4);
	s.stack[2] = SP - 64;
	CHECK_U64(walk(&s, 0x808), 2);
	CHECK(s.end == UNWIND_NO_RULE);
	/* Less than that was found, and what follows no call is no caller. */
	s.stack[2] = SP - (1 << 20);
	s.job.nfollowed = 3;
	CHECK_U64(walk(&s, 0x808), 3);
	CHECK(s.end == UNWIND_NO_RULE);
	s.job.followed = (const uint64_t[]){RA(0x808), RA(0x910), RA(0xa13)};
	CHECK_U64(walk(&s, 0x808), 2);
	CHECK(s.end == UNWIND_NO_RULE);
	/* Who found other frames found nothing of this. */
	s.job.followed = (const uint64_t[]){RA(0x808), RA(0xa10), RA(0x910)};
	CHECK_U64(walk(&s, 0x808), 2);
	unwind_image_free(s.image);
}

UNIT_MAIN(UNIT_ENTRY(contexts_and_goroutines_begin_where_nobody_called),
	  UNIT_ENTRY(frame_pointers_that_lead_to_another_stack_were_followed_by_the_kernel))
