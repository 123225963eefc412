// SPDX-License-Identifier: BSD-2-Clause
/* Chains of arm64 by hand-made CFI: what is in the link register, and what has no CFI there. */
#include "unwind_scene.h"

UNIT(leaves_of_arm64_return_by_the_link_register)
{
	struct scene s;
	struct cfi c = {0};

	cie_arm64(&c);
	fde(&c, 0, 0x100, BYTES(DW_CFA_nop));
	/* stp x29, x30, [sp, -32]! with a signed return address */
	fde(&c, 0x100, 0x100,
	    BYTES(DW_CFA_advance_loc | 1, DW_CFA_AARCH64_negate_ra_state, DW_CFA_advance_loc | 1,
		  DW_CFA_def_cfa_offset, 32, DW_CFA_offset | 29, 4, DW_CFA_offset | 30, 3));
	fde(&c, 0x200, 0x100, BYTES(DW_CFA_undefined, 30));
	scene(&s, &c, UNWIND_ARM64);
	s.regs.pac_mask = UNWIND_PAC_48;
	s.regs.reg[30] = RA(0x110);
	STACK(&s, 0, RA(0x210) | UINT64_C(0x2a) << 48, 0, 0);
	CHECK_U64(walk(&s, 0x10), 3);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK(s.frames[1].link && !s.frames[2].link);
	CHECK_U64(s.frames[0].cfa, SP);
	CHECK_U64(s.frames[1].cfa, SP + 32);
	CHECK_U64(s.frames[2].pc, RA(0x210));
	/* Registers alone give that caller. */
	s.words = 0;
	CHECK_U64(walk(&s, 0x10), 2);
	CHECK(s.end == UNWIND_WINDOW && s.frames[1].link);
	/* Only one frame can have its caller there. */
	s.regs.reg[30] = RA(0x20);
	CHECK_U64(walk(&s, 0x10), 2);
	CHECK(s.end == UNWIND_NO_RULE);
	unwind_image_free(s.image);
}

/* An image of arm64 with the CFI, and a few instructions at 0x800 of its text. */
static void scene_with_code(struct scene *s, const struct cfi *c, const uint32_t *code, size_t n)
{
	uint8_t text[0x1000];
	struct unwind_elf elf;

	scene(s, c, UNWIND_ARM64);
	unwind_image_free(s->image);
	unwind_elf_init(&elf, UNWIND_ARM64);
	memcpy(text, text_of(UNWIND_ARM64), sizeof(text));
	memcpy(text + 0x800, code, n * sizeof(*code));
	elf.text = text;
	elf.text_length = sizeof(text);
	elf.cfi = c->b;
	elf.cfi_length = c->n;
	s->image = unwind_elf_image(&elf);
}

UNIT(stubs_of_the_plt_of_arm64_have_their_caller_in_the_link_register)
{
	/*
	 * stp x16, x30, [sp, -16]!; adrp x16, .; ldr x17, [x16, 8]; add x16, x16, 8; br x17; nop;
	 * bti c; adrp x16, .; ldr x17, [x16, 8]; add x16, x16, 8; br x17
	 */
	static const uint32_t stubs[] = {0xa9bf7bf0, 0x90000010, 0xf9400611, 0x91002210,
					 0xd61f0220, 0xd503201f, 0xd503245f, 0x90000010,
					 0xf9400611, 0x91002210, 0xd61f0220};
	uint32_t code[11];
	struct scene s;
	struct cfi c = {0};
	size_t i;

	cie_arm64(&c);
	fde(&c, 0x200, 0x100, BYTES(DW_CFA_undefined, 30));
	scene_with_code(&s, &c, stubs, 11);
	s.regs.reg[30] = RA(0x210);
	s.regs.reg[29] = 1;
	for (i = 0; i < 11; i++) {
		CHECK_U64(walk(&s, 0x800 + i * 4), 2);
		CHECK(s.end == UNWIND_COMPLETE);
		CHECK(s.frames[1].link);
		CHECK_U64(s.frames[1].pc, RA(0x210));
		CHECK_U64(s.frames[0].cfa, i >= 1 && i <= 4 ? SP + 16 : SP);
	}
	unwind_image_free(s.image);
	/* Another instruction than those, in the place of each. */
	for (i = 6; i < 11; i++) {
		memcpy(code, stubs, sizeof(code));
		code[i] ^= 1;
		scene_with_code(&s, &c, code, 11);
		s.regs.reg[30] = RA(0x210);
		s.regs.reg[29] = 1;
		CHECK_U64(walk(&s, 0x818), 1);
		CHECK(s.end == UNWIND_NO_RULE);
		unwind_image_free(s.image);
	}
}

