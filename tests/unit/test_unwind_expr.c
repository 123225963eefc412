// SPDX-License-Identifier: BSD-2-Clause
/* Every operator of DWARF expressions, by hand-made ones with known values. */
#include "unwind_scene.h"

enum { MEMORY = 0x1000 };

static const uint8_t memory[] = {0x01, 0x82, 3, 4, 5, 6, 7, 0x88};

/* Registers are ten times their numbers; there are 32. */
static bool reg(void *arg, uint64_t number, uint64_t *value)
{
	(void)arg;
	*value = number * 10;
	return number < 32;
}

static bool word(void *arg, uint64_t address, unsigned int size, uint64_t *value)
{
	(void)arg;
	if (address < MEMORY || address - MEMORY + size > sizeof(memory))
		return false;
	*value = 0;
	memcpy(value, memory + (address - MEMORY), size);
	return true;
}

static bool of(enum unwind_machine machine, struct dwarf_bytes expr, bool pushed, uint64_t *value)
{
	const struct unwindint_machine_state state = {unwindint_machine(machine), reg, word, NULL};

	return unwindint_expr(&state, expr, pushed, value);
}

#define EXPR(...)                                             \
	((struct dwarf_bytes){(const uint8_t[]){__VA_ARGS__}, \
			      sizeof((const uint8_t[]){__VA_ARGS__})})

#define CHECK_IS(machine, expected, ...)                           \
	do {                                                       \
		uint64_t is = 0;                                   \
		CHECK(of(machine, EXPR(__VA_ARGS__), false, &is)); \
		CHECK_U64(is, expected);                           \
	} while (0)

#define CHECK_BAD(...)                                                    \
	do {                                                              \
		uint64_t is = 0;                                          \
		CHECK(!of(UNWIND_X86_64, EXPR(__VA_ARGS__), false, &is)); \
	} while (0)

#define IS(expected, ...) CHECK_IS(UNWIND_X86_64, expected, __VA_ARGS__)

UNIT(constants_are_of_their_size_and_sign)
{
	IS(0, DW_OP_lit0);
	IS(31, DW_OP_lit31);
	IS(0x8877665544332211, DW_OP_addr, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88);
	IS(0xfe, DW_OP_const1u, 0xfe);
	IS((uint64_t)-2, DW_OP_const1s, 0xfe);
	IS(0xfffe, DW_OP_const2u, 0xfe, 0xff);
	IS((uint64_t)-2, DW_OP_const2s, 0xfe, 0xff);
	IS(0xfffffffe, DW_OP_const4u, 0xfe, 0xff, 0xff, 0xff);
	IS((uint64_t)-2, DW_OP_const4s, 0xfe, 0xff, 0xff, 0xff);
	IS(0x8000000000000001, DW_OP_const8u, 1, 0, 0, 0, 0, 0, 0, 0x80);
	IS(0x8000000000000001, DW_OP_const8s, 1, 0, 0, 0, 0, 0, 0, 0x80);
	IS(0x80, DW_OP_constu, 0x80, 1);
	IS((uint64_t)-128, DW_OP_consts, 0x80, 0x7f);
	CHECK_BAD(DW_OP_const4u, 1, 2, 3);
}

UNIT(two_values_become_one)
{
	IS(8, DW_OP_lit12, DW_OP_lit10, DW_OP_and);
	IS(14, DW_OP_lit12, DW_OP_lit10, DW_OP_or);
	IS(6, DW_OP_lit12, DW_OP_lit10, DW_OP_xor);
	IS(22, DW_OP_lit12, DW_OP_lit10, DW_OP_plus);
	IS(2, DW_OP_lit12, DW_OP_lit10, DW_OP_minus);
	IS(120, DW_OP_lit12, DW_OP_lit10, DW_OP_mul);
	IS(48, DW_OP_lit12, DW_OP_lit2, DW_OP_shl);
	IS(3, DW_OP_lit12, DW_OP_lit2, DW_OP_shr);
	IS((uint64_t)-2, DW_OP_const1s, 0xf8, DW_OP_lit2, DW_OP_shra);
	/* By all bits and more nothing is left, but the sign. */
	IS(0, DW_OP_lit12, DW_OP_const1u, 64, DW_OP_shl);
	IS(0, DW_OP_lit12, DW_OP_const1u, 64, DW_OP_shr);
	IS(UINT64_MAX, DW_OP_const1s, 0xf8, DW_OP_const1u, 64, DW_OP_shra);
	IS(0, DW_OP_lit12, DW_OP_const1u, 64, DW_OP_shra);
	CHECK_BAD(DW_OP_lit1, DW_OP_plus);
	CHECK_BAD(DW_OP_plus);
}

