// SPDX-License-Identifier: BSD-2-Clause
/* DWARF expressions over registers and memory: a bounded stack, bounded steps. */
#include "base/dwarf_constants.h"
#include "unwind/unwind_int.h"

enum { STACK = 32, STEPS = 512 };

struct machine {
	const struct unwindint_machine_state *state;
	struct dwarf_cursor c;
	const uint8_t *begin;
	uint64_t v[STACK];
	unsigned int n;
	bool bad;
};

static void push(struct machine *m, uint64_t value)
{
	if (m->n < STACK)
		m->v[m->n++] = value;
	else
		m->bad = true;
}

static uint64_t pop(struct machine *m)
{
	if (m->n)
		return m->v[--m->n];
	m->bad = true;
	return 0;
}

/* The value that is depth values below the top. */
static uint64_t peek(struct machine *m, unsigned int depth)
{
	if (depth < m->n)
		return m->v[m->n - 1 - depth];
	m->bad = true;
	return 0;
}

static void push_reg(struct machine *m, uint64_t reg, int64_t offset)
{
	uint64_t value = 0;

	if (!m->state->reg(m->state->arg, reg, &value))
		m->bad = true;
	push(m, value + (uint64_t)offset);
}

static void deref(struct machine *m, unsigned int size)
{
	uint64_t value = 0;

	if (!size || size > 8 || size & (size - 1) ||
	    !m->state->word(m->state->arg, pop(m), size, &value))
		m->bad = true;
	push(m, value);
}

/* Goes on at a distance from here. */
static void jump(struct machine *m, int16_t by)
{
	ptrdiff_t to = m->c.p - m->begin + by;

	if (to < 0 || to > m->c.end - m->begin)
		m->bad = true;
	else
		m->c.p = m->begin + to;
}

/* Constants.  False: op is none. */
static bool run_const(struct machine *m, uint8_t op)
{
	struct dwarf_cursor *c = &m->c;

	if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
		push(m, op - DW_OP_lit0);
		return true;
	}
	switch (op) {
	case DW_OP_addr: push(m, dwarf_sized(c, m->state->m->word)); return true;
	case DW_OP_const1u: push(m, dwarf_u8(c)); return true;
	case DW_OP_const1s: push(m, (uint64_t)(int8_t)dwarf_u8(c)); return true;
	case DW_OP_const2u: push(m, dwarf_u16(c)); return true;
	case DW_OP_const2s: push(m, (uint64_t)(int16_t)dwarf_u16(c)); return true;
	case DW_OP_const4u: push(m, dwarf_u32(c)); return true;
	case DW_OP_const4s: push(m, (uint64_t)(int32_t)dwarf_u32(c)); return true;
	case DW_OP_const8u:
	case DW_OP_const8s: push(m, dwarf_u64(c)); return true;
	case DW_OP_constu: push(m, dwarf_uleb(c)); return true;
	case DW_OP_consts: push(m, (uint64_t)dwarf_sleb(c)); return true;
	}
	return false;
}

/* Two values become one.  False: op is none of these. */
static bool run_two(struct machine *m, uint8_t op)
{
	uint64_t b = peek(m, 0), a = m->n > 1 ? peek(m, 1) : 0, v;
	uint64_t bits = 8 * m->state->m->word, sign = UINT64_C(1) << (bits - 1);
	/* Comparisons are of signed numbers. */
	int64_t sa = (int64_t)((a ^ sign) - sign), sb = (int64_t)((b ^ sign) - sign);

	switch (op) {
	case DW_OP_and: v = a & b; break;
	case DW_OP_or: v = a | b; break;
	case DW_OP_xor: v = a ^ b; break;
	case DW_OP_plus: v = a + b; break;
	case DW_OP_minus: v = a - b; break;
	case DW_OP_mul: v = a * b; break;
	case DW_OP_shl: v = b < bits ? a << b : 0; break;
	case DW_OP_shr: v = b < bits ? a >> b : 0; break;
	case DW_OP_shra: v = (uint64_t)(sa >> (b < bits ? b : bits - 1)); break;
	case DW_OP_eq: v = a == b; break;
	case DW_OP_ne: v = a != b; break;
	case DW_OP_ge: v = sa >= sb; break;
	case DW_OP_gt: v = sa > sb; break;
	case DW_OP_le: v = sa <= sb; break;
	case DW_OP_lt: v = sa < sb; break;
	default: return false;
	}
	pop(m);
	pop(m);
	push(m, v & m->state->m->mask);
	return true;
}

/* What moves values, reads registers and memory, or jumps.  False: op is none of these. */
static bool run_other(struct machine *m, uint8_t op)
{
	struct dwarf_cursor *c = &m->c;
	uint64_t a, b, d;
	int16_t by;

	if (op >= DW_OP_breg0 && op <= DW_OP_breg31) {
		push_reg(m, op - DW_OP_breg0, dwarf_sleb(c));
		return true;
	}
	switch (op) {
	case DW_OP_bregx:
		a = dwarf_uleb(c);
		push_reg(m, a, dwarf_sleb(c));
		return true;
	case DW_OP_nop: return true;
	case DW_OP_dup: push(m, peek(m, 0)); return true;
	case DW_OP_over: push(m, peek(m, 1)); return true;
	case DW_OP_pick: push(m, peek(m, dwarf_u8(c))); return true;
	case DW_OP_drop: pop(m); return true;
	case DW_OP_swap:
		a = pop(m), b = pop(m);
		push(m, a), push(m, b);
		return true;
	case DW_OP_rot:
		a = pop(m), b = pop(m), d = pop(m);
		push(m, a), push(m, d), push(m, b);
		return true;
	case DW_OP_deref: deref(m, m->state->m->word); return true;
	case DW_OP_deref_size: deref(m, dwarf_u8(c)); return true;
	case DW_OP_plus_uconst: push(m, pop(m) + dwarf_uleb(c)); return true;
	case DW_OP_neg: push(m, -pop(m)); return true;
	case DW_OP_not: push(m, ~pop(m)); return true;
	case DW_OP_skip: jump(m, (int16_t)dwarf_u16(c)); return true;
	case DW_OP_bra:
		by = (int16_t)dwarf_u16(c);
		if (pop(m))
			jump(m, by);
		return true;
	}
	return false;
}

bool unwindint_expr(const struct unwindint_machine_state *state, struct dwarf_bytes expr,
		    bool pushed, uint64_t *value)
{
	struct machine m = {
		.state = state, .c = dwarf_cursor(expr, 0, UNWINDINT_SWAP), .begin = expr.p};
	unsigned int steps = 0;

	if (pushed)
		push(&m, *value);
	while (m.c.p < m.c.end) {
		uint8_t op = dwarf_u8(&m.c);

		if (++steps > STEPS ||
		    (!run_const(&m, op) && !run_other(&m, op) && !run_two(&m, op)) || m.bad ||
		    m.c.bad)
			return false;
	}
	*value = pop(&m) & state->m->mask;
	return !m.bad;
}