UNIT(the_resolver_of_arm64_returns_to_who_called_the_stub)
{
	struct scene s;
	struct cfi c = {0};

	cie_arm64(&c);
	/* As that of glibc: all that it pushes is in its CFA, but not what the stub did. */
	fde(&c, 0x100, 0x100,
	    BYTES(DW_CFA_def_cfa_offset, 16, DW_CFA_offset_extended_sf, 30, 0x7f));
	fde(&c, 0x300, 0x100, BYTES(DW_CFA_def_cfa_offset, 32, DW_CFA_offset | 30, 4));
	fde(&c, 0x200, 0x100, BYTES(DW_CFA_undefined, 30));
	scene(&s, &c, UNWIND_ARM64);
	STACK(&s, 0, 0, 0, RA(0x310), RA(0x210), 0, 0, 0);
	CHECK_U64(walk(&s, 0x110), 3);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK_U64(s.frames[0].cfa, SP + 32);
	CHECK_U64(s.frames[1].cfa, SP + 64);
	CHECK_U64(s.frames[2].pc, RA(0x210));
	unwind_image_free(s.image);
}

UNIT(goroutines_of_arm64_begin_behind_the_first_instruction_of_goexit)
{
	struct scene s;
	struct cfi c = {0};

	cie_arm64(&c);
	fde(&c, 0x100, 0x100, BYTES(DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 30, 2));
	scene(&s, &c, UNWIND_ARM64);
	STACK(&s, RA(GOEXIT_ARM64), 0);
	CHECK_U64(walk(&s, 0x110), 2);
	CHECK(s.end == UNWIND_COMPLETE && s.frames[1].exact);
	STACK(&s, RA(GOEXIT_ARM64 - 4), 0);
	CHECK_U64(walk(&s, 0x110), 1);
	CHECK(s.end == UNWIND_BAD_RETURN);
	unwind_image_free(s.image);
}

UNIT(no_return_address_is_outside_of_the_executable_segments_of_an_image)
{
	struct scene s;
	struct cfi c = {0};

	cie_arm64(&c);
	fde(&c, 0x100, 0x100, BYTES(DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 30, 2));
	scene(&s, &c, UNWIND_ARM64);
	/* Mapped executable, before data took the place. */
	STACK(&s, RA(0x2010), 0);
	CHECK_U64(walk(&s, 0x110), 1);
	CHECK(s.end == UNWIND_BAD_RETURN);
	unwind_image_free(s.image);
}

