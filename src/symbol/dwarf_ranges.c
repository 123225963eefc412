// SPDX-License-Identifier: BSD-2-Clause
/* The addresses of entries, and which unit has an address. */
#include "symbol/dwarf_int.h"

/* The ranges of one entry on their way into spans. */
struct ranging {
	struct dwarf_unit *unit;
	struct dwarf_cursor c;
	uint64_t base;
	uint32_t id, rank;
	dwarf_spans *out;
};

bool dwarf_address(const struct dwarf_unit *unit, uint64_t index, uint64_t *address)
{
	const struct dwarf_file *file = unit->addresses;
	struct dwarf_cursor c;

	if (index > UINT32_MAX)
		return false;
	c = dwarf_cursor(file->sections[DWARF_ADDR], unit->addr_base + index * unit->address_size,
			 file->swap);
	*address = dwarf_sized(&c, unit->address_size);
	return !c.bad;
}

bool dwarf_is_code(const struct dwarf_lines *lines, uint64_t address)
{
	return lines->code.n ? dwarf_spans_find(&lines->code, address) != NULL : address != 0;
}

static int add(struct ranging *r, uint64_t low, uint64_t high)
{
	if (r->unit->address_size == 4) {
		low = (uint32_t)low;
		high = (uint32_t)high;
	}
	if (low >= high || !dwarf_is_code(r->unit->file->lines, low) ||
	    !dwarf_may_store(r->unit->file->lines, sizeof(*r->out->v)))
		return 0;
	return vec_push(r->out, (struct dwarf_span){low, high, r->id, r->rank});
}

/* DWARF 2 to 4. */
static int add_pairs(struct ranging *r)
{
	unsigned int size = r->unit->address_size;
	uint64_t highest = size == 4 ? UINT32_MAX : UINT64_MAX;

	while (dwarf_may_work(r->unit->file->lines, 1)) {
		uint64_t low = dwarf_sized(&r->c, size), high = dwarf_sized(&r->c, size);

		if (r->c.bad || (!low && !high))
			break;
		if (low == highest)
			r->base = high;
		else if (add(r, r->base + low, r->base + high))
			return -1;
	}
	return 0;
}

static uint64_t indexed(struct ranging *r)
{
	uint64_t address = 0;

	if (!dwarf_address(r->unit, dwarf_uleb(&r->c), &address))
		r->c.bad = true;
	return address;
}

/* One entry of a list of DWARF 5; low and high stay equal where it is no range. */
static void read_entry(struct ranging *r, uint8_t kind, uint64_t *low, uint64_t *high)
{
	struct dwarf_cursor *c = &r->c;
	unsigned int size = r->unit->address_size;

	*low = *high = 0;
	switch (kind) {
	case DW_RLE_base_addressx: r->base = indexed(r); break;
	case DW_RLE_base_address: r->base = dwarf_sized(c, size); break;
	case DW_RLE_startx_endx:
		*low = indexed(r);
		*high = indexed(r);
		break;
	case DW_RLE_startx_length:
		*low = indexed(r);
		*high = *low + dwarf_uleb(c);
		break;
	case DW_RLE_offset_pair:
		*low = r->base + dwarf_uleb(c);
		*high = r->base + dwarf_uleb(c);
		break;
	case DW_RLE_start_end:
		*low = dwarf_sized(c, size);
		*high = dwarf_sized(c, size);
		break;
	case DW_RLE_start_length:
		*low = dwarf_sized(c, size);
		*high = *low + dwarf_uleb(c);
		break;
	default: c->bad = true; break;
	}
}

static int add_entries(struct ranging *r)
{
	uint64_t low, high;

	while (dwarf_may_work(r->unit->file->lines, 1)) {
		uint8_t kind = dwarf_u8(&r->c);

		if (kind == DW_RLE_end_of_list || r->c.bad)
			break;
		read_entry(r, kind, &low, &high);
		if (!r->c.bad && add(r, low, high))
			return -1;
	}
	return 0;
}

/* From the index of a list to its offset. */
static bool list_offset(const struct dwarf_unit *unit, uint64_t index, uint64_t *offset)
{
	const struct dwarf_file *file = unit->file;
	struct dwarf_cursor c;

	if (index > UINT32_MAX)
		return false;
	c = dwarf_cursor(file->sections[DWARF_RNGLISTS],
			 unit->rnglists_base + index * unit->offset_size, file->swap);
	*offset = unit->rnglists_base + dwarf_sized(&c, unit->offset_size);
	return !c.bad;
}

static int add_list(struct ranging *r, const struct dwarf_value *ranges)
{
	struct dwarf_unit *unit = r->unit;
	const struct dwarf_file *file = unit->file;
	uint64_t offset = ranges->u;

	r->base = unit->low;
	if (unit->version < 5) {
		/* Those of split units are in the main file. */
		if (file->split)
			offset += unit->ranges_base;
		r->c = dwarf_cursor(unit->addresses->sections[DWARF_RANGES], offset, file->swap);
		return add_pairs(r);
	}
	if (ranges->kind == DWARF_INDEX && !list_offset(unit, ranges->u, &offset))
		return 0;
	r->c = dwarf_cursor(file->sections[DWARF_RNGLISTS], offset, file->swap);
	return add_entries(r);
}

int dwarf_ranges_add(struct dwarf_unit *unit, const struct dwarf_value *low,
		     const struct dwarf_value *high, const struct dwarf_value *ranges, uint32_t id,
		     uint32_t rank, dwarf_spans *out)
{
	struct ranging r = {.unit = unit, .id = id, .rank = rank, .out = out};

	if (ranges->kind == DWARF_OFFSET || ranges->kind == DWARF_INDEX ||
	    ranges->kind == DWARF_NUMBER)
		return add_list(&r, ranges);
	if (low->kind != DWARF_ADDRESS)
		return 0;
	if (high->kind == DWARF_ADDRESS)
		return add(&r, low->u, high->u);
	return high->kind == DWARF_NUMBER ? add(&r, low->u, low->u + high->u) : 0;
}

/* A set of .debug_aranges: the addresses of one unit, only wanted if that has none itself. */
static int add_set(struct dwarf_lines *lines, struct dwarf_cursor *c, uint64_t start)
{
	struct dwarf_file *file = lines->main;
	unsigned int offset_size = 4, size;
	uint64_t length = dwarf_u32(c), offset;
	struct dwarf_unit *unit;
	struct dwarf_cursor set;
	struct ranging r;

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
	r = (struct ranging){
		.unit = unit, .id = (uint32_t)(unit - file->units.v), .out = &lines->units};
	while (!set.bad && dwarf_may_work(lines, 1)) {
		uint64_t low = dwarf_sized(&set, size), count = dwarf_sized(&set, size);

		if (!low && !count)
			break;
		if (!set.bad && add(&r, low, low + count))
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
