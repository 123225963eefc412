// SPDX-License-Identifier: BSD-2-Clause
/* The first entry of a unit: what holds for all of it. */
#include "symbol/dwarf/dwarf_int.h"

/* What other values of the first entry need in order to be read. */
static void set_base(struct dwarf_unit *unit, uint16_t name, const struct dwarf_value *v)
{
	switch (name) {
	case DW_AT_str_offsets_base: unit->str_offsets = v->u; break;
	case DW_AT_addr_base:
	case DW_AT_GNU_addr_base: unit->addr_base = v->u; break;
	case DW_AT_rnglists_base: unit->rnglists_base = v->u; break;
	case DW_AT_GNU_ranges_base: unit->ranges_base = v->u; break;
	}
}

static void set_root(struct dwarf_unit *unit, uint16_t name, const struct dwarf_value *v)
{
	switch (name) {
	case DW_AT_low_pc:
		unit->low = v->u;
		unit->has_low = v->kind == DWARF_ADDRESS;
		break;
	case DW_AT_high_pc: unit->high = *v; break;
	case DW_AT_ranges: unit->ranges = *v; break;
	case DW_AT_stmt_list:
		unit->lines_offset = v->u;
		unit->has_lines = true;
		break;
	case DW_AT_language: unit->language = (uint16_t)v->u; break;
	case DW_AT_comp_dir: unit->dir = v->text; break;
	case DW_AT_dwo_name:
	case DW_AT_GNU_dwo_name: unit->dwo_name = v->text; break;
	case DW_AT_GNU_dwo_id: unit->id = v->u; break;
	}
}

int dwarf_unit_root(struct dwarf_unit *unit)
{
	const struct dwarf_abbrevs *t;
	const struct dwarf_abbrev *a;
	struct dwarf_cursor c;
	int pass;
	uint32_t i;

	if (unit->rooted)
		return 0;
	unit->rooted = true;
	t = dwarf_unit_abbrevs(unit);
	if (!t)
		return -1;
	for (pass = 0; pass < 2; pass++) {
		c = dwarf_unit_cursor(unit, unit->die);
		a = dwarf_abbrev_find(t, dwarf_uleb(&c));
		if (!a || !dwarf_may_work(unit->file->lines, a->count))
			return 0;
		unit->tag = a->tag;
		for (i = 0; i < a->count; i++) {
			const struct dwarf_attr *attr = &t->attrs.v[a->first + i];
			struct dwarf_value v = dwarf_value_read(unit, &c, attr);

			if (pass)
				set_root(unit, attr->name, &v);
			else
				set_base(unit, attr->name, &v);
		}
	}
	return 0;
}