UNIT(behind_code_with_a_frame_record_alone_the_callers_record_says_where_its_frame_is)
{
	struct scene s;
	struct cfi c = {0};

	cie_arm64(&c);
	/* A frame of 64 bytes, the record at its lower end. */
	fde(&c, 0x100, 0x100,
	    BYTES(DW_CFA_def_cfa_offset, 64, DW_CFA_offset | 29, 8, DW_CFA_offset | 30, 7));
	/* One without a record. */
	fde(&c, 0x300, 0x100, BYTES(DW_CFA_def_cfa_offset, 32, DW_CFA_offset | 30, 4));
	fde(&c, 0x200, 0x100, BYTES(DW_CFA_undefined, 30));
	scene(&s, &c, UNWIND_ARM64);
	s.code = UNWIND_CODE_JIT;
	/* Code made at run time has a frame of 32 bytes, with its record at the lower end too. */
	s.regs.reg[29] = SP;
	STACK(&s, SP + 32, RA(0x110), 0, 0, SP + 96, RA(0x210), 0, 0);
	CHECK_U64(walk(&s, 0x9000010 - RA(0)), 3);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK(s.frames[1].how == UNWIND_HOW_FP && s.frames[2].how == UNWIND_HOW_CFI);
	CHECK_U64(s.frames[0].cfa, SP + 32);
	CHECK_U64(s.frames[1].cfa, SP + 96);
	CHECK_U64(s.frames[2].pc, RA(0x210));
	/* One below what is known of the stack tells nothing: the frame ends behind its own. */
	STACK(&s, SP - 32, RA(0x110), 0, RA(0x210));
	CHECK_U64(walk(&s, 0x9000010 - RA(0)), 3);
	CHECK_U64(s.frames[0].cfa, SP + 16);
	/* And so does none. */
	STACK(&s, SP + 32, RA(0x310), RA(0x210));
	CHECK_U64(walk(&s, 0x9000010 - RA(0)), 3);
	CHECK_U64(s.frames[1].cfa, SP + 48);
	unwind_image_free(s.image);
}

UNIT(signal_trampolines_without_cfi_are_known_by_their_code)
{
	/* nop, nop, mov x8, 139; svc 0 */
	static const uint32_t code[] = {0xd503201f, 0xd503201f, 0xd2801168, 0xd4000001};
	struct scene s;
	struct cfi c = {0};

	cie_arm64(&c);
	fde(&c, 0, 0x100, BYTES(DW_CFA_nop));
	fde(&c, 0x200, 0x100, BYTES(DW_CFA_undefined, 30));
	scene_with_code(&s, &c, code, 4);
	/* The handler returns there; x30, sp and pc of what it interrupted. */
	s.regs.reg[30] = RA(0x808);
	s.words = 80;
	s.stack[552 / 8] = RA(0x210);
	s.stack[560 / 8] = SP + 640;
	s.stack[568 / 8] = RA(0x14);
	CHECK_U64(walk(&s, 0x10), 4);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK(s.frames[1].exact && s.frames[2].exact && s.frames[3].link);
	CHECK_U64(s.frames[2].pc, RA(0x14));
	CHECK_U64(s.frames[1].cfa, SP + 640);
	unwind_image_free(s.image);
}

UNIT(the_link_register_is_what_was_sampled_and_no_address_of_a_frame)
{
	struct scene s;
	struct cfi c = {0};

	cie_arm64(&c);
	/* CFA = x30, return address at CFA - 8. */
	fde(&c, 0, 0x100,
	    BYTES(DW_CFA_def_cfa_expression, 2, DW_OP_breg30, 0, DW_CFA_offset | 30, 1));
	fde(&c, 0x200, 0x100, BYTES(DW_CFA_undefined, 30));
	scene(&s, &c, UNWIND_ARM64);
	STACK(&s, 1, RA(0x210));
	s.regs.reg[30] = SP + 16;
	CHECK_U64(walk(&s, 0x10), 2);
	CHECK(s.end == UNWIND_COMPLETE);
	CHECK_U64(s.frames[0].cfa, SP + 16);
	unwind_image_free(s.image);
}

UNIT_MAIN(UNIT_ENTRY(leaves_of_arm64_return_by_the_link_register),
	  UNIT_ENTRY(stubs_of_the_plt_of_arm64_have_their_caller_in_the_link_register),
	  UNIT_ENTRY(the_resolver_of_arm64_returns_to_who_called_the_stub),
	  UNIT_ENTRY(goroutines_of_arm64_begin_behind_the_first_instruction_of_goexit),
	  UNIT_ENTRY(no_return_address_is_outside_of_the_executable_segments_of_an_image),
	  UNIT_ENTRY(
		  behind_code_with_a_frame_record_alone_the_callers_record_says_where_its_frame_is),
	  UNIT_ENTRY(signal_trampolines_without_cfi_are_known_by_their_code),
	  UNIT_ENTRY(the_link_register_is_what_was_sampled_and_no_address_of_a_frame))
