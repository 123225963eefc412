// SPDX-License-Identifier: BSD-2-Clause
/* A row as a rule: the few forms that nearly all rows have, or "run the FDE again". */
#include "base/dwarf_constants.h"
#include "unwind/unwind_int.h"

/* Register + offset, as an expression: one DW_OP_breg or DW_OP_bregx. */
static bool reg_offset(struct dwarf_cursor *c, uint64_t *reg, int64_t *offset)
{
	uint8_t op = dwarf_u8(c);

	if (op == DW_OP_bregx)
		*reg = dwarf_uleb(c);
	else if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
		*reg = op - DW_OP_breg0;
	else
		return false;
	*offset = dwarf_sleb(c);
	return !c->bad;
}

/*
 * The second half of what linkers write for an entry of the PLT, which pushes a word at its n-th
 * byte: ... + ((pc & 15) >= n) * word.
 */
static bool plt_rest(struct dwarf_cursor *c, const struct unwindint_machine *m, int16_t *n)
{
	uint64_t reg;
	int64_t offset;
	uint8_t limit;

	if (!reg_offset(c, &reg, &offset) || reg != m->ra || offset || dwarf_u8(c) != DW_OP_lit15 ||
	    dwarf_u8(c) != DW_OP_and)
		return false;
	limit = dwarf_u8(c);
	*n = (int16_t)(limit - DW_OP_lit0);
	return limit >= DW_OP_lit0 && limit <= DW_OP_lit15 && dwarf_u8(c) == DW_OP_ge &&
	       dwarf_u8(c) == DW_OP_lit0 + (m->word == 8 ? 3 : 2) && dwarf_u8(c) == DW_OP_shl &&
	       dwarf_u8(c) == DW_OP_plus && c->p == c->end;
}

/* False: another form than register + offset, what is there, and that of the PLT. */
static bool cfa_of_expr(struct dwarf_bytes expr, const struct unwindint_machine *m,
			struct unwind_rule *rule)
{
	struct dwarf_cursor c = dwarf_cursor(expr, 0, UNWINDINT_SWAP), rest;
	uint64_t reg, add = 0;
	int64_t offset;

	if (!reg_offset(&c, &reg, &offset) || reg >= UNWIND_REGS || offset != (int32_t)offset)
		return false;
	rule->cfa_reg = (uint8_t)reg;
	rule->cfa_offset = (int32_t)offset;
	rule->cfa = UNWIND_CFA_REG;
	if (c.p == c.end)
		return true;
	rest = c;
	rule->cfa = UNWIND_CFA_PLT;
	if (plt_rest(&rest, m, &rule->cfa_add))
		return true;
	rule->cfa = UNWIND_CFA_DEREF;
	rule->cfa_add = 0;
	if (dwarf_u8(&c) != DW_OP_deref)
		return false;
	if (c.p < c.end) {
		if (dwarf_u8(&c) != DW_OP_plus_uconst)
			return false;
		add = dwarf_uleb(&c);
		rule->cfa_add = (int16_t)add;
	}
	return !c.bad && c.p == c.end && add <= INT16_MAX;
}

/* False: a form that no rule has. */
static bool saved_of(const struct unwindint_saved *s, const struct unwind_rule *rule,
		     uint8_t *saved, int32_t *offset)
{
	struct dwarf_cursor c;
	uint64_t reg;
	int64_t at;

	*offset = 0;
	switch (s->where) {
	case UNWINDINT_UNSAID:
	case UNWINDINT_SAME: *saved = UNWIND_SAVED_SAME; return true;
	case UNWINDINT_UNDEFINED: *saved = UNWIND_SAVED_UNDEFINED; return true;
	case UNWINDINT_AT_CFA:
		*saved = UNWIND_SAVED_AT_CFA;
		*offset = (int32_t)s->number;
		return s->number == *offset;
	case UNWINDINT_AT_EXPR:
		c = dwarf_cursor((struct dwarf_bytes){s->expr, s->length}, 0, UNWINDINT_SWAP);
		*saved = UNWIND_SAVED_AT_REG;
		if (!reg_offset(&c, &reg, &at) || c.p != c.end || reg != rule->cfa_reg)
			return false;
		*offset = (int32_t)at;
		return at == *offset;
	}
	return false;
}

void unwindint_rule_of_row(const struct unwindint_fde *fde, const struct unwindint_row *row,
			   struct unwind_rule *rule)
{
	const struct unwindint_machine *m = fde->image->m;
	bool simple;

	*rule = (struct unwind_rule){.signal = fde->cie.signal};
	if (row->cfa_expr.p) {
		simple = cfa_of_expr(row->cfa_expr, m, rule);
	} else if (row->cfa_reg < UNWIND_REGS) {
		simple = row->cfa_offset == (int32_t)row->cfa_offset;
		rule->cfa = UNWIND_CFA_REG;
		rule->cfa_reg = (uint8_t)row->cfa_reg;
		rule->cfa_offset = (int32_t)row->cfa_offset;
	} else {
		return;
	}
	if (!simple || !saved_of(&row->saved[m->ra], rule, &rule->ra, &rule->ra_offset) ||
	    !saved_of(&row->saved[m->fp], rule, &rule->fp, &rule->fp_offset))
		*rule = (struct unwind_rule){.signal = fde->cie.signal, .cfa = UNWIND_CFA_ROW};
}

bool unwind_image_rule(struct unwind_image *image, uint64_t vaddr, struct unwind_rule *rule)
{
	struct unwindint_fde fde;
	struct unwindint_row row;

	*rule = (struct unwind_rule){0};
	if (!unwindint_fde_find(image, vaddr, &fde) || !unwindint_row(&fde, vaddr, &row))
		return false;
	unwindint_rule_of_row(&fde, &row, rule);
	return rule->cfa != UNWIND_CFA_UNKNOWN;
}
