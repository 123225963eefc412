// SPDX-License-Identifier: BSD-2-Clause
/* Runs the instructions of an FDE up to one address: where the caller's registers are there. */
#include "base/dwarf_constants.h"
#include "unwind/unwind_int.h"

enum {
	REMEMBERED = 8, /* rows; compilers need 2 */
	PRIMARY = 0xc0, /* bits of the instructions that have an operand in the rest */
};

struct run {
	const struct unwindint_fde *fde;
	struct unwindint_row *row;
	struct unwindint_row initial; /* by the CIE's instructions */
	bool has_initial;
	uint64_t at, stop; /* ends before the row that begins behind stop */
	bool done;
	unwindint_row_fn *each;
	void *arg;
	unsigned int depth;
	struct unwindint_row remembered[REMEMBERED];
};

/* The row ends at to, where the next one begins. */
static bool advance_to(struct run *r, uint64_t to)
{
	if (to < r->at)
		return false;
	if (to > r->stop) {
		r->done = true;
		return true;
	}
	if (r->each && to > r->at && !r->each(r->arg, r->row, r->at, to))
		r->done = true;
	r->at = to;
	return true;
}

static bool advance(struct run *r, uint64_t units)
{
	uint64_t bytes;

	return !__builtin_mul_overflow(units, r->fde->cie.code_align, &bytes) &&
	       !__builtin_add_overflow(bytes, r->at, &bytes) && advance_to(r, bytes);
}

static void save(struct run *r, uint64_t reg, uint8_t where, int64_t number)
{
	if (reg < UNWIND_REGS)
		r->row->saved[reg] = (struct unwindint_saved){.where = where, .number = number};
}

/* In units of the CIE's; wraps, since only addresses are made of it. */
static int64_t scaled(const struct run *r, int64_t units)
{
	return (int64_t)((uint64_t)units * (uint64_t)r->fde->cie.data_align);
}

static void restore(struct run *r, uint64_t reg)
{
	if (reg < UNWIND_REGS)
		r->row->saved[reg] =
			r->has_initial ? r->initial.saved[reg] : (struct unwindint_saved){0};
}

static bool remember(struct run *r)
{
	if (r->depth == REMEMBERED)
		return false;
	r->remembered[r->depth++] = *r->row;
	return true;
}

static bool recall(struct run *r)
{
	if (!r->depth)
		return false;
	*r->row = r->remembered[--r->depth];
	return true;
}

static struct dwarf_bytes block(struct dwarf_cursor *c)
{
	struct dwarf_bytes b = {.n = (size_t)dwarf_uleb(c)};

	b.p = c->p;
	dwarf_skip(c, b.n);
	if (c->bad || b.n > UINT32_MAX)
		dwarf_overrun(c), b.n = 0;
	return b;
}

static void save_expr(struct run *r, uint64_t reg, uint8_t where, struct dwarf_bytes expr)
{
	if (reg < UNWIND_REGS)
		r->row->saved[reg] = (struct unwindint_saved){
			.where = where, .length = (uint32_t)expr.n, .expr = expr.p};
}

static void define_cfa(struct run *r, uint64_t reg, int64_t offset)
{
	r->row->cfa_reg = reg;
	r->row->cfa_offset = offset;
	r->row->cfa_expr = (struct dwarf_bytes){0};
}

/* Instructions on the CFA.  False: none of them. */
static bool run_cfa(struct run *r, uint8_t op, struct dwarf_cursor *c)
{
	struct unwindint_row *row = r->row;
	uint64_t reg;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = dwarf_uleb(c);
		define_cfa(r, reg, (int64_t)dwarf_uleb(c));
		return true;
	case DW_CFA_def_cfa_sf:
		reg = dwarf_uleb(c);
		define_cfa(r, reg, scaled(r, dwarf_sleb(c)));
		return true;
	case DW_CFA_def_cfa_register: define_cfa(r, dwarf_uleb(c), row->cfa_offset); return true;
	/* These two leave an expression in force. */
	case DW_CFA_def_cfa_offset: row->cfa_offset = (int64_t)dwarf_uleb(c); return true;
	case DW_CFA_def_cfa_offset_sf: row->cfa_offset = scaled(r, dwarf_sleb(c)); return true;
	case DW_CFA_def_cfa_expression: row->cfa_expr = block(c); return true;
	}
	return false;
}