UNIT(comparisons_are_of_signed_numbers)
{
	static const struct {
		uint8_t op;
		bool less, equal, more;
	} cases[] = {
		{DW_OP_eq, false, true, false}, {DW_OP_ne, true, false, true},
		{DW_OP_ge, false, true, true},	{DW_OP_gt, false, false, true},
		{DW_OP_le, true, true, false},	{DW_OP_lt, true, false, false},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		IS(cases[i].less, DW_OP_const1s, 0xff, DW_OP_lit1, cases[i].op);
		IS(cases[i].equal, DW_OP_lit1, DW_OP_lit1, cases[i].op);
		IS(cases[i].more, DW_OP_lit1, DW_OP_const1s, 0xff, cases[i].op);
	}
}

UNIT(values_are_moved)
{
	IS(49, DW_OP_lit7, DW_OP_dup, DW_OP_mul);
	IS(6, DW_OP_lit7, DW_OP_lit1, DW_OP_over, DW_OP_swap, DW_OP_minus, DW_OP_swap, DW_OP_drop);
	IS(9, DW_OP_lit9, DW_OP_lit8, DW_OP_lit7, DW_OP_pick, 2);
	IS(1, DW_OP_lit8, DW_OP_lit7, DW_OP_swap, DW_OP_minus, DW_OP_neg);
	/* 1 2 3 becomes 3 1 2. */
	IS(2, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot);
	IS(1, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot, DW_OP_drop);
	IS(3, DW_OP_lit1, DW_OP_lit2, DW_OP_lit3, DW_OP_rot, DW_OP_drop, DW_OP_drop);
	IS((uint64_t)-7, DW_OP_lit7, DW_OP_neg);
	IS(~UINT64_C(7), DW_OP_lit7, DW_OP_not);
	IS(135, DW_OP_lit7, DW_OP_plus_uconst, 0x80, 1);
	IS(7, DW_OP_lit7, DW_OP_nop);
	CHECK_BAD(DW_OP_drop);
	CHECK_BAD(DW_OP_lit7, DW_OP_over);
	CHECK_BAD(DW_OP_lit7, DW_OP_lit7, DW_OP_rot);
}

UNIT(registers_and_memory_are_read)
{
	IS(8, DW_OP_breg0, 8);
	IS(28, DW_OP_breg0 + 3, 0x7e);
	IS(32, DW_OP_bregx, 3, 2);
	IS(0x8807060504038201, DW_OP_const2u, 0, 0x10, DW_OP_deref);
	IS(0x01, DW_OP_const2u, 0, 0x10, DW_OP_deref_size, 1);
	IS(0x8201, DW_OP_const2u, 0, 0x10, DW_OP_deref_size, 2);
	IS(0x04038201, DW_OP_const2u, 0, 0x10, DW_OP_deref_size, 4);
	IS(0x8807060504038201, DW_OP_const2u, 0, 0x10, DW_OP_deref_size, 8);
	CHECK_BAD(DW_OP_const2u, 0, 0x10, DW_OP_deref_size, 0);
	CHECK_BAD(DW_OP_const2u, 0, 0x10, DW_OP_deref_size, 3);
	CHECK_BAD(DW_OP_const2u, 0, 0x10, DW_OP_deref_size, 16);
	CHECK_BAD(DW_OP_const2u, 1, 0x10, DW_OP_deref);
	IS(310, DW_OP_breg31, 0);
	CHECK_BAD(DW_OP_bregx, 32, 0);
}

