// SPDX-License-Identifier: BSD-2-Clause
/* Which unit has an address. */
#include "symbol/dwarf/dwarf_int.h"

/* A set of .debug_aranges: the addresses of one unit, only wanted if that has none itself. */
static int add_set(struct dwarf_lines *lines, struct dwarf_cursor *c, uint64_t start)
{
	struct dwarf_file *file = lines->main;
	unsigned int offset_size = 4, size;
	uint64_t length = dwarf_u32(c), offset;
	struct dwarf_unit *unit;
	struct dwarf_cursor set;
	uint32_t id;

	if (length == UINT32_MAX) {
		offset_size = 8;
		length = dwarf_u64(c);
	}
	set = *c;
	dwarf_skip(c, length);
	if (c->bad)
		return 0;
	set.end = c->p;
	dwarf_u16(&set);
	offset = dwarf_sized(&set, offset_size);
	unit = dwarf_unit_at(file, offset);
	size = dwarf_u8(&set);
	if (!unit || unit->placed || size != unit->address_size || dwarf_u8(&set))
		return 0;
	length = (uint64_t)(set.p - file->sections[DWARF_ARANGES].p) - start;
	dwarf_skip(&set, (2 * size - length % (2 * size)) % (2 * size));
	id = (uint32_t)(unit - file->units.v);
	while (!set.bad && dwarf_may_work(lines, 1)) {
		uint64_t low = dwarf_sized(&set, size), count = dwarf_sized(&set, size);

		if (!low && !count)
			break;
		if (!set.bad && dwarf_range_add(unit, low, low + count, id, &lines->units))
			return -1;
	}
	return 0;
}

static int add_sets(struct dwarf_lines *lines)
{
	struct dwarf_bytes all = lines->main->sections[DWARF_ARANGES];
	struct dwarf_cursor c = dwarf_cursor(all, 0, lines->main->swap);

	while (dwarf_left(&c) > 4)
		if (add_set(lines, &c, (uint64_t)(c.p - all.p)))
			return -1;
	return 0;
}

/* The addresses of the functions of a unit that has none itself, nor a set of them. */
static int add_functions(struct dwarf_lines *lines, struct dwarf_unit *unit)
{
	const struct dwarf_span *s;

	if (dwarf_scopes_read(unit))
		return -1;
	vec_each(s, &unit->scopes.spans)
		if (vec_push(&lines->units,
			     (struct dwarf_span){.low = s->low,
						 .high = s->high,
						 .id = (uint32_t)(unit - lines->main->units.v)}))
			return -1;
	return 0;
}

static int by_size(const void *pa, const void *pb)
{
	const struct dwarf_span *a = pa, *b = pb;
	uint64_t x = a->high - a->low, y = b->high - b->low;

	if (x != y)
		return x > y ? -1 : 1;
	return (a->id < b->id) - (a->id > b->id);
}

static int place(struct dwarf_lines *lines, struct dwarf_unit *unit)
{
	struct dwarf_value low = {0};
	uint32_t id = (uint32_t)(unit - lines->main->units.v);

	if (dwarf_unit_root(unit))
		return -1;
	low = (struct dwarf_value){.kind = unit->has_low ? DWARF_ADDRESS : DWARF_NOTHING,
				   .u = unit->low};
	unit->placed = unit->tag == DW_TAG_partial_unit || unit->tag == DW_TAG_type_unit ||
		       unit->ranges.kind || (unit->has_low && unit->high.kind);
	return dwarf_ranges_add(unit, &low, &unit->high, &unit->ranges, id, 0, &lines->units);
}

int dwarf_index_build(struct dwarf_lines *lines)
{
	struct dwarf_file *file = lines->main;
	struct dwarf_unit *unit;
	struct dwarf_span *s;

	vec_each(unit, &file->units)
		if (place(lines, unit))
			return -1;
	if (add_sets(lines))
		return -1;
	if (!file->sections[DWARF_ARANGES].n)
		vec_each(unit, &file->units)
			if (!unit->placed && unit->has_lines && add_functions(lines, unit))
				return -1;
	/* Where several units have an address, the one that says it more precisely. */
	if (lines->units.n)
		qsort(lines->units.v, lines->units.n, sizeof(*lines->units.v), by_size);
	vec_each(s, &lines->units)
		s->rank = (uint32_t)(s - lines->units.v);
	return dwarf_spans_settle(&lines->units);
}