/* Instructions on one register.  False: none of them. */
static bool run_reg(struct run *r, uint8_t op, struct dwarf_cursor *c)
{
	uint64_t reg;

	if (op < DW_CFA_offset_extended ||
	    (op > DW_CFA_val_expression && op != DW_CFA_GNU_negative_offset_extended))
		return false;
	reg = dwarf_uleb(c);
	switch (op) {
	case DW_CFA_offset_extended:
		save(r, reg, UNWINDINT_AT_CFA, scaled(r, (int64_t)dwarf_uleb(c)));
		return true;
	case DW_CFA_offset_extended_sf:
		save(r, reg, UNWINDINT_AT_CFA, scaled(r, dwarf_sleb(c)));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		save(r, reg, UNWINDINT_AT_CFA, scaled(r, -(int64_t)dwarf_uleb(c)));
		return true;
	case DW_CFA_val_offset:
		save(r, reg, UNWINDINT_CFA_PLUS, scaled(r, (int64_t)dwarf_uleb(c)));
		return true;
	case DW_CFA_val_offset_sf:
		save(r, reg, UNWINDINT_CFA_PLUS, scaled(r, dwarf_sleb(c)));
		return true;
	case DW_CFA_register: save(r, reg, UNWINDINT_IN_REG, (int64_t)dwarf_uleb(c)); return true;
	case DW_CFA_restore_extended: restore(r, reg); return true;
	case DW_CFA_undefined: save(r, reg, UNWINDINT_UNDEFINED, 0); return true;
	case DW_CFA_same_value: save(r, reg, UNWINDINT_SAME, 0); return true;
	case DW_CFA_expression: save_expr(r, reg, UNWINDINT_AT_EXPR, block(c)); return true;
	case DW_CFA_val_expression: save_expr(r, reg, UNWINDINT_VALUE_EXPR, block(c)); return true;
	}
	return false;
}

/* Instructions without a register, or on all.  False: not known, or it does not fit. */
static bool run_other(struct run *r, uint8_t op, struct dwarf_cursor *c)
{
	uint64_t at;

	switch (op) {
	case DW_CFA_nop: return true;
	case DW_CFA_set_loc:
		return unwindint_pointer(r->fde->image, r->fde->table, c, r->fde->cie.encoding, 0,
					 &at) &&
		       advance_to(r, at);
	case DW_CFA_advance_loc1: return advance(r, dwarf_u8(c));
	case DW_CFA_advance_loc2: return advance(r, dwarf_u16(c));
	case DW_CFA_advance_loc4: return advance(r, dwarf_u32(c));
	case DW_CFA_remember_state: return remember(r);
	case DW_CFA_restore_state: return recall(r);
	case DW_CFA_GNU_args_size: dwarf_uleb(c); return true;
	/* Return addresses are stripped of their signatures anyway. */
	case DW_CFA_AARCH64_negate_ra_state:
	case DW_CFA_AARCH64_negate_ra_state_with_pc: return r->fde->image->machine == UNWIND_ARM64;
	}
	return false;
}

/* Runs code until its end or r->stop. */
static bool run(struct run *r, struct dwarf_bytes code)
{
	struct dwarf_cursor c = dwarf_cursor(code, 0, UNWINDINT_SWAP);

	while (c.p < c.end && !r->done) {
		uint8_t op = dwarf_u8(&c), low = op & (uint8_t)~PRIMARY;

		switch (op & PRIMARY) {
		case DW_CFA_advance_loc:
			if (!advance(r, low))
				return false;
			break;
		case DW_CFA_offset:
			save(r, low, UNWINDINT_AT_CFA, scaled(r, (int64_t)dwarf_uleb(&c)));
			break;
		case DW_CFA_restore: restore(r, low); break;
		default:
			/* What an op is none of leaves c alone. */
			if (!run_cfa(r, op, &c) && !run_other(r, op, &c) && !run_reg(r, op, &c))
				return false;
		}
		if (c.bad)
			return false;
	}
	return true;
}

static bool run_fde(struct run *r)
{
	/* A CIE's instructions come before the code: none of them goes on to an address. */
	if (!run(r, r->fde->cie.code) || r->at != r->fde->start)
		return false;
	r->initial = *r->row;
	r->has_initial = true;
	r->depth = 0;
	return run(r, r->fde->code);
}

bool unwindint_row(const struct unwindint_fde *fde, uint64_t vaddr, struct unwindint_row *row)
{
	struct run r;

	*row = (struct unwindint_row){.cfa_reg = UINT64_MAX};
	r.fde = fde;
	r.row = row;
	r.has_initial = r.done = false;
	r.at = fde->start;
	r.stop = vaddr;
	r.each = NULL;
	r.depth = 0;
	return run_fde(&r);
}

bool unwindint_rows(const struct unwindint_fde *fde, unwindint_row_fn *each, void *arg)
{
	struct unwindint_row row = {.cfa_reg = UINT64_MAX};
	struct run r;

	r.fde = fde;
	r.row = &row;
	r.has_initial = r.done = false;
	r.at = fde->start;
	r.stop = fde->end;
	r.each = each;
	r.arg = arg;
	r.depth = 0;
	if (!run_fde(&r))
		return false;
	if (!r.done && r.at < fde->end)
		each(arg, &row, r.at, fde->end);
	return true;
}