UNIT(jumps_stay_within)
{
	uint64_t value = 0;

	IS(1, DW_OP_lit1, DW_OP_skip, 1, 0, DW_OP_lit2);
	/* To the very end, and to the very beginning until the value is above 5. */
	IS(1, DW_OP_lit1, DW_OP_skip, 0, 0);
	CHECK(of(UNWIND_X86_64,
		 EXPR(DW_OP_plus_uconst, 1, DW_OP_dup, DW_OP_lit5, DW_OP_gt, DW_OP_bra, 3, 0,
		      DW_OP_skip, 0xf5, 0xff),
		 true, &value));
	CHECK_U64(value, 6);
	IS(2, DW_OP_lit2, DW_OP_lit0, DW_OP_bra, 1, 0, DW_OP_nop);
	IS(3, DW_OP_lit3, DW_OP_lit1, DW_OP_bra, 1, 0, DW_OP_drop);
	CHECK_BAD(DW_OP_lit1, DW_OP_skip, 1, 0);
	CHECK_BAD(DW_OP_lit1, DW_OP_skip, 0xfb, 0xff);
	CHECK_BAD(DW_OP_lit1, DW_OP_skip, 0xfc, 0xff);
}

UNIT(numbers_of_x86_have_32_bits)
{
	CHECK_IS(UNWIND_X86, 0x44332211, DW_OP_addr, 0x11, 0x22, 0x33, 0x44);
	CHECK_IS(UNWIND_X86, UINT32_MAX, DW_OP_lit0, DW_OP_not);
	CHECK_IS(UNWIND_X86, 0x04038201, DW_OP_const2u, 0, 0x10, DW_OP_deref);
	CHECK_IS(UNWIND_X86, 0, DW_OP_lit12, DW_OP_const1u, 32, DW_OP_shl);
	CHECK_IS(UNWIND_X86, 0xfffffffe, DW_OP_const4u, 0xf8, 0xff, 0xff, 0xff, DW_OP_lit2,
		 DW_OP_shra);
	CHECK_IS(UNWIND_X86, true, DW_OP_const4u, 0xf8, 0xff, 0xff, 0xff, DW_OP_lit2, DW_OP_lt);
	CHECK_IS(UNWIND_X86, false, DW_OP_lit2, DW_OP_const4u, 0xf8, 0xff, 0xff, 0xff, DW_OP_lt);
}

UNIT(what_is_no_operator_or_has_no_end_is_bad)
{
	uint8_t many[513];
	uint64_t value = 5;

	CHECK_BAD(DW_OP_call_frame_cfa);
	CHECK_BAD(DW_OP_lit1, 0);
	CHECK(of(UNWIND_X86_64, (struct dwarf_bytes){NULL, 0}, true, &value));
	CHECK_U64(value, 5);
	CHECK(!of(UNWIND_X86_64, (struct dwarf_bytes){NULL, 0}, false, &value));
	/* 32 values, 512 operators. */
	memset(many, DW_OP_lit1, sizeof(many));
	CHECK(of(UNWIND_X86_64, (struct dwarf_bytes){many, 32}, false, &value));
	CHECK(!of(UNWIND_X86_64, (struct dwarf_bytes){many, 33}, false, &value));
	memset(many, DW_OP_nop, sizeof(many));
	CHECK(of(UNWIND_X86_64, (struct dwarf_bytes){many, 512}, true, &value));
	CHECK(!of(UNWIND_X86_64, (struct dwarf_bytes){many, 513}, true, &value));
}

UNIT_MAIN(UNIT_ENTRY(constants_are_of_their_size_and_sign), UNIT_ENTRY(two_values_become_one),
	  UNIT_ENTRY(comparisons_are_of_signed_numbers), UNIT_ENTRY(values_are_moved),
	  UNIT_ENTRY(registers_and_memory_are_read), UNIT_ENTRY(jumps_stay_within),
	  UNIT_ENTRY(numbers_of_x86_have_32_bits),
	  UNIT_ENTRY(what_is_no_operator_or_has_no_end_is_bad))
